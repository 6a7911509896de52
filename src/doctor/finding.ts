import { type AnyPackError, isPackError } from "../errors.ts";
import type { CheckName, Finding } from "./examination.ts";

/** What the checks know about this machine. */
export interface Machine {
  cwd: string;
  env: NodeJS.ProcessEnv;
  ports: readonly number[];
  platform: NodeJS.Platform;
  nodeVersion: string;
  now: () => number;
  /** Limit for answers of other programs, in milliseconds. */
  timeoutMs: number;
}

/** Turns an error into a problem. */
export function createProblem(check: CheckName, error: unknown): Finding {
  if (!isPackError(error))
    return {
      check,
      status: "problem",
      message: sentence(error instanceof Error ? error.message : String(error)),
    };
  const { message, hint } = error as AnyPackError;
  return { check, status: "problem", message, hint };
}

/** The first line only: the other lines name files of the installation. */
function sentence(text: string): string {
  const line = text.split("\n")[0] ?? "";
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
