import { join } from "node:path";
import { type Migration, sql } from "kysely";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/storage/database.ts";
import { isUnencrypted } from "../../src/storage/storage.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const migrations: Record<string, Migration> = {
  "001": { up: (db) => db.schema.createTable("notes").addColumn("text", "text").execute() },
};

it("a write without space says so, does not advise to move the file, and keeps what was there", async () => {
  using folder = makeTemporaryFolder();
  const url = join(folder.path, "notes.db");
  await using storage = await openDatabase<{ notes: { text: string } }>({ url, migrations });
  await storage.transaction((db) => db.insertInto("notes").values({ text: "first" }).execute());
  // SQLite gives the answer of a full disk when a database has reached its number of pages.
  await sql`pragma max_page_count = 1`.execute(storage.db);
  const text = "x".repeat(1_000_000);
  await expect(
    storage.transaction((db) => db.insertInto("notes").values({ text }).execute()),
  ).rejects.toMatchObject({
    code: "DATABASE_FULL",
    message: `No space is left for ${url}. The stored data is unchanged.`,
    hint: "Free some space on the disk, then try again.",
  });
  expect(await storage.read((db) => db.selectFrom("notes").selectAll().execute())).toEqual([
    { text: "first" },
  ]);
});

it.each([
  ["postgres://me@db.example/packs?sslmode=disable", true],
  ["postgres://me@10.0.0.7/packs?sslmode=disable", true],
  ["postgres://me@db.example/packs?ssl=false", true],
  ["postgres://me@db.example/packs", false],
  ["postgres://me@db.example/packs?sslmode=require", false],
  ["postgres://me@127.0.0.1/packs?sslmode=disable", false],
  ["postgres://me@[::1]/packs?sslmode=disable", false],
  ["postgres:///packs?sslmode=disable", false],
  ["vault.db", false],
])("%s: an unencrypted connection to another machine is %s", (url, expected) =>
  expect(isUnencrypted(url)).toBe(expected),
);
