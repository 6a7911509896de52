import { type RawBuilder, sql } from "kysely";
import { sha256 } from "../../../shared/crypto.ts";
import { createDebugLog } from "../../../shared/debug-log.ts";
import type { Storage } from "../../../storage/storage.ts";
import { MAX_SORTED_TEXT } from "./name-start.ts";
import { tableSize } from "./row-store.ts";
import { CURRENT_LITERAL, type ServiceSchema } from "./schema.ts";

const debug = createDebugLog("service");

interface TablePlace {
  docId: string;
  tableId: string;
}

/**
 * Indexes of the columns that long tables are searched by, which a database server makes while
 * others read and write. An embedded one would hold up every writer, and is searched without them.
 */
export interface ColumnIndexes {
  /**
   * Whether rows can be found by the beginning of an expression now. When not, its index is made
   * in the background, if the table is long.
   */
  isReady(place: TablePlace, expression: RawBuilder<string | null>): boolean;
  /** No more are made. What is being made ends with the database. */
  close(): void;
}

/** A shorter table is searched as fast without an index. */
const MIN_ROWS = 5_000;
/** Each index makes writes a little slower. */
const MAX_INDEXES = 100;
/** How long until it is looked again whether an index can be made, in milliseconds. */
const RETRY_MS = 10_000;
/** For how many looks another process may take to make an index. */
const MAX_LOOKS = 30;

/** What an index has of an expression: texts can be longer than an index takes. */
export function indexedText(expression: RawBuilder<string | null>): RawBuilder<string | null> {
  return sql`left(${expression}, ${sql.lit(MAX_SORTED_TEXT)}) collate "C"`;
}

/** The table of an index, in a condition as the server has to see it to use the index. */
export function isInTable({ docId, tableId }: TablePlace): RawBuilder<boolean> {
  return sql`doc_id = ${sql.lit(docId)} and table_id = ${sql.lit(tableId)}`;
}

export function createColumnIndexes(storage: Storage<ServiceSchema>): ColumnIndexes {
  const { db, runLong } = storage;
  if (runLong === undefined) return { isReady: () => false, close: () => {} };
  /** Those that are ready, and when the others are looked at again. */
  const known = new Map<string, "ready" | { againAtMs: number; looks: number }>();
  let isClosed = false;
  /** Two that are made at the same time wait for each other, and the server ends one. */
  let latest: Promise<boolean> = Promise.resolve(false);

  const find = async (name: string): Promise<{ valid: boolean } | undefined> => {
    const { rows } = await sql<{ valid: boolean }>`select indisvalid as valid from pg_index
      where indexrelid = to_regclass(${`"${name}"`})`.execute(db);
    return rows[0];
  };

  const isRoomLeft = async (): Promise<boolean> => {
    const { rows } = await sql<{ made: number }>`select count(*) as made from pg_indexes
      where schemaname = current_schema() and indexname like 'cells\\_%'`.execute(db);
    return Number(rows[0]?.made ?? 0) < MAX_INDEXES;
  };

  /** @returns whether the index is ready */
  async function make(
    place: TablePlace,
    expression: RawBuilder<string | null>,
    name: string,
    looks: number,
  ): Promise<boolean> {
    const found = await find(name);
    if (found?.valid === true) return true;
    if ((await tableSize(db, place)).rows < MIN_ROWS) return false;
    if (found !== undefined) {
      // Another process makes it, or one ended while it did.
      if (looks < MAX_LOOKS) return false;
      await runLong?.(`drop index concurrently if exists "${name}"`);
    }
    if (!(await isRoomLeft())) return false;
    const text = sql`create index concurrently if not exists ${sql.ref(name)} on row_versions
      ((${indexedText(expression)}), created_at_ms, id) where ${isInTable(place)} and to_seq = ${CURRENT_LITERAL}`;
    await runLong?.(text.compile(db).sql);
    await runLong?.("analyze row_versions");
    debug(() => `index: ${name} of ${place.tableId} is ready`);
    return (await find(name))?.valid === true;
  }

  return {
    isReady(place, expression) {
      const key = JSON.stringify([place.docId, place.tableId, expression.compile(db).sql]);
      const state = known.get(key);
      if (state === "ready") return true;
      const { againAtMs = 0, looks = 0 } = state ?? {};
      if (isClosed || performance.now() < againAtMs) return false;
      known.set(key, { againAtMs: Number.POSITIVE_INFINITY, looks });
      const name = `cells_${sha256(key, "hex").slice(0, 24)}`;
      latest = latest
        .then(() => !isClosed && make(place, expression, name, looks))
        .catch(() => false);
      void latest.then((isMade) => {
        const again = { againAtMs: performance.now() + RETRY_MS, looks: looks + 1 };
        known.set(key, isMade ? "ready" : again);
      });
      return false;
    },
    close() {
      isClosed = true;
    },
  };
}
