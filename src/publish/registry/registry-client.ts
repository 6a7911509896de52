import { fillPath, queryString } from "../../service/client/call.ts";
import type { QueryValue } from "../../service/client/call-types.ts";
import { ServiceError } from "../../service/client/errors.ts";
import { fetchTransport } from "../../service/client/fetch-transport.ts";
import type { Timer, Transport } from "../../service/client/transport.ts";
import type { PackFormulaAnalytics } from "../../service/contract/models/analytics.ts";
import type { User } from "../../service/contract/models/responses.ts";
import { OPERATIONS, type Operation } from "../../service/contract/operations.ts";
import {
  REGISTRY_OPERATIONS,
  type RegistryBody,
  type RegistryOperationId,
  type RegistryPath,
  type RegistryQuery,
  type RegistryResponse,
} from "../../service/contract/registry/registry-operations.ts";
import { createDebugLog } from "../../shared/debug-log.ts";
import { uptimeMs } from "../../shared/time.ts";
import { isRecord } from "../../shared/values.ts";
import type { RegistryAddress } from "./registry-address.ts";
import { describeOtherServer, describeRefusal, describeUnreachable } from "./registry-failures.ts";
import { createRegistryStore, type RegistryStore } from "./registry-store.ts";

const debug = createDebugLog("publish");

export interface RegistryClientOptions {
  registry: RegistryAddress;
  token: string;
  signal?: AbortSignal | undefined;
  /** How waits before repeated requests pass. @default in real time */
  timer?: Timer | undefined;
  /**
   * How long a registry may take to answer, with all repetitions, and a store to take no bytes of an
   * upload, in milliseconds. @default 30_000
   */
  hungMs?: number | undefined;
}

interface CallOptions<Id extends RegistryOperationId> {
  path?: RegistryPath<Id> | undefined;
  query?: RegistryQuery<Id> | undefined;
  body?: RegistryBody<Id> | undefined;
}

/** Whose token is used. */
export type TokenUser = Pick<User, "name" | "loginId" | "tokenName" | "scoped" | "workspace">;

export interface RegistryClient extends RegistryStore {
  readonly registry: RegistryAddress;
  /**
   * Sends the request of an operation. What only reads, or ends in the same state, is repeated a
   * few times when the registry fails.
   * @throws {PackError} REGISTRY_TOKEN_REFUSED, REGISTRY_FORBIDDEN, REGISTRY_UNREACHABLE,
   *   REGISTRY_FAILED
   */
  call<Id extends RegistryOperationId>(
    operation: Id,
    options?: CallOptions<Id>,
  ): Promise<RegistryResponse<Id>>;
  whoami(): Promise<TokenUser>;
  /** What each formula of a Pack did on each day. @param sinceDate such as `2026-01-31` */
  formulaAnalytics(packId: number, sinceDate: string): Promise<PackFormulaAnalytics[]>;
}

const ATTEMPTS = 4;
const HUNG_MS = 30_000;
/** A registry that is restarted is back soon; one that is not there is reported soon. */
const UNSENT_DELAY_MS = 500;

/**
 * Creates a client of the publishing operations of a registry. Nothing is sent until you call a
 * method.
 */
export function createRegistryClient({
  registry,
  token,
  signal,
  timer,
  hungMs = HUNG_MS,
}: RegistryClientOptions): RegistryClient {
  const transport = fetchTransport({
    token,
    attempts: ATTEMPTS,
    timeoutMs: hungMs,
    repeatsHung: false,
    maxUnsentDelayMs: UNSENT_DELAY_MS,
    timer,
  });
  const send = createSender(registry, transport, signal);
  return {
    registry,
    call: async (operation, options = {}) =>
      (await send(operation, REGISTRY_OPERATIONS[operation], options as LooseOptions)) as never,
    whoami: async () => (await send("whoami", OPERATIONS.whoami, {})) as TokenUser,
    async formulaAnalytics(packId, sinceDate) {
      const path = { packId: String(packId) };
      const items: PackFormulaAnalytics[] = [];
      let query: Record<string, QueryValue> = { sinceDate, scale: "daily", limit: 1_000 };
      for (;;) {
        const { listPackFormulaAnalytics: operation } = OPERATIONS;
        const page = (await send("listPackFormulaAnalytics", operation, { path, query })) as {
          items: PackFormulaAnalytics[];
          nextPageToken?: string;
        };
        items.push(...page.items);
        if (page.nextPageToken === undefined) return items;
        query = { pageToken: page.nextPageToken };
      }
    },
    ...createRegistryStore({
      registry,
      transport,
      signal,
      timer,
      attempts: ATTEMPTS,
      hungMs,
      unsentDelayMs: UNSENT_DELAY_MS,
    }),
  };
}

type SentOperation = RegistryOperationId | "whoami" | "listPackFormulaAnalytics";

/** Sends requests with the token. The answers are those of a registry. */
function createSender(
  registry: RegistryAddress,
  transport: Transport,
  signal: AbortSignal | undefined,
) {
  const root = `${registry.origin}/apis/v1`;
  return async (
    operation: SentOperation,
    { method, path, group, replay }: Operation,
    { path: names = {}, query = {}, body }: LooseOptions,
  ): Promise<unknown> => {
    const url = root + fillPath(path, names);
    const startedMs = uptimeMs();
    const describe = (outcome: string): string =>
      `registry: ${method} ${url} ${outcome} in ${Math.round(uptimeMs() - startedMs)} ms (${operation})`;
    try {
      const response = await transport.send({
        operation,
        method,
        url: url + queryString(query),
        body: body === undefined ? undefined : JSON.stringify(body),
        group,
        repeatable: replay === "safe" || replay === "idempotent",
        signal,
      });
      debug(() => describe(`${response.status}`));
      if (response.status < 200 || response.status >= 300) {
        const packId = names["packId"] === undefined ? undefined : Number(names["packId"]);
        throw describeRefusal(registry, operation, packId, response);
      }
      if (!isAnswerOf(operation, response.body))
        throw describeOtherServer(registry, operation, response.status);
      return withoutNullToken(response.body);
    } catch (error) {
      if (error instanceof ServiceError) debug(() => describe(`failed (${error.name})`));
      if (signal?.aborted) throw signal.reason;
      throw error instanceof ServiceError ? describeUnreachable(registry, operation, error) : error;
    }
  };
}

interface LooseOptions {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue>>;
  body?: unknown;
}

/** What commands cannot do without in an answer. */
const REQUIRED: Partial<Record<string, { name: string; type: "string" | "number" | "array" }>> = {
  whoami: { name: "loginId", type: "string" },
  listPacks: { name: "items", type: "array" },
  createPack: { name: "packId", type: "number" },
  getPack: { name: "name", type: "string" },
  listPackVersions: { name: "items", type: "array" },
  getNextPackVersion: { name: "nextVersion", type: "string" },
  registerPackVersion: { name: "uploadUrl", type: "string" },
  listPackReleases: { name: "items", type: "array" },
  createPackRelease: { name: "releaseId", type: "number" },
};

/** Whether an answer has what the commands need of it. */
function isAnswerOf(operation: string, body: unknown): boolean {
  const required = REQUIRED[operation];
  if (!isRecord(body)) return false;
  const value = required === undefined ? undefined : body[required.name];
  return (
    required === undefined ||
    (required.type === "array" ? Array.isArray(value) : typeof value === required.type)
  );
}

/** Some lists end with a page token of null. */
function withoutNullToken(body: unknown): unknown {
  if (!isRecord(body) || body["nextPageToken"] !== null) return body;
  const { nextPageToken: _, ...others } = body;
  return others;
}
