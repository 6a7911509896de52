import pg from "pg";
import { startService } from "../../src/service/packs/start-service.ts";
import { createNewPool, usePoolMaker } from "../../src/storage/postgres.ts";
import type { ConnectionPool } from "../../src/storage/postgres-driver.ts";
import { makePostgresDatabase } from "../support/postgres.ts";

const SCHEMA = "packsmith_service";

/** A PostgreSQL database with the tables of a service, without rows. */
export interface EmptyDatabase {
  url: string;
  /** Empties it, which is much faster than making another one. */
  giveBack(): Promise<void>;
}

/** Those that no test uses now. They are removed with their server, at the end of the run. */
const free: EmptyDatabase[] = [];
const urls = new Set<string>();
/** The connections to these databases. */
const pools = new Map<string, ConnectionPool>();

usePoolMaker((options) => {
  const { connectionString = "" } = options;
  if (!urls.has(connectionString)) return createNewPool(options);
  const pool = pools.get(connectionString) ?? openPool(options);
  pools.set(connectionString, pool);
  return lendPool(pool);
});

export async function takeEmptyDatabase(): Promise<EmptyDatabase> {
  return free.pop() ?? (await makeEmptyDatabase());
}

async function makeEmptyDatabase(): Promise<EmptyDatabase> {
  const { url } = await makePostgresDatabase();
  await (await startService({ database: url })).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const list = async (text: string): Promise<string[]> =>
    (await client.query({ text, values: [SCHEMA], rowMode: "array" })).rows.flat();
  const tables = await list(
    "select tablename from pg_tables where schemaname = $1 and tablename !~ 'migration|writer'",
  );
  const listIndexes = () => list("select indexname from pg_indexes where schemaname = $1");
  const indexes = new Set(await listIndexes());
  const empty = async () => {
    const later = (await listIndexes()).filter((index) => !indexes.has(index));
    const statements = [
      // Rows that refer to others may be deleted in any order.
      "set session_replication_role = replica",
      // The indexes that the service made for the rows.
      ...later.map((index) => `drop index ${SCHEMA}."${index}"`),
      ...tables.map((table) => `delete from ${SCHEMA}."${table}"`),
    ];
    await client.query(statements.join(";"));
  };
  await empty();
  urls.add(url);
  const database: EmptyDatabase = {
    url,
    async giveBack() {
      await empty();
      free.push(database);
    },
  };
  return database;
}

function openPool(options: pg.PoolConfig): ConnectionPool {
  const pool = createNewPool(options);
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

/** Its connections stay open: a new one reads the catalogue and plans every statement again. */
function lendPool(pool: ConnectionPool): ConnectionPool {
  const used = new Set<Promise<void>>();
  return {
    on: () => {},
    async connect() {
      const client = await pool.connect();
      const { release } = client;
      const released = new Promise<void>((resolve) => {
        client.release = (error) => {
          release(error);
          resolve();
        };
      });
      used.add(released);
      void released.then(() => used.delete(released));
      return client;
    },
    end: async () => void (await Promise.all(used)),
  };
}
