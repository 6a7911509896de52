import { PackError, type PackErrorCode } from "../errors.ts";
import type { LogEntry } from "../sandbox/protocol.ts";

/** One request of a formula. Each followed redirect and each retry is a separate request. */
export interface RequestRecord {
  method: string;
  /** The URL that the Pack requested, before routes; redacted. */
  url: string;
  /** Absent when there was no answer. */
  status?: number | undefined;
  durationMs: number;
  requestBytes: number;
  responseBytes: number;
  /** Answered by an earlier, equal request of the same account. */
  fromCache: boolean;
  /** The second attempt after a 401, with a new access token. */
  retriedAfter401?: true | undefined;
  /** Another attempt after a 429, after the time that the server asked for. */
  retriedAfter429?: true | undefined;
  /** The error code, when there was no usable answer. */
  error?: string | undefined;
}

/** A request with what was sent and received, for a timeline. Redacted, and long bodies are cut. */
export interface ExchangeDetail extends RequestRecord {
  /** Milliseconds since the epoch. */
  startedAtMs: number;
  /** Without credentials. */
  requestHeaders: Record<string, string>;
  requestBody: string | undefined;
  responseHeaders: Record<string, string> | undefined;
  responseBody: string | undefined;
  /** Type of the authentication whose credentials the request carried. */
  authentication: string | undefined;
}

/** The outcome of a run. */
export interface ExecutionResult<Result = unknown> {
  /**
   * Checked against the formula's result type and schema. The members have the names that the
   * author wrote.
   */
  result: Result;
  logs: LogEntry[];
  requests: RequestRecord[];
  durationMs: number;
}

/** A failed run: a `PackError` with the logs and requests until the failure. */
export class ExecutionFailure<Code extends PackErrorCode = PackErrorCode> extends PackError<Code> {
  readonly logs: LogEntry[];
  readonly requests: RequestRecord[];
  readonly durationMs: number;

  constructor(
    error: PackError<Code>,
    run: { logs: LogEntry[]; requests: RequestRecord[]; durationMs: number },
  ) {
    super(error.code, error.message, {
      details: error.details,
      hint: error.hint,
      cause: error.cause,
    });
    this.stack = error.stack ?? "";
    this.logs = run.logs;
    this.requests = run.requests;
    this.durationMs = run.durationMs;
  }
}
