import { randomBytes } from "node:crypto";
import pg from "pg";
import { describe } from "vitest";
import { makeOnce } from "./make-once.ts";
import { postgresPrograms, startCluster } from "./postgres-cluster.ts";

/** Tests that need a real PostgreSQL server. They are skipped where it is not installed. */
export const describePostgres = postgresPrograms === undefined ? describe.skip : describe;

/** Where the same tests run on several databases: an entry of `describe.each`, or none. */
export const hasPostgres: boolean = postgresPrograms !== undefined;

/** An empty database that is dropped at the end of the test. */
export async function makePostgresDatabase(): Promise<
  AsyncDisposable & { url: string; query(sql: string): Promise<Record<string, unknown>[]> }
> {
  const server = await sharedServerUrl();
  const name = `packsmith_test_${randomBytes(8).toString("hex")}`;
  await run(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (text) => run(url.href, text),
    [Symbol.asyncDispose]: async () =>
      void (await run(server, `drop database ${name} with (force)`)),
  };
}

/**
 * One server for all test files, which the first one that needs it starts. prepare-run.ts ends it.
 * @returns a URL whose user may create databases
 */
export async function sharedServerUrl(): Promise<string> {
  const { url } = await makeOnce("postgres", async () => await startCluster());
  return url;
}

async function run(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
