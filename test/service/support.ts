import { describe } from "vitest";
import type { LocalService, ServiceOptions } from "../../src/service/local/service.ts";
import { startService } from "../../src/service/packs/start-service.ts";
import { createServiceClient, type ServiceClient } from "../../src/service.ts";
import { isLong } from "../support/breadth.ts";
import { describePostgres } from "../support/postgres.ts";
import { takeEmptyDatabase } from "./empty-databases.ts";

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
 * database of its own. Tests of what the service does with rows that it has read need PostgreSQL only
 * in the suite `long`.
 * @param postgres in which suites they run there
 */
export function onEachDatabase(
  name: string,
  define: (start: StartTestService, database: { isServer: boolean }) => void,
  { postgres = "long" }: { postgres?: "long" | "every" } = {},
): void {
  describe(`${name} (sqlite)`, () => define(startTestService, { isServer: false }));
  if (postgres === "long" && !isLong) return;
  describePostgres(`${name} (postgres)`, () => {
    const start: StartTestService = async (options = {}) => {
      if (options.database !== undefined) return await startTestService(options);
      const database = await takeEmptyDatabase();
      const test = await startTestService({ ...options, database: database.url });
      const dispose = async () => {
        await test.service.close();
        await database.giveBack();
      };
      return { ...test, [Symbol.asyncDispose]: dispose };
    };
    define(start, { isServer: true });
  });
}
