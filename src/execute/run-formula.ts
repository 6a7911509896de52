import type { KeyStore } from "../accounts/key-file.ts";
import { isPackError, PackError } from "../errors.ts";
import { parseRoutes, type Routes } from "../oauth/routes.ts";
import type { LogEntry } from "../sandbox/protocol.ts";
import { type Failure, toFailure } from "../shared/failure.ts";
import type { Redactor } from "../shared/redact.ts";
import { uptimeMs } from "../shared/uptime.ts";
import type { FormulaArguments } from "./arguments/arguments.ts";
import { createBlobStore } from "./blob-store.ts";
import type { Cassette } from "./cassette/cassette-format.ts";
import type {
  CassetteOptions,
  CassetteReport,
  CassetteSession,
} from "./cassette/cassette-session.ts";
import { executeTarget, type TargetRun } from "./execute-target.ts";
import { ExecutionFailure, type RequestRecord } from "./execution-result.ts";
import { createResponseCache } from "./fetch/fetch-cache.ts";
import { connectionNeeds, type GivenCredentials, openConnections } from "./open-connections.ts";
import { type OpenPack, type OpenPackOptions, openPack } from "./open-pack.ts";
import type { RunOptions } from "./run.ts";
import { explainRefusal } from "./step-up.ts";
import type { SyncPage } from "./tables/execute-sync-table.ts";

export interface RunFormulaOptions extends CassetteOptions {
  /** Entry file of the Pack, or a built `bundle.js`. */
  file: string;
  /**
   * A formula, a sync table, or a metadata formula such as `Tasks:getName` or
   * `Auth:getConnectionName`.
   */
  formula: string;
  /** Values, or text that is converted to the types of the parameters. */
  args: FormulaArguments;
  /** Which table, when it is dynamic. */
  dynamicUrl?: string | undefined;
  /** A sync ends after this many rows. @default 1_000 */
  maxRows?: number | undefined;
  /** A sync ends after this many pages. @default 100 */
  maxPages?: number | undefined;
  /** Receives every page of a sync as it arrives. */
  onPage?: ((page: SyncPage) => void) | undefined;
  /** What `setTimeout` and the other timers do in the Pack. @default "none" */
  timerStrategy?: OpenPackOptions["timerStrategy"];
  /**
   * Waits for a debugger before the Pack loads. The Pack is not isolated then, and has no limits.
   */
  inspect?: OpenPackOptions["inspect"];
  /** With `false` every request fails. @default true */
  network?: boolean | undefined;
  /** Name of the connected account to use. @default "default" */
  account?: string | undefined;
  /** `origin=url` texts: requests to the https origin go to a loopback server. */
  routes?: readonly string[] | undefined;
  /** IANA time zone of the document. */
  timezone?: string | undefined;
  cwd: string;
  /** Folder of the vault. Without it no account is connected. */
  home?: string | undefined;
  /**
   * A `postgres://` URL that keeps the vault's records on a server. @default the folder holds them
   */
  databaseUrl?: string | undefined;
  /**
   * Credentials used instead of a connected account, by name: `token`, `username`, …; `accessToken`
   * for OAuth2.
   */
  credentials?: GivenCredentials | undefined;
  /** The same for the Pack's own account. */
  systemCredentials?: GivenCredentials | undefined;
  /** Endpoint of the accounts in `credentials` and `systemCredentials`. */
  endpoint?: string | undefined;
  /** Protocol and host of the document service. @default "http://127.0.0.1" */
  protocolAndHost?: string | undefined;
  /** The document that the formula runs in. @default none */
  docId?: string | undefined;
  /**
   * Receives a run that may have used the network, while its Pack is open. Errors that it throws
   * are ignored.
   */
  onNetworkRun?:
    | ((pack: OpenPack, run: RunFormulaResult, routes: Routes) => Promise<void>)
    | undefined;
  /** Replaces the network: nothing is sent, and missing credentials are made up. */
  mock?: Pick<RunOptions, "fetch" | "lookup"> | undefined;
  /**
   * Answers equal requests with earlier responses. Pass one cache to several runs to share it.
   * @default a new one
   */
  cache?: RunOptions["cache"];
  /**
   * Keeps what the Pack stores in `temporaryBlobStorage`. @default a store that is disposed with
   * the run
   */
  blobs?: RunOptions["blobs"];
  /** Receives what each request sent and received, redacted. */
  onExchange?: RunOptions["onExchange"];
  /** Waits before a request is repeated after a 429. @default in real time */
  sleep?: RunOptions["sleep"];
  /**
   * What `Date` shows to the Pack, in milliseconds; it does not change during a call. @default the
   * real time
   */
  packNow?: RunOptions["packNow"];
  /** Ends the run with INTERRUPTED when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Where the key of a new vault is stored. @default a key file */
  keyStore?: KeyStore | undefined;
  redactor: Redactor;
  now?: (() => number) | undefined;
}

