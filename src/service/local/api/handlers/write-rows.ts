import { isRecord } from "../../../../shared/values.ts";
import {
  deleteRowsBody,
  type RowEdit,
  type UpsertRowsBody,
  updateRowBody,
  upsertRowsBody,
} from "../../../contract/models/requests.ts";
import type {
  ButtonPushed,
  CellEdit,
  RowEdited,
  RowsDeleted,
  RowsUpserted,
} from "../../../contract/models/responses.ts";
import { mapInPieces } from "../../store/give-way.ts";
import { HttpError } from "../http-error.ts";
import { parseCallBody, readBoolean } from "../request-input.ts";
import { findNamed, openTable, requireWriteAccess, type ServiceCall } from "../service-call.ts";
import { findRow } from "./read-rows.ts";

const MAX_ROW_KB = 85;
/** After so many rows others have their turn. */
const PIECE_ROWS = 1_000;

export async function upsertRows(call: ServiceCall): Promise<RowsUpserted> {
  const { state, caller } = call;
  const { doc, table, base } = await openTable(call);
  requireWriteAccess(doc);
  const parse = readBoolean(call.query, "disableParsing") !== true;
  const {
    rows,
    keyColumns = [],
    rowIds,
  } = isPlainRows(call) ? call.body : parseCallBody(call, upsertRowsBody);
  if (table !== base)
    throw new HttpError(400, "Rows can be inserted only into base tables, not into views.");
  await mapInPieces(rows, PIECE_ROWS, checkSize);
  // In the public service, ids from the caller make the insert repeatable.
  const chosen = state.settings.dialect === "public" ? rowIds : undefined;
  if (
    chosen !== undefined &&
    (chosen.length !== rows.length || chosen.some((id) => !/^i-[A-Za-z0-9_-]{1,62}$/.test(id)))
  )
    throw new HttpError(400, "rowIds must have one row ID for every row.");
  const addRow = ({ cells }: RowEdit, at: number) => ({
    rowId: chosen?.[at] ?? state.ids.row(state.clock.now()),
    cells,
  });
  const added = await mapInPieces(rows, PIECE_ROWS, addRow);
  const requestId = await state.edits.accept(doc.id, caller.userId, {
    kind: "insert",
    tableId: base.id,
    rows: added,
    keyColumns,
    parse,
    ...(chosen === undefined ? {} : { once: true }),
  });
  // With key columns, rows may be updated instead of added.
  return {
    requestId,
    ...(keyColumns.length === 0 ? { addedRowIds: added.map(({ rowId }) => rowId) } : {}),
  };
}

export async function updateRow(call: ServiceCall): Promise<RowEdited> {
  const { state, caller } = call;
  const opened = await openTable(call);
  requireWriteAccess(opened.doc);
  const parse = readBoolean(call.query, "disableParsing") !== true;
  const { row: edit } = parseCallBody(call, updateRowBody);
  checkSize(edit);
  const row = await findRow(call, opened);
  const { doc, base } = opened;
  const requestId = await state.edits.accept(doc.id, caller.userId, {
    kind: "update",
    tableId: base.id,
    rowId: row.id,
    cells: edit.cells,
    parse,
  });
  return { requestId, id: row.id };
}

export async function deleteRow(call: ServiceCall): Promise<RowEdited> {
  const opened = await openTable(call);
  requireWriteAccess(opened.doc);
  const row = await findRow(call, opened);
  const edit = { kind: "delete", tableId: opened.base.id, rowIds: [row.id] } as const;
  return {
    requestId: await call.state.edits.accept(opened.doc.id, call.caller.userId, edit),
    id: row.id,
  };
}

/** Unknown ids are not an error. The response has the ids as they were sent. */
export async function deleteRows(call: ServiceCall): Promise<RowsDeleted> {
  const { doc, base } = await openTable(call);
  requireWriteAccess(doc);
  const { rowIds } = parseCallBody(call, deleteRowsBody);
  const edit = { kind: "delete", tableId: base.id, rowIds } as const;
  return { requestId: await call.state.edits.accept(doc.id, call.caller.userId, edit), rowIds };
}

/**
 * The button runs the script of its seed. The caller needs no access to what the script touches.
 */
export async function pushButton(call: ServiceCall): Promise<ButtonPushed> {
  const opened = await openTable(call);
  requireWriteAccess(opened.doc);
  const row = await findRow(call, opened);
  const column = findNamed(call, opened.columns, call.params["columnIdOrName"] ?? "");
  if (column === undefined)
    throw new HttpError(404, "Could not find a column with the specified ID or name.");
  if (column.format.type !== "button") throw new HttpError(400, "The column is not a button.");
  const edit = {
    kind: "push",
    tableId: opened.base.id,
    rowId: row.id,
    columnId: column.id,
  } as const;
  return {
    requestId: await call.state.edits.accept(opened.doc.id, call.caller.userId, edit),
    rowId: row.id,
    columnId: column.id,
  };
}

/**
 * Whether the schema would let a body with many cells pass as it is, for a small part of the
 * schema's own cost.
 */
function isPlainRows(call: ServiceCall): call is ServiceCall & { body: UpsertRowsBody } {
  if (call.state.settings.strict || !isRecord(call.body)) return false;
  const { rows, keyColumns, rowIds } = call.body;
  return Array.isArray(rows) && rows.every(isPlainRow) && areTexts(keyColumns) && areTexts(rowIds);
}

function isPlainRow(row: unknown): boolean {
  return isRecord(row) && Array.isArray(row["cells"]) && row["cells"].every(isPlainCell);
}

function isPlainCell(cell: unknown): boolean {
  if (!isRecord(cell) || typeof cell["column"] !== "string") return false;
  const { value } = cell;
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function areTexts(value: unknown): boolean {
  return (
    value === undefined || (Array.isArray(value) && value.every((text) => typeof text === "string"))
  );
}

/** The size of a row: the UTF-8 bytes of its values, each line break twice. */
function checkSize({ cells }: { cells: readonly { value: CellEdit }[] }): void {
  // No character takes more than three, and no number or truth value more than this.
  let most = 0;
  for (const { value } of cells)
    most +=
      typeof value === "string" ? value.length * 3 : typeof value === "object" ? Number.NaN : 30;
  if (most <= MAX_ROW_KB * 1_024) return;
  let bytes = 0;
  for (const { value } of cells) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    bytes += Buffer.byteLength(text) + (text.match(/\n/g)?.length ?? 0);
  }
  const kilobytes = bytes / 1_024;
  if (kilobytes > MAX_ROW_KB)
    throw new HttpError(
      400,
      `Row edit of size ${Math.ceil(kilobytes)} KB exceeds maximum size of ${MAX_ROW_KB} KB.`,
    );
}
