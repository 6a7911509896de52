import type { LogEntry } from "../log-entry.ts";
import {
  MAX_CONSOLE_LINE,
  MAX_CONSOLE_LINES,
  MAX_REQUESTS,
  type ProcessReport,
  type SandboxError,
  type SandboxOutput,
} from "../protocol.ts";
import { isText, notOfSandbox } from "./isolate-errors.ts";

/** What a run has received so far. */
export interface RunCounts {
  lines: number;
  requests: number;
}

/** What a message of the sandbox asks the host to do. */
export type RunStep =
  | { is: "log"; line: LogEntry }
  | { is: "request"; kind: "fetch" | "blob"; id: number; request: unknown }
  | { is: "return"; value: unknown; used: readonly string[] | undefined; rowCount: number }
  | { is: "fail"; error: SandboxError }
  | { is: "refuse"; path: string; reason: string }
  /** The message is from an earlier run. */
  | { is: "ignore" };

type RunMessage = Extract<SandboxOutput, { run: number }>;
type LogMessage = Extract<SandboxOutput, { k: "log" }>;

/**
 * Reads one message of a run. All of it is untrusted: code that breaks out of the Pack's context
 * can send anything.
 * @throws {TypeError} for what the code in the sandbox never sends
 */
export function readRunMessage(
  output: SandboxOutput | ProcessReport,
  run: number,
  counts: RunCounts,
): RunStep {
  switch (output.k) {
    case "log":
      return readLine(output, counts);
    case "fetch":
    case "blob":
    case "done":
    case "failed":
    case "unsendable":
      return output.run === run ? readMessage(output, counts) : { is: "ignore" };
    default:
      throw notOfSandbox("message");
  }
}

function readLine({ level, message }: LogMessage, { lines }: RunCounts): RunStep {
  const isLine = isText(level, 10) && isText(message, MAX_CONSOLE_LINE + 100);
  // One more line says that there were too many.
  if (lines > MAX_CONSOLE_LINES || !isLine) throw notOfSandbox("console line");
  return { is: "log", line: { level, message } };
}

function readMessage(output: RunMessage, { requests }: RunCounts): RunStep {
  switch (output.k) {
    case "fetch":
    case "blob":
      if (requests >= MAX_REQUESTS || !Number.isSafeInteger(output.id))
        throw notOfSandbox("request");
      return { is: "request", kind: output.k, id: output.id, request: output.request };
    case "done":
      return {
        is: "return",
        value: output.value,
        used: output.used,
        rowCount: Number(output.rows ?? 0),
      };
    case "failed":
      return { is: "fail", error: output.error };
    case "unsendable":
      return { is: "refuse", path: output.path, reason: output.reason };
  }
}
