import { resolve } from "node:path";
import { checkBudget } from "../bundle/bundle-size.ts";
import { packNames } from "../bundle/pack-names.ts";
import {
  failureIssues,
  getFolder,
  invalidPack,
  issuesOfUpload,
  placeIssues,
  stopsBuild,
} from "../execute/pack-issues.ts";
import { toFailure } from "../shared/failures.ts";
import { projectRoot, realPath } from "../shared/project-boundary.ts";
import { uptimeMs } from "../shared/time.ts";
import type { Issue } from "../validate/issue.ts";
import { type BuildPacksOptions, withName, writePack } from "./build-packs.ts";
import { createFilePatterns } from "./file-patterns.ts";
import { withoutReported } from "./misspelt-keys.ts";
import { nameConflict } from "./name-conflict.ts";
import type { PackRebuild, PackTypes, RebuildEvent } from "./rebuild-event.ts";
import { keepCompiler } from "./resident-compiler.ts";
import { checkTypes } from "./type-check.ts";
import type { WatchEvent } from "./watch-event.ts";
import { type PackWatch, watchPacks } from "./watch-packs.ts";

export interface RebuildPacksOptions
  extends Omit<BuildPacksOptions, "outDir" | "cache" | "signal" | "onProgress"> {
  /** Each Pack gets a folder of its name in it. @default nothing is written */
  outDir?: string | undefined;
  /** Called for each Pack at the beginning, and whenever its outcome changes. */
  onEvent(event: RebuildEvent): void;
}

/**
 * Builds Packs, and builds them again as they change. The types are checked after each build, in
 * the background. Of Packs that would be
 * written to the same folder, the first is built; the others have PACK_NAME_CONFLICT until the name
 * is free.
 * @param files entry files and patterns; a file that matches a pattern later is built, too
 * @throws {PackError} USAGE_INVALID when a pattern matches nothing
 */
export async function rebuildPacks(
  files: readonly string[],
  options: RebuildPacksOptions,
): Promise<PackWatch> {
  const { cwd, minify, timerStrategy, onEvent } = options;
  const failures = new Map<string, number>();
  // The order of the files decides, not which of them is built first.
  const names = createOutputNames(createFilePatterns(files, cwd).find(), cwd);
  /** Packs with the name of another Pack. */
  const waiting = new Map<string, WatchEvent>();
  const types = options.types === false ? undefined : createTypeWatch(cwd, onEvent);
  const report = async (outcome: WatchEvent): Promise<void> => {
    const { file } = outcome;
    const rebuild = await toRebuild(outcome, options, names);
    waiting.delete(file);
    if (rebuild.failure?.error.code === "PACK_NAME_CONFLICT") waiting.set(file, outcome);
    const failed = failures.get(file) ?? 0;
    failures.set(file, rebuild.failure === undefined ? 0 : failed + 1);
    onEvent({ ...rebuild, recoveredAfter: rebuild.failure === undefined ? failed : 0 });
    // When a file does not build, the build has already reported why.
    if (outcome.failure?.error.code !== "PACK_BUILD_FAILED") types?.check(file, rebuild.issues);
  };
  const reportWaiting = async (): Promise<void> => {
    for (const outcome of waiting.values()) if (names.isFree(outcome.file)) await report(outcome);
  };
  const watch = await watchPacks(files, {
    cwd,
    minify,
    timerStrategy,
    async onOutcome(outcome) {
      await report(outcome);
      await reportWaiting();
    },
    async onGone(file) {
      failures.delete(file);
      waiting.delete(file);
      types?.forget(file);
      names.release(file);
      onEvent({ event: "gone", file });
      await reportWaiting();
    },
  });
  return {
    get files() {
      return watch.files;
    },
    settled: () => watch.settled(),
    ended: watch.ended,
    async [Symbol.asyncDispose]() {
      types?.close();
      await watch[Symbol.asyncDispose]();
    },
  };
}

