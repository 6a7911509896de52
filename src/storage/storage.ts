import type { Kysely, Migration, Transaction } from "kysely";
import { PackError } from "../errors.ts";

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

/** Whether a text is the URL of a PostgreSQL server. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/**
 * Tells from its tables whose database it is, and whether its schema is older than the migrations.
 * @param facts.name how messages call the database; never with a password
 * @returns whether migrations are pending
 * @throws {PackError} DATABASE_UNREADABLE when it belongs to something else; DATABASE_NEWER
 */
export function checkMigrations(facts: {
  tables: readonly string[];
  applied: readonly string[];
  known: readonly string[];
  name: string;
}): boolean {
  const { tables, applied, known, name } = facts;
  if (tables.length === 0) return true;
  if (applied.length === 0 || !applied.some((each) => known.includes(each))) {
    throw new PackError("DATABASE_UNREADABLE", `${name} is a database that belongs to something else.`, {
      details: { url: name },
      hint: "Name another one; this one was left as it is.",
    });
  }
  if (!applied.every((each) => known.includes(each))) {
    throw new PackError("DATABASE_NEWER", `${name} was written by a later version of packsmith.`, {
      details: { url: name },
      hint: "Update packsmith, or name another database.",
    });
  }
  return applied.length < known.length;
}
