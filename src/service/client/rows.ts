import type {
  ButtonPushed,
  CellEdit,
  Row,
  RowEdit,
  RowEdited,
  RowEnvelope,
  RowSort,
  RowsDeleted,
  RowsUpserted,
  ValueFormat,
} from "../contract/wire.ts";
import { createList, type List } from "./list.ts";
import type { Call } from "./request.ts";

export interface GetRowOptions {
  /** Keys of `values` are column names instead of ids. @default false */
  useColumnNames?: boolean | undefined;
  /** @default "simple" */
  valueFormat?: ValueFormat | undefined;
  /** How long a cached response may be used, in seconds; inside a Pack alone. */
  cacheTtlSecs?: number | undefined;
}

export interface ListRowsOptions extends GetRowOptions {
  /** Rows with this value in this column; `rowQuery` writes it. */
  query?: string | undefined;
  /** @default "createdAt" */
  sortBy?: RowSort | undefined;
  visibleOnly?: boolean | undefined;
  /** Rows per page. @default 25 */
  limit?: number | undefined;
  /** Continues an earlier listing. Every other option is ignored. */
  pageToken?: string | undefined;
  /** Lists what changed since the listing that gave this token. */
  syncToken?: string | undefined;
}

/** A row to write: values by column name or id. Columns that are undefined are left as they are. */
export type RowCells = Readonly<Record<string, CellEdit | undefined>>;

export interface WriteOptions {
  /** Stores texts as they are, instead of reading numbers, dates and row names in them. @default false */
  disableParsing?: boolean | undefined;
}

export interface Rows {
  list(options?: ListRowsOptions): List<Row, RowEnvelope>;
  get(rowIdOrName: string, options?: GetRowOptions): Promise<Row>;
  insert(edit: { rows: readonly RowCells[] } & WriteOptions): Promise<RowsUpserted>;
  /** Updates every row whose key columns have these values, or inserts one. Safe to repeat. */
  upsert(edit: { key: readonly [string, ...string[]]; rows: readonly RowCells[] } & WriteOptions): Promise<RowsUpserted>;
  update(rowIdOrName: string, cells: RowCells, options?: WriteOptions): Promise<RowEdited>;
  delete(rowIdOrName: string): Promise<RowEdited>;
  /** Ids that do not exist are passed over. */
  deleteMany(rowIds: readonly string[]): Promise<RowsDeleted>;
  pushButton(rowIdOrName: string, columnIdOrName: string): Promise<ButtonPushed>;
}

export function createRows(call: Call, table: { docId: string; tableIdOrName: string }): Rows {
  const row = (rowIdOrName: string) => ({ ...table, rowIdOrName });
  return {
    list: ({ cacheTtlSecs, pageToken: first, ...query } = {}) =>
      createList(({ pageToken = first, wanted }) =>
        call<RowEnvelope>("listRows", {
          path: table,
          query: pageToken === undefined ? { ...query, limit: query.limit ?? wanted } : { pageToken },
          cacheTtlSecs,
        }),
      ),
    get: (rowIdOrName, { cacheTtlSecs, ...query } = {}) => call("getRow", { path: row(rowIdOrName), query: { ...query }, cacheTtlSecs }),
    insert: ({ rows, disableParsing }) => call("upsertRows", { path: table, query: { disableParsing }, body: { rows: rows.map(toEdit) } }),
    upsert: ({ key, rows, disableParsing }) =>
      call("upsertRows", { path: table, query: { disableParsing }, body: { rows: rows.map(toEdit), keyColumns: key } }),
    update: (rowIdOrName, cells, { disableParsing } = {}) =>
      call("updateRow", { path: row(rowIdOrName), query: { disableParsing }, body: { row: toEdit(cells) } }),
    delete: (rowIdOrName) => call("deleteRow", { path: row(rowIdOrName) }),
    deleteMany: (rowIds) => call("deleteRows", { path: table, body: { rowIds } }),
    pushButton: (rowIdOrName, columnIdOrName) => call("pushButton", { path: { ...row(rowIdOrName), columnIdOrName } }),
  };
}

/**
 * Writes the `query` option: rows whose column has this value.
 * @param column name or id
 */
export function rowQuery(column: string, value: string | number | boolean): string {
  return `${JSON.stringify(column)}:${JSON.stringify(value)}`;
}

function toEdit(cells: RowCells): RowEdit {
  return { cells: Object.entries(cells).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }])) };
}
