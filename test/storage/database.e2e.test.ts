import { execFile } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Migration, sql } from "kysely";
import Sqlite from "libsql";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/storage/database.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

interface Schema {
  notes: { id: number; text: string };
}
const first: Migration = {
  up: (db) =>
    db.schema
      .createTable("notes")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("text", "text", (column) => column.notNull())
      .execute(),
};
const migrations = { "001": first };
const later: Record<string, Migration> = {
  ...migrations,
  "002": { up: (db) => db.schema.alterTable("notes").addColumn("extra", "text").execute() },
};
const appendRows = fileURLToPath(new URL("fixtures/append-rows.js", import.meta.url));

describe("openDatabase", () => {
  it("keeps rows across openings, in a file for the owner alone", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "new/data.db");
    await using storage = await openDatabase<Schema>({ url, migrations });
    await storage.transaction((transaction) =>
      transaction.insertInto("notes").values({ id: 1, text: "a" }).execute(),
    );
    await storage.close();
    await using again = await openDatabase<Schema>({ url, migrations });
    expect(await again.read((db) => db.selectFrom("notes").selectAll().execute())).toEqual([
      { id: 1, text: "a" },
    ]);
    expect(statSync(url).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, "new")).mode & 0o777).toBe(0o700);
  });

  it("is complete in its one file once it is closed", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    await using storage = await openDatabase<Schema>({ url, migrations });
    await storage.db.insertInto("notes").values({ id: 1, text: "a" }).execute();
    await storage.close();
    const copy = join(folder.path, "copy.db");
    writeFileSync(copy, readFileSync(url));
    await using copied = await openDatabase<Schema>({ url: copy, migrations });
    expect(await copied.db.selectFrom("notes").selectAll().execute()).toHaveLength(1);
  });

  it.each([
    ["machine", 2],
    ["process", 1],
    [undefined, 2],
  ] as const)(
    "waits for the disk at every commit unless transactions need to survive the process alone: %s",
    async (survives, level) => {
      using folder = makeTemporaryFolder();
      await using storage = await openDatabase<Schema>({
        url: join(folder.path, "data.db"),
        migrations,
        survives,
      });
      const { rows } = await storage.read((db) =>
        sql<{ synchronous: number }>`pragma synchronous`.execute(db),
      );
      expect(rows[0]?.synchronous).toBe(level);
    },
  );

  it("keeps a database of smaller pages as it is, and makes new ones of 8 KiB", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    const readPageSize = async (storage: Awaited<ReturnType<typeof openDatabase<Schema>>>) =>
      (await storage.read((db) => sql<{ page_size: number }>`pragma page_size`.execute(db))).rows[0]
        ?.page_size;
    const earlier = new Sqlite(url);
    earlier.exec(
      "pragma page_size = 4096; pragma journal_mode = wal; create table kysely_migration (name text, timestamp text)",
    );
    earlier.exec(
      "create table kysely_migration_lock (id text, is_locked integer); insert into kysely_migration_lock values ('migration_lock', 0)",
    );
    earlier.exec(
      "create table notes (id integer primary key, text text not null); insert into kysely_migration values ('001', '')",
    );
    earlier.close();
    await using old = await openDatabase<Schema>({ url, migrations: later });
    await using fresh = await openDatabase<Schema>({
      url: join(folder.path, "new.db"),
      migrations,
    });
    expect([await readPageSize(old), await readPageSize(fresh)]).toEqual([4_096, 8_192]);
    await old.db.insertInto("notes").values({ id: 1, text: "a" }).execute();
    expect(await old.db.selectFrom("notes").selectAll().execute()).toEqual([
      { id: 1, text: "a", extra: null },
    ]);
  });

  it("rolls back work that throws, and stays usable", async () => {
    await using storage = await openDatabase<Schema>({ url: ":memory:", migrations });
    const insert = (id: number) => ({ id, text: "a" });
    await storage.db.insertInto("notes").values(insert(1)).execute();
    for (const failing of [1, 2]) {
      const work = storage.transaction(async (transaction) => {
        await transaction.insertInto("notes").values(insert(10)).execute();
        await transaction.insertInto("notes").values(insert(failing)).execute();
        throw new Error("no");
      });
      await expect(work).rejects.toThrow();
    }
    await storage.transaction((transaction) =>
      transaction.insertInto("notes").values(insert(3)).execute(),
    );
    expect(await storage.db.selectFrom("notes").select("id").execute()).toEqual([
      { id: 1 },
      { id: 3 },
    ]);
  });

  it("reads of a file go on while a transaction runs, and see what is committed", async () => {
    using folder = makeTemporaryFolder();
    await using storage = await openDatabase<Schema>({
      url: join(folder.path, "data.db"),
      migrations,
    });
    const read = () => storage.db.selectFrom("notes").select("id").execute();
    const before = await storage.transaction(async (transaction) => {
      await transaction.insertInto("notes").values({ id: 1, text: "a" }).execute();
      return await read();
    });
    expect([before, await read()]).toEqual([[], [{ id: 1 }]]);
  });

  it("reads in memory wait for the end of a transaction", async () => {
    await using storage = await openDatabase<Schema>({ url: ":memory:", migrations });
    const reading = await storage.transaction(async (transaction) => {
      await transaction.insertInto("notes").values({ id: 1, text: "a" }).execute();
      const rows = storage.db.selectFrom("notes").select("id").execute();
      await new Promise(setImmediate);
      await transaction.insertInto("notes").values({ id: 2, text: "b" }).execute();
      return { rows };
    });
    expect(await reading.rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("many statements of one transaction let others run in between", async () => {
    using folder = makeTemporaryFolder();
    await using storage = await openDatabase<Schema>({
      url: join(folder.path, "data.db"),
      migrations,
    });
    let others = false;
    setImmediate(() => {
      others = true;
    });
    await storage.transaction(async (transaction) => {
      for (let id = 1; !others; id++)
        await transaction.insertInto("notes").values({ id, text: "a" }).execute();
    });
    expect(others).toBe(true);
  });

  it("brings an older database to the newest schema, and refuses a newer one", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    await (await openDatabase<Schema>({ url, migrations })).close();
    await (await openDatabase<Schema>({ url, migrations: later })).close();
    await expect(openDatabase<Schema>({ url, migrations })).rejects.toMatchObject({
      code: "DATABASE_NEWER",
    });
  });

  it("leaves the old schema whole when a migration fails", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    await (await openDatabase<Schema>({ url, migrations })).close();
    const failing: Migration = {
      async up(db) {
        await db.schema.createTable("half").addColumn("id", "integer").execute();
        throw new Error("stopped");
      },
    };
    await expect(
      openDatabase({ url, migrations: { ...migrations, "002": failing } }),
    ).rejects.toMatchObject({
      code: "DATABASE_UNREADABLE",
    });
    await using storage = await openDatabase<Schema>({ url, migrations });
    expect((await storage.db.introspection.getTables()).map(({ name }) => name)).not.toContain(
      "half",
    );
  });

  it("refuses a database of another program and does not change a byte of it", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "other.db");
    const other = new Sqlite(url);
    other.exec("create table songs (id integer); insert into songs values (1)");
    other.close();
    const before = readFileSync(url);
    await expect(openDatabase({ url, migrations })).rejects.toMatchObject({
      code: "DATABASE_UNREADABLE",
    });
    expect(readFileSync(url).equals(before)).toBe(true);
  });

  it("refuses a database of packsmith that holds something else", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    await (await openDatabase<Schema>({ url, migrations })).close();
    await expect(openDatabase({ url, migrations: { "vault-001": first } })).rejects.toMatchObject({
      code: "DATABASE_UNREADABLE",
    });
  });

  it("has no engine for other URLs, and does not repeat their password", async () => {
    await expect(
      openDatabase({ url: "mysql://me:hunter22@db.example", migrations }),
    ).rejects.toMatchObject({
      code: "DATABASE_UNSUPPORTED",
      message: expect.not.stringContaining("hunter22"),
    });
  });

  it("refuses a folder in place of a file", async () => {
    using folder = makeTemporaryFolder();
    chmodSync(folder.path, 0o700);
    await expect(openDatabase({ url: folder.path, migrations })).rejects.toMatchObject({
      code: "DATABASE_UNREADABLE",
    });
  });

  it("waits longer than for a write while another process creates the database", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    const creator = new Sqlite(url);
    creator.exec("pragma journal_mode = wal; begin immediate");
    const opening = openDatabase<Schema>({ url, migrations, busyTimeoutMs: 100 });
    await wait(200);
    creator.exec("rollback");
    creator.close();
    await using storage = await opening;
    expect(await storage.db.selectFrom("notes").selectAll().execute()).toEqual([]);
  });

  it("reports a process that creates the database and does not finish", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    const creator = new Sqlite(url);
    creator.exec("pragma journal_mode = wal; begin immediate");
    await expect(
      openDatabase<Schema>({ url, migrations, busyTimeoutMs: 20 }),
    ).rejects.toMatchObject({ code: "DATABASE_BUSY" });
    creator.close();
  });

  it("reports a writer that does not finish", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    await using one = await openDatabase<Schema>({ url, migrations });
    await using two = await openDatabase<Schema>({ url, migrations, busyTimeoutMs: 20 });
    await one.transaction(async () => {
      await expect(two.transaction(async () => 1)).rejects.toMatchObject({ code: "DATABASE_BUSY" });
    });
    expect(await two.transaction(async () => 1)).toBe(1);
  });

  it("commits after a single write that waited for another connection", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    await using one = await openDatabase<Schema>({ url, migrations });
    await using two = await openDatabase<Schema>({ url, migrations });
    const insert = (id: number) => two.db.insertInto("notes").values({ id, text: "a" }).execute();
    for (const id of [1, 3, 5]) {
      const waiting = await one.transaction(async () => {
        const writing = insert(id);
        // It finds the database locked.
        await new Promise(setImmediate);
        return { writing };
      });
      await waiting.writing;
      await two.transaction((transaction) =>
        transaction
          .insertInto("notes")
          .values({ id: id + 1, text: "b" })
          .execute(),
      );
    }
    expect(await one.db.selectFrom("notes").select("id").execute()).toHaveLength(6);
  });

  it("lets processes create and write one new database at the same time", async () => {
    using folder = makeTemporaryFolder();
    const url = join(folder.path, "data.db");
    const run = promisify(execFile);
    await Promise.all([1, 2, 3].map(() => run(process.execPath, [appendRows, url, "25"])));
    const sqlite = new Sqlite(url);
    expect(
      sqlite.prepare("select count(*) as rows, count(distinct n) as numbers from counter").get(),
    ).toMatchObject({
      rows: 75,
      numbers: 75,
    });
    sqlite.close();
  });
});
