import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  type DatabaseConnection,
  Kysely,
  type Migration,
  Migrator,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import Sqlite from "libsql";
import { isPackError, PackError } from "../errors.ts";
import { makeFolder } from "../shared/make-folder.ts";
import { checkMigrations, databaseFull, type OpenDatabaseOptions, type Storage } from "./storage.ts";

/**
 * Opens a SQLite database: a file, or `:memory:`.
 * @throws {PackError} DATABASE_UNREADABLE, DATABASE_NEWER, DATABASE_BUSY
 */
export async function openSqliteDatabase<Schema>(options: OpenDatabaseOptions): Promise<Storage<Schema>> {
  const { url, migrations, busyTimeoutMs = 5_000, survives = "machine" } = options;
  const sqlite = openSqlite(url, busyTimeoutMs);
  const writes = { count: 0 };
  const db = new Kysely<Schema>({ dialect: new ImmediateSqliteDialect({ sqlite, url, busyTimeoutMs, writes }) });
  const close = async () => {
    // Writes everything into the file, so that a copy of the file is complete.
    if (sqlite.open) tryCheckpoint(sqlite);
    await db.destroy();
    if (sqlite.open) sqlite.close();
  };
  try {
    const pending = pendingMigrations(sqlite, Object.keys(migrations), url);
    // The file keeps this mode, so opening an existing database needs no lock.
    if (pending) {
      sqlite.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
      enableWal(sqlite, busyTimeoutMs);
    }
    // With NORMAL, commits do not wait for the disk. A machine that stops then loses the latest transactions, never parts of one.
    sqlite.exec(`PRAGMA synchronous = ${survives === "machine" ? "FULL" : "NORMAL"}`);
    if (survives === "process") sqlite.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    sqlite.exec("PRAGMA foreign_keys = ON");
    if (pending) await migrate(sqlite, db, migrations);
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
    version: createVersion(sqlite, url, writes),
    [Symbol.asyncDispose]: close,
    read: (work) => work(db),
    transaction: (work) => db.transaction().execute(work),
  };
}

/** Counts our writes, and for a file adds a number that changes with commits of other connections (SQLite, "PRAGMA data_version"). */
function createVersion(sqlite: Sqlite.Database, url: string, writes: { readonly count: number }): () => string {
  if (url === ":memory:") return () => String(writes.count);
  const statement = sqlite.prepare("SELECT data_version AS version FROM pragma_data_version");
  let others: number | undefined;
  return () => {
    // Read once per turn of the event loop, because the order of events within a turn does not matter.
    if (others === undefined) {
      others = (statement.get() as { version: number }).version;
      setImmediate(() => {
        others = undefined;
      });
    }
    return `${writes.count} ${others}`;
  };
}

function openSqlite(url: string, busyTimeoutMs: number): Sqlite.Database {
  let sqlite: Sqlite.Database | undefined;
  try {
    if (url !== ":memory:") {
      makeFolder(dirname(url), 0o700);
      // SQLite would create the file with the process's umask. It must be private from the beginning.
      closeSync(openSync(url, "a", 0o600));
    }
    sqlite = new Sqlite(url);
    sqlite.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw explain(error, url);
  }
}

/** Checks, without writing, whether the database is ours and whether its schema is older than the migrations. */
function pendingMigrations(sqlite: Sqlite.Database, known: readonly string[], url: string): boolean {
  const tables = namesIn(sqlite, "SELECT name FROM sqlite_master WHERE type = 'table'");
  const applied = tables.includes("kysely_migration") ? namesIn(sqlite, "SELECT name FROM kysely_migration") : [];
  return checkMigrations({ tables, applied, known, name: url });
}

function namesIn(sqlite: Sqlite.Database, query: string): string[] {
  return (sqlite.prepare(query).all() as { name: string }[]).map(({ name }) => name);
}

