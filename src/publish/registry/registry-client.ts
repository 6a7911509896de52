import { setTimeout as wait } from "node:timers/promises";
import { PackError } from "../../errors.ts";
import { fillPath, queryString } from "../../service/client/call.ts";
import type { QueryValue } from "../../service/client/call-types.ts";
import { errorOf, ServiceError } from "../../service/client/errors.ts";
import { fetchTransport } from "../../service/client/fetch-transport.ts";
import { isUnsent } from "../../service/client/retry-policy.ts";
import type { Timer } from "../../service/client/transport.ts";
import type { PackFormulaAnalytics } from "../../service/contract/models/analytics.ts";
import { OPERATIONS, type Operation } from "../../service/contract/operations.ts";
import {
  REGISTRY_OPERATIONS,
  type RegistryBody,
  type RegistryOperationId,
  type RegistryPath,
  type RegistryQuery,
  type RegistryResponse,
} from "../../service/contract/registry/registry-operations.ts";
import { createDebugLog, showAddress } from "../../shared/debug-log.ts";
import { networkCode, networkReason } from "../../shared/failures.ts";
import { uptimeMs } from "../../shared/time.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { isRecord } from "../../shared/values.ts";
import { readProblems } from "./error-detail.ts";
import { putBytes } from "./put-bytes.ts";
import { isLoopback, type RegistryAddress } from "./registry-address.ts";

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

export interface RegistryUser {
  name: string;
  loginId: string;
  tokenName: string;
  scoped: boolean;
  workspace: { id: string; name?: string | undefined };
}

