import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Kysely, type Migration, Migrator } from "kysely";
import Sqlite from "libsql";
import { isPackError, PackError } from "../errors.ts";
import { systemReason } from "../shared/failures.ts";
import { makeFolder } from "../shared/folders.ts";
import { uptimeMs } from "../shared/time.ts";
import { type Checkpoints, createCheckpoints } from "./sqlite-checkpoints.ts";
import { createSqliteDialect } from "./sqlite-driver.ts";
import {
  checkMigrations,
  databaseFull,
  type OpenDatabaseOptions,
  type Storage,
} from "./storage.ts";

/**
 * Opens a SQLite database: a file, or `:memory:`.
 * @throws {PackError} DATABASE_UNREADABLE, DATABASE_NEWER, DATABASE_BUSY
 */
export async function openSqliteDatabase<Schema>(
  options: OpenDatabaseOptions,
): Promise<Storage<Schema>> {
  const { url, migrations, busyTimeoutMs = 5_000, survives = "machine" } = options;
  const sqlite = openSqlite(url, busyTimeoutMs);
  const writes = { count: 0 };
  const isFile = url !== ":memory:";
  const checkpoints = isFile ? createCheckpoints(url) : NO_CHECKPOINTS;
  const dialect = createSqliteDialect({
    sqlite,
    busyTimeoutMs,
    writes,
    isBusy,
    ...checkpoints,
    openReader: isFile ? () => connect(url, busyTimeoutMs) : undefined,
    explain: (error) => (isSqliteError(error) ? explain(error, url) : error),
  });
  const db = new Kysely<Schema>({ dialect });
  const close = async () => {
    await db.destroy();
    await checkpoints.close();
    if (!sqlite.open) return;
    // Writes everything into the file, so that a copy of the file is complete.
    tryCheckpoint(sqlite);
    sqlite.close();
  };
  try {
    // With NORMAL, commits do not wait for the disk. A machine that stops then loses the latest
    // transactions, never parts of one.
    sqlite.exec(`PRAGMA synchronous = ${survives === "machine" ? "FULL" : "NORMAL"}`);
    if (isFile) sqlite.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 0");
    sqlite.exec("PRAGMA foreign_keys = ON");
    await updateSchema({ sqlite, db, url, migrations, busyTimeoutMs });
  } catch (error) {
    await close();
    throw explain(error, url);
  }
  return {
    db,
    engine: "sqlite",
    close,
    sharedClock: undefined,
    signals: undefined,
    runLong: undefined,
    async letOthersWrite() {
      await (isFile ? wait(GAP_MS) : new Promise(setImmediate));
      await checkpoints.caughtUp();
    },
    version: createVersion(sqlite, url, writes),
    [Symbol.asyncDispose]: close,
    read: (work) => work(db),
    transaction: (work) => db.transaction().execute(work),
  };
}

const NO_CHECKPOINTS: Checkpoints = {
  beforeWrite: async () => {},
  afterWrite: () => {},
  caughtUp: async () => {},
  close: async () => {},
};
/** A little longer than from one attempt of another process to write to the next. */
const GAP_MS = 6;
/**
 * For a new database. Inserting rows of some hundred bytes with five indexes takes a third less
 * time than with SQLite's 4 KiB.
 */
const PAGE_BYTES = 8_192;
/** How many times longer than for a write to wait for another process that updates the schema. */
const MIGRATION_PATIENCE = 6;
const MIGRATION_POLL_MS = 20;

/**
 * Counts our writes, and for a file adds a number that changes with commits of other connections
 * (SQLite, "PRAGMA data_version").
 */
function createVersion(
  sqlite: Sqlite.Database,
  url: string,
  writes: { readonly count: number },
): () => string {
  if (url === ":memory:") return () => String(writes.count);
  const statement = sqlite.prepare("PRAGMA data_version");
  let others: number | undefined;
  return () => {
    // Read once per turn of the event loop, because the order of events within a turn does not
    // matter.
    if (others === undefined) {
      others = (statement.get() as { data_version: number }).data_version;
      setImmediate(() => {
        others = undefined;
      });
    }
    return `${writes.count} ${others}`;
  };
}

function openSqlite(url: string, busyTimeoutMs: number): Sqlite.Database {
  try {
    if (url !== ":memory:") {
      makeFolder(dirname(url), 0o700);
      createPrivately(url);
    }
    return connect(url, busyTimeoutMs);
  } catch (error) {
    throw explain(error, url);
  }
}

