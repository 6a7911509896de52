import { dirname } from "node:path";
import { isPackError, type PackError } from "../errors.ts";
import { toFailure } from "../shared/failures.ts";
import { createSourceReader } from "../shared/files.ts";
import type { ReportedError } from "../shared/reported-error.ts";
import { explain } from "../validate/explanations/explain.ts";
import { codeFrame } from "../validate/formats/code-frame.ts";
import { hintInPage } from "./page-hints.ts";
import type { PackSession } from "./session/pack-session.ts";
import type { FlowFailureView } from "./wire/accounts.ts";
import type { FrameLineView } from "./wire/pack.ts";
import type { RunFailureView } from "./wire/run.ts";

/** Anything that was thrown, as the page shows it. */
export function failureView(thrown: unknown): ReportedError {
  const failure = toFailure(thrown).error;
  return { ...failure, hint: hintInPage(thrown) ?? failure.hint };
}

/** Widths of code frames in characters. */
const RUN_FRAME_WIDTH = 110;
const FLOW_FRAME_WIDTH = 96;

interface SourcePosition {
  file: string | undefined;
  line: number | undefined;
  column: number | undefined;
}

/** The failure of a run, with the source around the position where it was thrown. */
export function runFailureView(session: PackSession, thrown: unknown): RunFailureView {
  const error = isPackError(thrown) ? (thrown as PackError) : undefined;
  const stack = readStack(error).map(parseStackFrame);
  const [first] = stack.filter(({ file }) => file !== undefined);
  return {
    ...failureView(thrown),
    ...(error !== undefined && isPackError(error, "ARGUMENT_TYPE")
      ? { parameter: error.details.parameter }
      : {}),
    stack,
    frame: first === undefined ? [] : frameAt(session, first, RUN_FRAME_WIDTH),
  };
}

/** The failure of a connection, with the same explanation as in the terminal. */
export function flowFailureView(session: PackSession, thrown: unknown): FlowFailureView {
  const failure = failureView(thrown);
  return {
    ...failure,
    why: explain(failure.code)?.why,
    frame: frameAt(session, failure.place ?? {}, FLOW_FRAME_WIDTH),
  };
}

/** The lines of source around a position. Files are relative to the folder of the entry file. */
function frameAt(
  session: PackSession,
  { file, line, column }: Partial<SourcePosition>,
  width: number,
): FrameLineView[] {
  const source = file === undefined ? undefined : createSourceReader(dirname(session.entry))(file);
  if (source === undefined || line === undefined || column === undefined) return [];
  return codeFrame(source, { line, column }, width) ?? [];
}

function readStack(error: PackError | undefined): string[] {
  const details = error?.details as { stack?: unknown } | undefined;
  return typeof details?.stack === "string" ? details.stack.split("\n") : [];
}

function parseStackFrame(text: string): RunFailureView["stack"][number] {
  const [, file, line, column] = /\(?([^\s()]+):(\d+):(\d+)\)?$/.exec(text) ?? [];
  if (file === undefined) return { text, file, line: undefined, column: undefined };
  return { text, file, line: Number(line), column: Number(column) };
}
