import { isPackError } from "../errors.ts";
import { parseRoutes, type Routes } from "../oauth/routes.ts";
import { type Failure, toFailure } from "../shared/failures.ts";
import type { Redactor } from "../shared/redact.ts";
import { uptimeMs } from "../shared/time.ts";
import { createBlobStore } from "./blob-store.ts";
import type { CassetteOptions, CassetteSession } from "./cassette/cassette-session.ts";
import {
  type ExecuteTargetOptions,
  executeTarget,
  type Target,
  type TargetRun,
} from "./execute-target.ts";
import { createTrace, ExecutionFailure } from "./execution-result.ts";
import { createResponseCache } from "./fetch/fetch-cache.ts";
import type { StepUp } from "./missing-access.ts";
import {
  type ConnectionNeeds,
  type ConnectionOptions,
  type Connections,
  connectionNeeds,
  openConnections,
} from "./open-connections.ts";
import { type OpenPackOptions, openValidPack, type Pack } from "./open-pack.ts";
import { parseTarget } from "./parse-target.ts";
import type { RunOptions } from "./run.ts";
import type { EndedRun } from "./run-document.ts";
import { explainRefusal, findStepUp } from "./step-up.ts";
import { executeSyncTable, type SyncPage } from "./tables/execute-sync-table.ts";
import type { SyncLimits } from "./tables/sync-page.ts";

/**
 * `live`: all requests are sent. `blocked`: none. `blockedForActions`: none if the target is an
 * action, the update of a table, or a call of a tool.
 */
export type NetworkMode = "live" | "blocked" | "blockedForActions";

/** Everything that a run may use. Only `file`, `cwd` and `redactor` are needed. */
export interface RunTargetOptions
  extends CassetteOptions,
    Omit<ConnectionOptions, "inventsCredentials" | "tape">,
    Omit<
      RunOptions,
      "isolate" | "account" | "systemAccount" | "routes" | "tape" | "redactor" | "fetch"
    >,
    SyncLimits,
    Pick<ExecuteTargetOptions, "onPage"> {
  /** `origin=url` texts: requests to the https origin go to a loopback server. */
  routes?: readonly string[] | undefined;
  /** Which requests are sent; the others fail. @default "live" */
  network?: NetworkMode | undefined;
  /** The document that the formula runs in. @default none */
  docId?: string | undefined;
  /** Replaces the network: nothing is sent, and missing credentials are made up. */
  mock?: Pick<RunOptions, "fetch" | "lookup"> | undefined;
  redactor: Redactor;
}

export interface FailedRun extends EndedRun {
  ok: false;
  failure: Failure;
  /** What the account of the run lacks, when that is why it failed. */
  stepUp?: StepUp | undefined;
}

/** `kind` determines the shape of `result`: a value, or the outcome of a sync or an update. */
export type RunResult =
  | (EndedRun & { ok: true; kind: TargetRun["kind"]; result: unknown })
  | FailedRun;

/** A run of one target. It opens its accounts and its cassette when it begins. */
export interface Run extends AsyncDisposable {
  /** Runs the target; a table to its end or its limits. A failure is a result, too. */
  finish(): Promise<RunResult>;
  /**
   * Gets the next page of a table and nothing more. The accounts and the state of the Pack's
   * modules stay between two pages.
   * @returns no page after the last one
   */
  nextPage(): Promise<{ ok: true; page: SyncPage | undefined } | FailedRun>;
}

/**
 * Runs a formula, a table, a metadata formula or a tool of an open Pack: opens the accounts,
 * redirects, cassette and cache, runs, and explains a refusal. Commands, the page of `dev`, tests
 * and the local service all call this. The Pack stays open.
 */
