import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../shared/own-package.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** The version of Node, and the variables that change how it meets other machines. */
export function checkNode({ env, nodeVersion }: Surroundings): Finding[] {
  const { engines } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { engines: { node: string } };
  const needed = engines.node.replace(">=", "");
  const version = `Node ${nodeVersion} on ${process.platform} ${process.arch}`;
  const first: Finding = isAtLeast(nodeVersion, needed)
    ? { check: "node", status: "fine", message: `${version}.` }
    : { check: "node", status: "problem", message: `${version} is too old.`, hint: `Install Node ${needed} or later.` };
  return [first, ...certificates(env)];
}

function certificates(env: NodeJS.ProcessEnv): Finding[] {
  const findings: Finding[] = [];
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    findings.push({
      check: "node",
      status: "warning",
      message: "NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody on the way read tokens: certificates are not checked.",
      hint: "Unset it; name the certificate of your network in NODE_EXTRA_CA_CERTS.",
    });
  }
  const extra = env["NODE_EXTRA_CA_CERTS"];
  if (extra !== undefined && extra !== "" && !existsSync(extra)) {
    findings.push({
      check: "node",
      status: "warning",
      message: "NODE_EXTRA_CA_CERTS names a file that does not exist, so its certificates are not trusted.",
      hint: "Correct the path, or unset the variable.",
    });
  }
  return findings;
}

function isAtLeast(version: string, needed: string): boolean {
  const [have, want] = [version, needed].map((text) => text.split(".").map(Number)) as [number[], number[]];
  for (const [index, number] of want.entries()) if ((have[index] ?? 0) !== number) return (have[index] ?? 0) > number;
  return true;
}
