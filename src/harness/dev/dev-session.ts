import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { failureIssues } from "../../commands/failure-issues.ts";
import type { VaultLocation } from "../../commands/home.ts";
import { type LoadedPack, loadPack } from "../../commands/load-pack.ts";
import type { OpenPack } from "../../commands/open-pack.ts";
import { toFailure } from "../../commands/outcome.ts";
import { PackError } from "../../errors.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import type { Redactor } from "../../redact.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import type { PackState } from "./pack-state.ts";
import { createTraffic, type Traffic } from "./traffic.ts";

export interface DevSessionOptions extends Partial<VaultLocation> {
  /** Entry file of the Pack. */
  file: string;
  cwd: string;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  redactor: Redactor;
  now?: (() => number) | undefined;
}

/** A Pack that somebody works on: built anew on every save, and ready to run in its last good version. */
export interface DevSession extends AsyncDisposable {
  readonly options: DevSessionOptions;
  /** Absolute path of the entry file. */
  readonly entry: string;
  readonly events: EventStream;
  /** The requests of everything that ran. */
  readonly traffic: Traffic;
  readonly now: () => number;
  state(): PackState;
  /** Whether there has been a version that can run. */
  canRun(): boolean;
  /** Called after every build. */
  onPack(listener: (state: PackState) => void): void;
  /**
   * Uses the last version that can run. Its isolate stays until `use` ends, also when another version takes its place meanwhile.
   * @throws {PackError} what is wrong with the Pack, when there has been none yet
   */
  withPack<Result>(use: (pack: OpenPack) => Promise<Result>): Promise<Result>;
  /** The routes of all runs: those of the command line, and those that `setRoute` added. */
  routes(): string[];
  /** Sends requests for an https origin to a server on this machine, or no longer. @throws {PackError} ROUTE_INVALID */
  setRoute(origin: string, target: string | undefined): void;
}

/** A loaded version, and how many use it now. */
interface Version {
  pack: LoadedPack;
  users: number;
  isReplaced: boolean;
}

/** Editors write a file in several steps. */
const SETTLE_MS = 15;

/** Loads the Pack and begins to watch it. A Pack that is broken is no failure: the session waits until it is mended. */
export async function startDevSession(options: DevSessionOptions): Promise<DevSession> {
  const { file, cwd, now = Date.now } = options;
  const entry = resolve(cwd, file);
  const events = createEventStream();
  const listeners = new Set<(state: PackState) => void>();
  const ownRoutes = new Map<string, string>();
  // A wrong route is said at once.
  parseRoutes(options.routes ?? []);
  let version: Version | undefined;
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

  const release = async (used: Version): Promise<void> => {
    used.users -= 1;
    if (used.isReplaced && used.users === 0) await used.pack[Symbol.asyncDispose]();
  };
  const replaceWith = async (pack: LoadedPack | undefined): Promise<void> => {
    const before = version;
    version = pack === undefined ? undefined : { pack, users: 0, isReplaced: false };
    if (before === undefined) return;
    before.isReplaced = true;
    if (before.users === 0) await before.pack[Symbol.asyncDispose]();
  };
  const accept = (next: PackState): void => {
    state = next;
    events.send({ type: "pack", revision: state.revision, status: state.status });
    events.send({ type: "bundle", revision: state.revision });
    for (const listener of listeners) listener(state);
  };
  const build = async (): Promise<void> => {
    const startedMs = performance.now();
    const revision = state.revision + 1;
    try {
      const pack = await loadPack(file, { cwd });
      const isInvalid = pack.issues.some(({ severity }) => severity === "error");
      if (isInvalid) await pack[Symbol.asyncDispose]();
      else await replaceWith(pack);
      const { bundle, definition, issues } = pack;
      const durationMs = performance.now() - startedMs;
      const status = isInvalid ? "invalid" : "ready";
      accept({ revision, status, name: bundle.name, definition, bundle, isStale: false, issues, failure: undefined, durationMs });
    } catch (error) {
      const failure = toFailure(error);
      const status = existsSync(entry) ? "broken" : "missing";
      const issues = failureIssues(failure, file, cwd);
      accept({ ...state, revision, status, isStale: true, issues, failure, durationMs: performance.now() - startedMs });
    }
  };

  let building: Promise<void> = build();
  let timer: NodeJS.Timeout | undefined;
  const watcher: FSWatcher = watch(dirname(entry), () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(build);
    }, SETTLE_MS);
  });
  watcher.on("error", () => {});
  await building;

  return {
    options,
    entry,
    events,
    traffic: createTraffic(events),
    now,
    state: () => state,
    canRun: () => version !== undefined,
    onPack: (listener) => void listeners.add(listener),
    async withPack(use) {
      const used = version;
      if (used === undefined) throw state.failure?.cause ?? notReady(state);
      used.users += 1;
      try {
        const { bundle, isolate, definition } = used.pack;
        return await use({ name: bundle.name, isolate, definition, [Symbol.asyncDispose]: async () => {} });
      } finally {
        await release(used);
      }
    },
    routes: () => [...(options.routes ?? []), ...[...ownRoutes].map(([from, to]) => `${from}=${to}`)],
    setRoute(origin, target) {
      if (target === undefined) return void ownRoutes.delete(origin);
      parseRoutes([`${origin}=${target}`]);
      ownRoutes.set(origin, target);
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      watcher.close();
      await building;
      events.close();
      await replaceWith(undefined);
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
