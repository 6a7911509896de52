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
import { createMethods, type Listing, requireOnly, split } from "./resources.ts";

/** A row to write: values by column name or ID. An undefined value does not change the cell. */
export type RowCells = Readonly<Record<string, CellEdit | undefined>>;

export type WriteOptions = WriteRowsQuery & CallSettings;

export interface Rows {
  readonly list: Listing<"listRows">;
  get(rowIdOrName: string, options?: GetRowQuery & ReadSettings): Promise<Row>;
  /**
   * Returns the row with this text in the display column.
   * @throws {ServiceError} NotFoundError, AmbiguousNameError when several have it
   */
  resolve(name: string, options?: GetRowQuery & ReadSettings): Promise<Row>;
  insert(edit: { rows: readonly RowCells[] } & WriteOptions): Promise<RowsUpserted>;
  /**
   * Updates the rows with the same values in the key columns, or inserts a row if no row matches.
   * You can safely repeat this call.
   */
  upsert(
    edit: { key: readonly [string, ...string[]]; rows: readonly RowCells[] } & WriteOptions,
  ): Promise<RowsUpserted>;
  update(rowIdOrName: string, cells: RowCells, options?: WriteOptions): Promise<RowEdited>;
  delete(rowIdOrName: string, settings?: CallSettings): Promise<RowEdited>;
  /** Deletes these rows. The service ignores IDs that do not exist. */
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
      return requireOnly(found.items, name, "listRows");
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
 * Returns the value of the `query` option for rows with this value in the column.
 * @param column name or ID
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
