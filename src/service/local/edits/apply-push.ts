import type { CellEdit } from "../../contract/models/responses.ts";
import { type Cell, isArrayCell, type StoredColumn } from "../content/column.ts";
import { displayText } from "../content/comparable.ts";
import { findByIdOrName, listTables, type StoredDoc } from "../store/doc-store.ts";
import { createIds } from "../store/ids.ts";
import { readRow, type StoredRow } from "../store/row-store.ts";
import { applyRows, type TableTarget } from "./apply-rows.ts";
import { type ButtonScript, type ButtonValue, isCellReference } from "./button-script.ts";
import type { Edit, OutsideWork } from "./edit.ts";

export interface ButtonPush {
  doc: StoredDoc;
  edit: Extract<Edit, { kind: "push" }>;
  warnings: Set<string>;
  /** The table as its next snapshot; each step of a script is one. */
  readTarget(tableId: string): Promise<TableTarget>;
}

/**
 * Runs the script of a button, which may change other tables. @returns the action of a Pack that
 * remains to be run
 */
export async function pushButton({
  doc,
  edit,
  warnings,
  readTarget,
}: ButtonPush): Promise<OutsideWork | undefined> {
  const target = await readTarget(edit.tableId);
  const { db, columns } = target;
  const row = await readRow(db, target.snapshot, edit.rowId);
  const button = columns.find(({ id }) => id === edit.columnId);
  if (row === undefined) warnings.add("The row was deleted before the edit was applied.");
  else if (isDisabled(button, row, columns)) warnings.add("The button is disabled in this row.");
  else if (button?.script === undefined)
    warnings.add("The button has no scripted action in the local service.");
  if (row === undefined || button?.script === undefined || isDisabled(button, row, columns))
    return undefined;
  const { set, insert = [], deleteRow = false, action } = button.script;
  const valueIn = (value: ButtonValue) => resolveValue(value, row, columns);
  if (set !== undefined) {
    const changes = {
      kind: "update",
      tableId: edit.tableId,
      rowId: row.id,
      cells: listCells(set, valueIn),
      parse: true,
    } as const;
    await applyRows(target, [{ edit: changes, warnings }]);
  }
  const tables = await listTables(db, doc.id);
  const ids = createIds();
  for (const { table, row: values } of insert) {
    const found = findByIdOrName(tables, table);
    if (found === undefined) {
      warnings.add(`The button adds a row to "${table}", which is not a table.`);
      continue;
    }
    const added = { rowId: ids.row(target.nowMs), cells: listCells(values, valueIn) };
    const into = await readTarget(found.parentTableId ?? found.id);
    const addition = {
      kind: "insert",
      tableId: into.snapshot.tableId,
      rows: [added],
      keyColumns: [],
      parse: true,
    } as const;
    await applyRows(into, [{ edit: addition, warnings }]);
  }
  if (deleteRow) {
    const deletion = { kind: "delete", tableId: edit.tableId, rowIds: [row.id] } as const;
    await applyRows(await readTarget(edit.tableId), [{ edit: deletion, warnings }]);
  }
  if (action === undefined) return undefined;
  const { pack, formula, args = [] } = action;
  const place = { docId: doc.id, tableId: edit.tableId, rowId: row.id };
  return { kind: "action", call: { pack, formula, args: args.map(valueIn), ...place } };
}

/**
 * A condition that names a column holds when its cell is true; any other formula is not evaluated
 * here.
 */
function isDisabled(
  button: StoredColumn | undefined,
  row: StoredRow,
  columns: readonly StoredColumn[],
): boolean {
  const condition = button?.format["disableIf"];
  if (condition === "true" || condition === true) return true;
  const column = typeof condition === "string" ? findByIdOrName(columns, condition) : undefined;
  return column !== undefined && row.cells[column.id] === true;
}

function listCells(
  values: NonNullable<ButtonScript["set"]>,
  valueIn: (value: ButtonValue) => CellEdit,
) {
  return Object.entries(values).map(([column, value]) => ({ column, value: valueIn(value) }));
}

function resolveValue(
  value: ButtonValue,
  row: StoredRow,
  columns: readonly StoredColumn[],
): CellEdit {
  if (!isCellReference(value)) return value;
  return plainValue(row.cells[findByIdOrName(columns, value.column)?.id ?? ""] ?? "");
}

function plainValue(cell: Cell): CellEdit {
  if (isArrayCell(cell)) return cell.map(displayText);
  return typeof cell === "object" ? displayText(cell) : cell;
}
