import { type Cell, type Cells, isArrayCell, rowsIn, type StoredColumn } from "./column.ts";
import { type FormatContext, isDate, simpleValue } from "./format-cell.ts";

/** What a cell is compared by where that is not the cell itself. */
type Comparable = string | number | boolean | readonly (Cell | null)[];

/**
 * The values by which the database compares cells, by column id: a date in the time zone of its
 * document, the text of a person or a link, and of an array the joined text first, then its
 * members. The joined text is null where it depends on the names of other rows.
 */
export function compareCells(
  cells: Cells,
  columns: ReadonlyMap<string, StoredColumn>,
  timeZone: string,
): Record<string, Comparable> {
  const context: FormatContext = {
    timeZone,
    rowName: () => undefined,
    rowLinks: () => ({ tableUrl: "", url: "" }),
  };
  const compared: Record<string, Comparable> = {};
  // Not `Object.entries`, which makes an array for each cell of a large edit.
  for (const id of Object.keys(cells)) {
    const [cell, column] = [cells[id], columns.get(id)];
    if (cell === undefined || column === undefined) continue;
    if (typeof cell !== "object" && !isDate(cell, column)) continue;
    if (isArrayCell(cell)) compared[id] = compareArray(cell, column, context);
    else if (typeof cell !== "object" || cell.kind !== "row")
      compared[id] = simpleValue(cell, column, context);
  }
  return compared;
}

function compareArray(
  array: readonly Cell[],
  column: StoredColumn,
  context: FormatContext,
): Comparable {
  if (array.length === 0) return "";
  const joinCell = (cell: Cell) =>
    rowsIn(cell).length > 0 ? null : simpleValue(cell, column, context);
  const listMembers = (cell: Cell): (Cell | null)[] => {
    if (isArrayCell(cell))
      return cell.length === 0 ? [""] : [...cell.flatMap(listMembers), ...listNested(cell)];
    return [typeof cell === "object" && cell.kind === "row" ? cell : joinCell(cell)];
  };
  const listNested = (cell: Cell): (Cell | null)[] =>
    cell === array || rowsIn(cell).length > 0 ? [] : [joinCell(cell)];
  return [joinCell(array), ...listMembers(array)];
}

/** The text of a cell of a display column. */
export function displayText(cell: Cell | undefined): string {
  if (cell === undefined) return "";
  if (isArrayCell(cell)) return cell.map(displayText).join(",");
  if (typeof cell !== "object") return String(cell);
  return cell.kind === "row" ? cell.id : cell.name;
}
