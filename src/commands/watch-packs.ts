import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createPackBundler, type PackBundler } from "../bundle/bundle-pack.ts";
import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import type { Isolate } from "../execute/isolate.ts";
import { type SandboxWorker, startSandboxWorker } from "../execute/sandbox-worker.ts";
import type { Issue } from "../validate/issue.ts";
import { failureIssues } from "./failure-issues.ts";
import { inParallel } from "./in-parallel.ts";
import { invalidPack } from "./invalid-pack.ts";
import { type CheckedPack, loadBundled } from "./load-pack.ts";
import { type Failure, toFailure } from "./outcome.ts";
import { COULD_BE_MEANT, dependenciesOf, ownInputs } from "./pack-cache.ts";
import { type OpenWatcher, stampOf, watchFolders } from "./watch-folders.ts";

export interface WatchPacksOptions {
  cwd: string;
  /** @default true */
  minify?: boolean | undefined;
  /** What the Packs' timers become; the runtime has none. @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Leaves the isolate of each outcome open; it then belongs to whoever gets the outcome. @default false */
  keepIsolates?: boolean | undefined;
  /**
   * Called for each Pack at the beginning, and again whenever something else has become of it. The same Pack is not built again
   * before it is done; what it throws ends the watch.
   */
  onOutcome(outcome: PackOutcome): void | Promise<void>;
  /** How often folders are looked at that the system does not watch, in milliseconds. @default 500 */
  pollMs?: number | undefined;
  /** How a folder is watched. @default `watch` of `node:fs` */
  openWatcher?: OpenWatcher | undefined;
}

/** What became of a Pack after a change. */
export interface PackOutcome {
  /** The entry file, as it was given. */
  file: string;
  /** Everything that was found, with the places of it. */
  issues: readonly Issue[];
  /** Why the Pack cannot be used: it could not be built or loaded, or one of the issues is an error. */
  failure: Failure | undefined;
  /** What was made of it; undefined when it could not be built or loaded. */
  pack: CheckedPack | undefined;
  /** With `keepIsolates`: the loaded Pack, to be disposed of by the receiver. A Pack with errors in its definition has one, too. */
  isolate: Isolate | undefined;
  /** What changed since the outcome before, relative to `cwd`; empty the first time. */
  changedFiles: string[];
  /** From the first sign of the change to the outcome. */
  durationMs: number;
}

/** Packs that are built again when something that they are made of changes. */
export interface PackWatch extends AsyncDisposable {
  /**
   * Resolves when every change that was saved before this call has its outcome: whoever waits for it never runs stale code.
   * @throws what `onOutcome` threw
   */
  settled(): Promise<void>;
  /** Rejects when the watch has ended because `onOutcome` threw; never resolves before the watch is disposed of. */
  readonly ended: Promise<void>;
}

/** Programs that save a file write it in several steps. */
const DEBOUNCE_MS = 4;
const MAX_DEBOUNCE_MS = 100;
/** Some put another file in its place, and there is none for a moment. */
const ABSENCE_MS = 60;
/** Whoever writes a file without end is not waited for. */
const MAX_REPEATS = 5;
/** The clock of files is coarser than the one of the process. */
const FILE_CLOCK_MS = 20;

/**
 * Builds, loads and checks Packs, and does it again whenever one of their inputs changes: the files, what could take the place of
 * an import, the configurations above them. A Pack that is broken is watched on.
 * @returns when each Pack has had its first outcome
 */
