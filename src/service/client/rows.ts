import type { GetRowQuery, RowEdit, WriteRowsQuery } from "../contract/models/requests.ts";
import type {
  ButtonPushed,
  CellEdit,
  Row,
  RowEdited,
  RowsDeleted,
  RowsUpserted,
} from "../contract/models/responses.ts";
import type { Call, CallSettings, ReadSettings } from "./call-types.ts";
import { createMethods, type Listing, only, split } from "./resources.ts";

/** A row to write: values by column name or id. Columns that are undefined are left as they are. */
export type RowCells = Readonly<Record<string, CellEdit | undefined>>;

export type WriteOptions = WriteRowsQuery & CallSettings;

export interface Rows {
  readonly list: Listing<"listRows">;
  get(rowIdOrName: string, options?: GetRowQuery & ReadSettings): Promise<Row>;
  /**
   * The row that has this text in the display column.
   * @throws {ServiceError} NotFoundError, AmbiguousNameError when several have it
   */
  resolve(name: string, options?: GetRowQuery & ReadSettings): Promise<Row>;
  insert(edit: { rows: readonly RowCells[] } & WriteOptions): Promise<RowsUpserted>;
  /** Updates every row whose key columns have these values, or inserts one. Safe to repeat. */
  upsert(
    edit: { key: readonly [string, ...string[]]; rows: readonly RowCells[] } & WriteOptions,
  ): Promise<RowsUpserted>;
  update(rowIdOrName: string, cells: RowCells, options?: WriteOptions): Promise<RowEdited>;
  delete(rowIdOrName: string, settings?: CallSettings): Promise<RowEdited>;
  /** Ids that do not exist are passed over. */
  deleteMany(rowIds: readonly string[], settings?: CallSettings): Promise<RowsDeleted>;
  /** Runs the action of a button. The client never repeats the request. */
  pushButton(
    rowIdOrName: string,
    columnIdOrName: string,
    settings?: CallSettings,
  ): Promise<ButtonPushed>;
}

export function createRows(call: Call, path: { docId: string; tableIdOrName: string }): Rows {
  const { read, list } = createMethods(call);
  const row = (rowIdOrName: string) => ({ ...path, rowIdOrName });
  const rows: Rows = {
    list: list("listRows", path),
    get: (rowIdOrName, options) => read("getRow", row(rowIdOrName))(options),
    async resolve(name, options) {
      const { displayColumn } = await call("getTable", { path });
      const found = await rows.list({
        ...options,
        query: rowQuery(displayColumn.id, name),
        limit: 2,
      });
      return only(found.items, name, "listRows");
    },
    insert: ({ rows: added, ...options }) =>
      call("upsertRows", { path, ...split(options), body: { rows: added.map(toEdit) } }),
    upsert: ({ key, rows: edited, ...options }) =>
      call("upsertRows", {
        path,
        ...split(options),
        body: { rows: edited.map(toEdit), keyColumns: key },
      }),
    update: (rowIdOrName, cells, options) =>
      call("updateRow", {
        path: row(rowIdOrName),
        ...split(options),
        body: { row: toEdit(cells) },
      }),
    delete: (rowIdOrName, settings) => call("deleteRow", { path: row(rowIdOrName), ...settings }),
    deleteMany: (rowIds, settings) => call("deleteRows", { path, ...settings, body: { rowIds } }),
    pushButton: (rowIdOrName, columnIdOrName, settings) =>
      call("pushButton", { path: { ...row(rowIdOrName), columnIdOrName }, ...settings }),
  };
  return rows;
}

/**
 * Writes the `query` option: rows whose column has this value.
 * @param column name or id
 */
export function rowQuery(column: string, value: string | number | boolean): string {
  return `${JSON.stringify(column)}:${JSON.stringify(value)}`;
}

export function toEdit(row: RowCells): RowEdit {
  const cells: RowEdit["cells"] = [];
  for (const column of Object.keys(row)) {
    const value = row[column];
    if (value !== undefined) cells.push({ column, value });
  }
  return { cells };
}
