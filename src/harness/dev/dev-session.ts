import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { VaultLocation } from "../../commands/home.ts";
import type { CheckedPack } from "../../commands/load-pack.ts";
import type { OpenPack } from "../../commands/open-pack.ts";
import { type PackOutcome, watchPacks } from "../../commands/watch-packs.ts";
import { PackError } from "../../errors.ts";
import type { Isolate } from "../../execute/isolate.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import type { Redactor } from "../../redact.ts";
import { createDevRuns, type DevRuns } from "./dev-runs.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { createLocalTokens, type LocalTokens } from "./local-tokens.ts";
import type { PackState } from "./pack-state.ts";
import { createTraffic, type Traffic } from "./traffic.ts";
import { createTypeChecker } from "./type-checker.ts";

export interface DevSessionOptions extends Partial<VaultLocation> {
  /** Entry file of the Pack. */
  file: string;
  cwd: string;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  redactor: Redactor;
  /** The link that opens a place in the author's editor: `vscode://file/{file}:{line}:{column}`. @default that of the editor that most use */
  editorUrl?: string | undefined;
  /** Opens such a link. @default the system does */
  openLink?: ((link: string) => Promise<void>) | undefined;
  /** Finds the addresses of a host. @default the system's resolver */
  lookup?: ((host: string) => Promise<readonly string[]>) | undefined;
  now?: (() => number) | undefined;
}

/** A Pack that somebody works on: built anew on every save, and ready to run in its last good version. */
export interface DevSession extends AsyncDisposable {
  readonly options: DevSessionOptions;
  /** Absolute path of the entry file. */
  readonly entry: string;
  readonly events: EventStream;
  /** The requests of runs and of connections. */
  readonly traffic: Traffic;
  /** Tokens of the local providers, for the local document service. */
  readonly localTokens: LocalTokens;
  readonly now: () => number;
  state(): PackState;
  /** Whether there has been a version that can run. */
  canRun(): boolean;
  /** Called after every build. */
  onPack(listener: (state: PackState) => void): void;
  /**
   * Borrows the last version that can run, with everything that was saved until now. Its isolate stays until it is disposed of,
   * also when another version takes its place meanwhile.
   * @throws {PackError} what is wrong with the Pack, when there has been none yet
   */
  openPack(): Promise<OpenPack & { revision: number }>;
  /** The runs of the page, with what each was asked for. */
  readonly runs: DevRuns;
  /** The routes of all runs: those of the command line, and those that `setRoute` added. */
  routes(): string[];
  /** Sends requests for an https origin to a server on this machine, or no longer. @throws {PackError} ROUTE_INVALID */
  setRoute(origin: string, target: string | undefined): void;
}

/** The session as its runs see it. */
export type RunHost = Omit<DevSession, "runs">;

/** A loaded version, and how many use it now. */
interface Version {
  pack: CheckedPack;
  isolate: Isolate;
  revision: number;
  users: number;
  isReplaced: boolean;
}

/** Loads the Pack and begins to watch it. A Pack that is broken is no failure: the session waits until it is mended. */
export async function startDevSession(options: DevSessionOptions): Promise<DevSession> {
  const { file, cwd, now = Date.now } = options;
  const entry = resolve(cwd, file);
  const events = createEventStream();
  const listeners = new Set<(state: PackState) => void>();
  const ownRoutes = new Map<string, string>();
  // A wrong route is said at once.
  parseRoutes(options.routes ?? []);
  const traffic = createTraffic(events);
  const localTokens = createLocalTokens();
  let version: Version | undefined;
  /** Isolates that nobody uses any more end while nobody waits for them. */
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
    changedFiles: [],
    durationMs: 0,
  };

  const end = ({ isolate }: Version): void => {
    ending = Promise.all([ending, isolate[Symbol.asyncDispose]()]).then(() => undefined);
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
  const take = async (outcome: PackOutcome): Promise<void> => {
    const { pack, isolate, issues, failure, changedFiles, durationMs } = outcome;
    const next = { revision: state.revision + 1, issues, changedFiles, durationMs };
    if (pack === undefined) {
      types.stop();
      const status = existsSync(entry) ? "broken" : "missing";
      return accept({ ...state, ...next, status, isStale: true, failure });
    }
    const isReady = failure === undefined && isolate !== undefined;
    if (isReady) replaceWith({ pack, isolate, revision: next.revision, users: 0, isReplaced: false });
    else await isolate?.[Symbol.asyncDispose]();
    const { bundle } = pack;
    // What has errors does not run: the parts that are shown stay those of what does.
    const isStale = !isReady && version !== undefined;
    const definition = isStale ? state.definition : pack.definition;
    types.restart();
    accept({ ...next, status: isReady ? "ready" : "invalid", name: bundle.name, definition, bundle, isStale, failure: undefined });
  };
  /** The compiler takes longer than everything else together: what it finds comes after the build, and stops nothing. */
  const types = createTypeChecker(file, cwd, (issues) => {
    state = { ...state, issues: [...state.issues, ...issues] };
    events.send({ type: "pack", revision: state.revision, status: state.status });
  });
  const watch = await watchPacks([file], { cwd, keepIsolates: true, onOutcome: take });

  const host: RunHost = {
    options,
    entry,
    events,
    traffic,
    localTokens,
    now,
    state: () => state,
    canRun: () => version !== undefined,
    onPack: (listener) => void listeners.add(listener),
    async openPack() {
      // What was saved before somebody asked is what runs.
      await watch.settled();
      const used = version;
      if (used === undefined) throw state.failure?.cause ?? notReady(state);
      used.users += 1;
      let isOpen = true;
      const { pack, isolate, revision } = used;
      return {
        name: pack.bundle.name,
        isolate,
        definition: pack.definition,
        revision,
        async [Symbol.asyncDispose]() {
          if (isOpen) release(used);
          isOpen = false;
        },
      };
    },
    routes: () => [...(options.routes ?? []), ...[...ownRoutes].map(([from, to]) => `${from}=${to}`)],
    setRoute(origin, target) {
      if (target === undefined) return void ownRoutes.delete(origin);
      parseRoutes([`${origin}=${target}`]);
      ownRoutes.set(origin, target);
    },
    async [Symbol.asyncDispose]() {
      types[Symbol.dispose]();
      await watch[Symbol.asyncDispose]();
      events.close();
      replaceWith(undefined);
      await ending;
    },
  };
  const runs = createDevRuns(host);
  return {
    ...host,
    runs,
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}

function notReady({ name, issues }: PackState): PackError<"PACK_INVALID"> {
  const errors = issues.filter(({ severity }) => severity === "error");
  return new PackError("PACK_INVALID", `${name} has errors, and nothing of it can run yet: ${errors[0]?.message ?? ""}`.trim(), {
    details: { errors: errors.length },
    hint: "Mend what the overview lists.",
  });
}
