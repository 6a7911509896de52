import type { ExchangeDetail, RequestRecord } from "../../execute/request-record.ts";

/** A request of a run or of a connection. */
export interface TimelineRow extends RequestRecord, Pick<ExchangeDetail, "startedAtMs"> {
  /** Counts from 1. */
  id: number;
  source: "run" | "connection";
  /** Id of the run or connection that the request belongs to. */
  group: string;
  /** What ran: a formula, a table, an account. */
  target: string;
  /** Why it failed, in the words of the server. */
  reason: string | undefined;
  /** Its run can be saved as a cassette or a test. */
  canSave: boolean;
}

/** The complete request and response, redacted. */
export interface TimelineDetail extends TimelineRow, ExchangeDetail {
  /** The same request as a shell command. */
  curl: CurlView;
  /** File names to suggest, which do not exist yet. */
  suggested: { test: string; cassette: string } | undefined;
  /** An action ran. Saving it repeats its effects. */
  isAction: boolean;
}

export interface CurlView {
  text: string;
  /** Shell variables in place of secrets. */
  variables: string[];
}

export interface TimelineView {
  rows: TimelineRow[];
}

/** The outcome of saving a run. */
export type SaveView =
  /** Nothing was written, because these files exist. The page asks whether to replace them. */
  | { written: false; exists: string[] }
  | { written: true; files: string[]; requests: number; failure: string | undefined };
