import { Kysely, type Migration, Migrator, sql } from "kysely";
import pg from "pg";
import { isPackError, PackError } from "../errors.ts";
import { networkReason } from "../shared/failures.ts";
import { type ConnectionPool, createPostgresDialect } from "./postgres-driver.ts";
import { listenForSignals } from "./postgres-signals.ts";
import {
  checkMigrations,
  databaseFull,
  isOnThisMachine,
  type OpenDatabaseOptions,
  type Storage,
} from "./storage.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * How much longer a statement is waited for. Then the server, or the network to it, is taken to be
 * gone.
 */
const ANSWER_MS = 5_000;
/**
 * After this time, the server frees the locks of a machine that vanished during a transaction, in
 * milliseconds.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;
/** The table with the one row that every transaction locks first. */
const WRITER = "packsmith_writer";

let createPool = createNewPool;

export function createNewPool(options: pg.PoolConfig): ConnectionPool {
  return new pg.Pool(options);
}

/**
 * Most tests are not about connections. They use those of a database that was closed again, because
 * a new connection takes longer than the rest of the test.
 */
export function usePoolMaker(replacement: typeof createNewPool): void {
  createPool = replacement;
}

/**
 * Opens a schema of a PostgreSQL database, or creates it.
 *
 * As with SQLite, a transaction takes the write lock when it begins. Here it is a row lock, because
 * not every engine with
 * PostgreSQL's protocol has advisory locks.
 * @throws {PackError} DATABASE_UNREACHABLE, DATABASE_UNREADABLE, DATABASE_UNSUPPORTED,
 *   DATABASE_NEWER, DATABASE_BUSY
 */
export async function openPostgresDatabase<Schema>(
  options: OpenDatabaseOptions,
): Promise<Storage<Schema>> {
  const { url, migrations, schema = "packsmith", busyTimeoutMs = 5_000, poolSize = 10 } = options;
  const { answerTimeoutMs = STATEMENT_TIMEOUT_MS + ANSWER_MS } = options;
  const { connectionString, name, tls } = parseUrl(url);
  const pool = createPool({
    connectionString,
    ssl: tls,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types: { getTypeParser },
  });
  const settings = [
    `set search_path to ${quoteIdentifier(schema)}`,
    `set lock_timeout to ${Math.trunc(busyTimeoutMs)}`,
    `set statement_timeout to ${STATEMENT_TIMEOUT_MS}`,
    `set idle_in_transaction_session_timeout to ${IDLE_TRANSACTION_TIMEOUT_MS}`,
    // Compiling a statement takes many times longer than ours take. Not every engine has this
    // setting.
    "select set_config(name, 'off', false) from pg_settings where name = 'jit'",
  ];
  const db = new Kysely<Schema>({
    dialect: createPostgresDialect({
      pool,
      settings: settings.join("; "),
      explain: (error) => explain(error, name),
    }),
  });
  const signals = listenForSignals({ connectionString, ssl: tls, channel: `packsmith ${schema}` });
  const long = new Set<pg.Client>();
  const runLong = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString, ssl: tls, keepAlive: true });
    // An error is reported by the statement.
    client.on("error", () => {});
    long.add(client);
    try {
      await client.connect();
      await client.query(`set search_path to ${quoteIdentifier(schema)}`);
      await client.query(text);
    } catch (error) {
      throw explain(error, name);
    } finally {
      long.delete(client);
      await client.end().catch(() => {});
    }
  };
  let closed: Promise<void> | undefined;
  const close = () => {
    const ended = [...long].map((client) => client.end().catch(() => {}));
    closed ??= Promise.all([signals.close(), db.destroy(), ...ended]).then(() => {});
    return closed;
  };
  try {
    await migrate(db, schema, migrations, name);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    db,
    engine: "postgres",
    version: undefined,
    close,
    [Symbol.asyncDispose]: close,
    async sharedClock() {
      const query = sql<{
        now_ms: number;
      }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now_ms`;
      const { rows } = await query.execute(db);
      return rows[0]?.now_ms ?? Date.now();
    },
    read: (work) => work(db),
    transaction: (work, { rowLocks = false } = {}) =>
      db.transaction().execute(async (transaction) => {
        if (!rowLocks)
          await sql`select id from ${sql.table(WRITER)} where id = 1 for update`.execute(
            transaction,
          );
        return work(transaction);
      }),
    signals,
    runLong,
    letOthersWrite: () => new Promise(setImmediate),
  };
}

async function migrate<Schema>(
  db: Kysely<Schema>,
  schema: string,
  migrations: Record<string, Migration>,
  name: string,
): Promise<void> {
  const readNames = async (query: ReturnType<typeof sql<{ name: string }>>) =>
    (await query.execute(db)).rows.map((row) => row.name);
  const tables = await readNames(
    sql`select table_name as name from information_schema.tables where table_schema = ${schema}`,
  );
  // Another process that opens the database now may have created only these two yet.
  const own = tables.filter((table) => !["kysely_migration_lock", WRITER].includes(table));
  const applied = own.includes("kysely_migration")
    ? await readNames(sql`select name from ${sql.id(schema, "kysely_migration")}`)
    : [];
  const beginning = applied.length === 0 && own.every((table) => table === "kysely_migration");
  const known = Object.keys(migrations);
  if (
    !checkMigrations({
      tables: beginning ? [] : own,
      applied,
      known,
      name: `${name} (schema ${schema})`,
    })
  )
    return;
  const first = known.toSorted()[0] ?? "";
  const withWriter: Record<string, Migration> = {};
  for (const [key, migration] of Object.entries(migrations))
    withWriter[key] = key === first ? withWriterRow(migration) : migration;
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => withWriter },
    migrationTableSchema: schema,
  }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** The first migration of a database also creates the row that transactions lock. */
function withWriterRow(migration: Migration): Migration {
  return {
    async up(db) {
      await db.schema
        .createTable(WRITER)
        .addColumn("id", "integer", (column) => column.primaryKey())
        .execute();
      await sql`insert into ${sql.table(WRITER)} (id) values (1)`.execute(db);
      await migration.up(db);
    },
  };
}

/**
 * @returns the URL for the driver, its name for messages (without user and password), and whether
 * to use TLS
 */
function parseUrl(text: string): { connectionString: string; name: string; tls: boolean } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new PackError(
      "DATABASE_UNSUPPORTED",
      "The URL of the PostgreSQL database is not valid.",
      {
        details: { url: "postgres" },
        hint: "Use the form postgres://user:password@host:5432/database, and percent-encode special characters.",
      },
    );
  }
  // The driver treats these three as verify-full, but would print a warning.
  if (/^(?:prefer|require|verify-ca)$/.test(url.searchParams.get("sslmode") ?? ""))
    url.searchParams.set("sslmode", "verify-full");
  return {
    connectionString: url.href,
    name: `postgres://${url.host}${url.pathname}`,
    tls: !isOnThisMachine(url),
  };
}

