import { randomUUID } from "node:crypto";
import type { Fetcher, FetchRequest, FetchResponse, TemporaryBlobStorage } from "../../define/fetch.ts";
import type { ExecutionContext, SyncExecutionContext } from "../../define/schema.ts";
import { createMockFunction, type MockFunction } from "./mock-function.ts";

/** A context whose functions are mocks. */
export interface MockExecutionContext extends ExecutionContext {
  readonly fetcher: { readonly fetch: MockFunction<Fetcher["fetch"]> & Fetcher["fetch"] };
  readonly temporaryBlobStorage: {
    readonly storeUrl: MockFunction<TemporaryBlobStorage["storeUrl"]> & TemporaryBlobStorage["storeUrl"];
    readonly storeBlob: MockFunction<TemporaryBlobStorage["storeBlob"]> & TemporaryBlobStorage["storeBlob"];
  };
}

/** The same for a sync table. */
export interface MockSyncExecutionContext extends MockExecutionContext {
  readonly sync: SyncExecutionContext["sync"];
  readonly syncStateService?: SyncExecutionContext["syncStateService"];
}

/** Another name of `MockSyncExecutionContext`. */
export type SyncExecutionContextAsMock = MockSyncExecutionContext;

// What suites were written against: the host and the zone of the older entry.
const PROTOCOL_AND_HOST = "https://coda.io";
const TIMEZONE = "America/Los_Angeles";

/**
 * Creates a context for a test. A request for which nothing was said is refused: `Unhandled fetch: GET https://…`.
 * @param overrides members that replace those of the mock
 */
export function newMockExecutionContext(overrides: Partial<ExecutionContext> = {}): MockExecutionContext {
  const unhandled = (request: unknown) => {
    const { method, url } = (request ?? {}) as Partial<FetchRequest>;
    return Promise.reject(new Error(`Unhandled fetch: ${method} ${url}`));
  };
  return {
    fetcher: { fetch: createMockFunction("fetch", unhandled) as never },
    temporaryBlobStorage: { storeUrl: createMockFunction("storeUrl") as never, storeBlob: createMockFunction("storeBlob") as never },
    endpoint: undefined,
    invocationLocation: { protocolAndHost: PROTOCOL_AND_HOST },
    timezone: TIMEZONE,
    invocationToken: randomUUID(),
    ...overrides,
  } as MockExecutionContext;
}

/** The same for a sync table: `sync` is empty unless it is given. */
export function newMockSyncExecutionContext(overrides: Partial<SyncExecutionContext> = {}): MockSyncExecutionContext {
  return { ...newMockExecutionContext(overrides), sync: overrides.sync ?? {} } as MockSyncExecutionContext;
}

/** Makes what a request of the Pack is answered with. */
export function newJsonFetchResponse<Body>(body: Body, status = 200, headers: Record<string, string> = {}): FetchResponse<Body> {
  return { body, status, headers: { "content-type": "application/json", ...headers } };
}
