import type { Storage } from "../../../storage/storage.ts";
import { buildIndex, isBuilt } from "./build-index.ts";
import type { IndexedTable, KeyIndex } from "./key-index.ts";
import type { ReadCache } from "./read-cache.ts";
import type { ServiceSchema } from "./schema.ts";

/** Builds the indexes of tables when they are first needed. */
export interface TableIndexes {
  /** Waits until an index is complete. Requests that need the same one wait for one builder. */
  ready(table: IndexedTable, index: KeyIndex): Promise<void>;
}

export function createTableIndexes(storage: Storage<ServiceSchema>, cache: ReadCache): TableIndexes {
  const building = new Map<string, Promise<void>>();
  return {
    async ready(table, index) {
      const name = `index ${table.docId} ${table.tableId} ${index}`;
      if (await cache.read(name, () => isBuilt(storage.db, table, index))) return;
      let build = building.get(name);
      if (build === undefined) {
        build = buildIndex(storage, table, index).finally(() => building.delete(name));
        building.set(name, build);
      }
      await build;
    },
  };
}
