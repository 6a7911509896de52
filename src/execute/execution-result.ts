import { PackError, type PackErrorCode } from "../errors.ts";
import type { LogEntry } from "../sandbox/protocol.ts";

/** One request of a formula. A followed redirect and a retry are requests of their own. */
export interface RequestRecord {
  method: string;
  /** As declared, before routes; redacted. */
  url: string;
  /** Absent when no answer came. */
  status?: number | undefined;
  durationMs: number;
  requestBytes: number;
  responseBytes: number;
  /** Answered by an earlier, equal request of the same account. */
  fromCache: boolean;
  /** The second attempt after a 401, with a new access token. */
  retriedAfter401?: true | undefined;
  /** Another attempt after a 429, when the time that the server asked for had passed. */
  retriedAfter429?: true | undefined;
  /** The code of the failure, when no answer could be used. */
  error?: string | undefined;
}

/** A request with what was sent and what came back, for a timeline. Redacted, and cut where it is long. */
export interface ExchangeDetail extends RequestRecord {
  /** Milliseconds since the epoch. */
  startedAtMs: number;
  /** Without credentials, which are added behind them. */
  requestHeaders: Record<string, string>;
  requestBody: string | undefined;
  responseHeaders: Record<string, string> | undefined;
  responseBody: string | undefined;
  /** Type of the authentication whose credentials the request carried. */
  authentication: string | undefined;
}

/** What a run gives. */
export interface ExecutionResult<Result = unknown> {
  /** Checked against the formula's result type and schema; the members have the names that the author gave them. */
  result: Result;
  logs: LogEntry[];
  requests: RequestRecord[];
  durationMs: number;
}

/** A run that failed: a `PackError` that also carries what happened until then. */
export class ExecutionFailure<Code extends PackErrorCode = PackErrorCode> extends PackError<Code> {
  readonly logs: LogEntry[];
  readonly requests: RequestRecord[];
  readonly durationMs: number;

  constructor(error: PackError<Code>, run: { logs: LogEntry[]; requests: RequestRecord[]; durationMs: number }) {
    super(error.code, error.message, { details: error.details, hint: error.hint, cause: error.cause });
    this.stack = error.stack ?? "";
    this.logs = run.logs;
    this.requests = run.requests;
    this.durationMs = run.durationMs;
  }
}
