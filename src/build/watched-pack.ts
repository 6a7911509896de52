import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createPackBundler, type PackBundler } from "../bundle/bundle-pack.ts";
import { loadBundle } from "../load/load-pack.ts";
import { failureIssues, invalidPack } from "../load/pack-issues.ts";
import { toFailure } from "../shared/failure.ts";
import { uptimeMs } from "../shared/uptime.ts";
import { COULD_BE_MEANT, dependenciesOf } from "./pack-cache.ts";
import type { PackOutcome, WatchPacksOptions } from "./pack-outcome.ts";
import type { SpareWorker } from "./spare-worker.ts";
import { stampOf } from "./watch-folders.ts";

/** Programs that save a file write it in several steps. */
export const DEBOUNCE_MS = 4;
/** Some put another file in its place, and there is none for a moment. */
const ABSENCE_MS = 60;
/** Whoever writes a file without end is not waited for. */
const MAX_REPEATS = 5;

/** A Pack that is built again when it is told that something changed. */
export interface WatchedPack extends AsyncDisposable {
  /** The entry file, as it was given. */
  readonly file: string;
  /** Its absolute path. */
  readonly entry: string;
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

export interface WatchedPackOptions extends Pick<WatchPacksOptions, "cwd" | "minify" | "timerStrategy" | "keepIsolates" | "onOutcome"> {
  spare: SpareWorker;
  /** Whether nothing is told of a Pack whose entry file is not there: it will not be watched much longer. */
  mayLeave: boolean;
}

export function createWatchedPack(file: string, options: WatchedPackOptions): WatchedPack {
  const { cwd, minify, timerStrategy, keepIsolates = false, onOutcome, spare, mayLeave } = options;
  const entry = resolve(cwd, file);
  const bundler = createPackBundler({ entry: file, cwd, minify, timerStrategy });
  let dependencies = new Set(dependenciesOf([entry]));
  let inputs = new Map<string, string>();
  let told: string | undefined;

  const rebuild = async (changed: ReadonlyMap<string, number>): Promise<void> => {
    const startedMs = uptimeMs();
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
    const isNews = fingerprint !== told && !(mayLeave && sizeOf(entry) === undefined);
    if (!isNews || !keepIsolates) await outcome.isolate?.[Symbol.asyncDispose]();
    if (!isNews) return;
    told = fingerprint;
    const changedFiles = changedPaths.map((path) => relative(cwd, path).split(sep).join("/"));
    const noticedMs = Math.min(startedMs, ...changed.values());
    await onOutcome({
      ...outcome,
      isolate: keepIsolates ? outcome.isolate : undefined,
      changedFiles,
      durationMs: uptimeMs() - noticedMs,
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
    file,
    entry,
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
export async function untilThere(paths: () => readonly string[]): Promise<void> {
  const deadline = uptimeMs() + ABSENCE_MS;
  const isGone = () => paths().some((path) => (sizeOf(path) ?? 0) === 0);
  while (isGone() && uptimeMs() < deadline) await new Promise((resolveWait) => setTimeout(resolveWait, DEBOUNCE_MS));
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
    paths = bundle.inputPaths;
    const { isolate, definition, issues } = await loadBundle(bundle, { file, cwd, worker: spare.take() });
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

/** @returns undefined for what is not there */
function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
