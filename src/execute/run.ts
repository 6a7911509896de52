import { randomUUID } from "node:crypto";
import type { AccountSession } from "../accounts/account-session.ts";
import type { InvocationError, InvocationLocation } from "../define/context.ts";
import { isPackError, PackError } from "../errors.ts";
import type { Tape } from "../oauth/tape.ts";
import type { HostFetchResult, Isolate, IsolateOutcome } from "../sandbox/host/isolate.ts";
import type { ContextData, IsolateCall } from "../sandbox/protocol.ts";
import { createRedactor, type Redactor } from "../shared/redact.ts";
import { isTimezone } from "./arguments/relative-dates.ts";
import { type BlobStore, storeBlob } from "./blob-store.ts";
import { type ExchangeDetail, ExecutionFailure, type ExecutionResult, type RequestRecord } from "./execution-result.ts";
import { createResponseCache, type ResponseCache } from "./fetch/fetch-cache.ts";
import { createHostFetcher } from "./fetch/fetcher.ts";

/** What every run needs, whatever it runs. */
export interface RunOptions {
  isolate: Isolate;
  /** The account whose credentials requests get. Without one they are sent without credentials. */
  account?: AccountSession | undefined;
  /** The Pack's own account, for hosts that the other one's credentials are not for. */
  systemAccount?: AccountSession | undefined;
  /** Origins that are served elsewhere, from `parseRoutes`. */
  routes?: Readonly<Record<string, string>> | undefined;
  /** IANA time zone of the document. @default "UTC" */
  timezone?: string | undefined;
  /** Protocol and host of the document service. @default "http://127.0.0.1" */
  protocolAndHost?: string | undefined;
  /** Where the formula was called from, beside `protocolAndHost`. */
  invocationLocation?: Partial<InvocationLocation> | undefined;
  /** Unique to this invocation. @default a random UUID */
  invocationToken?: string | undefined;
  /** Why the attempt before this one failed. @default this is the first */
  previousAttemptError?: InvocationError | undefined;
  /** Accepted from older Packs. */
  authenticationName?: string | undefined;
  /** Accepted from older Packs. */
  executionId?: string | undefined;
  /** Wall-clock limit of one call of the Pack, in milliseconds. A sync has it for each page. @default 60_000 */
  timeoutMs?: number | undefined;
  /** Ends the run with INTERRUPTED. @default nothing does */
  signal?: AbortSignal | undefined;
  /** Learns the access tokens that it sees, and cleans logs and request records. @default a new one */
  redactor?: Redactor | undefined;
  /** Where equal requests find earlier responses; give one to several runs to share them. @default a new one */
  cache?: ResponseCache | undefined;
  /** Keeps what the Pack stores in `temporaryBlobStorage`. @default nothing can be stored */
  blobs?: BlobStore | undefined;
  /** Records the requests, or answers them. */
  tape?: Tape | undefined;
  /** Answers what the Pack asks for in the fetcher's place: for tests that bring a fetcher of their own. */
  answerRequest?: ((request: unknown) => Promise<unknown>) | undefined;
  /** Learns what each request sent and got, redacted. */
  onExchange?: ((detail: ExchangeDetail) => void) | undefined;
  /** Waits before a request that was answered with 429 is repeated. @default in real time */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Sends the requests. @default connections of this machine, which are kept open, or a proxy that Node was told to use */
  fetch?: typeof fetch | undefined;
  /** Finds the addresses of a host, for the guard against private networks. @default the system's resolver */
  lookup?: ((host: string) => Promise<readonly string[]>) | undefined;
  /** What the Pack sees as the present, in milliseconds; it stands still during a call. @default the real time */
  packNow?: (() => number) | undefined;
  /** Milliseconds. @default Date.now */
  now?: (() => number) | undefined;
}

/** One call of the Pack: what it is asked, and what its context holds beside the usual. */
export interface PreparedCall {
  call: IsolateCall;
  context?: Partial<ContextData> | undefined;
  /** Calls with the same object find the state that the ones before left; others begin anew. */
  session?: object | undefined;
  /** Is told of each request of the Pack, with the response that it waits for. */
  onRequest?: ((response: Promise<unknown>) => void) | undefined;
}