export async function watchPacks(files: readonly string[], options: WatchPacksOptions): Promise<PackWatch> {
  const spare = createSpareWorker();
  const packs = files.map((file) => createWatchedPack(file, options, spare));
  let changedPaths = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  let end: (error?: unknown) => void = () => {};
  const ended = new Promise<void>((resolveEnd, reject) => {
    end = (error) => (error === undefined ? resolveEnd() : reject(error));
  });
  ended.catch(() => undefined);

  const note = (path: string): void => {
    if (isClosed || !packs.some((pack) => pack.isAbout(path))) return;
    if (!changedPaths.has(path)) changedPaths.set(path, performance.now());
    timer ??= setTimeout(run, DEBOUNCE_MS);
    const [firstMs = 0] = changedPaths.values();
    // Whoever writes without end is not waited for.
    if (performance.now() - firstMs < MAX_DEBOUNCE_MS) timer.refresh();
  };

  const folders = watchFolders({ onChange: note, pollMs: options.pollMs, openWatcher: options.openWatcher });

  /** Watches what the Packs depend on by now. What changed in a folder before it was watched is noted. */
  const watch = (sinceMs: number): void => {
    const opened = new Set(folders.setFolders(packs.flatMap((pack) => pack.folders())));
    for (const path of packs.flatMap((pack) => pack.files())) {
      if (opened.has(dirname(path)) && changedAtMs(path) >= sinceMs - FILE_CLOCK_MS) note(path);
    }
  };

  const build = async (): Promise<void> => {
    while (changedPaths.size > 0 && !isClosed) {
      await untilThere(() => [...changedPaths.keys()].filter((path) => packs.some((pack) => pack.had(path))));
      if (isClosed) return;
      const changed = changedPaths;
      changedPaths = new Map();
      const startedAtMs = Date.now();
      const concerned = packs.filter((pack) => [...changed.keys()].some((path) => pack.isAbout(path)));
      await inParallel(concerned, (pack) => pack.rebuild(changed));
      if (isClosed) return;
      watch(startedAtMs);
      spare.fill();
    }
  };

  const run = (): void => {
    timer = undefined;
    running ??= build()
      .catch((error: unknown) => {
        void close();
        end(error);
      })
      .finally(() => {
        running = undefined;
        if (changedPaths.size > 0 && !isClosed) timer ??= setTimeout(run, DEBOUNCE_MS);
      });
  };

  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(timer);
    folders[Symbol.dispose]();
    await running;
    await Promise.all([spare[Symbol.asyncDispose](), ...packs.map((pack) => pack[Symbol.asyncDispose]())]);
    end();
  };

  const startedAtMs = Date.now();
  try {
    await inParallel(packs, (pack) => pack.rebuild(new Map()));
  } catch (error) {
    await close();
    throw error;
  }
  watch(startedAtMs);
  spare.fill();

  return {
    ended,
    async settled() {
      // A change may have been saved before the system tells of it.
      for (const path of packs.flatMap((pack) => pack.outdated())) note(path);
      while ((changedPaths.size > 0 || running !== undefined) && !isClosed) {
        clearTimeout(timer);
        run();
        await running;
      }
      if (isClosed) await ended;
    },
    [Symbol.asyncDispose]: close,
  };
}

interface WatchedPack extends AsyncDisposable {
  /** Whether a change of this path may change what becomes of the Pack. */
  isAbout(path: string): boolean;
  /** Whether the last build read this file. */
  had(path: string): boolean;
  /** The folders to be watched for it. */
  folders(): string[];
  /** The files that the last build read. */
  files(): string[];
  /** Files of the author that are others than those that were read. */
  outdated(): string[];
  /** @param changed absolute paths, and when each was noticed */
  rebuild(changed: ReadonlyMap<string, number>): Promise<void>;
}

function createWatchedPack(file: string, options: WatchPacksOptions, spare: SpareWorker): WatchedPack {
  const { cwd, minify, timerStrategy, keepIsolates = false, onOutcome } = options;
  const entry = resolve(cwd, file);
  const bundler = createPackBundler({ entry: file, cwd, minify, timerStrategy });
  let dependencies = new Set(dependenciesOf([entry]));
  let inputs = new Map<string, string>();
  let told: string | undefined;

  const rebuild = async (changed: ReadonlyMap<string, number>): Promise<void> => {
    const startedMs = performance.now();
    let known = stampsOf([...inputs.keys()]);
    // The system may tell of a save once more after it was built.
    const isNew = (path: string) => !inputs.has(path) || inputs.get(path) !== known.get(path);
    const changedPaths = [...changed.keys()].filter((path) => isAbout(path) && isNew(path));
    let { outcome, paths } = await attempt(file, { cwd, bundler, spare });
    // What is saved while it is read may be in one part of the outcome and not in another.
    for (let again = 0; again < MAX_REPEATS && outdatedOf(known).length > 0; again++) {
      await outcome.isolate?.[Symbol.asyncDispose]();
      await untilThere(() => [...known.keys()]);
      known = stampsOf(paths);
      ({ outcome, paths } = await attempt(file, { cwd, bundler, spare }));
    }
    dependencies = new Set([...dependenciesOf(paths), ...paths]);
    inputs = new Map(paths.map((path) => [path, known.get(path) ?? stampOf(path)]));
    const fingerprint = fingerprintOf(outcome);
    const isNews = fingerprint !== told;
    if (!isNews || !keepIsolates) await outcome.isolate?.[Symbol.asyncDispose]();
    if (!isNews) return;
    told = fingerprint;
    const changedFiles = changedPaths.map((path) => relative(cwd, path).split(sep).join("/"));
    const noticedMs = Math.min(startedMs, ...changed.values());
    await onOutcome({
      ...outcome,
      isolate: keepIsolates ? outcome.isolate : undefined,
      changedFiles,
      durationMs: performance.now() - noticedMs,
    });
  };

  const isAbout = (path: string): boolean => {
    if (dependencies.has(path)) return true;
    const name = basename(path);
    // Some managers of packages keep notes there while they work.
    if (name.startsWith(".") && isModules(dirname(path))) return false;
    return (dependencies.has(dirname(path)) || isScope(dirname(path))) && COULD_BE_MEANT.test(name);
  };
  const isScope = (folder: string): boolean => basename(folder).startsWith("@") && dependencies.has(dirname(folder));

  return {
    isAbout,
    had: (path) => inputs.has(path),
    folders: () => [...new Set([...foldersToWatch(dependencies), ...[...inputs.keys()].map((path) => dirname(path))])],
    files: () => [...inputs.keys()],
    outdated: () => outdatedOf(inputs),
    rebuild,
    [Symbol.asyncDispose]: () => bundler[Symbol.asyncDispose](),
  };
}

