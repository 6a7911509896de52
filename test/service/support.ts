import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, describe } from "vitest";
import type { LocalService, ServiceOptions } from "../../src/service/local/service.ts";
import { startService } from "../../src/service/packs/start-service.ts";
import { createServiceClient, type ServiceClient } from "../../src/service.ts";
import { describePostgres, sharedServerUrl } from "../support/postgres.ts";

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
    return await answerOf(await fetch(service.url + path, { ...init, headers }));
  };
  return {
    service,
    client: createServiceClient({ baseUrl: service.url, token: service.token }),
    send,
    write: (method, path, body, token = service.token) =>
      send(path, { method, token, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    control: async (path, body) =>
      await answerOf(
        await fetch(
          service.controlUrl + path,
          body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
        ),
      ),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

/**
 * The same tests on SQLite and, where it is installed, on PostgreSQL: each service has a database
 * of its own.
 */
export function onEachDatabase(name: string, define: (start: StartTestService) => void): void {
  describe(`${name} (sqlite)`, () => define(startTestService));
  describePostgres(`${name} (postgres)`, () => {
    let template: Promise<string> | undefined;
    const create = async (from?: string) => {
      const database = `packsmith_service_${randomBytes(8).toString("hex")}`;
      await run(`create database ${database}${from === undefined ? "" : ` template ${from}`}`);
      return database;
    };
    // Copied for each test, which is faster than setting up a schema.
    const createTemplate = async () => {
      const database = await create();
      await (await startService({ database: await urlOf(database) })).close();
      await runIn(database, "truncate packsmith_service.settings");
      return database;
    };
    afterAll(async () => {
      if (template !== undefined) await drop(await template);
    });
    define(async (options = {}) => {
      if (options.database !== undefined) return await startTestService(options);
      template ??= createTemplate();
      const database = await create(await template);
      const test = await startTestService({ ...options, database: await urlOf(database) });
      const dispose = async () => {
        await test.service.close();
        await drop(database);
      };
      return { ...test, [Symbol.asyncDispose]: dispose };
    });
  });
}

function drop(database: string): Promise<void> {
  return run(`drop database ${database} with (force)`);
}

async function urlOf(database: string): Promise<string> {
  const url = new URL(await sharedServerUrl());
  url.pathname = `/${database}`;
  return url.href;
}

async function run(text: string): Promise<void> {
  await query(await sharedServerUrl(), text);
}

async function runIn(database: string, text: string): Promise<void> {
  await query(await urlOf(database), text);
}

async function query(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
