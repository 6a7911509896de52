import { type Confinement, findConfinement } from "../sandbox/host/confinement.ts";
import type { Finding } from "./examination.ts";
import type { Machine } from "./finding.ts";

/** Says which layers hold the code of a Pack on this machine, and how to get the others. */
export function checkSandbox(
  { platform }: Pick<Machine, "platform">,
  confinement: Pick<Confinement, "name" | "filtersCalls"> = findConfinement({
    isTried: true,
  }),
): Finding[] {
  const { name, filtersCalls } = confinement;
  if (name === "none") return [describeMissing(platform)];
  const kernel = `the kernel (${name}: no files, network or other processes${filtersCalls ? ", no sockets" : ""})`;
  const message = `The sandbox uses a separate context, Node's permission model and ${kernel}.`;
  if (name !== "unshare") return [{ check: "sandbox", status: "fine", message }];
  const hint =
    "Install bubblewrap (bwrap), which also blocks new processes and unusual system calls.";
  return [{ check: "sandbox", status: "note", message, hint }];
}

function describeMissing(platform: NodeJS.Platform): Finding {
  return {
    check: "sandbox",
    status: "note",
    message:
      "The sandbox uses a separate context and Node's permission model, but no restrictions from the operating system's kernel. The permission model does not block the network.",
    hint: HINTS[platform] ?? "Run only Packs that you trust.",
  };
}

const HINTS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux:
    "Install bubblewrap (bwrap), and allow user namespaces. Most containers forbid user namespaces.",
  darwin: "sandbox-exec does not work here. Run only Packs that you trust.",
};
