import type { Kysely } from "kysely";
import { createRecordFactory } from "../../../shared/values.ts";
import type { RowEdit } from "../../contract/models/requests.ts";
import { type Cell, type Cells, isWritable, type StoredColumn } from "../content/column.ts";
import { type CellDirectory, parseCell } from "../content/parse-cell.ts";
import { keyExpression, keyText } from "../store/cell-sql.ts";
import type { ColumnIndexes } from "../store/column-indexes.ts";
import { columnFinder, findColumn } from "../store/doc-store.ts";
import { findKeys, isShortSearch, type RowsByKey } from "../store/find-keys.ts";
import type { Engine } from "../store/json-sql.ts";
import { splitIntoParts } from "../store/parts-of.ts";
import { loadDirectory } from "../store/row-directory.ts";
import { readRowIds, type TableSnapshot, tableSize } from "../store/row-store.ts";
import type { ServiceSchema } from "../store/schema.ts";
import type { Edit } from "./edit.ts";

/** What an edit does to a row. One that is deleted may not be there. */
export type RowChange =
  | { kind: "add"; id: string; position: number; cells: Cells }
  | { kind: "change"; id: string; cells: Cells }
  | { kind: "delete"; id: string };

/** The edits of rows, and what could not be done of each. */
export interface WarnedEdit<Kind extends RowEditKind = RowEditKind> {
  edit: Extract<Edit, { kind: Kind }>;
  warnings: Set<string>;
}

type RowEditKind = "insert" | "update" | "delete";

export function isRowEdit(edit: Edit): edit is Extract<Edit, { kind: RowEditKind }> {
  return edit.kind === "insert" || edit.kind === "update" || edit.kind === "delete";
}

/** A table as it is before its edits. */
export interface TableBefore {
  db: Kysely<ServiceSchema>;
  engine: Engine;
  indexes: ColumnIndexes;
  snapshot: TableSnapshot;
  columns: readonly StoredColumn[];
  /** Lets others run from time to time; undefined in a transaction, which has to be short. */
  pause: (() => Promise<void>) | undefined;
}

/** What has to be done is too much for one transaction. */
export class SlicesNeeded extends Error {
  override readonly name = "SlicesNeeded";
  constructor() {
    super("The edit has to be applied in slices.");
  }
}

/**
 * What edits do to the rows of a table, in order. The same edits of the same snapshot always give
 * the same changes.
 * @param edits of one kind, which differ in their rows and cells only
 * @throws {SlicesNeeded} in a transaction, for a table that is too long to be searched in it
 */
export async function planRows(
  table: TableBefore,
  edits: readonly WarnedEdit[],
): Promise<RowChange[]> {
  // Edits that are applied together are of one kind, which the compiler does not see.
  switch (edits[0]?.edit.kind) {
    case "insert":
      return await planInsert(table, edits as WarnedEdit<"insert">[]);
    case "update":
      return await planUpdate(table, edits as WarnedEdit<"update">[]);
    case "delete":
      return await planDelete(table, edits as WarnedEdit<"delete">[]);
    case undefined:
      return [];
  }
}

/**
 * Adds rows, or changes those whose key columns are equal. In order, so that a later row can match
 * an earlier one.
 */
async function planInsert(
  table: TableBefore,
  edits: readonly WarnedEdit<"insert">[],
): Promise<RowChange[]> {
  const { db, snapshot, columns } = table;
  const { keyColumns = [], once = false } = edits[0]?.edit ?? {};
  const keys = keyColumns.flatMap((reference) => findColumn(columns, reference) ?? []);
  if (keys.length < keyColumns.length) {
    for (const { warnings } of edits)
      warnings.add("A key column does not exist; no row was changed.");
    return [];
  }
  const parsed = await parseRows(
    table,
    edits.map(({ edit: { rows, parse }, warnings }) => ({ rows, parse, warnings })),
  );
  const texts = keys.length === 0 ? [] : parsed.map(({ cells }) => keyText(keys, cells));
  const found = new Map(keys.length === 0 ? [] : await findMatches(table, keys, texts));
  const ids = parsed.map(({ rowId }) => rowId);
  const present = once ? await readRowIds(db, snapshot, ids) : undefined;
  const changes: RowChange[] = [];
  let position = (await tableSize(db, snapshot)).nextPosition;
  for (const [at, { rowId, cells }] of parsed.entries()) {
    const text = texts[at];
    const matches = text === undefined ? [] : (found.get(text) ?? []);
    for (const id of matches) changes.push({ kind: "change", id, cells });
    if (matches.length > 0 || present?.has(rowId) === true) continue;
    changes.push({ kind: "add", id: rowId, position: position++, cells });
    present?.add(rowId);
    if (text !== undefined) found.set(text, [rowId]);
  }
  return changes;
}