// The driver returns int8 as a string by default. Our counts and times are below 2 ** 53.
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: "text" | "binary") =>
  oid === pg.types.builtins.INT8
    ? Number
    : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser;

function quoteIdentifier(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/**
 * SQLSTATE of work that met other work: no lock in time, a deadlock, a transaction that has to be
 * repeated.
 */
const BUSY = /^(?:55P03|40P01|40001)$/;
/** SQLSTATE of a server without space. */
const FULL = /^(?:53100|53200)$/;
/**
 * SQLSTATE of a server that cannot be used: no connection, login refused, no such database, too
 * many connections, shut down.
 */
const UNREACHABLE = /^(?:08|28|3D|53|57P|25P03)/;
/** What the driver says, without a code, of a connection that ended or that there is none of. */
const BROKEN =
  /^(?:Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed|timeout e|The server does not support SSL)/;

function explain(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || isPackError(error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (error instanceof pg.DatabaseError) {
    if (BUSY.test(code)) {
      return new PackError("DATABASE_BUSY", `Another process is writing to ${name}.`, {
        details: undefined,
        hint: "Wait until the other process has finished, then run the command again.",
        cause: error,
      });
    }
    if (FULL.test(code)) return databaseFull(name, error);
    return UNREACHABLE.test(code)
      ? createUnreachableError(error, name, `${error.message} (SQLSTATE ${code})`)
      : unreadable(error, name);
  }
  // Errors of the driver have no SQLSTATE. Other errors do not come from the database.
  if (/^E[A-Z_]+$|CERT|^UNABLE_TO_/.test(code))
    return createUnreachableError(error, name, networkReason(error) ?? code);
  return BROKEN.test(error.message) ? createUnreachableError(error, name, error.message) : error;
}

function createUnreachableError(
  cause: Error,
  name: string,
  reason: string,
): PackError<"DATABASE_UNREACHABLE"> {
  return new PackError("DATABASE_UNREACHABLE", `The database ${name} cannot be used: ${reason}.`, {
    details: { url: name },
    hint: "Check that the server is running, and check the host, user, password and sslmode of the URL.",
    cause,
  });
}

function unreadable(cause: Error, name: string): PackError<"DATABASE_UNREADABLE"> {
  return new PackError(
    "DATABASE_UNREADABLE",
    `${name} cannot be used as a database: ${cause.message}.`,
    {
      details: { url: name },
      hint: "Use a database in which the user can create a schema.",
      cause,
    },
  );
}
