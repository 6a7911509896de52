import { randomUUID } from "node:crypto";
import type {
  Fetcher,
  FetchRequest,
  FetchResponse,
  TemporaryBlobStorage,
} from "../../define/fetch.ts";
import type { ExecutionContext, SyncExecutionContext } from "../../define/schema.ts";
import { createStub, type StubOf } from "./sinon.ts";

/** A context whose functions are stubs of sinon. */
export interface MockExecutionContext extends ExecutionContext {
  readonly fetcher: { readonly fetch: StubOf<Fetcher["fetch"]> & Fetcher["fetch"] };
  readonly temporaryBlobStorage: {
    readonly storeUrl: StubOf<TemporaryBlobStorage["storeUrl"]> & TemporaryBlobStorage["storeUrl"];
    readonly storeBlob: StubOf<TemporaryBlobStorage["storeBlob"]> &
      TemporaryBlobStorage["storeBlob"];
  };
}

/** The same for a sync table. */
export interface MockSyncExecutionContext extends MockExecutionContext {
  readonly sync: SyncExecutionContext["sync"];
  readonly syncStateService?: SyncExecutionContext["syncStateService"];
}

/** Another name of `MockSyncExecutionContext`. */
export type SyncExecutionContextAsMock = MockSyncExecutionContext;

// The values of `@codahq/packs-sdk`, which suites compare with.
const PROTOCOL_AND_HOST = "https://coda.io";
const TIMEZONE = "America/Los_Angeles";

/**
 * Creates a context whose functions are stubs of sinon. Until a test says otherwise, a request
 * fails with
 * `Unhandled fetch: GET https://…`.
 * @param overrides members that replace those of the mock
 */
export function newMockExecutionContext(
  overrides: Partial<ExecutionContext> = {},
): MockExecutionContext {
  const plain = newPlainContext();
  const { storeUrl, storeBlob } = plain.temporaryBlobStorage;
  return {
    ...plain,
    fetcher: { fetch: createStub("fetch", plain.fetcher.fetch) },
    temporaryBlobStorage: {
      storeUrl: createStub("storeUrl", storeUrl),
      storeBlob: createStub("storeBlob", storeBlob),
    },
    ...overrides,
  } as MockExecutionContext;
}

/** The same for a sync table: `sync` is empty unless it is given. */
export function newMockSyncExecutionContext(
  overrides: Partial<SyncExecutionContext> = {},
): MockSyncExecutionContext {
  const syncStateService = {
    getLatestRowVersions: createStub("getLatestRowVersions", () => undefined),
  };
  return {
    ...newMockExecutionContext(),
    sync: {},
    syncStateService,
    ...overrides,
  } as unknown as MockSyncExecutionContext;
}

/** The context of a test that passes none: it refuses every request. */
export function newPlainContext(): ExecutionContext {
  return {
    fetcher: {
      fetch: async ({ method, url }: FetchRequest) => {
        throw new Error(`Unhandled fetch: ${method} ${url}`);
      },
    },
    temporaryBlobStorage: {
      storeUrl: () => undefined as never,
      storeBlob: () => undefined as never,
    },
    invocationLocation: { protocolAndHost: PROTOCOL_AND_HOST },
    timezone: TIMEZONE,
    invocationToken: randomUUID(),
  };
}

/** The same for a sync table. */
export function newPlainSyncContext(): SyncExecutionContext {
  return {
    ...newPlainContext(),
    sync: {},
    syncStateService: { getLatestRowVersions: () => undefined as never },
  } as SyncExecutionContext;
}

/** Makes the response of a request, for `context.fetcher.fetch.resolves(…)`. */
export function newJsonFetchResponse<Body>(
  body: Body,
  status = 200,
  headers: Record<string, string> = {},
): FetchResponse<Body> {
  return { body, status, headers: { "Content-Type": "application/json", ...headers } };
}
