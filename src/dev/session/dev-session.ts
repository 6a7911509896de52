import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { WatchEvent } from "../../build/watch-event.ts";
import { watchPacks } from "../../build/watch-packs.ts";
import { PackError } from "../../errors.ts";
import type { Pack } from "../../execute/open-pack.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import { createQuestions } from "../mcp/questions.ts";
import { createDevRuns, type DevRuns } from "../run/dev-runs.ts";
import { createTraffic } from "../timeline/traffic.ts";
import { createEventStream } from "./event-stream.ts";
import { createInspectedPacks } from "./inspected-packs.ts";
import { createLocalDocumentService } from "./local-documents.ts";
import { createLocalTokens } from "./local-tokens.ts";
import type { DevSessionOptions, PackSession, PackState } from "./pack-session.ts";
import { createTypeChecker } from "./type-checker.ts";

/** A Pack that the author is editing, and its runs. */
export interface DevSession extends PackSession {
  /** The runs of the page, with the request of each. */
  readonly runs: DevRuns;
}

/** A loaded version of the Pack, and how many callers are using it. */
interface Version {
  pack: Pack;
  revision: number;
  users: number;
  isReplaced: boolean;
}

/**
 * Loads the Pack and watches it. A broken Pack is not an error: the session waits until the author
 * has fixed it.
 */
export async function startDevSession(options: DevSessionOptions): Promise<DevSession> {
  const { file, cwd, now = Date.now } = options;
  const entry = resolve(cwd, file);
  const events = createEventStream();
  const listeners = new Set<(state: PackState) => void>();
  const ownRoutes = new Map<string, string>();
  // Report an invalid route at once.
  parseRoutes(options.routes ?? []);
  const traffic = createTraffic(events);
  const localTokens = createLocalTokens();
  let version: Version | undefined;
  /** Unused isolates end in the background. */
  let ending: Promise<void> = Promise.resolve();
  let state: PackState = {
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

  const end = ({ pack }: Version): void => {
    ending = Promise.all([ending, pack[Symbol.asyncDispose]()]).then(() => undefined);
  };
  const release = (used: Version): void => {
    used.users -= 1;
    if (used.isReplaced && used.users === 0) end(used);
  };
  const replaceWith = (next: Version | undefined): void => {
    const before = version;
    version = next;
    if (before === undefined) return;
    before.isReplaced = true;
    if (before.users === 0) end(before);
  };
  const accept = (next: PackState): void => {
    state = next;
    events.send({ type: "pack", revision: state.revision, status: state.status });
    events.send({ type: "bundle", revision: state.revision });
    for (const listener of listeners) listener(state);
  };
  const take = async (outcome: WatchEvent): Promise<void> => {
    const { pack, issues, failure, durationMs } = outcome;
    const next = { revision: state.revision + 1, issues, durationMs };
    if (pack === undefined) {
      types.stop();
      const isFolder = statSync(entry, { throwIfNoEntry: false })?.isDirectory() === true;
      const status = existsSync(entry) && !isFolder ? "broken" : "missing";
      return accept({ ...state, ...next, status, isStale: true, failure });
    }
    const isReady = failure === undefined;
    if (isReady) replaceWith({ pack, revision: next.revision, users: 0, isReplaced: false });
    else await pack[Symbol.asyncDispose]();
    const { bundle } = pack;
    // A version with errors does not run, so the page keeps showing the version that does.
    const isStale = !isReady && version !== undefined;
    const definition = isStale ? state.definition : pack.definition;
    types.restart();
    accept({
      ...next,
      status: isReady ? "ready" : "invalid",
      name: bundle.name,
      definition,
      bundle,
      isStale,
      failure: undefined,
    });
  };
  /** The compiler is slow, so its issues arrive after the build and block nothing. */
  const types = createTypeChecker(file, cwd, (issues) => {
    state = { ...state, issues: [...state.issues, ...issues] };
    events.send({ type: "pack", revision: state.revision, status: state.status });
  });
  const watch = await watchPacks([file], { cwd, keepIsolates: true, onOutcome: take });

  const inspected =
    options.inspect === undefined
      ? undefined
      : createInspectedPacks({ file, cwd, inspect: options.inspect });

  const base: PackSession = {
    options,
    entry,
    events,
    traffic,
    questions: createQuestions(events),
    localTokens,
    localDocuments: createLocalDocumentService(),
    now,
    state: () => state,
    canRun: () => version !== undefined,
    onPack: (listener) => void listeners.add(listener),
    async openPack() {
      // Run what was saved last.
      await watch.settled();
      const used = version;
      if (used === undefined) throw state.failure?.cause ?? notReady(state);
      used.users += 1;
      let isOpen = true;
      const { pack, revision } = used;
      return {
        ...pack,
        revision,
        async [Symbol.asyncDispose]() {
          if (isOpen) release(used);
          isOpen = false;
        },
      };
    },
    async openRun(signal) {
      if (inspected === undefined) return await base.openPack();
      await watch.settled();
      // A debugger shows what is in the editor, so an older version does not run.
      if (state.status !== "ready") throw state.failure?.cause ?? notReady(state);
      const { revision } = state;
      return { ...(await inspected.open(signal)), revision };
    },
    routes: () => [
      ...(options.routes ?? []),
      ...[...ownRoutes].map(([from, to]) => `${from}=${to}`),
    ],
    setRoute(origin, target) {
      if (target === undefined) return void ownRoutes.delete(origin);
      parseRoutes([`${origin}=${target}`]);
      ownRoutes.set(origin, target);
    },
    async [Symbol.asyncDispose]() {
      types[Symbol.dispose]();
      await watch[Symbol.asyncDispose]();
      await inspected?.[Symbol.asyncDispose]();
      events.close();
      replaceWith(undefined);
      await ending;
    },
  };
  const runs = createDevRuns(base);
  return {
    ...base,
    runs,
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]();
      await base[Symbol.asyncDispose]();
    },
  };
}

function notReady({ name, issues }: PackState): PackError<"PACK_INVALID"> {
  const errors = issues.filter(({ severity }) => severity === "error");
  return new PackError(
    "PACK_INVALID",
    `${name} has errors and cannot run yet: ${errors[0]?.message ?? ""}`.trim(),
    {
      details: { errors: errors.length },
      hint: "Fix the errors that the overview lists.",
    },
  );
}
