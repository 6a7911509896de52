import type { Kysely } from "kysely";
import type { Kept, ReadCache } from "./read-cache.ts";
import type { ServiceSchema } from "./schema.ts";
import { readVersions, type Versions } from "./versions.ts";

type Db = Kysely<ServiceSchema>;

interface Entry {
  version: string;
  value: Promise<unknown>;
}

/** An entry can be the columns of a wide table. */
const MAX_ENTRIES = 1_000;

/**
 * On a server, to which others write: a request asks once which versions there are now, and reads
 * again what was kept under other ones. What is loaded then can only be newer, and the next request
 * that sees the newer version loads it under that.
 */
export function createSharedCache(db: Db): ReadCache {
  const entries = new Map<string, Entry>();

  function keep(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
    const [oldest = key] = entries.keys();
    if (entries.size > MAX_ENTRIES) entries.delete(oldest);
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    // What is not there is looked for again, so that no one can fill the cache with it.
    entry.value.then((value) => {
      if (value === undefined) drop();
    }, drop);
  }

  function createRequestCache(ownDocId = ""): ReadCache {
    const seen = new Map<string, Promise<Versions>>();
    const see = (docId: string) => {
      const reading = seen.get(docId) ?? readVersions(db, docId);
      seen.set(docId, reading);
      return reading;
    };
    return {
      ofRequest: createRequestCache,
      refresh: () => seen.clear(),
      readDoc: async (docId) => (await see(docId)).doc,
      async read<Value>(key: string, of: Kept, load: () => Promise<Value>): Promise<Value> {
        const version = findVersion(of, await see(findDocId(of) ?? ownDocId));
        if (version === undefined) return await load();
        const known = entries.get(key);
        if (known?.version === version) return (await known.value) as Value;
        const value = load();
        keep(key, { version, value });
        return await value;
      },
    };
  }

  return {
    // Outside of a request nothing says for how long something may be kept.
    read: (_key, _of, load) => load(),
    readDoc: async (docId) => (await readVersions(db, docId)).doc,
    ofRequest: createRequestCache,
    refresh: () => {},
  };
}

function findDocId(of: Kept): string | undefined {
  if (of === "service") return undefined;
  return "structureOf" in of ? of.structureOf : of.snapshotOf;
}

/** Undefined for what belongs to a document that does not exist. */
function findVersion(of: Kept, { service, structure, doc }: Versions): string | undefined {
  if (of === "service") return service;
  if (doc === undefined) return undefined;
  return "structureOf" in of ? `${service} ${structure}` : `${service} ${structure} ${doc.seq}`;
}
