import { expect, it } from "vitest";
import { openSqliteDatabase } from "../../src/storage/sqlite.ts";

const MIGRATIONS = {
  "1": { up: async () => {} },
};

it("writes that wait while the database is closed fail, and the process lives on", async () => {
  const storage = await openSqliteDatabase<{ notes: { text: string } }>({
    url: ":memory:",
    migrations: MIGRATIONS,
  });
  const write = () => storage.db.insertInto("notes").values({ text: "late" }).execute();
  const results = Promise.allSettled([write(), write(), storage.transaction(write), write()]);
  await storage.close();
  expect((await results).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
});

it("a database without migrations opens: it has nothing to update", async () => {
  await using storage = await openSqliteDatabase({ url: ":memory:", migrations: {} });
  expect(storage.engine).toBe("sqlite");
});