async function toRebuild(
  outcome: WatchEvent,
  options: RebuildPacksOptions,
  names: OutputNames,
): Promise<Omit<PackRebuild, "recoveredAfter">> {
  const startedMs = uptimeMs();
  const { pack, ...facts } = outcome;
  const base = { event: "rebuild" as const, ...facts, built: undefined };
  const { cwd, outDir, budgetBytes } = options;
  if (pack === undefined) return base;
  const tooLarge = budgetBytes === undefined ? [] : checkBudget(pack.bundle, budgetBytes);
  const issues = [
    ...issuesOfUpload(outcome.issues, pack.compiled),
    ...placeIssues(tooLarge, getFolder(outcome.file, cwd), cwd),
  ];
  const invalid = invalidPack(issues, "The Pack");
  const checked = {
    ...base,
    issues,
    ...(invalid === undefined ? {} : { failure: toFailure(invalid) }),
  };
  if (outDir === undefined || issues.some(stopsBuild)) return checked;
  const toFailedRebuild = (error: unknown): Omit<PackRebuild, "recoveredAfter"> => {
    const failure = toFailure(error);
    return { ...base, issues: [...issues, ...failureIssues(failure, outcome.file, cwd)], failure };
  };
  const { name, other } = names.take(outcome.file);
  if (other !== undefined)
    return toFailedRebuild(nameConflict(name, [resolve(cwd, outcome.file), resolve(cwd, other)]));
  try {
    const place = { root: realPath(projectRoot(cwd)), entries: names.listEntries() };
    const written = await writePack(withName(pack, name), { ...options, outDir }, place);
    const durationMs = outcome.durationMs + uptimeMs() - startedMs;
    return {
      ...checked,
      durationMs,
      built: { ...written, entry: resolve(cwd, outcome.file), cache: "off", durationMs },
    };
  } catch (error) {
    return toFailedRebuild(error);
  }
}

interface TypeWatch {
  /** @param reported the issues that the rules found in this Pack */
  check(file: string, reported: readonly Issue[]): void;
  /** Does not report anything more about this file. */
  forget(file: string): void;
  close(): void;
}

/**
 * Runs the compiler for one Pack at a time. Results for an old state of a file are not reported.
 */
function createTypeWatch(cwd: string, onEvent: (event: PackTypes) => void): TypeWatch {
  const resident = keepCompiler();
  const waiting = new Map<string, readonly Issue[]>();
  const reported = new Map<string, string>();
  let current: string | undefined;
  let isRunning = false;
  let isClosed = false;

  const work = async (): Promise<void> => {
    for (const [file, known] of waiting) {
      waiting.delete(file);
      current = file;
      const startedMs = uptimeMs();
      const found = await checkTypes([file], { cwd, resident });
      if (isClosed) return;
      if (waiting.has(file) || current === undefined) continue;
      const issues = withoutReported(found.issues, known, cwd);
      const fingerprint = JSON.stringify(issues);
      if (fingerprint === (reported.get(file) ?? "[]")) continue;
      reported.set(file, fingerprint);
      onEvent({ event: "types", file, issues, durationMs: uptimeMs() - startedMs });
    }
  };

  return {
    check(file, known) {
      waiting.set(file, known);
      if (isRunning) return;
      isRunning = true;
      void work().finally(() => {
        isRunning = false;
      });
    },
    forget(file) {
      waiting.delete(file);
      reported.delete(file);
      if (current === file) current = undefined;
    },
    close() {
      isClosed = true;
      waiting.clear();
      resident[Symbol.dispose]();
    },
  };
}

/** Which Pack writes to which folder, while Packs come, go and change their names. */
interface OutputNames {
  /**
   * Gives a Pack its name, and takes from it the one that it had. @returns the name, and who has it
   * already; then nothing has changed
   */
  take(file: string): { name: string; other?: string | undefined };
  release(file: string): void;
  isFree(file: string): boolean;
  /** @returns absolute paths of all Packs */
  listEntries(): string[];
}

function createOutputNames(files: readonly string[], cwd: string): OutputNames {
  const known = new Set(files);
  const owners = new Map<string, string>();
  const listEntries = (): string[] => [...known].map((each) => resolve(cwd, each));
  const findName = (file: string): string => {
    known.add(file);
    return packNames(listEntries()).get(resolve(cwd, file)) ?? "";
  };
  const withdraw = (file: string): void => {
    for (const [name, owner] of owners) if (owner === file) owners.delete(name);
  };
  const take: OutputNames["take"] = (file) => {
    const name = findName(file);
    const owner = owners.get(name);
    if (owner !== undefined && owner !== file) return { name, other: owner };
    withdraw(file);
    owners.set(name, file);
    return { name };
  };
  for (const file of files) take(file);
  return {
    take,
    release(file) {
      known.delete(file);
      withdraw(file);
    },
    isFree: (file) => !owners.has(findName(file)),
    listEntries,
  };
}
