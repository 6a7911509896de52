import type { FailureView } from "./common.ts";
import type { ColumnView, FrameLineView } from "./pack.ts";

/** What the page asks to run. Arguments are texts, as on a command line, in the order of the parameters. */
export interface RunRequest {
  target: string;
  args: string[];
  account?: string | undefined;
  timezone?: string | undefined;
  dynamicUrl?: string | undefined;
}

/** `paused`: there are more pages of a table, and nobody has asked for them yet. */
export type RunState = "running" | "paused" | "ended";

export interface LogView {
  level: string;
  message: string;
}

/** A failure of a run, with the place in the source where it came from. */
export interface RunFailureView extends FailureView {
  /** The parameter that it is about. */
  parameter?: string | undefined;
  /** Where in the author's files it was thrown, the innermost first. */
  stack: { text: string; file: string | undefined; line: number | undefined; column: number | undefined }[];
  frame: FrameLineView[];
}

export interface RunView {
  id: string;
  target: string;
  state: RunState;
  /** `rows` are asked for in slices; `value` is whole. */
  kind: "value" | "rows";
  /** Of the Pack that ran. */
  revision: number;
  value: unknown;
  /** The value was too long to be sent; this is its beginning as text. */
  excerpt: string | undefined;
  /** How the value is to be shown. */
  schema: SchemaView | undefined;
  columns: ColumnView[];
  rowCount: number;
  pages: number;
  deletedRowIds: string[];
  /** Where the next page begins, as short text. */
  continuation: string | undefined;
  logs: LogView[];
  /** Requests that it sent. */
  requests: number;
  durationMs: number;
  failure: RunFailureView | undefined;
}

/** What of a schema decides how a value looks. */
export interface SchemaView {
  type: string;
  hint: string | undefined;
  label: string | undefined;
  isMutable: boolean;
  /** Members that a hint brings along: `currencyCode`, `precision`, `maximum`, … */
  options: Record<string, string | number | boolean>;
  items: SchemaView | undefined;
  properties: Record<string, SchemaView> | undefined;
  /** Names of the properties that a card shows as its title, subtitle, picture and link. */
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
  /** Place of the row in the run. */
  row: number;
  /** The members that were edited, with their new values. */
  values: Record<string, unknown>;
}

/** What became of one edited row. */
export type RowEditOutcome = { row: number; ok: true; value: unknown } | { row: number; ok: false; message: string };