export function runTarget(pack: Pack, target: Target, options: RunTargetOptions): Run {
  let opening: Promise<OpenRun> | undefined;
  let pages: AsyncGenerator<SyncPage, void, undefined> | undefined;
  const open = (): Promise<OpenRun> => {
    opening ??= openRun(pack, target, options);
    return opening;
  };
  return {
    async finish() {
      return await attempt(open, async (run) => {
        const result = await executeTarget(run.options).then(
          ({ kind, ...answer }): RunResult => ({ ok: true, kind, ...answer }),
          (error: unknown) => describeFailure(error, run),
        );
        return await endCassette(run, result);
      });
    },
    async nextPage() {
      return await attempt(open, async ({ options: execution }) => {
        pages ??= executeSyncTable({ ...execution, table: target.target });
        const { value: page } = await pages.next();
        return { ok: true, page: page ?? undefined } as const;
      });
    },
    async [Symbol.asyncDispose]() {
      await pages?.return().catch(() => undefined);
      const run = await opening?.catch(() => undefined);
      await run?.[Symbol.asyncDispose]();
    },
  };
}

/** What a run has open. */
interface OpenRun extends AsyncDisposable, Pick<Connections, "recorded"> {
  options: ExecuteTargetOptions;
  needs: ConnectionNeeds;
  cassette: CassetteSession | undefined;
}

async function attempt<Result>(
  open: () => Promise<OpenRun>,
  act: (run: OpenRun) => Promise<Result>,
): Promise<Result | FailedRun> {
  const started = uptimeMs();
  let run: OpenRun | undefined;
  try {
    run = await open();
    return await act(run);
  } catch (error) {
    return describeFailure(error, run, uptimeMs() - started);
  }
}

