import { resolve } from "node:path";
import { checkBudget } from "../bundle/bundle-size.ts";
import type { Issue } from "../validate/issue.ts";
import { assertDistinctNames, type BuildPacksOptions, type BuiltPack, writePack } from "./build-packs.ts";
import { withoutTold } from "./each-pack.ts";
import { invalidPack } from "./invalid-pack.ts";
import { folderOf, placeIssues } from "./issue-files.ts";
import { toFailure } from "./outcome.ts";
import { checkTypes } from "./type-check.ts";
import { type PackOutcome, type PackWatch, watchPacks } from "./watch-packs.ts";

export interface RebuildPacksOptions extends Omit<BuildPacksOptions, "outDir" | "cache" | "signal" | "onProgress"> {
  /** Each Pack gets a folder of its name in it. @default nothing is written */
  outDir?: string | undefined;
  /** Called for each Pack at the beginning, and whenever something else has become of it. */
  onEvent(event: RebuildEvent): void;
}

/** What happened to a Pack that is watched. */
export type RebuildEvent = PackRebuild | PackTypes;

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

/**
 * Builds Packs and goes on doing so as they change. The types are checked after each build, beside it.
 * @throws {PackError} PACK_NAME_CONFLICT when two Packs would be written to the same folder
 */
export async function rebuildPacks(files: readonly string[], options: RebuildPacksOptions): Promise<PackWatch> {
  const { cwd, minify, timerStrategy, onEvent } = options;
  if (options.outDir !== undefined) assertDistinctNames(files, cwd);
  const failures = new Map<string, number>();
  const types = options.types === false ? undefined : createTypeWatch(cwd, onEvent);
  const watch = await watchPacks(files, {
    ...{ cwd, minify, timerStrategy },
    async onOutcome(outcome) {
      const rebuild = await toRebuild(outcome, options);
      const failed = failures.get(outcome.file) ?? 0;
      failures.set(outcome.file, rebuild.failure === undefined ? 0 : failed + 1);
      onEvent({ ...rebuild, recoveredAfter: rebuild.failure === undefined ? failed : 0 });
      // What the compiler makes of a file that does not build adds nothing to what the build said of it.
      if (outcome.failure?.error.code !== "PACK_BUILD_FAILED") types?.check(outcome.file, rebuild.issues);
    },
  });
  return {
    settled: () => watch.settled(),
    ended: watch.ended,
    async [Symbol.asyncDispose]() {
      types?.close();
      await watch[Symbol.asyncDispose]();
    },
  };
}

async function toRebuild(outcome: PackOutcome, options: RebuildPacksOptions): Promise<Omit<PackRebuild, "recoveredAfter">> {
  const startedMs = performance.now();
  const { pack, isolate: _, ...facts } = outcome;
  const base = { event: "rebuild" as const, ...facts, built: undefined };
  const { cwd, outDir, budgetBytes } = options;
  if (pack === undefined) return base;
  const tooLarge = budgetBytes === undefined ? [] : checkBudget(pack.bundle, budgetBytes);
  const issues = [...outcome.issues, ...placeIssues(tooLarge, folderOf(outcome.file, cwd), cwd)];
  const invalid = invalidPack(issues, "The definition");
  if (invalid !== undefined) return { ...base, issues, failure: toFailure(invalid) };
  if (outDir === undefined) return base;
  try {
    const written = await writePack(pack, { ...options, outDir });
    const durationMs = outcome.durationMs + performance.now() - startedMs;
    return { ...base, issues, durationMs, built: { ...written, entry: resolve(cwd, outcome.file), durationMs } };
  } catch (error) {
    return { ...base, issues, failure: toFailure(error) };
  }
}

interface TypeWatch {
  /** @param told what the rules have said of the Pack's places already */
  check(file: string, told: readonly Issue[]): void;
  close(): void;
}

/** Runs the compiler for one Pack at a time; what it says of a state that is gone is not told. */
function createTypeWatch(cwd: string, onEvent: (event: PackTypes) => void): TypeWatch {
  const waiting = new Map<string, readonly Issue[]>();
  const told = new Map<string, string>();
  let isRunning = false;
  let isClosed = false;

  const work = async (): Promise<void> => {
    for (const [file, known] of waiting) {
      waiting.delete(file);
      const startedMs = performance.now();
      const found = await checkTypes([file], { cwd });
      if (isClosed) return;
      if (waiting.has(file)) continue;
      const issues = withoutTold(found.issues, known);
      const fingerprint = JSON.stringify(issues);
      if (fingerprint === (told.get(file) ?? "[]")) continue;
      told.set(file, fingerprint);
      onEvent({ event: "types", file, issues, durationMs: performance.now() - startedMs });
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
    close() {
      isClosed = true;
      waiting.clear();
    },
  };
}
