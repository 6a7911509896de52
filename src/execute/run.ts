import { randomUUID } from "node:crypto";
import type { InvocationError, InvocationLocation } from "../define/invocation.ts";
import { isPackError, PackError } from "../errors.ts";
import type { Isolate, IsolateOutcome } from "../sandbox/host/isolate.ts";
import { callName } from "../sandbox/host/isolate-errors.ts";
import type { HostFetchResult } from "../sandbox/host/run-requests.ts";
import type { LogEntry } from "../sandbox/log-entry.ts";
import type { ContextData, IsolateCall } from "../sandbox/protocol.ts";
import { createDebugLog, showAddress } from "../shared/debug-log.ts";
import { createRedactor, type Redactor } from "../shared/redact.ts";
import { isTimeZone } from "../shared/time.ts";
import { type BlobStore, storeBlob } from "./blob-store.ts";
import { ExecutionFailure, type ExecutionResult } from "./execution-result.ts";
import { createResponseCache, type ResponseCache } from "./fetch/fetch-cache.ts";
import { createHostFetcher, type HostFetcherOptions } from "./fetch/fetcher.ts";
import type { Elicit } from "./mcp/elicitation.ts";
import type { RequestRecord } from "./request-record.ts";
import type { RunTrace } from "./run-document.ts";

/** What a run passes to its fetcher as it is. */
type FetchOptions = Pick<
  HostFetcherOptions,
  | "account"
  | "systemAccount"
  | "tape"
  | "onExchange"
  | "sleep"
  | "isBlocked"
  | "fetch"
  | "lookup"
  | "now"
>;

/** The options of every run. */
export interface RunOptions extends FetchOptions {
  isolate: Isolate;
  /** Origins whose requests go to another server, from `parseRoutes`. */
  routes?: Readonly<Record<string, string>> | undefined;
  /** IANA time zone of the document. @default "UTC" */
  timezone?: string | undefined;
  /** Protocol and host of the document service. @default "http://127.0.0.1" */
  protocolAndHost?: string | undefined;
  /** Where the formula was called from, in addition to `protocolAndHost`. */
  invocationLocation?: Partial<InvocationLocation> | undefined;
  /** Unique to this invocation. @default a random UUID */
  invocationToken?: string | undefined;
  /** Why the previous attempt failed. @default this is the first attempt */
  previousAttemptError?: InvocationError | undefined;
  /** `context.authenticationName`, for Packs written for `@codahq/packs-sdk`. */
  authenticationName?: string | undefined;
  /** `context.executionId`, for Packs written for `@codahq/packs-sdk`. */
  executionId?: string | undefined;
  /** Time limit of one call, in milliseconds; each page of a sync is one call. @default 60_000 */
  timeoutMs?: number | undefined;
  /** Ends the run with INTERRUPTED when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Removes secrets from logs and request records. @default a new one */
  redactor?: Redactor | undefined;
  /**
   * Answers equal requests with earlier responses. Pass one cache to several runs to share it.
   * @default a new one
   */
  cache?: ResponseCache | undefined;
  /** Keeps what the Pack stores in `temporaryBlobStorage`. @default nothing can be stored */
  blobs?: BlobStore | undefined;
  /**
   * Asks the user what the Pack's MCP server wants to know while its tool runs. @default the server
   * is told that no one can answer
   */
  elicit?: Elicit | undefined;
  /** Receives each progress and log message of an MCP tool when it arrives, redacted. */
  onToolLog?: ((entry: LogEntry) => void) | undefined;
  /** Answers the Pack's requests instead of the fetcher, for tests with a fetcher of their own. */
  answerRequest?: ((request: unknown) => Promise<unknown>) | undefined;
  /**
   * What `Date` shows to the Pack, in milliseconds; it does not change during a call. @default the
   * real time
   */
  packNow?: (() => number) | undefined;
}

const debug = createDebugLog("run");

/** One call of the Pack, with the members of its context that other calls do not have. */
export interface PreparedCall {
  call: IsolateCall;
  context?: Partial<ContextData> | undefined;
  /**
   * Calls with the same object share the state of the Pack's modules. Other calls start from a
   * fresh state.
   */
  session?: object | undefined;
  /** Receives the pending response of each request of the Pack. */
  onRequest?: ((response: Promise<unknown>) => void) | undefined;
}

/**
 * The only path to the Pack's code: prepares the call, runs it in the sandbox with its own fetcher,
 * and checks the result.
 * @param finish checks and normalises the value; the second argument is the complete outcome
 * @throws {ExecutionFailure} every failure, with the logs and requests so far
 */
