import { setTimeout as wait } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type Sqlite from "libsql";

export interface SqliteDriverOptions {
  sqlite: Sqlite.Database;
  /**
   * Opens another connection, for reads while a transaction runs; undefined for a database that
   * only one connection sees.
   */
  openReader: (() => Sqlite.Database) | undefined;
  /** How long a writer waits for another process, in milliseconds. */
  busyTimeoutMs: number;
  /** How often something may have changed for the readers of this process. */
  writes: { count: number };
  /** Waited for by each writer before it begins. */
  beforeWrite(): Promise<void>;
  afterWrite(): void;
  isBusy(error: unknown): boolean;
  /** Turns an error of the driver into one for users. */
  explain(error: unknown): unknown;
}

/**
 * A dialect for one process with one writer: transactions are one after the other, reads do not
 * wait for them, and many statements in
 * a row let others run in between.
 */
export function createSqliteDialect(options: SqliteDriverOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** After so long, statements that follow each other let others run in between. */
const SLICE_MS = 10;
const BUSY_POLL_MS = 5;
const MAX_STATEMENTS = 200;
/**
 * Longer statements write many rows at once, and rarely come again with the same number of rows.
 */
const MAX_KEPT_LENGTH = 12_000;

interface Connection extends DatabaseConnection {
  /** A transaction is open. Its queries go to the connection that writes. */
  ownsWriter: boolean;
}

class SqliteDriver implements Driver {
  readonly #options: SqliteDriverOptions;
  readonly #writer: Statements;
  #reader: { sqlite: Sqlite.Database; statements: Statements } | undefined;
  /** Done when the writer is free; undefined while it is. */
  #writing: Promise<void> | undefined;
  /** Frees the writer of the transaction that runs. */
  #release: (() => void) | undefined;
  /** When the first statement of this turn of the event loop began. */
  #turnBegan: number | undefined;

  constructor(options: SqliteDriverOptions) {
    this.#options = options;
    this.#writer = keepStatements(options.sqlite);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const connection: Connection = {
      ownsWriter: false,
      executeQuery: async (query) => {
        await this.#letOthersRun();
        if (connection.ownsWriter) return await this.#explained(() => run(this.#writer, query));
        return isRead(query) ? await this.#read(query) : await this.#write(query);
      },
      streamQuery: () => {
        throw new TypeError("Results are not streamed.");
      },
    };
    return connection;
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: Connection): Promise<void> {
    await this.#begin();
    connection.ownsWriter = true;
  }

  // A deferred transaction, the default, fails at once when it first reads and another process then
  // writes, instead of waiting for it (SQLite documentation, "busy_timeout" and snapshots in WAL
  // mode).
  async #begin(): Promise<void> {
    const release = await this.#lockWriter();
    try {
      // Not a prepared statement: a failed one would stay open and block the next commit.
      await this.#patiently(() => void this.#options.sqlite.exec("begin immediate"));
    } catch (error) {
      release();
      throw error;
    }
    this.#release = release;
  }

  /**
   * Waits for the write lock of another connection. SQLite itself waits by blocking the thread:
   * nothing else would run, and another
   * connection of the same process could never finish.
   */
  async #patiently<Result>(work: () => Result): Promise<Result> {
    const { sqlite, busyTimeoutMs, isBusy, explain } = this.#options;
    const attempts = Math.max(1, Math.ceil(busyTimeoutMs / BUSY_POLL_MS));
    for (let attempt = 1; ; attempt++) {
      sqlite.exec("PRAGMA busy_timeout = 0");
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || attempt >= attempts) throw explain(error);
      } finally {
        sqlite.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
      }
      await wait(BUSY_POLL_MS);
    }
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await this.#commit();
    connection.ownsWriter = false;
  }

  async #commit(): Promise<void> {
    await this.#explained(() => this.#writer("commit").run([]));
    this.#end();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    connection.ownsWriter = false;
    this.#rollback();
  }

  // After some errors, such as a full disk, SQLite has already rolled back. A second time would
  // hide the first error.
  #rollback(): void {
    const { sqlite } = this.#options;
    try {
      if (isInTransaction(sqlite)) sqlite.exec("rollback");
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#options.writes.count++;
    this.#options.afterWrite();
    this.#release?.();
  }

  async destroy(): Promise<void> {
    this.#reader?.sqlite.close();
  }

  async #read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { openReader } = this.#options;
    if (openReader === undefined) while (this.#writing !== undefined) await this.#writing;
    return await this.#explained(() => {
      if (this.#writing === undefined || openReader === undefined)
        return run<Row>(this.#writer, query);
      if (this.#reader === undefined) {
        const sqlite = openReader();
        this.#reader = { sqlite, statements: keepStatements(sqlite) };
      }
      return run<Row>(this.#reader.statements, query);
    });
  }

  // A statement that finds the database locked stays open in SQLite, and would block every commit.
  // So only the beginning of a transaction can find that.
  async #write<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const work = () => run<Row>(this.#writer, query);
    // Migrations have begun one for all of their statements.
    if (this.#writing === undefined && isInTransaction(this.#options.sqlite))
      return await this.#explained(work);
    await this.#begin();
    try {
      const result = await this.#explained(work);
      await this.#commit();
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  async #lockWriter(): Promise<() => void> {
    while (this.#writing !== undefined) await this.#writing;
    let release = () => {};
    this.#writing = new Promise((resolve) => {
      release = () => {
        this.#writing = undefined;
        resolve();
      };
    });
    try {
      await this.#options.beforeWrite();
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  async #letOthersRun(): Promise<void> {
    if (this.#turnBegan === undefined) {
      this.#turnBegan = performance.now();
      setImmediate(() => {
        this.#turnBegan = undefined;
      });
    } else if (performance.now() - this.#turnBegan > SLICE_MS) await new Promise(setImmediate);
  }

  async #explained<Result>(work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (error) {
      throw this.#options.explain(error);
    }
  }
}

/** The driver ends the process when it is asked this about a closed database. */
function isInTransaction(sqlite: Sqlite.Database): boolean {
  return sqlite.open && sqlite.inTransaction;
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return (
    query.kind === "SelectQueryNode" ||
    (/^\s*(?:select|with)\b/i.test(sql) && !/\b(?:insert|update|delete)\b/i.test(sql))
  );
}

function run<Row>(statements: Statements, { sql, parameters }: CompiledQuery): QueryResult<Row> {
  const statement = statements(sql);
  if (statement.reader) return { rows: statement.all(parameters) as Row[] };
  const { changes } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), rows: [] };
}

interface Statement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number };
}

type Statements = (text: string) => Statement;

/** Keeps prepared statements, because compiling most of them takes longer than running them. */
function keepStatements(sqlite: Sqlite.Database): Statements {
  const kept = new Map<string, Statement>();
  const prepare = (text: string): Statement => {
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
    };
  };
  return (text) => {
    if (text.length > MAX_KEPT_LENGTH) return prepare(text);
    let statement = kept.get(text);
    if (statement === undefined) {
      if (kept.size >= MAX_STATEMENTS) kept.clear();
      statement = prepare(text);
      kept.set(text, statement);
    }
    return statement;
  };
}
