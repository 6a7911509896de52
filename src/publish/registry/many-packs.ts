import { dirname, resolve } from "node:path";
import { isPackError, type PackError, usageError } from "../../errors.ts";
import { type Failure, toFailure } from "../../shared/failures.ts";
import { requirePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";

export interface ManyPacksOptions {
  cwd: string;
  /** The client for a Pack: its folder may name another registry. */
  getClient(folder: string): Promise<RegistryClient>;
  signal?: AbortSignal | undefined;
}

export interface ManyPacksOutcome<Result> {
  /** In the order in which the work was done. */
  results: Result[];
  /** In the order of the files. */
  failures: { file: string; failure: Failure }[];
}

/** Work on one Pack after the other. What fails does not stop the others. */
export interface PackLoop<Result> {
  /** @throws only the reason of the signal */
  run(file: string, work: (client: RegistryClient) => Promise<Result>): Promise<void>;
  fail(file: string, failure: Failure): void;
  outcome(): ManyPacksOutcome<Result>;
}

/**
 * Prepares work on Packs of registries. When the token is refused, or a registry did not answer for
 * two Packs in a row, the others fail with the same error, at once. Files of one folder, or of
 * folders that are linked to the same Pack, are refused: each would replace the one before.
 */
export async function createPackLoop<Result>(
  files: readonly string[],
  options: ManyPacksOptions,
): Promise<PackLoop<Result>> {
  const { cwd, signal } = options;
  const results: Result[] = [];
  const failed = new Map<string, Failure>();
  const shared = await findShared(files, options);
  const gate = createGate(options.getClient);
  return {
    async run(file, work) {
      signal?.throwIfAborted();
      try {
        const refused = shared.get(file);
        if (refused !== undefined) throw refused;
        results.push(await work(await gate.getClient(dirname(resolve(cwd, file)))));
        gate.note(undefined);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        gate.note(error);
        failed.set(file, toFailure(error));
      }
    },
    fail: (file, failure) => void failed.set(file, failure),
    outcome: () => ({
      results,
      failures: files.flatMap((file) => {
        const failure = failed.get(file);
        return failure === undefined ? [] : [{ file, failure }];
      }),
    }),
  };
}

/** Works on Packs of registries, one after the other. */
export async function forEachPack<Result>(
  files: readonly string[],
  options: ManyPacksOptions,
  work: (file: string, client: RegistryClient) => Promise<Result>,
): Promise<ManyPacksOutcome<Result>> {
  const loop = await createPackLoop<Result>(files, options);
  for (const file of files) await loop.run(file, (client) => work(file, client));
  return loop.outcome();
}

/**
 * Lets no more Packs try a registry that did not answer for two of them in a row: each would wait
 * until its requests were repeated.
 */
function createGate(
  getClient: ManyPacksOptions["getClient"],
): Pick<ManyPacksOptions, "getClient"> & { note(outcome: unknown): void } {
  let unanswered: PackError<"REGISTRY_UNREACHABLE">[] = [];
  let refused: PackError<"REGISTRY_TOKEN_REFUSED"> | undefined;
  return {
    async getClient(folder) {
      const client = await getClient(folder);
      const { origin } = client.registry;
      const last = unanswered.filter(({ details }) => details.registry === origin)[1];
      if (last !== undefined) throw last;
      if (refused?.details.registry === origin) throw refused;
      return client;
    },
    note(outcome) {
      if (isPackError(outcome, "REGISTRY_TOKEN_REFUSED")) refused = outcome;
      if (isPackError(outcome, "REGISTRY_UNREACHABLE")) unanswered.push(outcome);
      else if (outcome === undefined) unanswered = [];
    },
  };
}

/** The errors of files that are the same Pack of a registry. */
async function findShared(
  files: readonly string[],
  { cwd, getClient }: ManyPacksOptions,
): Promise<Map<string, PackError>> {
  if (files.length < 2) return new Map();
  const getPack = async (folder: string) => {
    const { registry } = await getClient(folder);
    return `Pack ${requirePackId(folder, registry)} on ${registry.host}`;
  };
  const filesOf = new Map<string, string[]>();
  for (const file of files) {
    // Without a token or an id, the work on this Pack says so.
    const pack = await getPack(dirname(resolve(cwd, file))).catch(() => undefined);
    if (pack !== undefined) filesOf.set(pack, [...(filesOf.get(pack) ?? []), file]);
  }
  return new Map(
    [...filesOf].flatMap(([pack, same]) => {
      if (same.length === 1) return [];
      const error = usageError(
        `${same.length} of the files belong to ${pack}, so each upload would replace the previous upload. The first two files are ${same[0]} and ${same[1]}.`,
        "Put each Pack into a separate folder, and run packsmith create there. Or pass only one of the files.",
      );
      return same.map((file) => [file, error] as const);
    }),
  );
}
