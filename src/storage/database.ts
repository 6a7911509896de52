import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { CompiledQuery, type DatabaseConnection, Kysely, type Migration, Migrator, SqliteDialect, SqliteDriver } from "kysely";
import Sqlite from "libsql";
import { PackError } from "../errors.ts";

export interface OpenDatabaseOptions {
  /** `:memory:`, or the path of a SQLite file, which is created with mode 0600 together with its folder (0700). */
  url: string;
  /** Applied in the order of their names, each once, each in the database's own migration table. */
  migrations: Record<string, Migration>;
  /** How long a writer waits for another process, in milliseconds. @default 5_000 */
  busyTimeoutMs?: number | undefined;
}

/** An open database. Transactions take the write lock when they begin, so that two processes never interleave. */
export interface Storage<Schema> extends AsyncDisposable {
  readonly db: Kysely<Schema>;
  close(): Promise<void>;
}

/**
 * Opens a database and brings it to the newest schema.
 * @throws {PackError} DATABASE_UNREADABLE when the file is not a database or cannot be opened
 * @throws {PackError} DATABASE_UNSUPPORTED for a URL of another engine
 * @throws {PackError} DATABASE_NEWER when a later version of packsmith wrote the file
 * @throws {PackError} DATABASE_BUSY when another process holds the write lock longer than `busyTimeoutMs`
 */
export async function openDatabase<Schema>(options: OpenDatabaseOptions): Promise<Storage<Schema>> {
  const { url, migrations, busyTimeoutMs = 5_000 } = options;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(url)) {
    throw new PackError("DATABASE_UNSUPPORTED", `There is no storage engine for "${url.slice(0, url.indexOf(":"))}" URLs.`, {
      details: { url: url.slice(0, url.indexOf(":")) },
      hint: "Name a SQLite file by its path, or use :memory:.",
    });
  }
  const sqlite = openSqlite(url, busyTimeoutMs);
  const db = new Kysely<Schema>({ dialect: new ImmediateSqliteDialect({ database: async () => sqlite }) });
  const close = async () => {
    await db.destroy();
    if (sqlite.open) sqlite.close();
  };
  try {
    await migrate(db, migrations);
  } catch (error) {
    await close();
    throw explain(error, url);
  }
  return { db, close, [Symbol.asyncDispose]: close };
}

function openSqlite(url: string, busyTimeoutMs: number): Sqlite.Database {
  try {
    if (url !== ":memory:") {
      mkdirSync(dirname(url), { recursive: true, mode: 0o700 });
      // SQLite would create the file with the process's umask; a private mode must hold from the first byte on.
      closeSync(openSync(url, "a", 0o600));
    }
    const sqlite = new Sqlite(url);
    sqlite.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
    sqlite.exec("PRAGMA journal_mode = WAL");
    sqlite.exec("PRAGMA synchronous = FULL");
    sqlite.exec("PRAGMA foreign_keys = ON");
    return sqlite;
  } catch (error) {
    throw explain(error, url);
  }
}

async function migrate<Schema>(db: Kysely<Schema>, migrations: Record<string, Migration>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

function explain(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) {
    return new PackError("DATABASE_BUSY", `Another process is writing to ${url}.`, {
      details: undefined,
      hint: "Wait until it has finished, then try again.",
      cause: error,
    });
  }
  if (/corrupted migrations/i.test(error.message)) {
    return new PackError("DATABASE_NEWER", `${url} was written by a later version of packsmith.`, {
      details: { url },
      hint: "Update packsmith, or name another file.",
      cause: error,
    });
  }
  return new PackError("DATABASE_UNREADABLE", `${url} cannot be used as a database: ${error.message}.`, {
    details: { url },
    hint: "Move the file away or name another one; it was left as it is.",
    cause: error,
  });
}

// The stock driver begins deferred transactions: two processes that read first and write later would then fail
// against each other at once instead of waiting (SQLite documentation, "busy_timeout" and snapshots in WAL mode).
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0];
  constructor(config: ConstructorParameters<typeof SqliteDialect>[0]) {
    super(config);
    this.#config = config;
  }
  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#config);
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}
