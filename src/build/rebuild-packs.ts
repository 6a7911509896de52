import { resolve } from "node:path";
import { checkBudget } from "../bundle/bundle-size.ts";
import { folderOf, invalidPack, placeIssues } from "../load/pack-issues.ts";
import { toFailure } from "../shared/failure.ts";
import { createOutputNames, type OutputNames } from "../shared/output-names.ts";
import { uptimeMs } from "../shared/uptime.ts";
import type { Issue } from "../validate/issue.ts";
import { assertDistinctNames, type BuildPacksOptions, type BuiltPack, nameConflict, writePack } from "./build-packs.ts";
import { withoutTold } from "./each-pack.ts";
import { createFilePatterns } from "./file-patterns.ts";
import type { PackOutcome } from "./pack-outcome.ts";
import { checkTypes } from "./type-check.ts";
import { type PackWatch, watchPacks } from "./watch-packs.ts";

export interface RebuildPacksOptions extends Omit<BuildPacksOptions, "outDir" | "cache" | "signal" | "onProgress"> {
  /** Each Pack gets a folder of its name in it. @default nothing is written */
  outDir?: string | undefined;
  /** Called for each Pack at the beginning, and whenever something else has become of it. */
  onEvent(event: RebuildEvent): void;
}

/** What happened to a Pack that is watched. */
export type RebuildEvent = PackRebuild | PackTypes | PackGone;

/** A Pack was built, loaded and checked again, and written where something is written. */
export interface PackRebuild extends Pick<PackOutcome, "file" | "issues" | "failure" | "changedFiles" | "durationMs"> {
  event: "rebuild";
  /** What was written; undefined when the Pack has an error, and the build before it is still there. */
  built: BuiltPack | undefined;
  /** How many times in a row the Pack had failed before, when it is well now. */
  recoveredAfter: number;
}

/** The compiler, which takes longer than all the rest, has found something, or nothing any more. */
export interface PackTypes {
  event: "types";
  file: string;
  issues: readonly Issue[];
  durationMs: number;
}

/** A file that a pattern matched is not there any more. What was built of it stays. */
export interface PackGone {
  event: "gone";
  file: string;
}

/**
 * Builds Packs and goes on doing so as they change. The types are checked after each build, beside it.
 * @param files entry files and patterns; what a pattern matches later is built, too
 * @throws {PackError} USAGE_INVALID when a pattern matches nothing, PACK_NAME_CONFLICT when two Packs would be written to the same folder
 */
export async function rebuildPacks(files: readonly string[], options: RebuildPacksOptions): Promise<PackWatch> {
  const { cwd, minify, timerStrategy, onEvent } = options;
  if (options.outDir !== undefined) assertDistinctNames(createFilePatterns(files, cwd).find(), cwd);
  const failures = new Map<string, number>();
  const names = createOutputNames();
  /** Packs whose name another one has. */
  const waiting = new Map<string, PackOutcome>();
  const types = options.types === false ? undefined : createTypeWatch(cwd, onEvent);
  const tell = async (outcome: PackOutcome): Promise<void> => {
    const { file } = outcome;
    const rebuild = await toRebuild(outcome, options, names);
    waiting.delete(file);
    if (rebuild.failure?.error.code === "PACK_NAME_CONFLICT") waiting.set(file, outcome);
    const failed = failures.get(file) ?? 0;
    failures.set(file, rebuild.failure === undefined ? 0 : failed + 1);
    onEvent({ ...rebuild, recoveredAfter: rebuild.failure === undefined ? failed : 0 });
    // What the compiler makes of a file that does not build adds nothing to what the build said of it.
    if (outcome.failure?.error.code !== "PACK_BUILD_FAILED") types?.check(file, rebuild.issues);
  };
  const tellWaiting = async (): Promise<void> => {
    for (const outcome of waiting.values()) if (names.isFree(outcome.pack?.bundle.name ?? "")) await tell(outcome);
  };
  const watch = await watchPacks(files, {
    ...{ cwd, minify, timerStrategy },
    async onOutcome(outcome) {
      await tell(outcome);
      await tellWaiting();
    },
    async onGone(file) {
      failures.delete(file);
      waiting.delete(file);
      types?.forget(file);
      names.release(file);
      onEvent({ event: "gone", file });
      await tellWaiting();
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
  outcome: PackOutcome,
  options: RebuildPacksOptions,
  names: OutputNames,
): Promise<Omit<PackRebuild, "recoveredAfter">> {
  const startedMs = uptimeMs();
  const { pack, isolate: _, ...facts } = outcome;
  const base = { event: "rebuild" as const, ...facts, built: undefined };
  const { cwd, outDir, budgetBytes } = options;
  if (pack === undefined) return base;
  const tooLarge = budgetBytes === undefined ? [] : checkBudget(pack.bundle, budgetBytes);
  const issues = [...outcome.issues, ...placeIssues(tooLarge, folderOf(outcome.file, cwd), cwd)];
  const invalid = invalidPack(issues, "The definition");
  if (invalid !== undefined) return { ...base, issues, failure: toFailure(invalid) };
  if (outDir === undefined) return base;
  const { name } = pack.bundle;
  const other = names.take(name, outcome.file);
  if (other !== undefined) return { ...base, issues, failure: toFailure(nameConflict(name, [other, outcome.file])) };
  try {
    const written = await writePack(pack, { ...options, outDir });
    const durationMs = outcome.durationMs + uptimeMs() - startedMs;
    return { ...base, issues, durationMs, built: { ...written, entry: resolve(cwd, outcome.file), durationMs } };
  } catch (error) {
    return { ...base, issues, failure: toFailure(error) };
  }
}

interface TypeWatch {
  /** @param told what the rules have said of the Pack's places already */
  check(file: string, told: readonly Issue[]): void;
  /** What it would find of this file is not told. */
  forget(file: string): void;
  close(): void;
}

/** Runs the compiler for one Pack at a time; what it says of a state that is gone is not told. */
function createTypeWatch(cwd: string, onEvent: (event: PackTypes) => void): TypeWatch {
  const waiting = new Map<string, readonly Issue[]>();
  const told = new Map<string, string>();
  let current: string | undefined;
  let isRunning = false;
  let isClosed = false;

  const work = async (): Promise<void> => {
    for (const [file, known] of waiting) {
      waiting.delete(file);
      current = file;
      const startedMs = uptimeMs();
      const found = await checkTypes([file], { cwd });
      if (isClosed) return;
      if (waiting.has(file) || current === undefined) continue;
      const issues = withoutTold(found.issues, known);
      const fingerprint = JSON.stringify(issues);
      if (fingerprint === (told.get(file) ?? "[]")) continue;
      told.set(file, fingerprint);
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
      told.delete(file);
      if (current === file) current = undefined;
    },
    close() {
      isClosed = true;
      waiting.clear();
    },
  };
}