/** SQLite would create the file with the process's umask. It must be private from the beginning. */
function createPrivately(file: string): void {
  try {
    // A file that is there is not opened: closing it would release the locks that this process has
    // on it (fcntl, POSIX).
    closeSync(openSync(file, "ax", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function connect(url: string, busyTimeoutMs: number): Sqlite.Database {
  const sqlite = new Sqlite(url);
  try {
    sqlite.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Checks, without writing, whether the database is ours and whether its schema is older than the
 * migrations.
 */
function pendingMigrations(
  sqlite: Sqlite.Database,
  known: readonly string[],
  url: string,
): boolean {
  const tables = namesIn(sqlite, "SELECT name FROM sqlite_master WHERE type = 'table'");
  const applied = tables.includes("kysely_migration")
    ? namesIn(sqlite, "SELECT name FROM kysely_migration")
    : [];
  return checkMigrations({ tables, applied, known, name: url });
}

function namesIn(sqlite: Sqlite.Database, query: string): string[] {
  return (sqlite.prepare(query).all() as { name: string }[]).map(({ name }) => name);
}

interface SchemaUpdate<Schema> {
  sqlite: Sqlite.Database;
  db: Kysely<Schema>;
  url: string;
  migrations: Record<string, Migration>;
  busyTimeoutMs: number;
}

/**
 * Creates or updates the schema. While another process does it, this one waits without the lock:
 * once the schema is there, it has nothing to write. An existing database is only read.
 */
async function updateSchema<Schema>(update: SchemaUpdate<Schema>): Promise<void> {
  const { sqlite, db, url, migrations, busyTimeoutMs } = update;
  const endMs = uptimeMs() + busyTimeoutMs * MIGRATION_PATIENCE;
  while (pendingMigrations(sqlite, Object.keys(migrations), url)) {
    // SQLite would wait by blocking the thread, and not at all for the switch to WAL.
    sqlite.exec("PRAGMA busy_timeout = 0");
    try {
      sqlite.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
      // The file keeps this mode, so opening an existing database needs no lock.
      sqlite.exec("PRAGMA journal_mode = WAL");
      await migrate(sqlite, db, migrations);
      return;
    } catch (error) {
      if (!isBusy(error) || uptimeMs() >= endMs) throw error;
      await wait(MIGRATION_POLL_MS);
    } finally {
      sqlite.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
    }
  }
}

// Kysely migrates SQLite without a transaction. With this one, a second process waits and then
// finds nothing to do.
async function migrate<Schema>(
  sqlite: Sqlite.Database,
  db: Kysely<Schema>,
  migrations: Record<string, Migration>,
): Promise<void> {
  sqlite.exec("BEGIN IMMEDIATE");
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error === undefined) {
    sqlite.exec("COMMIT");
    return;
  }
  sqlite.exec("ROLLBACK");
  throw error;
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_");
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^SQLITE_(?:BUSY|LOCKED)/.test(String(error.code))
  );
}

/**
 * A write that the disk, or a limit of the process, refused. SQLite reports some of them as errors
 * of the disk.
 */
function isFull(error: Error): boolean {
  return (
    "code" in error &&
    /^(?:ENOSPC|EDQUOT|SQLITE_(?:FULL|IOERR_WRITE|IOERR_FSYNC|IOERR_TRUNCATE|IOERR_SHMSIZE))$/.test(
      String(error.code),
    )
  );
}

function explain(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || isPackError(error)) return error;
  if (isFull(error)) return databaseFull(url, error);
  if (isBusy(error)) {
    return new PackError("DATABASE_BUSY", `Another process is writing to ${url}.`, {
      details: undefined,
      hint: "Wait until the other process has finished, then run the command again.",
      cause: error,
    });
  }
  return new PackError(
    "DATABASE_UNREADABLE",
    `${url} cannot be used as a database: ${fileProblem(url) ?? error.message}.`,
    {
      details: { url },
      hint: "Use another file, or move this file away. packsmith did not change the file.",
      cause: error,
    },
  );
}

/** What the system says of a database file that cannot be opened. */
function fileProblem(url: string): string | undefined {
  try {
    closeSync(openSync(url, "r+"));
    return undefined;
  } catch (error) {
    return systemReason(error);
  }
}

function tryCheckpoint(sqlite: Sqlite.Database): void {
  try {
    sqlite.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // The write-ahead log stays next to the file and is used when the database is opened again.
  }
}