/** A file that was there and is gone, or empty, mostly comes again: some programs save in that way. */
async function untilThere(paths: () => readonly string[]): Promise<void> {
  const deadline = performance.now() + ABSENCE_MS;
  const isGone = () => paths().some((path) => sizeOf(path) === 0);
  while (isGone() && performance.now() < deadline) await new Promise((resolveWait) => setTimeout(resolveWait, DEBOUNCE_MS));
}

function stampsOf(paths: readonly string[]): Map<string, string> {
  return new Map(paths.map((path) => [path, stampOf(path)]));
}

/** Files of the author that are others than when they were stamped. */
function outdatedOf(stamps: ReadonlyMap<string, string>): string[] {
  return [...stamps].filter(([path, stamp]) => !isInstalled(path) && stampOf(path) !== stamp).map(([path]) => path);
}

interface Attempt {
  outcome: Omit<PackOutcome, "changedFiles" | "durationMs">;
  /** Absolute paths of what was read or looked for. */
  paths: string[];
}

async function attempt(file: string, { cwd, bundler, spare }: { cwd: string; bundler: PackBundler; spare: SpareWorker }): Promise<Attempt> {
  let paths: string[] | undefined;
  try {
    const bundle = await bundler.rebuild();
    paths = ownInputs(bundle).map(({ path }) => path);
    const { isolate, definition, issues } = await loadBundled(bundle, { file, cwd, worker: spare.take() });
    const invalid = invalidPack(issues, "The definition");
    const failure = invalid === undefined ? undefined : toFailure(invalid);
    return { outcome: { file, issues, failure, pack: { bundle, definition, issues }, isolate }, paths };
  } catch (error) {
    const failure = toFailure(error);
    const issues = failureIssues(failure, file, cwd);
    return { outcome: { file, issues, failure, pack: undefined, isolate: undefined }, paths: paths ?? (await bundler.lookedAt()) };
  }
}

/** What the receiver would see of an outcome. */
function fingerprintOf({ pack, issues, failure }: Attempt["outcome"]): string {
  const inputs = pack?.bundle.inputs.map(({ path, sha256 }) => [path, sha256]);
  return JSON.stringify([pack?.bundle.sha256, inputs, issues, failure?.error]);
}

/** Those of the dependencies, and those in which they are; the folders of scopes, in which packages are installed. */
function foldersToWatch(dependencies: ReadonlySet<string>): string[] {
  const own = [...dependencies].filter((path) => !isShared(path));
  const scopes = own
    .filter(isModules)
    .flatMap((folder) => namesIn(folder).flatMap((name) => (name.startsWith("@") ? [join(folder, name)] : [])));
  return [...new Set([...own.map(dirname).filter((folder) => !isShared(folder)), ...own.filter(isFolder), ...scopes])];
}

/** The root and the folders right below it, such as /tmp, where names come and go. */
function isShared(folder: string): boolean {
  return dirname(dirname(folder)) === dirname(folder);
}

function isModules(folder: string): boolean {
  return basename(folder) === "node_modules";
}

function isInstalled(path: string): boolean {
  return path.split(sep).includes("node_modules");
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function changedAtMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

interface SpareWorker extends AsyncDisposable {
  take(): SandboxWorker;
  /** Starts the next one: not before nobody waits for the one that was taken. */
  fill(): void;
}

/** Keeps one sandbox started ahead: starting one takes longer than building a small Pack. */
function createSpareWorker(): SpareWorker {
  let spare: SandboxWorker | undefined = startSandboxWorker();
  let isClosed = false;
  return {
    take() {
      const worker = spare ?? startSandboxWorker();
      spare = undefined;
      return worker;
    },
    fill() {
      if (!isClosed) spare ??= startSandboxWorker();
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await spare?.[Symbol.asyncDispose]();
    },
  };
}
