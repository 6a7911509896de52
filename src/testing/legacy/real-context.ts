import { vaultLocation } from "../../accounts/vault-location.ts";
import type { FetchRequest, FetchResponse } from "../../define/fetch.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { ResponseSizeTooLargeError, StatusCodeError } from "../../define/pack-errors.ts";
import type { SyncExecutionContext } from "../../define/schema.ts";
import { createBlobStore, storeBlob } from "../../execute/blob-store.ts";
import { createHostFetcher } from "../../execute/fetch/fetcher.ts";
import { openConnections } from "../../execute/open-connections.ts";
import type { HostFetchResult } from "../../sandbox/host/run-requests.ts";
import { createRedactor } from "../../shared/redact.ts";
import { openFirstAccount } from "./first-account.ts";
import {
  type MockExecutionContext,
  type MockSyncExecutionContext,
  newPlainContext,
} from "./mock-context.ts";

/** A context with real functions instead of stubs. */
type RealExecutionContext = Omit<MockExecutionContext, "fetcher" | "temporaryBlobStorage"> &
  Pick<SyncExecutionContext, "fetcher" | "temporaryBlobStorage">;

/**
 * Creates a context that sends its requests, with the account that `auth connect` stored for the
 * Pack.
 * @param manifestPath entry file of the Pack, with or without its extension, or another file in its
 *   folder
 */
export function newRealFetcherExecutionContext(
  pack: PackVersionDefinition,
  manifestPath = "pack.ts",
): RealExecutionContext {
  const { invocationToken, ...rest } = newPlainContext();
  const blobs = createBlobStore();
  const send = async (request: unknown): Promise<HostFetchResult> => {
    const redactor = createRedactor();
    const options = { cwd: process.cwd(), ...vaultLocation(process.env), redactor };
    const needs = { requirement: "optional", allowed: undefined } as const;
    await using accounts = await openFirstAccount(manifestPath, (file) =>
      openConnections({ ...options, file }, pack, needs, {}),
    );
    const { account, systemAccount } = accounts;
    const fetcher = createHostFetcher({
      definition: pack,
      account,
      systemAccount,
      redactor,
      invocationToken,
      onRequest: () => {},
    });
    return await fetcher.fetch(request);
  };
  const store = async (request: unknown): Promise<string> =>
    unwrap(await storeBlob(request, { fetcher: { fetch: send }, blobs })) as string;
  return {
    ...rest,
    invocationToken,
    fetcher: {
      fetch: async <Body>(request: FetchRequest) =>
        unwrap(await send(request)) as FetchResponse<Body>,
    },
    temporaryBlobStorage: {
      storeUrl: (url, options, fetchOptions) => store({ url, options, fetchOptions }),
      storeBlob: (bytes, contentType, options) => store({ bytes, contentType, options }),
    },
  };
}

/** The same for a sync table. */
export function newRealFetcherSyncExecutionContext(
  pack: PackVersionDefinition,
  manifestPath = "pack.ts",
): RealExecutionContext & Pick<MockSyncExecutionContext, "sync"> {
  return { ...newRealFetcherExecutionContext(pack, manifestPath), sync: {} };
}

/** @throws what the Pack would see */
function unwrap(result: HostFetchResult): unknown {
  if (result.ok) return result.response;
  const { failure, error } = result;
  if (error.cause instanceof StatusCodeError) throw error.cause;
  if (failure.name === "ResponseSizeTooLargeError")
    throw new ResponseSizeTooLargeError(failure.message);
  throw error;
}
