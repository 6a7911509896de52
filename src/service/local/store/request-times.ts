import type { Storage } from "../../../storage/storage.ts";
import type { ServiceSchema } from "./schema.ts";

/** When requests were counted, under the name of what they are counted for. */
export interface RequestTimes {
  /** Replaces the times of a name. No other request changes them in between. */
  update(name: string, change: (times: readonly number[]) => readonly number[]): Promise<void>;
  list(): Promise<readonly { name: string; times: readonly number[] }[]>;
  clear(): Promise<void>;
}

/** Processes that share a database server share them; others keep them in memory. */
export function openRequestTimes(storage: Storage<ServiceSchema>): RequestTimes {
  return storage.engine === "postgres" ? keepInDatabase(storage) : keepInMemory();
}

function keepInMemory(): RequestTimes {
  const known = new Map<string, readonly number[]>();
  return {
    async update(name, change) {
      known.set(name, change(known.get(name) ?? []));
    },
    list: async () => [...known].map(([name, times]) => ({ name, times })),
    clear: async () => known.clear(),
  };
}

/** Their names in the table of settings begin with this. */
const PREFIX = "requests ";

function keepInDatabase(storage: Storage<ServiceSchema>): RequestTimes {
  return {
    update: (name, change) =>
      storage.transaction(
        async (transaction) => {
          const key = PREFIX + name;
          await transaction
            .insertInto("settings")
            .values({ name: key, value: "[]" })
            .onConflict((conflict) => conflict.column("name").doNothing())
            .execute();
          const { value } = await transaction
            .selectFrom("settings")
            .select("value")
            .where("name", "=", key)
            .forUpdate()
            .executeTakeFirstOrThrow();
          const next = JSON.stringify(change(JSON.parse(value) as number[]));
          if (next !== value)
            await transaction
              .updateTable("settings")
              .set({ value: next })
              .where("name", "=", key)
              .execute();
        },
        { rowLocks: true },
      ),
    list: async () => {
      const rows = await storage.read((db) =>
        db.selectFrom("settings").selectAll().where("name", "like", `${PREFIX}%`).execute(),
      );
      return rows.map(({ name, value }) => ({
        name: name.slice(PREFIX.length),
        times: JSON.parse(value) as number[],
      }));
    },
    clear: async () =>
      void (await storage.transaction((transaction) =>
        transaction.deleteFrom("settings").where("name", "like", `${PREFIX}%`).execute(),
      )),
  };
}
