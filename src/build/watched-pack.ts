import { readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createPackBundler, type PackBundler } from "../bundle/bundle-pack.ts";
import { type OpenPackOptions, openBundle } from "../execute/open-pack.ts";
import { failureIssues, invalidPack } from "../execute/pack-issues.ts";
import { toFailure } from "../shared/failures.ts";
import { readStats } from "../shared/files.ts";
import { isInPackage } from "../shared/installed-packages.ts";
import { uptimeMs } from "../shared/time.ts";
import { COULD_BE_MEANT, listDependencies } from "./build-inputs.ts";
import type { SpareSandbox } from "./spare-sandbox.ts";
import type { WatchEvent, WatchPacksOptions } from "./watch-event.ts";
import { fileFingerprint } from "./watch-folders.ts";

/** Programs that save a file write it in several steps. */
export const DEBOUNCE_MS = 4;
/** Some replace the file, so it is missing for a moment. */
const ABSENCE_MS = 60;
/** How long to wait for the last of many saves. Another program may keep writing a file forever. */
const MAX_REPEAT_MS = 5_000;

/** A Pack that can be built again when something changed. */
export interface WatchedPack extends AsyncDisposable {
  /** The entry file, as it was given. */
  readonly file: string;
  /** Its absolute path. */
  readonly entry: string;
  /** Whether a change of this path may change the outcome of the Pack. */
  isAbout(path: string): boolean;
  /** Whether the last build read this file. */
  had(path: string): boolean;
  /** The folders to watch. */
  folders(): string[];
  /** The files that the last build read. */
  files(): string[];
  /** Files of the author that changed after the last build read them. */
  outdated(): string[];
  /** @param changed absolute paths, and when each was noticed */
  rebuild(changed: ReadonlyMap<string, number>): Promise<void>;
}

export interface WatchedPackOptions
  extends Pick<
    WatchPacksOptions,
    "cwd" | "minify" | "timerStrategy" | "keepIsolates" | "onOutcome"
  > {
  spare: SpareSandbox;
  /**
   * Reports nothing while the entry file is missing: a pattern matched it, so the Pack will be
   * removed soon.
   */
  mayLeave: boolean;
}

export function createWatchedPack(file: string, options: WatchedPackOptions): WatchedPack {
  const { cwd, minify, timerStrategy, keepIsolates = false, onOutcome, spare, mayLeave } = options;
  const entry = resolve(cwd, file);
  const bundler = createPackBundler({ entry: file, cwd, minify, timerStrategy });
  const attemptOptions: AttemptOptions = { cwd, minify, timerStrategy, bundler, spare };
  let dependencies = new Set(listDependencies([entry]));
  let inputs = new Map<string, string>();
  let reported: string | undefined;

  const rebuild = async (changed: ReadonlyMap<string, number>): Promise<void> => {
    const startedMs = uptimeMs();
    let known = fileFingerprints([...inputs.keys()]);
    // The system may report a save again after the build.
    const isNew = (path: string) => !inputs.has(path) || inputs.get(path) !== known.get(path);
    const changedPaths = [...changed.keys()].filter((path) => isAbout(path) && isNew(path));
    let { outcome, paths } = await attempt(file, attemptOptions);
    const repeatUntilMs = uptimeMs() + MAX_REPEAT_MS;
    // A file that was saved during the build may be in one part of the outcome and not in another:
    // build again.
    while (listOutdated(known).length > 0 && uptimeMs() < repeatUntilMs) {
      await outcome.pack?.[Symbol.asyncDispose]();
      await untilThere(() => [...known.keys()]);
      known = fileFingerprints(paths);
      ({ outcome, paths } = await attempt(file, attemptOptions));
    }
    const before = dependencies;
    dependencies = new Set([...listDependencies(paths), ...paths]);
    inputs = new Map(paths.map((path) => [path, known.get(path) ?? fileFingerprint(path)]));
    const fingerprint = outcomeFingerprint(outcome);
    const isNews = fingerprint !== reported && !(mayLeave && readSize(entry) === undefined);
    if (!isNews || !keepIsolates) await outcome.pack?.[Symbol.asyncDispose]();
    if (!isNews) return;
    reported = fingerprint;
    // Other names are temporary files of an editor: they only could have been meant by an import.
    const namedPaths = changedPaths.filter((path) => before.has(path) || dependencies.has(path));
    const changedFiles = namedPaths.map((path) => relative(cwd, path).split(sep).join("/"));
    const noticedMs = Math.min(startedMs, ...changed.values());
    await onOutcome({
      ...outcome,
      changedFiles,
      durationMs: uptimeMs() - noticedMs,
    });
  };

  const isAbout = (path: string): boolean => {
    if (dependencies.has(path)) return true;
    const name = basename(path);
    // Some package managers keep temporary files there.
    if (name.startsWith(".") && isModules(dirname(path))) return false;
    return (dependencies.has(dirname(path)) || isScope(dirname(path))) && COULD_BE_MEANT.test(name);
  };
  const isScope = (folder: string): boolean =>
    basename(folder).startsWith("@") && dependencies.has(dirname(folder));

  return {
    file,
    entry,
    isAbout,
    had: (path) => inputs.has(path),
    folders: () => [
      ...new Set([
        ...foldersToWatch(dependencies),
        ...[...inputs.keys()].map((path) => dirname(path)),
      ]),
    ],
    files: () => [...inputs.keys()],
    outdated: () => listOutdated(inputs),
    rebuild,
    [Symbol.asyncDispose]: () => bundler[Symbol.asyncDispose](),
  };
}

