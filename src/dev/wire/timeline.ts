/** A request of a run or of a connection. */
export interface TimelineRow {
  /** Counts from 1. */
  id: number;
  source: "run" | "connection";
  /** Of the run or the connection: rows of one belong together. */
  group: string;
  /** What ran: a formula, a table, an account. */
  target: string;
  method: string;
  url: string;
  status: number | undefined;
  error: string | undefined;
  startedAtMs: number;
  durationMs: number;
  requestBytes: number;
  responseBytes: number;
  /** `cache`, `after 401`, `after 429`, or the step of a connection. */
  marks: string[];
  /** Its run can be saved as a cassette or a test. */
  canSave: boolean;
}

/** The whole of it, redacted. */
export interface TimelineDetail extends TimelineRow {
  /** Type of the authentication whose credentials it carried. */
  authentication: string | undefined;
  requestHeaders: Record<string, string>;
  requestBody: string | undefined;
  responseHeaders: Record<string, string> | undefined;
  responseBody: string | undefined;
  /** The same request for a shell. */
  curl: CurlView;
  /** Names that are not taken, for the forms. */
  suggested: { test: string; cassette: string } | undefined;
  /** What runs has effects: saving it has them again. */
  isAction: boolean;
}

export interface CurlView {
  text: string;
  /** Shell variables that stand for secrets. */
  variables: string[];
}

export interface TimelineView {
  rows: TimelineRow[];
}

/** What became of saving a run. */
export type SaveView =
  /** Files that are there already: to be asked about. Nothing was written. */
  { written: false; exists: string[] } | { written: true; files: string[]; requests: number; failure: string | undefined };
