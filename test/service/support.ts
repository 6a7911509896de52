import pg from "pg";
import { afterAll, describe } from "vitest";
import type { LocalService, ServiceOptions } from "../../src/service/local/service.ts";
import { startService } from "../../src/service/packs/start-service.ts";
import { createServiceClient, type ServiceClient } from "../../src/service.ts";
import { describePostgres, makePostgresDatabase } from "../support/postgres.ts";

const SCHEMA = "packsmith_service";

export interface ServiceUnderTest extends AsyncDisposable {
  service: LocalService;
  client: ServiceClient;
  /** Sends a request as it is; `path` begins below the API root. */
  send(path: string, init?: RequestInit & { token?: string }): Promise<Answer>;
  /** Sends a body as JSON. */
  write(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** Posts to the control plane, or asks it when there is no body. */
  control(path: string, body?: unknown): Promise<Answer>;
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

export type StartTestService = (options?: ServiceOptions) => Promise<ServiceUnderTest>;

/** A service whose edits apply at once, unless the options say otherwise, and a client of it. */
export async function startTestService(options: ServiceOptions = {}): Promise<ServiceUnderTest> {
  const delays =
    options.profile === undefined && options.latency === undefined ? { mutationDelayMs: 0 } : {};
  const service = await startService({ ...delays, ...options });
  const send: ServiceUnderTest["send"] = async (path, { token = service.token, ...init } = {}) => {
    const headers = {
      ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
      ...(init.headers as Record<string, string>),
    };
    return await readAnswer(await fetch(service.url + path, { ...init, headers }));
  };
  return {
    service,
    client: createServiceClient({ baseUrl: service.url, token: service.token }),
    send,
    write: (method, path, body, token = service.token) =>
      send(path, { method, token, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    control: async (path, body) =>
      await readAnswer(
        await fetch(
          service.controlUrl + path,
          body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
        ),
      ),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

async function readAnswer(response: Response): Promise<Answer> {
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

/**
 * The same tests on SQLite and, where it is installed, on PostgreSQL: each service has an empty
 * database of its own.
 */
export function onEachDatabase(name: string, define: (start: StartTestService) => void): void {
  describe(`${name} (sqlite)`, () => define(startTestService));
  describePostgres(`${name} (postgres)`, () => {
    // Emptied after each test, which is much faster than making another one.
    const free: EmptyDatabase[] = [];
    const made: EmptyDatabase[] = [];
    const make = async () => {
      const database = await makeEmptyDatabase();
      made.push(database);
      return database;
    };
    afterAll(() => Promise.all(made.map((database) => database[Symbol.asyncDispose]())));
    define(async (options = {}) => {
      if (options.database !== undefined) return await startTestService(options);
      const database = free.pop() ?? (await make());
      const test = await startTestService({ ...options, database: database.url });
      const dispose = async () => {
        await test.service.close();
        await database.empty();
        free.push(database);
      };
      return { ...test, [Symbol.asyncDispose]: dispose };
    });
  });
}

interface EmptyDatabase extends AsyncDisposable {
  url: string;
  /** Removes all rows, and the indexes that the service made for them. */
  empty(): Promise<void>;
}

async function makeEmptyDatabase(): Promise<EmptyDatabase> {
  const database = await makePostgresDatabase();
  const { url } = database;
  await (await startService({ database: url })).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const list = async (text: string): Promise<string[]> =>
    (await client.query({ text, values: [SCHEMA], rowMode: "array" })).rows.flat();
  const tables = await list(
    "select tablename from pg_tables where schemaname = $1 and tablename not like '%migration%'",
  );
  const listIndexes = () => list("select indexname from pg_indexes where schemaname = $1");
  const indexes = new Set(await listIndexes());
  const empty = async () => {
    const later = (await listIndexes()).filter((index) => !indexes.has(index));
    const statements = [
      // Rows that refer to others may be deleted in any order.
      "set session_replication_role = replica",
      ...later.map((index) => `drop index ${SCHEMA}."${index}"`),
      ...tables.map((table) => `delete from ${SCHEMA}."${table}"`),
    ];
    await client.query(statements.join(";"));
  };
  await empty();
  const dispose = async () => {
    await client.end();
    await database[Symbol.asyncDispose]();
  };
  return { url, empty, [Symbol.asyncDispose]: dispose };
}
