import { PackError, type PackErrorCode } from "../errors.ts";
import type { RunTrace } from "./run-document.ts";

/** The outcome of a run. */
export interface ExecutionResult<Result = unknown> extends RunTrace {
  /**
   * Checked against the formula's result type and schema. The members have the names that the
   * author wrote.
   */
  result: Result;
}

/** The trace of a run that has done nothing yet. */
export function createTrace(): RunTrace {
  return { logs: [], requests: [], durationMs: 0 };
}

/** Adds what a part of a run did. */
export function addTrace(all: RunTrace, { logs, requests, durationMs }: RunTrace): void {
  // Not `push(...logs)`: a part may have more of them than a call may have arguments.
  for (const log of logs) all.logs.push(log);
  for (const request of requests) all.requests.push(request);
  all.durationMs += durationMs;
}

/** What two parts of a run did, one after the other. */
export function joinTraces(first: RunTrace, second: RunTrace): RunTrace {
  const all = createTrace();
  addTrace(all, first);
  addTrace(all, second);
  return all;
}

/** A failed run: a `PackError` with the logs and requests until the failure. */
export class ExecutionFailure<Code extends PackErrorCode = PackErrorCode> extends PackError<Code> {
  readonly logs: RunTrace["logs"];
  readonly requests: RunTrace["requests"];
  readonly durationMs: number;

  constructor(error: PackError<Code>, run: RunTrace) {
    super(error.code, error.message, {
      details: error.details,
      hint: error.code === "FORMULA_FAILED" ? addRefusal(error.hint, run.requests) : error.hint,
      cause: error.cause,
    });
    this.stack = error.stack ?? "";
    this.logs = run.logs;
    this.requests = run.requests;
    this.durationMs = run.durationMs;
  }
}

/** What a formula throws is often about the request before it, which an API refused. */
function addRefusal(hint: string | undefined, requests: RunTrace["requests"]): string | undefined {
  const { method, url, status } = requests.at(-1) ?? {};
  if (url === undefined || status === undefined || status < 400) return hint;
  const refusal = `The last request of the run was ${method} ${url.replace(/[?#].*$/s, "")}. The server responded with status ${status}.`;
  return hint === undefined ? refusal : `${hint} ${refusal}`;
}
