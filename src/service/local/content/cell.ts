/** A cell as it is stored. The empty string is a blank cell. */
export type Cell = Scalar | CellObject | readonly Cell[];
export type Scalar = string | number | boolean;
export type CellObject =
  | { kind: "row"; id: string }
  | { kind: "person"; name: string; email: string }
  | { kind: "link"; name: string; url: string }
  | { kind: "image"; name: string; url: string };

/** Cells by column id. A column that is absent is blank. */
export type Cells = Readonly<Record<string, Cell>>;

export function isArrayCell(cell: Cell): cell is readonly Cell[] {
  return Array.isArray(cell);
}

/** Every row that a cell points to. */
export function rowsIn(cell: Cell): string[] {
  if (isArrayCell(cell)) return cell.flatMap(rowsIn);
  return typeof cell === "object" && cell.kind === "row" ? [cell.id] : [];
}
