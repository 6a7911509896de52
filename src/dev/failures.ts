import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isPackError, type PackError } from "../errors.ts";
import { toFailure } from "../shared/failure.ts";
import { codeFrame } from "../validate/formats/code-frame.ts";
import type { PackSession } from "./session/pack-session.ts";
import type { FailureView } from "./wire/common.ts";
import type { RunFailureView } from "./wire/run.ts";

/** Whatever was thrown, as the page shows it. */
export function failureView(thrown: unknown): FailureView {
  return { ...toFailure(thrown).error };
}

const FRAME_WIDTH = 110;

/** The failure of a run, with the source around the place where it came from. */
export function runFailureView(session: PackSession, thrown: unknown): RunFailureView {
  const error = isPackError(thrown) ? (thrown as PackError) : undefined;
  const stack = stackOf(error).map(placeOf);
  const [first] = stack.filter(({ file }) => file !== undefined);
  return {
    ...failureView(thrown),
    ...(error !== undefined && isPackError(error, "ARGUMENT_TYPE") ? { parameter: error.details.parameter } : {}),
    stack,
    frame: first === undefined ? [] : frameAt(session, first),
  };
}

function stackOf(error: PackError | undefined): string[] {
  const details = error?.details as { stack?: unknown } | undefined;
  return typeof details?.stack === "string" ? details.stack.split("\n") : [];
}

function placeOf(text: string): RunFailureView["stack"][number] {
  const [, file, line, column] = /\(?([^\s()]+):(\d+):(\d+)\)?$/.exec(text) ?? [];
  if (file === undefined) return { text, file, line: undefined, column: undefined };
  return { text, file, line: Number(line), column: Number(column) };
}

/** Positions are relative to the entry's folder. */
function frameAt(session: PackSession, { file, line, column }: RunFailureView["stack"][number]): RunFailureView["frame"] {
  const source = file === undefined ? undefined : readText(resolve(dirname(session.entry), file));
  if (source === undefined || line === undefined || column === undefined) return [];
  return codeFrame(source, { line, column }, FRAME_WIDTH) ?? [];
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch {
    return undefined;
  }
}
