import { randomBytes } from "node:crypto";
import pg from "pg";
import { describe } from "vitest";

/** The server that `PACKSMITH_TEST_POSTGRES` names: a URL whose user may create databases. */
const server = process.env["PACKSMITH_TEST_POSTGRES"];

/** Tests that need a real PostgreSQL server. Without one they are skipped, and say so. */
export const describePostgres = server === undefined ? describePostgresSkipped() : describe;

function describePostgresSkipped() {
  process.stderr.write("PostgreSQL tests are skipped: PACKSMITH_TEST_POSTGRES is not set.\n");
  return describe.skip;
}

/** An empty database that is dropped at the end of the test. */
export async function makePostgresDatabase(): Promise<
  AsyncDisposable & { url: string; query(sql: string): Promise<Record<string, unknown>[]> }
> {
  const name = `packsmith_test_${randomBytes(8).toString("hex")}`;
  const url = new URL(server ?? "");
  await run(url.href, `create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    query: (text) => run(own.href, text),
    [Symbol.asyncDispose]: async () =>
      void (await run(url.href, `drop database ${name} with (force)`)),
  };
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
