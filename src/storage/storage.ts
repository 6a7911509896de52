import type { Kysely, Migration, Transaction } from "kysely";

export interface OpenDatabaseOptions {
  /**
   * `:memory:`, the path of a SQLite file, which is created with mode 0600 together with its folder (0700), or a
   * `postgres://` URL. A server on another machine is reached with verified TLS unless the URL names another `sslmode`.
   */
  url: string;
  /** The PostgreSQL schema that holds the tables, so that several uses share one database. @default "packsmith" */
  schema?: string | undefined;
  /** Applied in the order of their names, each once, each in the database's own migration table. */
  migrations: Record<string, Migration>;
  /** How long a writer waits for another process or machine, in milliseconds. @default 5_000 */
  busyTimeoutMs?: number | undefined;
  /**
   * What a committed transaction of a SQLite file survives: the end of the process however it comes, or that of the machine too,
   * for which every commit waits for the disk. @default "machine"
   */
  survives?: "process" | "machine" | undefined;
}

/** An open database. Transactions take the write lock when they begin, so that two processes never interleave. */
export interface Storage<Schema> extends AsyncDisposable {
  readonly db: Kysely<Schema>;
  readonly engine: "sqlite" | "postgres";
  /**
   * The server's clock, in milliseconds: the one that all machines share. Undefined for an embedded database, whose
   * processes share the machine's.
   */
  readonly sharedClock: (() => Promise<number>) | undefined;
  /**
   * Changes with every write to the database, by whomever, and costs next to nothing to ask for: what was read under one
   * version is still true under the same. Undefined where only the server could tell.
   */
  readonly version: (() => string) | undefined;
  /**
   * Runs queries outside a transaction, where they wait for no writer.
   * @throws {PackError} DATABASE_BUSY, DATABASE_UNREADABLE, DATABASE_UNREACHABLE
   */
  read<Result>(work: (db: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /**
   * Runs work in one transaction, which is rolled back when the work throws. With `rowLocks` it does not wait for every other
   * writer of a server: the work locks the rows that it needs. An embedded database has one writer at a time anyway.
   * @throws {PackError} DATABASE_BUSY, DATABASE_UNREADABLE, DATABASE_UNREACHABLE
   */
  transaction<Result>(
    work: (transaction: Transaction<Schema>) => Promise<Result>,
    options?: { rowLocks?: boolean | undefined },
  ): Promise<Result>;
  close(): Promise<void>;
}
