import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import { sha256 } from "../shared/crypto.ts";

/** What opens connections to a server. */
export interface ConnectionPool {
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
  on(event: "connect" | "error", handle: (object: NodeJS.EventEmitter) => void): unknown;
}

export interface PostgresDriverOptions {
  pool: ConnectionPool;
  /** Sent once on every new connection. */
  settings: string;
  /** Turns an error of the driver into one for users. */
  explain(error: unknown): unknown;
}

/**
 * A dialect whose statements are prepared once for each connection, and whose connections may break
 * at any time.
 */
export function createPostgresDialect(options: PostgresDriverOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

interface Connection extends DatabaseConnection {
  readonly client: pg.PoolClient;
  /** Neither committed nor rolled back: it cannot be used again. */
  isUndecided: boolean;
  /** The server did not answer in time: what it still does with the connection is unknown. */
  isUnanswered: boolean;
}

/** What the driver says after the `query_timeout` of the pool. */
const UNANSWERED = "Query read timeout";

class PostgresDriver implements Driver {
  readonly #options: PostgresDriverOptions;
  readonly #ready = new WeakMap<pg.PoolClient, Promise<unknown>>();

  constructor(options: PostgresDriverOptions) {
    this.#options = options;
    // An error of a connection is reported by its query, or the connection is replaced. Without
    // listeners it would end the process.
    options.pool.on("error", () => {});
    options.pool.on("connect", (client) => void client.on("error", () => {}));
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const { pool, settings } = this.#options;
    const client = await this.#explained(pool.connect());
    try {
      let ready = this.#ready.get(client);
      if (ready === undefined) {
        // Not in the startup packet: connection poolers do not pass these settings on.
        ready = client.query(settings);
        this.#ready.set(client, ready);
      }
      await this.#explained(ready);
    } catch (error) {
      client.release(true);
      throw error;
    }
    const executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const { rows, rowCount, command } = await this.#explained(
        client.query<never>(prepareStatement(query)),
        connection,
      );
      const isChange =
        command === "INSERT" || command === "UPDATE" || command === "DELETE" || command === "MERGE";
      return { rows, ...(isChange ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
    };
    const streamQuery = () => {
      throw new TypeError("Results are not streamed.");
    };
    const connection: Connection = {
      client,
      isUndecided: false,
      isUnanswered: false,
      executeQuery,
      streamQuery,
    };
    return connection;
  }

  async beginTransaction(connection: Connection): Promise<void> {
    connection.isUndecided = true;
    await this.#explained(connection.client.query("begin"), connection);
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await this.#explained(connection.client.query("commit"), connection);
    connection.isUndecided = false;
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    // The server rolls back when the connection ends.
    if (connection.isUnanswered) return;
    try {
      await connection.client.query("rollback");
      connection.isUndecided = false;
    } catch {
      // The connection broke. What made the rollback necessary is what callers need to know.
    }
  }

  async releaseConnection({ client, isUndecided, isUnanswered }: Connection): Promise<void> {
    client.release(isUndecided || isUnanswered);
  }

  async destroy(): Promise<void> {
    await this.#options.pool.end();
  }

  async #explained<Result>(work: Promise<Result>, connection?: Connection): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (connection !== undefined && error instanceof Error && error.message === UNANSWERED)
        connection.isUnanswered = true;
      throw this.#options.explain(error);
    }
  }
}

/**
 * A longer statement writes many rows at once, and rarely comes again with the same number of rows.
 */
const MAX_PREPARED_LENGTH = 12_000;
const MAX_NAMES = 1_000;
const names = new Map<string, string>();

/** A statement with parameters gets a name, under which each connection prepares it once. */
function prepareStatement({ sql: text, parameters }: CompiledQuery): pg.QueryConfig {
  const values = parameters as unknown[];
  if (values.length === 0 || text.length > MAX_PREPARED_LENGTH) return { text, values };
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= MAX_NAMES) return { text, values };
    name = `packsmith_${sha256(text, "base64url").slice(0, 22)}`;
    names.set(text, name);
  }
  return { name, text, values };
}
