import type { RunTrace } from "../../execute/run-document.ts";
import type { ReportedError } from "../../shared/reported-error.ts";
import type { LoginView } from "./accounts.ts";
import type { ColumnView, FrameLineView } from "./pack.ts";

/** What to run. Arguments are texts, as on a command line, in the order of the parameters. */
export interface RunRequest {
  target: string;
  args: string[];
  account?: string | undefined;
  dynamicUrl?: string | undefined;
}

/** `paused`: the table has more pages, which the user has not requested yet. */
export type RunState = "running" | "paused" | "ended";

/** What a run needs from its account, and the user can grant. */
export interface StepUpView {
  slot: string;
  account: string;
  /** Empty if it is not known which, or if none are missing. */
  scopes: string[];
  /** The login that is demanded instead of scopes (RFC 9470). */
  login?: LoginView | undefined;
}

/** A failure of a run, with its position in the source. */
export interface RunFailureView extends ReportedError {
  /** The account lacks scopes, or another login. */
  stepUp?: StepUpView | undefined;
  /** The parameter whose argument was refused. */
  parameter?: string | undefined;
  /** The stack, innermost frame first. Frames in the author's files have a position. */
  stack: {
    text: string;
    file: string | undefined;
    line: number | undefined;
    column: number | undefined;
  }[];
  frame: FrameLineView[];
}

export interface RunView extends Pick<RunTrace, "logs" | "durationMs"> {
  id: string;
  target: string;
  state: RunState;
  /** `rows` are loaded in slices; a `value` is complete. */
  kind: "value" | "rows";
  /** Revision of the Pack that ran. */
  revision: number;
  value: unknown;
  /** The beginning of a value that is too long to send. */
  excerpt: string | undefined;
  /** How to show the value. */
  schema: SchemaView | undefined;
  columns: ColumnView[];
  rowCount: number;
  pages: number;
  deletedRowIds: string[];
  /** The continuation of the next page, as short text. */
  continuation: string | undefined;
  /** Requests that it sent. */
  requests: number;
  failure: RunFailureView | undefined;
}

/** The members of a schema that decide how a value looks. */
export interface SchemaView {
  type: string;
  hint: string | undefined;
  label: string | undefined;
  /** Options of the value hint: `currencyCode`, `precision`, `maximum`, … */
  options: Record<string, string | number | boolean>;
  items: SchemaView | undefined;
  properties: Record<string, SchemaView> | undefined;
  /** Names of the properties that a card shows as its title, subtitle, image and link. */
  card: {
    title?: string | undefined;
    subtitle: string[];
    snippet?: string | undefined;
    image?: string | undefined;
    link?: string | undefined;
  };
}

/** A slice of the rows of a run. */
export interface RowsView {
  from: number;
  rows: unknown[];
}

export interface ChoiceView {
  display: string;
  value: string;
}

/** An edited row. */
export interface RowEdit {
  /** Index of the row in the run. */
  row: number;
  /** The members that were edited, with their new values. */
  values: Record<string, unknown>;
}

/** The outcome for one edited row. */
export type RowEditOutcome =
  | { row: number; ok: true; value: unknown }
  | { row: number; ok: false; message: string };