// Switching a new file to WAL needs exclusive access, and SQLite does not wait for it: two first runs at once would fail.
function enableWal(sqlite: Sqlite.Database, busyTimeoutMs: number): void {
  const attempts = Math.max(1, Math.ceil(busyTimeoutMs / 20));
  for (let attempt = 1; ; attempt++) {
    try {
      sqlite.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || attempt >= attempts) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

// Kysely migrates SQLite without a transaction. With this one, a second process waits and then finds nothing to do.
async function migrate<Schema>(sqlite: Sqlite.Database, db: Kysely<Schema>, migrations: Record<string, Migration>): Promise<void> {
  sqlite.exec("BEGIN IMMEDIATE");
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
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
  return error instanceof Error && "code" in error && /^SQLITE_(?:BUSY|LOCKED)/.test(String(error.code));
}

/** A write that the disk, or a limit of the process, refused. SQLite reports some of them as errors of the disk. */
function isFull(error: Error): boolean {
  return (
    "code" in error && /^(?:ENOSPC|EDQUOT|SQLITE_(?:FULL|IOERR_WRITE|IOERR_FSYNC|IOERR_TRUNCATE|IOERR_SHMSIZE))$/.test(String(error.code))
  );
}

function explain(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || isPackError(error)) return error;
  if (isFull(error)) return databaseFull(url, error);
  if (isBusy(error)) {
    return new PackError("DATABASE_BUSY", `Another process is writing to ${url}.`, {
      details: undefined,
      hint: "Wait until it has finished, then try again.",
      cause: error,
    });
  }
  return new PackError("DATABASE_UNREADABLE", `${url} cannot be used as a database: ${error.message}.`, {
    details: { url },
    hint: "Move the file away or use another one. It was left unchanged.",
    cause: error,
  });
}

function tryCheckpoint(sqlite: Sqlite.Database): void {
  try {
    sqlite.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // The write-ahead log stays next to the file and is used when the database is opened again.
  }
}

// The original driver begins deferred transactions. Two processes that first read and then write would then fail at once
// instead of waiting for each other (SQLite documentation, "busy_timeout" and snapshots in WAL mode).
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #options: DriverOptions;
  constructor(options: DriverOptions) {
    super({ database: async () => options.sqlite });
    this.#options = options;
  }
  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#options);
  }
}

interface DriverOptions {
  sqlite: Sqlite.Database;
  url: string;
  busyTimeoutMs: number;
  writes: { count: number };
}

/** For a new database. Inserting rows of some hundred bytes with five indexes takes a third less time than with SQLite's 4 KiB. */
const PAGE_BYTES = 8_192;
/**
 * How many pages are written between two waits for the disk: 16 MB. With more of them a burst of writes waits less often, but everything
 * else waits for a tenth of a second then.
 */
const CHECKPOINT_PAGES = 2_000;
const BUSY_POLL_MS = 5;
const MAX_STATEMENTS = 200;
/** Longer statements write many rows at once, and rarely come again with the same number of rows. */
const MAX_KEPT_LENGTH = 12_000;

/** Keeps prepared statements, because compiling most of them takes longer than running them. */
function keepingStatements(sqlite: Sqlite.Database): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  const prepare = (text: string): SqliteStatement => {
    const statement = sqlite.prepare(text);
    // A failed statement stays open and would block the next commit.
    const forgetting = <Result>(work: () => Result): Result => {
      try {
        return work();
      } catch (error) {
        kept.delete(text);
        throw error;
      }
    };
    return {
      reader: statement.reader,
      all: (parameters) => forgetting(() => statement.all(parameters)),
      run: (parameters) => forgetting(() => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters) as IterableIterator<unknown>,
    };
  };
  return {
    close: () => sqlite.close(),
    prepare(text) {
      if (text.length > MAX_KEPT_LENGTH) return prepare(text);
      let statement = kept.get(text);
      if (statement === undefined) {
        if (kept.size >= MAX_STATEMENTS) kept.clear();
        statement = prepare(text);
        kept.set(text, statement);
      }
      return statement;
    },
  };
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #options: DriverOptions;
  constructor(options: DriverOptions) {
    super({ database: async () => keepingStatements(options.sqlite) });
    this.#options = options;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    const { writes } = this.#options;
    return {
      executeQuery: (query) => {
        if (query.query.kind !== "SelectQueryNode" && !/^\s*(?:select|with)\b/i.test(query.sql)) writes.count++;
        return this.#explained(() => connection.executeQuery(query));
      },
      streamQuery: (query, size) => connection.streamQuery(query, size),
    };
  }
  // SQLite waits by blocking the thread, so a second connection of the same process could never finish. We wait for the
  // write lock ourselves instead.
  override async beginTransaction(): Promise<void> {
    const { sqlite, url, busyTimeoutMs } = this.#options;
    const attempts = Math.max(1, Math.ceil(busyTimeoutMs / BUSY_POLL_MS));
    for (let attempt = 1; ; attempt++) {
      sqlite.exec("PRAGMA busy_timeout = 0");
      try {
        // Not a prepared statement: a failed one would stay open and block the next commit.
        sqlite.exec("begin immediate");
        return;
      } catch (error) {
        if (!isBusy(error) || attempt >= attempts) throw isSqliteError(error) ? explain(error, url) : error;
      } finally {
        sqlite.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
      }
      await wait(BUSY_POLL_MS);
    }
  }
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#explained(() => super.commitTransaction(connection));
  }
  // After some errors, such as a full disk, SQLite has already rolled back. A second time would hide the first error.
  override async rollbackTransaction(): Promise<void> {
    const { sqlite } = this.#options;
    if (sqlite.inTransaction) sqlite.exec("rollback");
  }
  async #explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw isSqliteError(error) ? explain(error, this.#options.url) : error;
    }
  }
}
