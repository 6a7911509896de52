/**
 * An event that the server sends to every open page. It says what changed; the page then loads the
 * rest.
 */
export type DevEvent =
  /** The Pack was built again, or the build failed. */
  | { type: "pack"; revision: number; status: string }
  | { type: "run"; id: string; state: "started" | "page" | "ended" }
  /** A run was added to the history, or what is kept of one has changed. */
  | { type: "history" }
  /** A running tool of the MCP server reports something. */
  | { type: "toolLog"; target: string; level: string; message: string }
  /** A server asks the user something, or no longer does. */
  | { type: "question" }
  /** The timeline has a new request. */
  | { type: "request"; id: number }
  /** An account was connected, renewed or removed. */
  | { type: "account" }
  /** A connection has made a step. */
  | { type: "flow"; id: string; step: number }
  /** The local service has changed. */
  | { type: "service" }
  | { type: "bundle"; revision: number }
  /** An upload or a release has made a step. */
  | { type: "publish"; job: number };