export interface RegistryClient {
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
  whoami(): Promise<RegistryUser>;
  /** What each formula of a Pack did on each day. @param sinceDate such as `2026-01-31` */
  formulaAnalytics(packId: number, sinceDate: string): Promise<PackFormulaAnalytics[]>;
  /**
   * Sends bytes to an upload URL, without the token, and again when the store fails.
   * @param onProgress receives how many bytes have left, and in which attempt, from 1
   * @throws {PackError} REGISTRY_UNREACHABLE, REGISTRY_FAILED
   */
  put(
    target: { uploadUrl: string; headers: Record<string, string> },
    bytes: Buffer,
    onProgress?: (sentBytes: number, attempt: number) => void,
  ): Promise<void>;
  /** Gets a file by its address, without the token. */
  download(url: string): Promise<Uint8Array>;
}

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 1_000;
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
  const root = `${registry.origin}/apis/v1`;
  const send = async (
    operation: RegistryOperationId | "whoami" | "listPackFormulaAnalytics",
    { method, path, group, replay }: Operation,
    options: LooseOptions,
  ) => {
    const { path: names = {}, query = {}, body } = options;
    const packId = names["packId"] === undefined ? undefined : Number(names["packId"]);
    const startedMs = uptimeMs();
    const describe = (outcome: string): string =>
      `registry: ${method} ${root}${fillPath(path, names)} ${outcome} in ${Math.round(uptimeMs() - startedMs)} ms (${operation})`;
    try {
      const response = await transport.send({
        operation,
        method,
        url: root + fillPath(path, names) + queryString(query),
        body: body === undefined ? undefined : JSON.stringify(body),
        group,
        repeatable: replay === "safe" || replay === "idempotent",
        signal,
      });
      debug(() => describe(`${response.status}`));
      if (response.status < 200 || response.status >= 300)
        throw refusal(registry, operation, packId, response);
      if (!hasMember(response.body, REQUIRED[operation]))
        throw notARegistry(registry, operation, response.status);
      return withoutNullToken(response.body);
    } catch (error) {
      if (error instanceof ServiceError) debug(() => describe(`failed (${error.name})`));
      if (signal?.aborted) throw signal.reason;
      throw error instanceof ServiceError ? unreachable(registry, operation, error) : error;
    }
  };
  return {
    registry,
    call: async (operation, options = {}) =>
      (await send(operation, REGISTRY_OPERATIONS[operation], options as LooseOptions)) as never,
    whoami: async () => (await send("whoami", OPERATIONS.whoami, {})) as RegistryUser,
    async formulaAnalytics(packId, sinceDate) {
      const items: PackFormulaAnalytics[] = [];
      let query: Record<string, QueryValue> = { sinceDate, scale: "daily", limit: 1_000 };
      for (;;) {
        const path = { packId: String(packId) };
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
    async put(target, bytes, onProgress) {
      const operation = "putUpload";
      assertStore(registry, target.uploadUrl);
      for (let attempt = 1; ; attempt++) {
        const progress = {
          signal,
          idleMs: hungMs,
          onProgress: (sentBytes: number) => onProgress?.(sentBytes, attempt),
        };
        const outcome = await putBytes(target, bytes, progress).catch((error: unknown) => {
          if (signal?.aborted) throw signal.reason;
          return error as Error;
        });
        debug(
          () =>
            `upload: PUT ${showAddress(target.uploadUrl)} ${bytes.byteLength} bytes, attempt ${attempt}: ${outcome instanceof Error ? outcome.message : outcome.status}`,
        );
        if (!(outcome instanceof Error) && outcome.status >= 200 && outcome.status < 300) return;
        const mayRepeat =
          outcome instanceof Error
            ? outcome.name !== "TimeoutError"
            : outcome.status >= 500 || outcome.status === 429;
        if (!mayRepeat || attempt === ATTEMPTS) {
          if (outcome instanceof Error) throw unreachable(registry, operation, outcome);
          const { status, message } = outcome;
          throw new PackError(
            "REGISTRY_FAILED",
            `The store of the registry refused the upload: ${message || `status ${status}`}.`,
            {
              details: { operation, status },
              hint: "Upload again: the version is still free.",
            },
          );
        }
        const delayMs = isUnsent(outcome) ? UNSENT_DELAY_MS : FIRST_DELAY_MS * 2 ** (attempt - 1);
        await (timer === undefined
          ? wait(delayMs, undefined, { signal })
          : timer.sleep(delayMs, signal));
      }
    },
    async download(url) {
      assertStore(registry, url);
      const response = await transport.download?.(url, signal);
      if (response === undefined || response.status !== 200) {
        throw new PackError("REGISTRY_FAILED", "The registry did not give the file.", {
          details: { operation: "download", status: response?.status ?? 0 },
          hint: "Run the command again: the address of the file may have expired.",
        });
      }
      return response.body;
    },
  };
}

interface LooseOptions {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue>>;
  body?: unknown;
}

/** A registry on another machine must not lead requests to this one. */
function assertStore(registry: RegistryAddress, url: string): void {
  if (canParseUrl(url)) {
    const { protocol, origin, hostname } = new URL(url);
    const isLocal = isLoopback(hostname) && isLoopback(new URL(registry.origin).hostname);
    if (protocol === "https:" || origin === registry.origin) return;
    if (protocol === "http:" && isLocal) return;
  }
  throw new PackError("REGISTRY_FAILED", "The registry named an address that is not https.", {
    details: { operation: "download", status: 0 },
    hint: "Check the address of the registry.",
  });
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

function hasMember(body: unknown, required: (typeof REQUIRED)[string]): boolean {
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

type Response = { status: number; body: unknown };

function refusal(
  registry: RegistryAddress,
  operation: string,
  packId: number | undefined,
  response: Response,
): PackError {
  const { status } = response;
  const { message: summary } = errorOf(operation, response);
  const problems = readProblems(response.body).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  const message = problems.length === 0 ? summary : `${summary} ${problems.join("; ")}`;
  if (status === 401) {
    return new PackError("REGISTRY_TOKEN_REFUSED", `${registry.host} does not accept the token.`, {
      details: { registry: registry.origin },
      hint: "Create a new token in the settings of your account. Then run packsmith login, or change PACKSMITH_REGISTRY_TOKEN if it contains the old token.",
    });
  }
  if (
    packId !== undefined &&
    (status === 403 ||
      // Who has no access is also told that there is no such Pack.
      (status === 404 && (operation === "getPack" || /pack with the specified/i.test(message))))
  ) {
    return new PackError(
      "REGISTRY_FORBIDDEN",
      `You cannot do this with Pack ${packId}: ${message}`,
      {
        details: { operation, packId },
        hint: "Check the ID that you passed or the one in .coda-pack.json, or ask an administrator of the Pack for edit access.",
        cause: response,
      },
    );
  }
  return new PackError(
    "REGISTRY_FAILED",
    `${registry.host} answered with status ${status}: ${message}`,
    {
      details: { operation, status },
      hint:
        status >= 500 || status === 429
          ? "Run the command again later; it continues where it was."
          : "Change what the message names.",
      cause: response,
    },
  );
}

function notARegistry(
  registry: RegistryAddress,
  operation: string,
  status: number,
): PackError<"REGISTRY_FAILED"> {
  return new PackError("REGISTRY_FAILED", `${registry.host} did not answer as a registry does.`, {
    details: { operation, status },
    hint: "Check the address of the registry. A proxy or a login page of your network may answer instead.",
  });
}

function unreachable(
  registry: RegistryAddress,
  operation: string,
  cause: Error,
): PackError<"REGISTRY_UNREACHABLE"> {
  const reason = reasonOf(cause);
  const isRedirect = reason === "unexpected redirect";
  const happened = isRedirect
    ? "sends to another address, which does not get the token"
    : `did not answer: ${reason}`;
  return new PackError("REGISTRY_UNREACHABLE", `${registry.host} ${happened}.`, {
    details: { registry: registry.origin, operation },
    hint: isRedirect
      ? "Pass the address of the registry itself with --registry. If a proxy or a login page of your network answers, log in there first."
      : "Check the network and the address, then run the command again. It continues where it was.",
    cause,
  });
}

function reasonOf(error: Error): string {
  const words = networkReason(error);
  return words === undefined || words === networkCode(error) ? firstMessage(error) : words;
}

/** The first error of a chain of causes. Those after it only say that a request failed. */
function firstMessage({ cause, message }: Error): string {
  return cause instanceof Error ? firstMessage(cause) : message.replace(/\.$/, "");
}
