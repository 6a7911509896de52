import { type Kysely, type RawBuilder, sql } from "kysely";
import { type KeyIndex, partsOf, VIEW_DIGEST } from "./key-index.ts";
import type { ServiceSchema } from "./schema.ts";

type Db = Kysely<ServiceSchema>;

/** A table and the index of one of its views. */
interface ViewPlace {
  docId: string;
  tableId: string;
  index: KeyIndex;
}

/**
 * The entries of a view are counted in blocks, so that neither their number nor the index of a row
 * is found by counting all of them.
 * A block begins with an order key and ends where the next one begins. `entries` is null in the one
 * that has not been counted yet.
 */
const BLOCK_ENTRIES = 512;
const MAX_BLOCK_ENTRIES = 2 * BLOCK_ENTRIES;
/** Order keys of one statement. In an embedded database nothing else is done while it runs. */
const KEYS_AT_ONCE = 100;

/** How many rows a view shows. */
export async function countRows(db: Db, view: ViewPlace): Promise<number> {
  const { rows } = await blocksOf(db, view)
    .select(db.fn.sum<number | null>("entries").as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows ?? 0);
}

/** How many rows a view shows before each of some order keys. */
export async function countBefore(
  db: Db,
  view: ViewPlace,
  orderKeys: readonly string[],
): Promise<Map<string, number>> {
  const before = new Map<string, number>();
  for (const part of partsOf([...new Set(orderKeys)], KEYS_AT_ONCE)) {
    if (before.size > 0) await new Promise(setImmediate);
    const { rows } = await sql<{
      order_key: string;
      rows: number;
    }>`with wanted (order_key) as (${keyRows(part)})
      select order_key,
        coalesce((select sum(b.entries) from row_key_blocks as b where ${inView("b", view)} and b.from_key < block), 0)
        + (select count(*) from row_keys as k where ${inView("k", view)} and k.digest = ${VIEW_DIGEST}
          and k.order_key >= block and k.order_key < wanted.order_key) as rows
      from (select order_key, ${blockAt(view)} as block from wanted) as wanted`.execute(db);
    for (const row of rows) before.set(row.order_key, Number(row.rows));
  }
  return before;
}

/** Counts entries that have been added or removed. */
export async function changeCounts(
  db: Db,
  view: ViewPlace,
  orderKeys: readonly string[],
  by: 1 | -1,
): Promise<void> {
  const long = new Set<string>();
  for (const part of partsOf(orderKeys, KEYS_AT_ONCE)) {
    const { rows } = await sql<{
      from_key: string;
      entries: number | null;
    }>`with wanted (order_key) as (${keyRows(part)})
      update row_key_blocks set entries = row_key_blocks.entries + ${sql.lit(by)} * changed.number
      from (select ${blockAt(view)} as block, count(*) as number from wanted group by 1) as changed
      where ${inView("row_key_blocks", view)} and row_key_blocks.from_key = changed.block
      returning from_key, entries`.execute(db);
    for (const { from_key: fromKey, entries } of rows) {
      // The first one stays, so that every order key belongs to a block.
      if (entries === 0 && fromKey !== "")
        await blocksOfDelete(db, view).where("from_key", "=", fromKey).execute();
      if ((entries ?? 0) > MAX_BLOCK_ENTRIES) long.add(fromKey);
    }
  }
  // When every change is counted, because the entries themselves are counted here.
  for (const fromKey of long) {
    await setEntries(db, view, fromKey, null);
    while (!(await countBlock(db, view)));
  }
}

/** Makes the first block, which is counted when every row has its entry. */
export async function beginCounts(db: Db, { docId, tableId, index }: ViewPlace): Promise<void> {
  await db
    .insertInto("row_key_blocks")
    .values({ doc_id: docId, table_id: tableId, index_name: index, from_key: "", entries: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Counts the next block. @returns whether all are counted */
export async function countBlock(db: Db, view: ViewPlace): Promise<boolean> {
  const open = await blocksOf(db, view)
    .select("from_key")
    .where("entries", "is", null)
    .executeTakeFirst();
  if (open === undefined) return true;
  const { docId, tableId, index } = view;
  const next = await blocksOf(db, view)
    .select("from_key")
    .where("from_key", ">", open.from_key)
    .orderBy("from_key")
    .limit(1)
    .executeTakeFirst();
  let rest = db
    .selectFrom("row_keys")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("index_name", "=", index)
    .where("digest", "=", VIEW_DIGEST)
    .where("order_key", ">=", open.from_key);
  if (next !== undefined) rest = rest.where("order_key", "<", next.from_key);
  const end = await rest
    .select("order_key")
    .orderBy("order_key")
    .offset(BLOCK_ENTRIES)
    .limit(1)
    .executeTakeFirst();
  if (end === undefined) {
    const { entries } = await rest
      .select(db.fn.countAll<number>().as("entries"))
      .executeTakeFirstOrThrow();
    await setEntries(db, view, open.from_key, Number(entries));
    return true;
  }
  await setEntries(db, view, open.from_key, BLOCK_ENTRIES);
  await db
    .insertInto("row_key_blocks")
    .values({
      doc_id: docId,
      table_id: tableId,
      index_name: index,
      from_key: end.order_key,
      entries: null,
    })
    .execute();
  return false;
}

async function setEntries(
  db: Db,
  { docId, tableId, index }: ViewPlace,
  fromKey: string,
  entries: number | null,
): Promise<void> {
  await db
    .updateTable("row_key_blocks")
    .set({ entries })
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("index_name", "=", index)
    .where("from_key", "=", fromKey)
    .execute();
}

function blocksOf(db: Db, { docId, tableId, index }: ViewPlace) {
  return db
    .selectFrom("row_key_blocks")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("index_name", "=", index);
}

function blocksOfDelete(db: Db, { docId, tableId, index }: ViewPlace) {
  return db
    .deleteFrom("row_key_blocks")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("index_name", "=", index);
}

/** The block of an order key in `wanted`. */
function blockAt(view: ViewPlace): RawBuilder<string> {
  return sql`(select max(a.from_key) from row_key_blocks as a where ${inView("a", view)} and a.from_key <= wanted.order_key)`;
}

function inView(name: string, { docId, tableId, index }: ViewPlace): RawBuilder<boolean> {
  const column = (its: string) => sql.ref(`${name}.${its}`);
  return sql`${column("doc_id")} = ${docId} and ${column("table_id")} = ${tableId} and ${column("index_name")} = ${index}`;
}

function keyRows(orderKeys: readonly string[]): RawBuilder<unknown> {
  return sql`values ${sql.join(orderKeys.map((key) => sql`(${key})`))}`;
}
