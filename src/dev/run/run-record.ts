import type { RunTrace } from "../../execute/run-document.ts";
import type { SyncPage } from "../../execute/tables/execute-sync-table.ts";
import type { UpdateOutcome } from "../../execute/tables/execute-update.ts";
import type { LogEntry } from "../../sandbox/log-entry.ts";
import { toMembers } from "../../shared/values.ts";
import { badRequest } from "../router.ts";
import type { ColumnView } from "../wire/pack.ts";
import type { RowEdit, RowEditOutcome, RowsView, RunView, SchemaView } from "../wire/run.ts";
import {
  columnViews,
  readRowSchema,
  resultRowSchema,
  resultSchemaView,
  schemaView,
  valueColumns,
} from "./schema-view.ts";
import { type RowQuery, selectRows } from "./select-rows.ts";

/** Longer results are cut. */
const MAX_VALUE_LENGTH = 300_000;
const EXCERPT_LENGTH = 20_000;
const MAX_LOGS = 1_000;
const MAX_CONTINUATION_LENGTH = 300;
/** Lists longer than this are shown as a grid, whatever their elements are. */
const LONG_LIST = 100;

/** The edit of one row in the form that the Pack gets. */
export interface PreparedEdit {
  previousValue: object;
  newValue: object;
  updatedFields: string[];
}

/** What a run has given so far: logs, a value, or the rows of a table. */
export interface RunRecord {
  /** The schema of a row. */
  readonly rowSchema: unknown;
  /** Adds logs, requests and the time of a part of the run. */
  addTrace(trace: RunTrace): void;
  /** @param formula its definition; the result is shown by its schema */
  takeValue(result: unknown, formula: unknown): void;
  /** @param declared the schema of a row in the definition */
  addPage(page: SyncPage, declared: unknown): void;
  /** Whether the result contains this text as a value. */
  holds(text: string): boolean;
  /** Rows of a query, from this place on. */
  rows(from: number, count: number, query?: RowQuery): RowsView;
  /** @throws {PackError} USAGE_INVALID there is no such row */
  prepareEdit(edit: RowEdit): PreparedEdit;
  /** Keeps the row that the Pack returned. */
  takeOutcome(edit: RowEdit, newValue: unknown, outcome: UpdateOutcome): RowEditOutcome;
  view(): Omit<RunView, "id" | "target" | "state" | "revision" | "failure">;
}

export function createRunRecord(): RunRecord {
  const trace = { logs: [] as LogEntry[], requests: 0, durationMs: 0 };
  const sync = { pages: 0, deletedRowIds: [] as string[], continuation: undefined as unknown };
  const shown: {
    value?: unknown;
    excerpt?: string;
    schema?: SchemaView | undefined;
    columns: ColumnView[];
    rows?: unknown[];
    rowSchema?: unknown;
  } = { columns: [] };

  /** The rows of the last query, which scrolling asks for again and again. */
  let selected: { by: string; indexes: number[] } | undefined;
  const sliceRows = (from: number, count: number, query: RowQuery | undefined): RowsView => {
    const rows = shown.rows ?? [];
    if (query === undefined || (query.filter === "" && query.sort === ""))
      return { from, count: rows.length, rows: rows.slice(from, from + count) };
    const by = JSON.stringify([query, rows.length]);
    if (selected?.by !== by) selected = { by, indexes: selectRows(rows, query) };
    const indexes = selected.indexes.slice(from, from + count);
    const { length } = selected.indexes;
    return { from, count: length, rows: indexes.map((index) => rows[index]), indexes };
  };

  /** @param rowSchema describes the columns, unless it has none */
  const showRows = (rows: unknown[], rowSchema: unknown): void => {
    const columns = columnViews(rowSchema);
    shown.rows = rows;
    shown.rowSchema = rowSchema;
    shown.columns = columns.length > 0 ? columns : valueColumns(rows);
  };

  return {
    get rowSchema() {
      return shown.rowSchema;
    },
    addTrace({ logs, requests, durationMs }) {
      trace.logs.push(...logs.slice(0, Math.max(0, MAX_LOGS - trace.logs.length)));
      trace.requests += requests.length;
      trace.durationMs += durationMs;
    },
    takeValue(result, formula) {
      shown.schema = resultSchemaView(formula);
      if (isGrid(result)) {
        showRows(result, resultRowSchema(formula));
        return;
      }
      const text = JSON.stringify(result) ?? "null";
      if (text.length <= MAX_VALUE_LENGTH) shown.value = result;
      else shown.excerpt = text.slice(0, EXCERPT_LENGTH);
    },
    addPage(page, declared) {
      const rowSchema = page.schema ?? shown.rowSchema ?? declared;
      shown.schema ??= schemaView(readRowSchema(rowSchema));
      const rows = shown.rows ?? [];
      for (const row of page.rows) rows.push(row);
      if (shown.columns.length === 0) showRows(rows, rowSchema);
      sync.deletedRowIds.push(...page.deletedRowIds);
      sync.continuation = page.continuation;
      sync.pages = page.page;
    },
    holds: (text) => contains(shown.value, text),
    rows: (from, count, query) => sliceRows(from, count, query),
    prepareEdit: (edit) => prepareEdit(shown.rows ?? [], edit),
    takeOutcome({ row }, newValue, outcome) {
      if (outcome.outcome === "error") return { row, ok: false, message: outcome.error.message };
      // The Pack returns the row after the update, or only some of its members.
      const value = { ...toMembers(newValue), ...toMembers(outcome.finalValue) };
      if (shown.rows !== undefined) shown.rows[row] = value;
      selected = undefined;
      return { row, ok: true, value };
    },
    view: () => ({
      kind: shown.rows === undefined ? "value" : "rows",
      value: shown.value,
      excerpt: shown.excerpt,
      schema: shown.schema,
      columns: shown.columns,
      rowCount: shown.rows?.length ?? 0,
      pages: sync.pages,
      deletedRowIds: sync.deletedRowIds,
      continuation:
        sync.continuation === undefined
          ? undefined
          : JSON.stringify(sync.continuation).slice(0, MAX_CONTINUATION_LENGTH),
      ...trace,
    }),
  };
}

/** Whether a result is shown as a grid: a list of objects, or a long list. */
function isGrid(result: unknown): result is unknown[] {
  if (!Array.isArray(result)) return false;
  const hasRows =
    result.length > 0 &&
    result.every((item) => typeof item === "object" && item !== null && !Array.isArray(item));
  return hasRows || result.length > LONG_LIST;
}

function contains(value: unknown, text: string): boolean {
  if (typeof value !== "object" || value === null) return value === text;
  return Object.values(value).some((member) => contains(member, text));
}

function prepareEdit(rows: readonly unknown[], { row, values }: RowEdit): PreparedEdit {
  const previousValue = rows[row];
  if (typeof previousValue !== "object" || previousValue === null)
    throw badRequest(`There is no row ${row}.`);
  return {
    previousValue,
    newValue: { ...previousValue, ...values },
    updatedFields: Object.keys(values),
  };
}