/**
 * Waits for files that are missing or empty: some programs save in that way, and the file soon
 * comes back.
 */
export async function untilThere(paths: () => readonly string[]): Promise<void> {
  const deadline = uptimeMs() + ABSENCE_MS;
  const isGone = () => paths().some((path) => (readSize(path) ?? 0) === 0);
  while (isGone() && uptimeMs() < deadline)
    await new Promise((resolveWait) => setTimeout(resolveWait, DEBOUNCE_MS));
}

function fileFingerprints(paths: readonly string[]): Map<string, string> {
  return new Map(paths.map((path) => [path, fileFingerprint(path)]));
}

/** Files of the author whose fingerprint has changed. */
function listOutdated(fingerprints: ReadonlyMap<string, string>): string[] {
  return [...fingerprints]
    .filter(([path, fingerprint]) => !isInPackage(path) && fileFingerprint(path) !== fingerprint)
    .map(([path]) => path);
}

interface Attempt {
  outcome: Omit<WatchEvent, "changedFiles" | "durationMs">;
  /** Absolute paths of files that were read or looked for. */
  paths: string[];
}

interface AttemptOptions extends OpenPackOptions {
  bundler: PackBundler;
  spare: SpareSandbox;
}

async function attempt(
  file: string,
  { bundler, spare, ...options }: AttemptOptions,
): Promise<Attempt> {
  const { cwd } = options;
  let paths: string[] | undefined;
  try {
    const first = await bundler.rebuild();
    paths = first.inputPaths;
    const pack = await openBundle(first, {
      ...options,
      file,
      process: spare.take(),
    });
    paths = [...new Set([...paths, ...pack.bundle.inputPaths])];
    const invalid = invalidPack(pack.issues, "The Pack");
    const failure = invalid === undefined ? undefined : toFailure(invalid);
    return {
      outcome: { file, issues: pack.issues, failure, pack },
      paths,
    };
  } catch (error) {
    const failure = toFailure(error);
    const issues = failureIssues(failure, file, cwd);
    return {
      outcome: { file, issues, failure, pack: undefined },
      paths: paths ?? (await bundler.lookedAt()),
    };
  }
}

/** Everything in an outcome that the receiver sees. */
function outcomeFingerprint({ pack, issues, failure }: Attempt["outcome"]): string {
  const inputs = pack?.bundle.inputs.map(({ path, sha256 }) => [path, sha256]);
  return JSON.stringify([pack?.bundle.name, pack?.bundle.sha256, inputs, issues, failure?.error]);
}

/**
 * The folders among the dependencies, the folders that contain dependencies, and the scopes (@name)
 * in node_modules.
 */
function foldersToWatch(dependencies: ReadonlySet<string>): string[] {
  const own = [...dependencies].filter((path) => !isShared(path));
  const scopes = own
    .filter(isModules)
    .flatMap((folder) =>
      namesIn(folder).flatMap((name) => (name.startsWith("@") ? [join(folder, name)] : [])),
    );
  return [
    ...new Set([
      ...own.map(dirname).filter((folder) => !isShared(folder)),
      ...own.filter(isFolder),
      ...scopes,
    ]),
  ];
}

/** The root and the folders right below it, such as /tmp, where names change all the time. */
function isShared(folder: string): boolean {
  return dirname(dirname(folder)) === dirname(folder);
}

function isModules(folder: string): boolean {
  return basename(folder) === "node_modules";
}

function isFolder(path: string): boolean {
  return readStats(path)?.isDirectory() === true;
}

/** @returns undefined when the path does not exist */
function readSize(path: string): number | undefined {
  return readStats(path)?.size;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