async function planUpdate(
  table: TableBefore,
  edits: readonly WarnedEdit<"update">[],
): Promise<RowChange[]> {
  const ids = edits.map(({ edit }) => edit.rowId);
  const present = await readRowIds(table.db, table.snapshot, ids);
  for (const { edit, warnings } of edits)
    if (!present.has(edit.rowId)) warnings.add("The row was deleted before the edit was applied.");
  const rows = edits
    .filter(({ edit }) => present.has(edit.rowId))
    .map(({ edit, warnings }) => ({ rows: [edit], parse: edit.parse, warnings }));
  const parsed = await parseRows(table, rows);
  return (
    parsed
      // An edit that stores nothing does not change `updatedAt`.
      .filter(({ cells }) => Object.keys(cells).length > 0)
      .map(({ rowId, cells }) => ({ kind: "change", id: rowId, cells }))
  );
}

async function planDelete(
  { pause }: TableBefore,
  edits: readonly WarnedEdit<"delete">[],
): Promise<RowChange[]> {
  const changes = new Map<string, RowChange>();
  for (const { edit } of edits) {
    for (const ids of splitIntoParts(edit.rowIds)) {
      for (const id of ids) changes.set(id, { kind: "delete", id });
      await pause?.();
    }
  }
  return [...changes.values()];
}

/** @throws {SlicesNeeded} */
async function findMatches(
  { db, engine, indexes, snapshot, pause }: TableBefore,
  columns: readonly StoredColumn[],
  texts: readonly string[],
): Promise<RowsByKey> {
  const isIndexed = indexes.isReady(snapshot, keyExpression(engine, columns));
  if (pause === undefined && !isIndexed && !(await isShortSearch(db, snapshot)))
    throw new SlicesNeeded();
  return await findKeys(db, engine, { snapshot, columns, texts, isIndexed });
}

interface WrittenRows {
  rows: readonly { rowId: string; cells: RowEdit["cells"] }[];
  /** Without, values are stored as they are. */
  parse: boolean;
  warnings: Set<string>;
}

async function parseRows(
  table: TableBefore,
  written: readonly WrittenRows[],
): Promise<{ rowId: string; cells: Cells }[]> {
  const directory =
    written[0]?.parse === true
      ? await loadDirectory(
          table,
          written.flatMap(({ rows }) => rows),
        )
      : undefined;
  const find = columnFinder(table.columns);
  const parsed: { rowId: string; cells: Cells }[] = [];
  let model = createModel([], find);
  for (const { rows, warnings } of written) {
    for (const { rowId, cells } of rows) {
      if (!isLike(model.written, cells)) model = createModel(cells, find);
      parsed.push({ rowId, cells: toCells(warnings, cells, model, directory) });
      if (table.pause !== undefined) await table.pause();
    }
  }
  return parsed;
}

/** The rows of an edit mostly have the same columns. */
interface RowModel {
  written: RowEdit["cells"];
  /** Of each cell that is written; undefined where there is none. */
  columns: readonly (StoredColumn | undefined)[];
  createCells(): Record<string, Cell>;
}

function createModel(
  written: RowEdit["cells"],
  find: (reference: string) => StoredColumn | undefined,
): RowModel {
  const columns = written.map(({ column }) => find(column));
  const ids = columns.flatMap((column) =>
    column !== undefined && isWritable(column) ? [column.id] : [],
  );
  return { written, columns, createCells: createRecordFactory<Cell>(ids, "") };
}

function isLike(one: RowEdit["cells"], other: RowEdit["cells"]): boolean {
  return one.length === other.length && one.every(({ column }, at) => column === other[at]?.column);
}

/** When a column comes twice, the last value is stored. */
function toCells(
  warnings: Set<string>,
  written: RowEdit["cells"],
  { columns, createCells }: RowModel,
  directory: CellDirectory | undefined,
): Cells {
  const cells = createCells();
  for (const [at, { value }] of written.entries()) {
    const column = columns[at];
    if (column === undefined) warnings.add("A column does not exist; the cell was skipped.");
    else if (!isWritable(column))
      warnings.add(`Column ${column.id} cannot be written; the cell was skipped.`);
    else cells[column.id] = directory === undefined ? value : parseCell(column, value, directory);
  }
  return cells;
}
