import type { Kysely } from "kysely";
import { sha256 } from "../../../shared/sha256.ts";
import type { Cells } from "../content/column.ts";
import { insertMany } from "./insert-many.ts";
import { displayText, type RowKey, readRows, type TableSnapshot } from "./row-store.ts";
import { CURRENT, type ServiceSchema } from "./schema.ts";

type Db = Kysely<ServiceSchema>;
/** What rows are found by: the values of key columns, or the text of one column. */
export type KeyIndex = `key:${string}` | `text:${string}`;

const BUILD_ROWS = 1_000;

interface IndexedRow {
  id: string;
  cells: Cells;
}

/** The index over key columns, by their ids. */
export function keyIndexOf(columnIds: readonly string[]): KeyIndex {
  return `key:${columnIds.join(" ")}`;
}

/** What an index knows a row by. Two rows with equal keys have equal digests. */
export function digestOf(index: KeyIndex, cells: Cells): string {
  const columns = index.slice(index.indexOf(":") + 1);
  return index.startsWith("text:")
    ? textDigest(displayText(cells[columns]))
    : sha256(JSON.stringify(columns.split(" ").map((id) => cells[id] ?? "")), "base64url");
}

export function textDigest(text: string): string {
  return sha256(JSON.stringify(text), "base64url");
}

/** The rows behind each digest. The first request for an index reads the table once; from then on every write keeps it. */
export async function findByDigest(
  db: Db,
  snapshot: TableSnapshot,
  index: KeyIndex,
  digests: readonly string[],
): Promise<Map<string, string[]>> {
  await ensureIndex(db, snapshot, index);
  const found = new Map<string, string[]>();
  for (const part of partsOf([...new Set(digests)])) {
    const rows = await db
      .selectFrom("row_keys")
      .select(["digest", "row_id"])
      .where("doc_id", "=", snapshot.docId)
      .where("table_id", "=", snapshot.tableId)
      .where("index_name", "=", index)
      .where("digest", "in", part)
      .execute();
    // Sorted here, because with an order SQLite would read the complete table instead of looking up the digests.
    for (const { digest, row_id } of rows.sort((one, other) => (one.row_id < other.row_id ? -1 : 1)))
      found.set(digest, [...(found.get(digest) ?? []), row_id]);
  }
  return found;
}

/** Brings every index of a table up to date with rows as they are now. */
export async function updateIndexes(db: Db, snapshot: TableSnapshot, changed: readonly IndexedRow[]): Promise<void> {
  const indexes = await indexesOfTable(db, snapshot);
  if (indexes.length === 0) return;
  await removeFromIndexes(
    db,
    snapshot,
    changed.map(({ id }) => id),
  );
  for (const index of indexes) await addToIndex(db, snapshot, index, changed);
}

export async function removeFromIndexes(db: Db, { docId, tableId }: TableSnapshot, rowIds: readonly string[]): Promise<void> {
  for (const part of partsOf(rowIds)) {
    await db.deleteFrom("row_keys").where("doc_id", "=", docId).where("table_id", "=", tableId).where("row_id", "in", part).execute();
  }
}

async function ensureIndex(db: Db, snapshot: TableSnapshot, index: KeyIndex): Promise<void> {
  if ((await indexesOfTable(db, snapshot)).includes(index)) return;
  await db.insertInto("key_indexes").values({ doc_id: snapshot.docId, table_id: snapshot.tableId, index_name: index }).execute();
  // Piece by piece: a long table does not fit into memory.
  const current = { ...snapshot, seq: CURRENT - 1 };
  let after: RowKey | undefined;
  for (;;) {
    const rows = await readRows(db, current, { order: "position", after, limit: BUILD_ROWS });
    await addToIndex(db, snapshot, index, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BUILD_ROWS) return;
    after = [last.position, last.id];
  }
}

async function indexesOfTable(db: Db, { docId, tableId }: TableSnapshot): Promise<KeyIndex[]> {
  const rows = await db
    .selectFrom("key_indexes")
    .select("index_name")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .execute();
  return rows.map(({ index_name }) => index_name as KeyIndex);
}

async function addToIndex(db: Db, { docId, tableId }: TableSnapshot, index: KeyIndex, rows: readonly IndexedRow[]): Promise<void> {
  await insertMany(db, {
    table: "row_keys",
    shared: { doc_id: docId, table_id: tableId, index_name: index },
    columns: ["digest", "row_id"],
    rows: rows.map(({ id, cells }) => [digestOf(index, cells), id]),
  });
}

/** A statement takes a limited number of parameters. */
export function partsOf<Item>(items: readonly Item[], size = 500): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}
