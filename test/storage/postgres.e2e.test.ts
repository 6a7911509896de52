import { execFile } from "node:child_process";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Migration, sql } from "kysely";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/storage/database.ts";
import { describePostgres, makePostgresDatabase } from "../support/postgres.ts";
import { startTokenServer } from "../support/token-server.ts";

interface Schema {
  notes: { id: number; text: string };
}
const first: Migration = {
  up: (db) =>
    db.schema
      .createTable("notes")
      .addColumn("id", "bigint", (column) => column.primaryKey())
      .addColumn("text", "text", (column) => column.notNull())
      .execute(),
};
const migrations = { "001": first };
const later: Record<string, Migration> = {
  ...migrations,
  "002": { up: (db) => db.schema.alterTable("notes").addColumn("extra", "text").execute() },
};
const appendRows = fileURLToPath(new URL("fixtures/append-rows.js", import.meta.url));

/**
 * Passes bytes on to a server until it hangs: then it keeps its connections open, and nothing comes
 * through.
 */
async function startHangingProxy(
  url: string,
): Promise<AsyncDisposable & { url: string; hang(isHanging: boolean): void }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isHanging = false;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      sockets.add(from);
      from.on("data", (bytes) => isHanging || to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.hostname = "127.0.0.1";
  own.port = String((proxy.address() as AddressInfo).port);
  return {
    url: own.href,
    hang(value) {
      isHanging = value;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

describePostgres("openPostgresDatabase", () => {
  it("ends statements and transactions when the network hangs, and goes on when it is back", async () => {
    await using database = await makePostgresDatabase();
    await using proxy = await startHangingProxy(database.url);
    await using storage = await openDatabase<Schema>({
      url: proxy.url,
      migrations,
      answerTimeoutMs: 4_000,
    });
    const read = () => storage.read((db) => db.selectFrom("notes").select("id").execute());
    const write = (id: number) =>
      storage.transaction((transaction) =>
        transaction.insertInto("notes").values({ id, text: "a" }).execute(),
      );
    await Promise.all([read(), write(1)]);
    proxy.hang(true);
    const outcomes = await Promise.allSettled([read(), write(2)]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ reason: { code: "DATABASE_UNREACHABLE" } });
    proxy.hang(false);
    await write(3);
    expect(await read()).toEqual([{ id: 1 }, { id: 3 }]);
  });

  it("keeps rows across openings, each use in a schema of its own", async () => {
    await using database = await makePostgresDatabase();
    await using storage = await openDatabase<Schema>({
      url: database.url,
      schema: "one",
      migrations,
    });
    await using other = await openDatabase<Schema>({
      url: database.url,
      schema: 'it"s another',
      migrations,
    });
    await storage.transaction((transaction) =>
      transaction
        .insertInto("notes")
        .values({ id: 2 ** 50, text: "a" })
        .execute(),
    );
    await storage.close();
    await using again = await openDatabase<Schema>({
      url: database.url,
      schema: "one",
      migrations,
    });
    expect(await again.read((db) => db.selectFrom("notes").selectAll().execute())).toEqual([
      { id: 2 ** 50, text: "a" },
    ]);
    expect(await other.read((db) => db.selectFrom("notes").selectAll().execute())).toEqual([]);
  });

  it("has the server run statements without compiling them first", async () => {
    await using database = await makePostgresDatabase();
    await using storage = await openDatabase<Schema>({ url: database.url, migrations });
    expect((await sql`show jit`.execute(storage.db)).rows).toEqual([{ jit: "off" }]);
  });

  it("rolls back work that throws, and stays usable", async () => {
    await using database = await makePostgresDatabase();
    await using storage = await openDatabase<Schema>({ url: database.url, migrations });
    const work = storage.transaction(async (transaction) => {
      await transaction.insertInto("notes").values({ id: 1, text: "a" }).execute();
      throw new TypeError("no");
    });
    await expect(work).rejects.toThrow(TypeError);
    expect(await storage.read((db) => db.selectFrom("notes").selectAll().execute())).toEqual([]);
    expect(await storage.transaction(async () => 1)).toBe(1);
  });

  it("brings an older schema to the newest, refuses a newer one and one of another program, and changes neither", async () => {
    await using database = await makePostgresDatabase();
    await (await openDatabase<Schema>({ url: database.url, migrations })).close();
    await (await openDatabase<Schema>({ url: database.url, migrations: later })).close();
    await expect(openDatabase({ url: database.url, migrations })).rejects.toMatchObject({
      code: "DATABASE_NEWER",
    });
    await expect(
      openDatabase({ url: database.url, migrations: { "vault-001": first } }),
    ).rejects.toMatchObject({
      code: "DATABASE_UNREADABLE",
    });
    await expect(
      openDatabase({ url: database.url, schema: "public", migrations }).then((open) =>
        open.close(),
      ),
    ).resolves.toBeUndefined();
    await database.query("create schema songs; create table songs.songs (id integer)");
    await expect(
      openDatabase({ url: database.url, schema: "songs", migrations }),
    ).rejects.toMatchObject({ code: "DATABASE_UNREADABLE" });
    expect(
      await database.query(
        "select table_name from information_schema.tables where table_schema = 'songs'",
      ),
    ).toHaveLength(1);
  });

  it("leaves the old schema whole when a migration fails", async () => {
    await using database = await makePostgresDatabase();
    await (await openDatabase<Schema>({ url: database.url, migrations })).close();
    const failing: Migration = {
      async up(db) {
        await db.schema.createTable("half").addColumn("id", "integer").execute();
        throw new Error("stopped");
      },
    };
    await expect(
      openDatabase({ url: database.url, migrations: { ...migrations, "002": failing } }),
    ).rejects.toThrow("stopped");
    await using storage = await openDatabase<Schema>({ url: database.url, migrations });
    expect((await storage.db.introspection.getTables()).map(({ name }) => name)).not.toContain(
      "half",
    );
  });

  it("lets processes create and write one new database at the same time", async () => {
    await using database = await makePostgresDatabase();
    const run = promisify(execFile);
    await Promise.all([1, 2, 3].map(() => run(process.execPath, [appendRows, database.url, "25"])));
    expect(
      await database.query(
        "select count(*)::int as rows, count(distinct n)::int as numbers from packsmith.counter",
      ),
    ).toEqual([{ rows: 75, numbers: 75 }]);
  });

  it("reports a writer that does not finish", async () => {
    await using database = await makePostgresDatabase();
    await using one = await openDatabase<Schema>({ url: database.url, migrations });
    await using two = await openDatabase<Schema>({
      url: database.url,
      migrations,
      busyTimeoutMs: 20,
    });
    await one.transaction(async () => {
      await expect(two.transaction(async () => 1)).rejects.toMatchObject({ code: "DATABASE_BUSY" });
    });
    expect(await two.transaction(async () => 1)).toBe(1);
  });

  it("goes on with a new connection after the server ended the old ones", async () => {
    await using database = await makePostgresDatabase();
    await using storage = await openDatabase<Schema>({ url: database.url, migrations });
    await storage.read((db) => db.selectFrom("notes").selectAll().execute());
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    const outcomes = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      outcomes.push(
        await storage
          .read((db) => db.selectFrom("notes").selectAll().execute())
          .then(
            () => "rows",
            (error: { code?: string }) => error.code,
          ),
      );
    }
    // The first query may meet a connection whose end the driver has not yet seen.
    expect(["rows", "DATABASE_UNREACHABLE"]).toContain(outcomes[0]);
    expect(outcomes[1]).toBe("rows");
  });

  it("measures time with the server's clock", async () => {
    await using database = await makePostgresDatabase();
    await using storage = await openDatabase<Schema>({ url: database.url, migrations });
    expect(Math.abs(((await storage.sharedClock?.()) ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it("speaks in clear to no server when the URL asks for TLS", async () => {
    await using database = await makePostgresDatabase();
    const url = new URL(database.url);
    for (const mode of ["require", "verify-full"]) {
      url.searchParams.set("sslmode", mode);
      await expect(openDatabase({ url: url.href, migrations })).rejects.toMatchObject({
        code: "DATABASE_UNREACHABLE",
      });
    }
  });

  it.each(["no_such_database", "postgres?user=nobody-of-this-name"])(
    "says that %s cannot be used, without the password",
    async (path) => {
      await using database = await makePostgresDatabase();
      const url = new URL(database.url);
      url.username = "nobody-of-this-name";
      url.password = "hunter22hunter22";
      await expect(
        openDatabase({ url: new URL(path, url).href, migrations }),
      ).rejects.toMatchObject({
        code: "DATABASE_UNREACHABLE",
        message: expect.not.stringContaining("hunter22"),
      });
    },
  );
});

it("reports a server that is not there, one that is no database, and a URL that is none, each without the password", async () => {
  await using web = await startTokenServer(() => ({ body: "<html>" }));
  const port = new URL(web.url).port;
  const closed = await startTokenServer(() => undefined);
  await closed[Symbol.asyncDispose]();
  const cases = [
    [`postgres://me:hunter22@127.0.0.1:${new URL(closed.url).port}/x`, "DATABASE_UNREACHABLE"],
    [`postgres://me:hunter22@127.0.0.1:${port}/x`, "DATABASE_UNREACHABLE"],
    ["postgresql://me:hunter22@[nope/x", "DATABASE_UNSUPPORTED"],
  ] as const;
  for (const [url, code] of cases) {
    const error: unknown = await openDatabase({ url, migrations }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error, url).toMatchObject({ code });
    expect(JSON.stringify([String(error), error, (error as { hint: string }).hint])).not.toContain(
      "hunter22",
    );
  }
});