interface RunTrace {
  logs: readonly LogEntry[];
  requests: readonly RequestRecord[];
  durationMs: number;
  /** The cassette that was recorded or replayed. */
  cassette?: CassetteReport | undefined;
}

/** `kind` determines the shape of `result`: a value, or the outcome of a sync or an update. */
export type RunFormulaResult = RunTrace &
  ({ ok: true; kind: TargetRun["kind"]; result: unknown } | { ok: false; failure: Failure });

/**
 * Builds and validates a Pack, and runs a formula, a table or a metadata formula in its sandbox,
 * with the connected account.
 */
export async function runFormula(options: RunFormulaOptions): Promise<RunFormulaResult> {
  const started = uptimeMs();
  try {
    await using pack = await openPack(options.file, {
      cwd: options.cwd,
      timerStrategy: options.timerStrategy,
      inspect: options.inspect,
    });
    await using session = await cassetteOf(options);
    const run = await runInPack(options, pack, session);
    const isOffline =
      options.mock !== undefined || options.replay !== undefined || run.requests.length === 0;
    if (!isOffline)
      await options.onNetworkRun?.(pack, run, parseRoutes(options.routes ?? [])).catch(() => {});
    return run;
  } catch (error) {
    return failed(error, { logs: [], requests: [], durationMs: uptimeMs() - started });
  }
}

/** Cassettes are loaded only when a run uses one. */
async function cassetteOf(options: RunFormulaOptions): Promise<CassetteSession | undefined> {
  if (options.record === undefined && options.replay === undefined) return undefined;
  const { openCassette } = await import("./cassette/cassette-session.ts");
  return await openCassette({ ...options, target: options.formula });
}

/** The same for a Pack that is already open. Never rejects: a failure is part of the result. */
export async function runInPack(
  options: RunFormulaOptions,
  pack: OpenPack,
  session?: CassetteSession,
): Promise<RunFormulaResult> {
  const started = uptimeMs();
  try {
    return await runWith(options, pack, session);
  } catch (error) {
    return failed(error, { logs: [], requests: [], durationMs: uptimeMs() - started });
  }
}

async function runWith(
  options: RunFormulaOptions,
  pack: OpenPack,
  session: CassetteSession | undefined,
): Promise<RunFormulaResult> {
  const { formula, mock, redactor, now } = options;
  const started = uptimeMs();
  const routes = parseRoutes(options.routes ?? []);
  const tape = session?.tape;
  const replay = { databaseUrl: undefined, keyStore: undefined };
  const vault = session?.home === undefined ? {} : { home: session.home, ...replay };
  await using connections = await openConnections(
    { ...options, ...vault, tape, inventsCredentials: mock !== undefined },
    pack.definition,
    connectionNeeds(pack.definition, formula),
    routes,
  );
  await using ownBlobs = createBlobStore({ now });
  const runAccount = {
    file: options.file,
    account: options.account ?? "default",
    slot: connections.slot,
  };
  const result = await executeTarget({
    ...options,
    ...(options.docId === undefined ? {} : { invocationLocation: { docId: options.docId } }),
    isolate: pack.isolate,
    target: formula,
    runAccount,
    account: connections.account ?? connections.systemAccount,
    systemAccount: connections.systemAccount,
    routes,
    tape,
    blobs: options.blobs ?? ownBlobs,
    cache: options.cache ?? createResponseCache({ now }),
    ...(options.network === false
      ? { fetch: refuseNetwork }
      : mock === undefined
        ? {}
        : { fetch: mock.fetch, lookup: mock.lookup }),
    redactor,
  }).then(
    ({ kind, ...run }): RunFormulaResult => ({ ok: true, kind, ...run }),
    (error: unknown) =>
      failed(explainRefusal(error, runAccount), {
        logs: [],
        requests: [],
        durationMs: uptimeMs() - started,
      }),
  );
  return await endCassette(session, connections.recorded, result);
}

/**
 * A failed run is recorded too. A replay that differs from the recording fails, even if the Pack
 * caught the error.
 */
async function endCassette(
  session: CassetteSession | undefined,
  accounts: Cassette["accounts"],
  run: RunFormulaResult,
): Promise<RunFormulaResult> {
  if (session === undefined) return run;
  const { logs, requests, durationMs } = run;
  try {
    return { ...run, cassette: await session.finish(accounts) };
  } catch (error) {
    // A run that failed early leaves requests unused; its own error is more helpful.
    if (!run.ok && isPackError(error, "CASSETTE_UNUSED")) return run;
    return failed(error, { logs, requests, durationMs });
  }
}

function failed(error: unknown, otherwise: RunTrace): RunFormulaResult {
  const { logs, requests, durationMs } = error instanceof ExecutionFailure ? error : otherwise;
  return { ok: false, failure: toFailure(error), logs, requests, durationMs };
}

function refuseNetwork(): Promise<never> {
  return Promise.reject(
    new PackError("FETCH_FAILED", "The run has no network.", {
      details: { host: "" },
      hint: "Run it without --no-fetch.",
    }),
  );
}