/**
 * The one path from a caller to the Pack's code and back: prepares the call, runs it in the sandbox with a fetcher of its
 * own, checks what came back.
 * @param finish checks and normalises the value; what else the outcome tells is beside it
 * @throws {ExecutionFailure} every failure, with the logs and requests until then
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
  const usual = contextOf(options);
  const fetcher = createHostFetcher({
    ...options,
    redactor,
    startedAtMs,
    invocationToken: usual.invocationToken,
    cache: options.cache ?? createResponseCache({ now }),
    definition: options.isolate.definition,
    leavesJson: true,
    onRequest: (record) => requests.push(record),
  });
  try {
    assertTimezone(options.timezone);
    const { call, context, session, onRequest } = prepare();
    outcome = await options.isolate.invoke(call, {
      fetch: (request) => {
        const response = options.answerRequest === undefined ? fetcher.fetch(request) : stubbedFetch(request, options.answerRequest);
        onRequest?.(response);
        return response;
      },
      storeBlob: (request) => storeBlob(request, { fetcher, blobs: options.blobs }),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
      nowMs: options.packNow?.(),
      session,
      context: { ...usual, ...context },
    });
    if (!outcome.ok) throw outcome.error;
    return { result: finish(outcome.value, outcome), ...trace() };
  } catch (error) {
    throw failed(error, trace(), redactor);
  } finally {
    fetcher.close();
  }
}

function assertTimezone(timezone: string | undefined): void {
  if (timezone === undefined || isTimezone(timezone)) return;
  const expected = "an IANA time zone such as Europe/Berlin";
  throw new PackError("ARGUMENT_TYPE", `There is no time zone ${JSON.stringify(timezone.slice(0, 60))}.`, {
    details: { parameter: "timezone", expected },
    hint: `Give ${expected}.`,
  });
}

function contextOf(options: RunOptions): ContextData {
  const { previousAttemptError, authenticationName, executionId } = options;
  const account = options.account ?? options.systemAccount;
  return {
    endpoint: account?.endpoint,
    invocationLocation: { protocolAndHost: options.protocolAndHost ?? "http://127.0.0.1", ...options.invocationLocation },
    timezone: options.timezone ?? "UTC",
    invocationToken: options.invocationToken ?? randomUUID(),
    ...withoutAbsent({ connection: account?.connection, previousAttemptError, authenticationName, executionId }),
  };
}

/** Removes absent members: a Pack may test whether a member is there. */
export function withoutAbsent<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as Members;
}

/** A failure with its trace, and without a secret; what nobody expected stays as it is. */
export function failed(error: unknown, trace: Omit<ExecutionResult, "result">, redactor: Redactor): unknown {
  return isPackError(error) ? new ExecutionFailure(redacted(error as PackError, redactor), trace) : error;
}

function redacted(error: PackError, redactor: Redactor): PackError {
  return new PackError(error.code, redactor.text(error.message), {
    details: redactor.value(error.details) as never,
    hint: error.hint === undefined ? undefined : redactor.text(error.hint),
    cause: error.cause,
  });
}

/**
 * Lets a function of a test answer what a Pack in the sandbox asks for. What it throws is thrown inside, as the same error:
 * its name, its message and its own members.
 */
export async function stubbedFetch(request: unknown, answer: (request: unknown) => Promise<unknown>): Promise<HostFetchResult> {
  try {
    return { ok: true, response: await answer(request) };
  } catch (error) {
    const name = error instanceof Error ? error.name : "Error";
    const message = error instanceof Error ? error.message : String(error);
    const members = typeof error === "object" && error !== null ? { ...(error as Record<string, unknown>) } : {};
    delete members["name"];
    const failure = isPackError(error)
      ? (error as PackError)
      : new PackError("FETCH_FAILED", message, { details: { host: "" }, hint: "The mock of the test refused the request.", cause: error });
    return { ok: false, failure: { name, message, members: plain(members) }, error: failure };
  }
}

/** Only data crosses into the sandbox. */
function plain(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => typeof member !== "function" && typeof member !== "symbol"));
}
