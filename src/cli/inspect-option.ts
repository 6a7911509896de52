import { basename } from "node:path";
import { usageError } from "../errors.ts";
import type { RunFormulaOptions } from "../execute/run-target.ts";
import type { Output } from "./output.ts";
import { parsePort } from "./parse-flags.ts";

/** Where debuggers look. */
const INSPECT_PORT = "9229";
export const INSPECT_DESCRIPTION = `wait for a debugger on this port on 127.0.0.1 (default: ${INSPECT_PORT}); the Pack runs without limits and with less isolation`;

/**
 * Reads `--inspect [port]`. Each process that waits for a debugger is announced.
 * @throws {PackError} USAGE_INVALID, PORT_IN_USE
 */
export async function parseInspect(
  flag: true | string,
  file: string,
  output: Output,
): Promise<NonNullable<RunFormulaOptions["inspect"]>> {
  const port = parsePort(flag === true ? INSPECT_PORT : flag);
  if (basename(file) === "bundle.js")
    throw usageError(
      "--inspect does not work with a built bundle.",
      "Pass the entry file of the Pack.",
    );
  const [{ listenOnLoopback }, { findConfinement }, { warnOfDebugger }] = await Promise.all([
    import("../shared/loopback-server.ts"),
    import("../sandbox/host/confinement.ts"),
    import("../sandbox/host/warn-of-debugger.ts"),
  ]);
  // Node only writes a line about a port that is taken.
  await (await listenOnLoopback(() => {}, port)).close();
  return {
    port,
    onListening(url) {
      output.progress(
        `${output.style("warning", "warning")}: ${warnOfDebugger(findConfinement().name)}; debug only code that you trust`,
      );
      output.progress(`debugger  ${url}  waiting; attach an editor, or open chrome://inspect`);
    },
  };
}
