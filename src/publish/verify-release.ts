import { resolve } from "node:path";
import { type BuildRecord, createBuildRecord } from "../bundle/build-record.ts";
import { PackError } from "../errors.ts";
import { openPack } from "../execute/open-pack.ts";
import { sha256 } from "../shared/sha256.ts";
import { readRelease } from "./release-archive.ts";

export interface VerifiedRelease {
  name: string;
  version: string | undefined;
  commit: string | undefined;
  /** How many inputs have the same content as in the release. */
  inputs: number;
  bundle: { sha256: string };
}

/**
 * Builds a Pack again, with the options of a release, and compares every byte.
 * @param archive path of the release
 * @param file the entry file of the Pack as it is now
 * @throws {PackError} RELEASE_INVALID, RELEASE_MISMATCH, and those of building and loading a Pack
 */
export async function verifyRelease(
  archive: string,
  file: string,
  { cwd }: { cwd: string },
): Promise<VerifiedRelease> {
  const { build, provenance } = await readRelease(resolve(cwd, archive));
  const { externalParameters, resolvedDependencies } = provenance.predicate.buildDefinition;
  const { minify, timerStrategy } = externalParameters;
  await using pack = await openPack(file, { cwd, minify, timerStrategy });
  const now = createBuildRecord(pack.bundle, pack.compiled);
  const differences = [
    ...differentInputs(build, now),
    ...differentOutputs(build, now, pack.bundle.sourceMap),
  ];
  if (differences.length > 0) throw mismatch(differences, build, now);
  const commit = resolvedDependencies.find(({ digest }) => digest.gitCommit !== undefined)?.digest
    .gitCommit;
  return {
    name: now.name,
    version: now.version,
    commit,
    inputs: now.inputs.length,
    bundle: { sha256: now.bundle.sha256 },
  };
}

function differentInputs(before: BuildRecord, now: BuildRecord): string[] {
  const [old, current] = [before, now].map(
    ({ inputs }) => new Map(inputs.map(({ path, sha256: hash }) => [path, hash])),
  );
  const paths = [...new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])])];
  return paths.filter((path) => old?.get(path) !== current?.get(path));
}

function differentOutputs(before: BuildRecord, now: BuildRecord, sourceMap: string): string[] {
  return [
    ...(before.bundle.sha256 === now.bundle.sha256 ? [] : ["bundle.js"]),
    ...(before.sourceMap.sha256 === sha256(sourceMap, "hex") ? [] : ["bundle.js.map"]),
    ...(before.manifest.sha256 === now.manifest.sha256 ? [] : ["manifest.json"]),
    ...(before.name === now.name ? [] : ["build.json"]),
  ];
}

function mismatch(
  differences: string[],
  before: BuildRecord,
  now: BuildRecord,
): PackError<"RELEASE_MISMATCH"> {
  const [first = "", ...others] = differences;
  const rest = others.length === 0 ? "" : ` and ${others.length} more`;
  const isOther = before.packsmithVersion !== now.packsmithVersion;
  return new PackError(
    "RELEASE_MISMATCH",
    `The release was built from other files: ${first}${rest} differs.`,
    {
      details: { files: differences },
      hint: isOther
        ? `Install packsmith ${before.packsmithVersion}, which built the release, then verify again. This is ${now.packsmithVersion}.`
        : "Check out the commit that it was built from, install its dependencies, then verify again.",
    },
  );
}
