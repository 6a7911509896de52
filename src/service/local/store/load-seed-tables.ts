import type { Transaction } from "kysely";
import type { Cell, StoredColumn, StoredTable } from "../content/column.ts";
import { displayText } from "../content/comparable.ts";
import { type CellDirectory, parseCell } from "../content/parse-cell.ts";
import { findByIdOrName, findDisplayColumn } from "./doc-store.ts";
import { stableId } from "./ids.ts";
import { rowWriter } from "./row-store.ts";
import { CURRENT, type ServiceSchema } from "./schema.ts";
import type { SeedColumn, SeedTable } from "./seed.ts";

export type SeedTransaction = Transaction<ServiceSchema>;

interface TableContext {
  onPage(name: string | undefined): string | undefined;
  people: readonly { name: string; email: string }[];
  createdAtMs: number;
  nowMs: number;
  timeZone: string;
}

/** The tables of a document with the ids that they get. */
interface SeedTables {
  docId: string;
  getId(name: string): string;
  /** By ID of the table. */
  columns: ReadonlyMap<string, StoredColumn[]>;
  rowIds(table: SeedTable): string[];
}

export async function loadTables(
  db: SeedTransaction,
  docId: string,
  tables: readonly SeedTable[],
  context: TableContext,
): Promise<void> {
  const seed = nameTables(docId, tables);
  const directory = createDirectory(tables, context.people, seed);
  for (const [position, table] of tables.entries()) {
    await loadTable(db, table, { position, seed, context });
    if (table.viewOf !== undefined) continue;
    const columns = seed.columns.get(seed.getId(table.name)) ?? [];
    await loadColumns(db, { docId, tableId: seed.getId(table.name) }, columns);
    await loadRows(db, table, { columns, seed, directory, context });
  }
}

function nameTables(docId: string, tables: readonly SeedTable[]): SeedTables {
  const getId = (name: string) => {
    const table = tables.find((candidate) => candidate.name === name);
    return table?.id ?? stableId(table?.viewOf === undefined ? "grid-" : "table-", docId, name);
  };
  return {
    docId,
    getId,
    columns: new Map(
      tables.map((table) => [
        getId(table.name),
        (table.columns ?? []).map((column) => toColumn(column, docId, table.name, getId)),
      ]),
    ),
    rowIds: (table) =>
      (table.rows ?? []).map((_, at) =>
        stableId(`i-${String(at).padStart(6, "0")}`, docId, table.name).slice(0, 12),
      ),
  };
}

async function loadTable(
  db: SeedTransaction,
  table: SeedTable,
  { position, seed, context }: { position: number; seed: SeedTables; context: TableContext },
): Promise<void> {
  const { viewOf, filter, rows = [] } = table;
  const id = seed.getId(table.name);
  const columns = seed.columns.get(viewOf === undefined ? id : seed.getId(viewOf)) ?? [];
  const columnId = (name: string) => findByIdOrName(columns, name)?.id ?? "";
  const record: Omit<StoredTable, "id" | "name" | "position"> = {
    pageId: context.onPage(table.page),
    layout: table.layout ?? "default",
    createdAtMs: context.createdAtMs,
    parentTableId: viewOf === undefined ? undefined : seed.getId(viewOf),
    filter:
      filter === undefined
        ? undefined
        : { columnId: columnId(filter.column), equals: filter.equals },
    sorts: (table.sorts ?? []).map(({ column, direction }) => ({
      columnId: columnId(column),
      direction,
    })),
    visibleColumnIds: table.visible?.map(columnId),
  };
  await db
    .insertInto("doc_tables")
    .values({
      doc_id: seed.docId,
      id,
      position,
      name: table.name,
      record: JSON.stringify(record),
      is_view: viewOf === undefined ? 0 : 1,
      row_count: rows.length,
      next_position: rows.length,
    })
    .execute();
}

async function loadColumns(
  db: SeedTransaction,
  { docId, tableId }: { docId: string; tableId: string },
  columns: readonly StoredColumn[],
): Promise<void> {
  for (const [position, { id, name, ...rest }] of columns.entries())
    await db
      .insertInto("columns")
      .values({
        doc_id: docId,
        table_id: tableId,
        id,
        position,
        name,
        record: JSON.stringify(rest),
      })
      .execute();
}

interface RowContext {
  columns: readonly StoredColumn[];
  seed: SeedTables;
  directory: CellDirectory;
  context: TableContext;
}

async function loadRows(
  db: SeedTransaction,
  table: SeedTable,
  { columns, seed, directory, context }: RowContext,
): Promise<void> {
  const { rows = [] } = table;
  const ids = seed.rowIds(table);
  const write = rowWriter(columns, context.timeZone);
  const versions = rows.map((row, at) => {
    const cells: Record<string, Cell> = {};
    for (const column of columns) {
      const value = Object.hasOwn(row, column.name) ? row[column.name] : undefined;
      if (value !== undefined) cells[column.id] = parseCell(column, value, directory);
    }
    // A second apart, as if they had been typed one after the other, and never in the future:
    // later rows come after them.
    const createdAtMs = Math.min(
      context.createdAtMs + at * 1_000,
      context.nowMs - rows.length + at,
    );
    return {
      doc_id: seed.docId,
      table_id: seed.getId(table.name),
      id: ids[at] ?? "",
      from_seq: 1,
      to_seq: CURRENT,
      position: at,
      created_at_ms: createdAtMs,
      updated_at_ms: createdAtMs,
      ...write(cells),
    };
  });
  // A statement takes a limited number of parameters.
  for (let start = 0; start < versions.length; start += 500)
    await db
      .insertInto("row_versions")
      .values(versions.slice(start, start + 500))
      .execute();
}

function toColumn(
  column: SeedColumn,
  docId: string,
  tableName: string,
  getId: (table: string) => string,
): StoredColumn {
  const type = column.type ?? "text";
  return {
    id: column.id ?? stableId("c-", docId, tableName, column.name),
    name: column.name,
    format: { ...column.format, type, isArray: column.isArray ?? false },
    display: column.display ?? false,
    hidden: column.hidden ?? false,
    calculated: column.formula !== undefined,
    formula: column.formula,
    defaultValue: column.defaultValue,
    script: column.button,
    lookupTableId:
      type === "lookup" && column.table !== undefined ? getId(column.table) : undefined,
  };
}

function createDirectory(
  tables: readonly SeedTable[],
  people: readonly { name: string; email: string }[],
  seed: SeedTables,
): CellDirectory {
  const rows = new Map<string, Map<string, string>>();
  for (const table of tables) {
    const display = findDisplayColumn(seed.columns.get(seed.getId(table.name)) ?? [])?.name ?? "";
    const ids = seed.rowIds(table);
    const named = (table.rows ?? []).map(
      (row, at) => [displayText(row[display]), ids[at] ?? ""] as const,
    );
    rows.set(
      seed.getId(table.name),
      new Map([...named.toReversed(), ...ids.map((id) => [id, id] as const)]),
    );
  }
  return {
    findRow: (tableId, text) => rows.get(tableId)?.get(text),
    findPerson: (text) => {
      const person =
        people.find(({ email }) => email === text) ?? people.find(({ name }) => name === text);
      return person === undefined ? undefined : { name: person.name, email: person.email };
    },
  };
}