export async function run<Result>(
  options: RunOptions,
  prepare: () => PreparedCall,
  finish: (value: unknown, outcome: Extract<IsolateOutcome, { ok: true }>) => Result,
): Promise<ExecutionResult<Result>> {
  const now = options.now ?? Date.now;
  const startedAtMs = now();
  const redactor = options.redactor ?? createRedactor();
  const requests: RequestRecord[] = [];
  let outcome: IsolateOutcome = { ok: true, value: undefined, logs: [] };
  const trace = () => ({
    logs: outcome.logs.map(({ level, message }) => ({ level, message: redactor.text(message) })),
    requests: [...requests],
    durationMs: now() - startedAtMs,
  });
  const common = createContext(options);
  const fetcher = createHostFetcher({
    ...options,
    redactor,
    startedAtMs,
    invocationToken: common.invocationToken,
    cache: options.cache ?? createResponseCache({ now }),
    definition: options.isolate.definition,
    onRequest: (record) => {
      debug(() => describeRequest(record), redactor);
      requests.push(record);
    },
  });
  try {
    assertTimezone(options.timezone);
    const { call, context, session, onRequest } = prepare();
    outcome = await options.isolate.invoke(call, {
      fetch: (request, growBody) => {
        const response =
          options.answerRequest === undefined
            ? fetcher.fetch(request, { growBody, leavesBody: true })
            : stubbedFetch(request, options.answerRequest);
        onRequest?.(response);
        return response;
      },
      storeBlob: (request) => storeBlob(request, { fetcher, blobs: options.blobs }),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
      nowMs: options.packNow?.(),
      session,
      context: { ...common, ...context },
    });
    if (!outcome.ok) throw outcome.error;
    const result = finish(outcome.value, outcome);
    debug(() => `result: ${callName(call)} in ${now() - startedAtMs} ms`, redactor);
    return { result, ...trace() };
  } catch (error) {
    debug(
      () =>
        `failure: ${isPackError(error) ? error.code : "unexpected"} in ${now() - startedAtMs} ms`,
      redactor,
    );
    throw toFailure(error, trace(), redactor);
  } finally {
    fetcher.close();
  }
}

function describeRequest({
  method,
  url,
  status,
  error,
  durationMs,
  fromCache,
}: RequestRecord): string {
  const outcome = fromCache
    ? "cached"
    : [status, error].filter((part) => part !== undefined).join(" ");
  return `request: ${method} ${showAddress(url)} ${outcome} in ${durationMs} ms`;
}

function assertTimezone(timezone: string | undefined): void {
  if (timezone === undefined || isTimeZone(timezone)) return;
  const expected = "an IANA time zone such as Europe/Berlin";
  throw new PackError(
    "ARGUMENT_TYPE",
    `${JSON.stringify(timezone.slice(0, 60))} is not a valid time zone.`,
    {
      details: { parameter: "timezone", expected },
      hint: `Pass ${expected}.`,
    },
  );
}

function createContext(options: RunOptions): ContextData {
  const { previousAttemptError, authenticationName, executionId } = options;
  const account = options.account ?? options.systemAccount;
  return {
    endpoint: account?.endpoint,
    invocationLocation: {
      protocolAndHost: options.protocolAndHost ?? "http://127.0.0.1",
      ...options.invocationLocation,
    },
    timezone: options.timezone ?? "UTC",
    invocationToken: options.invocationToken ?? randomUUID(),
    ...withoutAbsent({
      connection: account?.connection,
      previousAttemptError,
      authenticationName,
      executionId,
    }),
  };
}

/** Removes absent members: a Pack may test whether a member is there. */
export function withoutAbsent<Members extends object>(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as Members;
}

/**
 * Adds the logs and requests to a `PackError` and removes secrets from it. Any other error is
 * returned unchanged.
 */
export function toFailure(error: unknown, trace: RunTrace, redactor: Redactor): unknown {
  return isPackError(error)
    ? new ExecutionFailure(redactError(error as PackError, redactor), trace)
    : error;
}

function redactError(error: PackError, redactor: Redactor): PackError {
  return new PackError(error.code, redactor.text(error.message), {
    details: redactor.value(error.details) as never,
    hint: error.hint === undefined ? undefined : redactor.text(error.hint),
    cause: error.cause,
  });
}

/**
 * Answers a request of the Pack with a function of the test. An error that the function throws is
 * thrown in the sandbox with
 * the same name, message and own members.
 */
export async function stubbedFetch(
  request: unknown,
  answer: (request: unknown) => Promise<unknown>,
): Promise<HostFetchResult> {
  try {
    return { ok: true, response: await answer(request) };
  } catch (error) {
    const name = error instanceof Error ? error.name : "Error";
    const message = error instanceof Error ? error.message : String(error);
    const members =
      typeof error === "object" && error !== null ? { ...(error as Record<string, unknown>) } : {};
    delete members["name"];
    const failure = isPackError(error)
      ? (error as PackError)
      : new PackError("FETCH_FAILED", message, {
          details: { host: "" },
          hint: "The test's fetcher threw this error. Correct the fetcher.",
          cause: error,
        });
    return { ok: false, failure: { name, message, members: dataMembers(members) }, error: failure };
  }
}

/** Only data can be sent into the sandbox. */
function dataMembers(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, member]) => typeof member !== "function" && typeof member !== "symbol",
    ),
  );
}
