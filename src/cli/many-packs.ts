import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { getExitClass } from "../errors.ts";
import type { ManyPacksOutcome } from "../publish/registry/many-packs.ts";
import type { RegistryClient } from "../publish/registry/registry-client.ts";
import { type Output, printable } from "./output.ts";
import { openRegistry, type RegistryFlags, withRegistryOption } from "./registry.ts";
import { EXIT_CODES, type VerbContext } from "./verb.ts";

export interface ManyFlags extends RegistryFlags {
  continue?: boolean;
  debug?: boolean;
}

/** One Pack of a command that takes several. */
export interface PackTurn {
  /** As it was named, or found by a pattern. */
  file: string;
  /** Absolute path. */
  folder: string;
  client: RegistryClient;
  /** Its id in the registry. @throws {PackError} PACK_ID_MISSING, PACK_ID_FILE_INVALID */
  readPackId(): number;
}

/** Adds the argument and the option of a command that works on Packs of a registry. */
export function withManyPacks(command: Command): Command {
  return withRegistryOption(
    command.argument(
      "[files...]",
      'entry files, or patterns such as "packs/*/pack.ts" (default: pack.ts)',
    ),
  );
}

/** The same, for a command that changes something. */
export function withContinuation(command: Command): Command {
  return withManyPacks(command).option(
    "--continue",
    "continue after a failure: skip the steps that are already done",
  );
}

/** @throws {PackError} USAGE_INVALID for a pattern that matches nothing */
export async function findPackFiles(
  patterns: readonly string[],
  { streams }: VerbContext,
): Promise<string[]> {
  const { createFilePatterns } = await import("../build/file-patterns.ts");
  return createFilePatterns(patterns.length === 0 ? ["pack.ts"] : patterns, streams.cwd).find();
}

/** The clients for the folders of Packs, each made once. */
export function createClients(
  context: VerbContext,
  flags: RegistryFlags,
): (folder: string) => Promise<RegistryClient> {
  const clients = new Map<string, Promise<RegistryClient>>();
  return (folder) => {
    const client = clients.get(folder) ?? openRegistry(context, flags, folder);
    clients.set(folder, client);
    return client;
  };
}

export interface PacksRun<Result> {
  patterns: readonly string[];
  flags: ManyFlags;
  work(turn: PackTurn): Promise<Result>;
  /** Shows a result to a person, as soon as it is there. */
  print(result: Result, isOne: boolean): void;
  /** A word for the summary: how a Pack ended. @default no summary of what went well */
  word?: ((result: Result) => string) | undefined;
  /** The command has `--continue`. @default false */
  mayContinue?: boolean | undefined;
  /** Whether the document may be `ok` when nothing failed. @default always */
  isFine?: (() => boolean) | undefined;
}

/**
 * Runs the work of a command on the Packs that its arguments name: one after the other, with one
 * summary and one exit code.
 */
export async function runPacks<Result extends object>(
  context: VerbContext,
  { patterns, flags, work, print, word, mayContinue, isFine }: PacksRun<Result>,
): Promise<ManyPacksOutcome<Result>> {
  const { streams, output, signal } = context;
  const { cwd } = streams;
  const files = await findPackFiles(patterns, context);
  const { forEachPack } = await import("../publish/registry/many-packs.ts");
  const { requirePackId } = await import("../publish/registry/pack-id-file.ts");
  const getClient = createClients(context, flags);
  const outcome = await forEachPack(files, { cwd, getClient, signal }, async (file, client) => {
    const folder = dirname(resolve(cwd, file));
    const readPackId = () => requirePackId(folder, client.registry);
    const result = await work({ file, folder, client, readPackId });
    if (!output.json) print(result, files.length === 1);
    return result;
  });
  const isDocumentFine = isFine?.() ?? true;
  endWithOutcome(context, outcome, { word, flags, mayContinue, isFine: isDocumentFine });
  return outcome;
}

export interface SourcesRun<Result> extends Omit<PacksRun<Result>, "work"> {
  work(file: string): Promise<Result>;
}

/** The same as `runPacks`, for work that needs no registry. */
export async function runSources<Result extends object>(
  context: VerbContext,
  { patterns, flags, work, print, word, mayContinue }: SourcesRun<Result>,
): Promise<void> {
  const { output, signal } = context;
  const outcome: ManyPacksOutcome<Result> = { results: [], failures: [] };
  const files = await findPackFiles(patterns, context);
  const { toFailure } = await import("../shared/failures.ts");
  for (const file of files) {
    signal.throwIfAborted();
    try {
      const result = await work(file);
      outcome.results.push(result);
      if (!output.json) print(result, files.length === 1);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      outcome.failures.push({ file, failure: toFailure(error) });
    }
  }
  endWithOutcome(context, outcome, { word, flags, mayContinue });
}

/** Prints what failed and the summary, or the document; sets the exit code of the first failure. */
export function endWithOutcome<Result extends object>(
  context: VerbContext,
  { results, failures }: ManyPacksOutcome<Result>,
  {
    word,
    flags,
    mayContinue = false,
    more = {},
    isFine = true,
  }: {
    word?: ((result: Result) => string) | undefined;
    flags: ManyFlags;
    mayContinue?: boolean | undefined;
    /** Further members of the document. */
    more?: object;
    /** False when something else than a failure makes the document not `ok`. */
    isFine?: boolean;
  },
): void {
  const { output, end } = context;
  const [first] = failures;
  if (first !== undefined) end(EXIT_CODES[getExitClass(first.failure.cause.code)]);
  if (output.json) {
    output.document({
      ok: first === undefined && isFine,
      results,
      failures: failures.map(({ file, failure }) => ({ file, error: failure.error })),
      ...more,
    });
    return;
  }
  const isOne = results.length + failures.length === 1;
  for (const { files, failure } of groupFailures(failures)) {
    if (!isOne) output.progress(output.style("strong", formatNames(files)));
    output.error(failure.cause, flags.debug === true);
  }
  if (isOne || word === undefined) return;
  output.progress(summarize([...results.map(word), ...failures.map(() => "failed")]));
  if (first !== undefined && mayContinue)
    output.progress("Correct the problem, and run the command again with --continue.");
}

/** Packs that fail for the same reason are reported together. */
function groupFailures(
  failures: ManyPacksOutcome<object>["failures"],
): { files: string[]; failure: (typeof failures)[number]["failure"] }[] {
  const groups = new Map<
    string,
    { files: string[]; failure: (typeof failures)[number]["failure"] }
  >();
  for (const { file, failure } of failures) {
    const key = `${failure.error.code} ${failure.error.message}`;
    const group = groups.get(key) ?? { files: [], failure };
    groups.set(key, group);
    group.files.push(file);
  }
  return [...groups.values()];
}

function formatNames(files: readonly string[]): string {
  const shown = files.slice(0, 3).map(printable).join(", ");
  return files.length > 3 ? `${shown} and ${files.length - 3} more` : shown;
}

/** `4 uploaded, 2 unchanged, 1 failed`. */
function summarize(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, number]) => `${number} ${word}`).join(", ");
}

/** The name of the Pack above its lines, when there are several. */
export function printTitle(output: Output, file: string, isOne: boolean): void {
  if (!isOne) output.progress(output.style("strong", printable(file)));
}
