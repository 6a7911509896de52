import type { Storage } from "../../../storage/storage.ts";
import type { Kept, ReadCache } from "./read-cache.ts";
import type { ServiceSchema } from "./schema.ts";
import { createSharedCache } from "./shared-cache.ts";
import { readVersions } from "./versions.ts";

const MAX_ENTRIES = 10_000;

/** The cache that the database needs. */
export function openReadCache({
  version,
  db,
}: Pick<Storage<ServiceSchema>, "version" | "db">): ReadCache {
  if (version === undefined) return createSharedCache(db);
  const entries = new Map<string, unknown>();
  let known = "";
  const cache: ReadCache = {
    ofRequest: () => cache,
    refresh: () => {},
    readDoc: (docId) =>
      cache.read(`doc ${docId}`, "service", async () => (await readVersions(db, docId)).doc),
    async read<Value>(key: string, _of: Kept, load: () => Promise<Value>): Promise<Value> {
      const before = version();
      if (before !== known || entries.size > MAX_ENTRIES) {
        entries.clear();
        known = before;
      }
      if (entries.has(key)) return entries.get(key) as Value;
      const value = await load();
      // A write in the meantime: what was read may be older than it.
      if (version() === known && known === before) entries.set(key, value);
      return value;
    },
  };
  return cache;
}
