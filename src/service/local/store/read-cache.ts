import type { Storage } from "../../../storage/storage.ts";
import type { ServiceSchema } from "./schema.ts";

/** Keeps what was read until anything in the database changes. On a server, where others write, nothing is kept. */
export interface ReadCache {
  read<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
}

const MAX_ENTRIES = 10_000;

export function createReadCache({ version }: Pick<Storage<ServiceSchema>, "version">): ReadCache {
  if (version === undefined) return { read: (_key, load) => load() };
  const entries = new Map<string, unknown>();
  let known = "";
  return {
    async read<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
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
}
