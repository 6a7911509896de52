import { setTimeout as wait } from "node:timers/promises";
import { isPackError } from "../../../errors.ts";
import type { Storage } from "../../../storage/storage.ts";
import { buildIndex, isBuilt, SMALL_ROWS } from "./build-index.ts";
import type { IndexedTable, KeyIndex } from "./key-index.ts";
import type { ReadCache } from "./read-cache.ts";
import { tableSize } from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";

/** Builds the indexes of tables when they are first needed. */
export interface TableIndexes extends AsyncDisposable {
  /**
   * Whether an index is complete. If it is not, it is being built from now on. Only the index of a
   * short table is waited for: a long
   * table is searched until its index is there, or while there is no space for it.
   */
  ready(table: IndexedTable, index: KeyIndex): Promise<boolean>;
  /**
   * Reads the pieces of a search, for which someone waits. Indexes that no one waits for rest
   * meanwhile.
   */
  searching<Piece>(pieces: AsyncIterable<Piece>): AsyncIterable<Piece>;
  /**
   * Runs work that replaces the state of the service: what is being built belongs to the earlier
   * one.
   */
  replacing<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** How much longer than its last piece took a build rests while there are searches. */
const MAX_RESTS = 3;

export function createTableIndexes(
  storage: Storage<ServiceSchema>,
  cache: ReadCache,
): TableIndexes {
  let building = new Map<string, Promise<void>>();
  let stop = new AbortController();
  /** Those of long tables are built one after the other. */
  let last: Promise<void> = Promise.resolve();
  let searches = 0;

  async function rest(tookMs: number): Promise<void> {
    let rests = 0;
    do await wait(tookMs);
    while (searches > 0 && ++rests < MAX_RESTS);
  }

  function build(name: string, begin: () => Promise<void>): Promise<void> {
    const own = building;
    const known = own.get(name);
    if (known !== undefined) return known;
    const done = begin().finally(() => own.delete(name));
    own.set(name, done);
    return done;
  }

  const stopAll = () => {
    stop.abort();
    stop = new AbortController();
    building = new Map();
  };

  return {
    async ready(table, index) {
      const name = `index ${table.docId} ${table.tableId} ${index}`;
      if (await cache.read(name, () => isBuilt(storage.db, table, index))) return true;
      const { signal } = stop;
      const { nextPosition } = await cache.read(`size ${table.docId} ${table.tableId}`, () =>
        tableSize(storage.db, table),
      );
      if (nextPosition > SMALL_ROWS) {
        const done = build(name, () =>
          last.then(() => buildIndex(storage, table, index, { signal, rest })),
        );
        // The next request begins again with what is missing.
        last = done.catch(() => {});
        return false;
      }
      try {
        await build(name, () => buildIndex(storage, table, index, { signal }));
      } catch (error) {
        if (!isPackError(error, "DATABASE_FULL")) throw error;
      }
      return await isBuilt(storage.db, table, index);
    },
    async *searching(pieces) {
      searches++;
      try {
        yield* pieces;
      } finally {
        searches--;
      }
    },
    async replacing(work) {
      stopAll();
      try {
        return await work();
      } finally {
        // What began meanwhile saw the earlier state, too.
        stopAll();
      }
    },
    async [Symbol.asyncDispose]() {
      const all = [...building.values()];
      stopAll();
      await Promise.allSettled(all);
    },
  };
}
