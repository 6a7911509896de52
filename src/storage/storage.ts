import type { Kysely, Migration, Transaction } from "kysely";
import { isPackError, PackError } from "../errors.ts";
import { canParseUrl } from "../shared/urls.ts";

export interface OpenDatabaseOptions {
  /**
   * `:memory:`, the path of a SQLite file, or a `postgres://` URL. A file is created with mode 0600, its folder with 0700. The
   * connection to a server on another machine uses verified TLS, unless the URL has another
   * `sslmode`.
   */
  url: string;
  /**
   * The PostgreSQL schema that holds the tables, so that several uses share one database. @default
   * "packsmith"
   */
  schema?: string | undefined;
  /**
   * Applied in the order of their names, each once. The database has a table of the applied ones.
   */
  migrations: Record<string, Migration>;
  /** How long a writer waits for another process or machine, in milliseconds. @default 5_000 */
  busyTimeoutMs?: number | undefined;
  /**
   * What a committed transaction of a SQLite file survives: a crash of the process, or also of the
   * machine. For the latter,
   * every commit waits for the disk. @default "machine"
   */
  survives?: "process" | "machine" | undefined;
  /**
   * How long a statement on a server is waited for before the server is taken to be gone, in
   * milliseconds. @default 35_000
   */
  answerTimeoutMs?: number | undefined;
  /**
   * How many connections to a server are open at most. Two more serve signals and migrations.
   * @default 10
   */
  poolSize?: number | undefined;
}

/** Tells the processes that share a database server that something happened. */
export interface Signals {
  /**
   * Runs after each signal, and whenever some may have been missed. @returns a function that ends
   * it
   */
  listen(onSignal: () => void): () => void;
  /** Whether signals arrive now. When not, look from time to time. */
  readonly isListening: boolean;
  /** Sends a signal when the transaction commits. */
  send<Schema>(transaction: Kysely<Schema>): Promise<void>;
  close(): Promise<void>;
}

/**
 * An open database. Transactions take the write lock when they begin, so that two processes never
 * interleave.
 */
export interface Storage<Schema> extends AsyncDisposable {
  readonly db: Kysely<Schema>;
  readonly engine: "sqlite" | "postgres";
  /**
   * The clock of the database server, in milliseconds, which all machines share. Undefined for an
   * embedded database, because
   * its processes share the machine's clock.
   */
  readonly sharedClock: (() => Promise<number>) | undefined;
  /**
   * Changes with every write to the database, also by other processes, and is cheap to read: data
   * that was read under one
   * version is valid as long as the version stays. Undefined for a database server.
   */
  readonly version: (() => string) | undefined;
  /**
   * Runs one statement on a connection of its own, without a limit of time, until it is closed.
   * Undefined for an embedded database.
   */
  readonly runLong: ((text: string) => Promise<void>) | undefined;
  /** Undefined for an embedded database. */
  readonly signals: Signals | undefined;
  /**
   * Waits between the transactions of long work until others have had their turn: other processes
   * try again to write to a file from time to time, and what was written has to get into the file.
   */
  letOthersWrite(): Promise<void>;
  /**
   * Runs queries outside a transaction. They do not wait for writers.
   * @throws {PackError} DATABASE_BUSY, DATABASE_FULL, DATABASE_UNREADABLE, DATABASE_UNREACHABLE
   */
  read<Result>(work: (db: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /**
   * Runs work in one transaction, which is rolled back if the work throws. With `rowLocks`, a
   * transaction on a server does not
   * wait for all other writers, because the work locks the rows that it needs. An embedded database
   * always has one writer.
   * @throws {PackError} DATABASE_BUSY, DATABASE_FULL, DATABASE_UNREADABLE, DATABASE_UNREACHABLE
   */
  transaction<Result>(
    work: (transaction: Transaction<Schema>) => Promise<Result>,
    options?: { rowLocks?: boolean | undefined },
  ): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Whether an error is about the database at this moment, so that the same work can succeed later.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  return (
    isPackError(error, "DATABASE_BUSY") ||
    isPackError(error, "DATABASE_FULL") ||
    isPackError(error, "DATABASE_UNREACHABLE")
  );
}

/** Whether a text is the URL of a PostgreSQL server. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/**
 * Whether the connection to a PostgreSQL server on another machine is not encrypted: everyone on
 * the way reads and changes it.
 */
export function isUnencrypted(url: string): boolean {
  if (!isPostgresUrl(url) || !canParseUrl(url)) return false;
  const { searchParams } = new URL(url);
  return (
    (searchParams.get("sslmode") === "disable" || searchParams.get("ssl") === "false") &&
    !isOnThisMachine(new URL(url))
  );
}

/** Whether the host of a database URL is this machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return hostname === "" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * The error of a write without space. @param name the database's name in messages, without a
 * password
 */
export function databaseFull(name: string, cause: Error): PackError<"DATABASE_FULL"> {
  return new PackError(
    "DATABASE_FULL",
    `No space is left for ${name}. The stored data is unchanged.`,
    {
      details: { url: name },
      hint: "Free some space on the disk, then try again.",
      cause,
    },
  );
}

/**
 * Checks by its tables whether a database is ours, and whether its schema is older than the
 * migrations.
 * @param facts.name the database's name in messages, without a password
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
    throw new PackError("DATABASE_UNREADABLE", `${name} is the database of another program.`, {
      details: { url: name },
      hint: "Use another database. packsmith did not change this database.",
    });
  }
  if (!applied.every((each) => known.includes(each))) {
    throw new PackError("DATABASE_NEWER", `A later version of packsmith wrote ${name}.`, {
      details: { url: name },
      hint: "Update packsmith, or use another database.",
    });
  }
  return applied.length < known.length;
}