async function openRun(pack: Pack, target: Target, options: RunTargetOptions): Promise<OpenRun> {
  const { redactor, now, docId } = options;
  const opened: AsyncDisposable[] = [];
  const keep = <Opened extends AsyncDisposable | undefined>(one: Opened): Opened => {
    if (one !== undefined) opened.unshift(one);
    return one;
  };
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
  };
  try {
    const cassette = keep(await openCassetteFor(options, target.target));
    const routes = parseRoutes(options.routes ?? []);
    const needs = connectionNeeds(pack.definition, target.target);
    const connections = keep(await connect(pack, needs, { options, cassette, routes }));
    const { account, systemAccount, slot } = connections;
    const execution: ExecuteTargetOptions = {
      ...options,
      ...target,
      ...(docId === undefined ? {} : { invocationLocation: { docId } }),
      ...chooseNetwork(options, mayChangeData(pack, target.target)),
      isolate: pack.isolate,
      runAccount: { file: options.file, account: options.account ?? "default", slot },
      account: account ?? systemAccount,
      systemAccount,
      routes,
      tape: cassette?.tape,
      blobs: options.blobs ?? keep(createBlobStore({ now })),
      cache: options.cache ?? createResponseCache({ now }),
      redactor,
    };
    const { recorded } = connections;
    return { recorded, options: execution, needs, cassette, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Cassettes are loaded only when a run uses one. */
async function openCassetteFor(
  options: RunTargetOptions,
  target: string,
): Promise<CassetteSession | undefined> {
  if (options.record === undefined && options.replay === undefined) return undefined;
  const { openCassette } = await import("./cassette/cassette-session.ts");
  return await openCassette({ ...options, target });
}

const NO_CONNECTIONS: Connections = {
  account: undefined,
  systemAccount: undefined,
  slot: "user",
  recorded: {},
  [Symbol.asyncDispose]: async () => {},
};

/** A run whose requests a test answers needs no account. A replay has the recorded ones. */
async function connect(
  { definition }: Pack,
  needs: ConnectionNeeds,
  run: {
    options: RunTargetOptions;
    cassette: CassetteSession | undefined;
    routes: ReturnType<typeof parseRoutes>;
  },
): Promise<Connections> {
  const { options, cassette, routes } = run;
  if (options.answerRequest !== undefined) return NO_CONNECTIONS;
  const { home, tape } = cassette ?? {};
  const replayed = home === undefined ? {} : { home, databaseUrl: undefined, keyStore: undefined };
  const inventsCredentials = options.mock !== undefined;
  return await openConnections(
    { ...options, ...replayed, tape, inventsCredentials },
    definition,
    needs,
    routes,
  );
}

function chooseNetwork(
  { network, mock }: RunTargetOptions,
  isAction: boolean,
): Pick<RunOptions, "fetch" | "lookup" | "isBlocked"> {
  if (network === "blocked" || (network === "blockedForActions" && isAction))
    return { isBlocked: true };
  return mock === undefined ? {} : { fetch: mock.fetch, lookup: mock.lookup };
}

/**
 * A failed run is recorded too. A replay that differs from the recording fails, even if the Pack
 * caught the error.
 */
async function endCassette({ cassette, recorded }: OpenRun, run: RunResult): Promise<RunResult> {
  if (cassette === undefined) return run;
  const { logs, requests, durationMs } = run;
  try {
    return { ...run, cassette: await cassette.finish(recorded) };
  } catch (error) {
    // A run that failed early leaves requests unused; its own error is more helpful.
    if (!run.ok && isPackError(error, "CASSETTE_UNUSED")) return run;
    return { ok: false, failure: toFailure(error), logs, requests, durationMs };
  }
}

/**
 * @param run undefined when it could not be opened
 * @param durationMs of a run that has no trace
 */
function describeFailure(thrown: unknown, run: OpenRun | undefined, durationMs = 0): FailedRun {
  const runAccount = run?.options.runAccount;
  const error = runAccount === undefined ? thrown : explainRefusal(thrown, runAccount);
  const trace: EndedRun =
    error instanceof ExecutionFailure ? error : { ...createTrace(), durationMs };
  const { logs, requests } = trace;
  const hasAccount = run?.options.account !== undefined;
  const stepUp = findStepUp(error, hasAccount ? runAccount : undefined, run?.needs.scopes ?? []);
  return {
    ok: false,
    failure: toFailure(error),
    ...(stepUp === undefined ? {} : { stepUp }),
    logs,
    requests,
    durationMs: trace.durationMs,
  };
}

/** A target whose requests may change something outside of the Pack. */
function mayChangeData({ definition }: Pack, text: string): boolean {
  const target = parseTarget(text);
  if (target.kind === "block")
    return definition.formulas.find(({ name }) => name === target.name)?.isAction === true;
  return target.kind === "update" || target.kind === "mcpCall";
}

export interface RunFormulaOptions
  extends RunTargetOptions,
    Omit<Target, "target">,
    Pick<OpenPackOptions, "timerStrategy" | "inspect"> {
  /**
   * A formula, a sync table, or a metadata formula such as `Tasks:getName` or
   * `Auth:getConnectionName`.
   */
  formula: string;
  /**
   * Receives a run that may have used the network, while its Pack is open. Errors that it throws
   * are ignored.
   */
  onNetworkRun?: ((pack: Pack, run: RunResult, routes: Routes) => Promise<void>) | undefined;
}

/**
 * Builds and validates a Pack, or opens a built `bundle.js`, and runs a formula, a table or a
 * metadata formula in its sandbox, with the connected account. Never rejects: a failure is part of
 * the result.
 */
export async function runFormula(options: RunFormulaOptions): Promise<RunResult> {
  const { file, cwd, timerStrategy, inspect, formula, args, dynamicUrl, schema, updates } = options;
  const started = uptimeMs();
  try {
    await using pack = await openValidPack(file, { cwd, timerStrategy, inspect });
    const target = { target: formula, args, dynamicUrl, schema, updates };
    await using run = runTarget(pack, target, options);
    const result = await run.finish();
    const isOffline =
      options.mock !== undefined || options.replay !== undefined || result.requests.length === 0;
    if (!isOffline)
      await options.onNetworkRun?.(pack, result, parseRoutes(options.routes ?? [])).catch(() => {});
    return result;
  } catch (error) {
    const durationMs = uptimeMs() - started;
    return { ok: false, failure: toFailure(error), ...createTrace(), durationMs };
  }
}
