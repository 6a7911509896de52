import type { Storage } from "../../../storage/storage.ts";
import type { ServiceSchema } from "./schema.ts";

/**
 * Keeps what was read until anything in the database changes. On a server, where others write,
 * nothing is kept for longer than a
 * request that only reads.
 */
export interface ReadCache {
  read<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
  /** The cache of one request that only reads. */
  ofRequest(): ReadCache;
}

const MAX_ENTRIES = 10_000;

export function createReadCache({ version }: Pick<Storage<ServiceSchema>, "version">): ReadCache {
  if (version === undefined) return { read: (_key, load) => load(), ofRequest: createRequestCache };
  const entries = new Map<string, unknown>();
  let known = "";
  const cache: ReadCache = {
    ofRequest: () => cache,
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
  return cache;
}

function createRequestCache(): ReadCache {
  const reading = new Map<string, Promise<unknown>>();
  const cache: ReadCache = {
    ofRequest: () => cache,
    read<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
      const known = reading.get(key) ?? load();
      reading.set(key, known);
      return known as Promise<Value>;
    },
  };
  return cache;
}
