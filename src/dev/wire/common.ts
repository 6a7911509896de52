/** What the server tells every open page. An event is small and says what changed; the page asks for the rest. */
export type DevEvent =
  /** The Pack was built anew, or it broke. */
  | { type: "pack"; revision: number; status: string }
  | { type: "run"; id: string; state: "started" | "page" | "ended" }
  /** A request of a run or of a connection is in the timeline. */
  | { type: "request"; id: number }
  /** An account was connected, renewed or removed. */
  | { type: "account" }
  /** A step of a connection that is under way. */
  | { type: "flow"; id: string; step: number }
  /** The local service has changed. */
  | { type: "service" }
  | { type: "bundle"; revision: number };

/** A failure as a page shows it: what every request that fails answers with. */
export interface FailureView {
  code: string;
  message: string;
  hint?: string | undefined;
  /** A clause of a standard. */
  rule?: string | undefined;
  /** Where the definition decides about it. */
  place?: { file: string; line: number; column: number } | undefined;
}
