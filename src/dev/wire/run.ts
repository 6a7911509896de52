import * as z from "zod";
import type { StepUp } from "../../execute/missing-access.ts";
import type { RunTrace } from "../../execute/run-document.ts";
import type { ReportedError } from "../../shared/reported-error.ts";
import type { FrameLine } from "../../validate/formats/code-frame.ts";
import type { ColumnView } from "./pack.ts";

const text = z.string();
/** A field that was left empty is sent as an empty text. */
const optionalText = text.transform((value) => value || undefined).optional();

export const runRequest = z.object({
  target: text,
  args: z.array(text),
  account: optionalText,
  dynamicUrl: optionalText,
});

/** What to run. Arguments are texts, as on a command line, in the order of the parameters. */
export type RunRequest = z.output<typeof runRequest>;

export const choicesRequest = z.object({
  /** The formula or table. */
  of: text,
  /** Empty for the URLs of a dynamic table. */
  parameter: text,
  search: text,
  values: z.record(text, z.unknown()).default({}),
  account: optionalText,
});

/** The choices of a parameter for the text that the user has typed. */
export type ChoicesRequest = z.output<typeof choicesRequest>;

/** `paused`: the table has more pages, which the user has not requested yet. */
export type RunState = "running" | "paused" | "ended";

/** A failure of a run, with its position in the source. */
export interface RunFailureView extends ReportedError {
  /** The account lacks scopes, or another login. */
  stepUp?: StepUp | undefined;
  /** The parameter whose argument was refused. */
  parameter?: string | undefined;
  /** The stack, innermost frame first. Frames in the author's files have a position. */
  stack: {
    text: string;
    file: string | undefined;
    line: number | undefined;
    column: number | undefined;
  }[];
  frame: FrameLine[];
}

export interface RunView extends Pick<RunTrace, "logs" | "durationMs"> {
  /** Its requests in the timeline have the same. */
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
  /** How many rows match the query. */
  count: number;
  rows: unknown[];
  /** Where the rows of a query are in the run. Without a query, they are in order. */
  indexes?: number[];
}

export interface ChoiceView {
  display: string;
  value: string;
}

export const rowEdit = z.object({
  /** Index of the row in the run. */
  row: z.int().min(0),
  /** The members that were edited, with their new values. */
  values: z.record(text, z.unknown()),
});

/** An edited row. */
export type RowEdit = z.output<typeof rowEdit>;

/** The outcome for one edited row. */
export type RowEditOutcome =
  | { row: number; ok: true; value: unknown }
  | { row: number; ok: false; message: string };
