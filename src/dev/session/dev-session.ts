import { basename, dirname, resolve } from "node:path";
import type { WatchEvent } from "../../build/watch-event.ts";
import { watchPacks } from "../../build/watch-packs.ts";
import { PackError } from "../../errors.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import { readStats } from "../../shared/files.ts";
import { createQuestions } from "../mcp/questions.ts";
import { createDevRuns, type DevRuns } from "../run/dev-runs.ts";
import { createTraffic } from "../timeline/traffic.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { createInspectedPacks } from "./inspected-packs.ts";
import { createLocalDocumentService } from "./local-documents.ts";
import { createLocalTokens } from "./local-tokens.ts";
import type { DevSessionOptions, PackSession, PackState } from "./pack-session.ts";
import { createRunningVersion } from "./running-version.ts";
import { createTypeChecker } from "./type-checker.ts";

/** A Pack that the author is editing, and its runs. */
export interface DevSession extends PackSession {
  /** The runs of the page, with the request of each. */
  readonly runs: DevRuns;
}

/**
 * Loads the Pack and watches it. A broken Pack is not an error: the session waits until the author
 * has fixed it.
 */
export async function startDevSession(options: DevSessionOptions): Promise<DevSession> {
  const entry = resolve(options.cwd, options.file);
  const events = createEventStream();
  // Reports an invalid route at once.
  const routes = createSessionRoutes(options.routes);
  const editedPack = await watchEditedPack(options, entry, events);
  const session: PackSession = {
    options,
    entry,
    events,
    traffic: createTraffic(events),
    questions: createQuestions(events),
    localTokens: createLocalTokens(),
    localDocuments: createLocalDocumentService(),
    now: options.now ?? Date.now,
    ...routes,
    ...editedPack,
    async [Symbol.asyncDispose]() {
      await editedPack[Symbol.asyncDispose]();
      events.close();
    },
  };
  const runs = createDevRuns(session);
  return {
    ...session,
    runs,
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]();
      await session[Symbol.asyncDispose]();
    },
  };
}

type EditedPack = AsyncDisposable &
  Pick<PackSession, "state" | "canRun" | "onPack" | "openPack" | "openRun">;

/** Builds the Pack, and again after every save. */
async function watchEditedPack(
  { file, cwd, inspect }: DevSessionOptions,
  entry: string,
  events: EventStream,
): Promise<EditedPack> {
  const listeners = new Set<(state: PackState) => void>();
  const version = createRunningVersion();
  let state = describeUnbuilt(entry);

  const notify = (): void =>
    events.send({ type: "pack", revision: state.revision, status: state.status });
  /** The compiler is slow, so its issues arrive after the build and block nothing. */
  const types = createTypeChecker(file, cwd, (issues) => {
    state = { ...state, issues: [...state.issues, ...issues] };
    notify();
  });
  const take = async (outcome: WatchEvent): Promise<void> => {
    const { pack, failure } = outcome;
    if (pack === undefined) types.stop();
    else types.restart();
    if (pack !== undefined && failure === undefined) version.replace(pack, state.revision + 1);
    else await pack?.[Symbol.asyncDispose]();
    state = describeOutcome(state, outcome, { entry, canRun: version.exists() });
    notify();
    events.send({ type: "bundle", revision: state.revision });
    for (const listener of listeners) listener(state);
  };
  const watch = await watchPacks([file], { cwd, keepIsolates: true, onOutcome: take });
  const inspected = inspect && createInspectedPacks({ file, cwd, inspect });

  const openPack: PackSession["openPack"] = async () => {
    // Run what was saved last.
    await watch.settled();
    return version.borrow() ?? throwNotReady(state);
  };
  return {
    state: () => state,
    canRun: version.exists,
    onPack: (listener) => void listeners.add(listener),
    openPack,
    async openRun(signal) {
      if (inspected === undefined) return await openPack();
      await watch.settled();
      // A debugger shows what is in the editor, so an older version does not run.
      if (state.status !== "ready") throwNotReady(state);
      const { revision } = state;
      return { ...(await inspected.open(signal)), revision };
    },
    async [Symbol.asyncDispose]() {
      types[Symbol.dispose]();
      await watch[Symbol.asyncDispose]();
      await inspected?.[Symbol.asyncDispose]();
      await version[Symbol.asyncDispose]();
    },
  };
}

function describeUnbuilt(entry: string): PackState {
  return {
    revision: 0,
    status: "missing",
    name: basename(dirname(entry)),
    definition: undefined,
    bundle: undefined,
    isStale: true,
    issues: [],
    failure: undefined,
    durationMs: 0,
  };
}

function describeOutcome(
  state: PackState,
  { pack, issues, failure, durationMs }: WatchEvent,
  { entry, canRun }: { entry: string; canRun: boolean },
): PackState {
  const next = { revision: state.revision + 1, issues, durationMs };
  if (pack === undefined) {
    const status = isThere(entry) ? "broken" : "missing";
    return { ...state, ...next, status, isStale: true, failure };
  }
  // A version with errors does not run, so the page keeps showing the version that does.
  const isReady = failure === undefined;
  const isStale = !isReady && canRun;
  const { bundle, definition } = pack;
  return {
    ...next,
    status: isReady ? "ready" : "invalid",
    name: bundle.name,
    definition: isStale ? state.definition : definition,
    bundle,
    isStale,
    failure: undefined,
  };
}

function isThere(entry: string): boolean {
  return readStats(entry)?.isDirectory() === false;
}

/** @throws {PackError} why the Pack cannot run */
function throwNotReady({ name, issues, failure }: PackState): never {
  if (failure !== undefined) throw failure.cause;
  const errors = issues.filter(({ severity }) => severity === "error");
  throw new PackError(
    "PACK_INVALID",
    `${name} has errors and cannot run yet: ${errors[0]?.message ?? ""}`.trim(),
    {
      details: { errors: errors.length },
      hint: "Fix the errors that the overview lists.",
    },
  );
}

/**
 * The routes of the command line, and those that the page adds.
 * @throws {PackError} ROUTE_INVALID
 */
function createSessionRoutes(
  given: readonly string[] = [],
): Pick<PackSession, "routes" | "setRoute"> {
  const added = new Map<string, string>();
  parseRoutes(given);
  return {
    routes: () => [...given, ...[...added].map(([from, to]) => `${from}=${to}`)],
    setRoute(origin, target) {
      if (target === undefined) return void added.delete(origin);
      parseRoutes([`${origin}=${target}`]);
      added.set(origin, target);
    },
  };
}
