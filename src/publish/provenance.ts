import { createRequire } from "node:module";
import type { BuildRecord } from "../bundle/build-record.ts";
import type { TimerStrategy } from "../bundle/run-esbuild.ts";

/** The options of the build of a release. */
export interface ReleaseParameters {
  /** Path of the entry file from the root of the repository; without a repository, its name. */
  entry: string;
  minify: boolean;
  timerStrategy: TimerStrategy;
}

/** The state of the sources in git. */
export interface ReleaseCommit {
  commit: string;
  /** Files that the release itself changed after the commit, to set the version. */
  modified: readonly string[];
}

interface Digests {
  sha256?: string;
  gitCommit?: string;
}

/**
 * Where a release comes from: an in-toto statement (v1) with SLSA provenance (v1). It does not
 * contain the machine or the time, so
 * the same sources give the same statement.
 */
export interface Provenance {
  _type: "https://in-toto.io/Statement/v1";
  /** The files of the release. */
  subject: { name: string; digest: { sha256: string } }[];
  predicateType: "https://slsa.dev/provenance/v1";
  predicate: {
    buildDefinition: {
      buildType: "urn:packsmith:release:1";
      externalParameters: ReleaseParameters;
      internalParameters: { modified: readonly string[] };
      /** Every input of the bundle, and the commit when the tree was clean. */
      resolvedDependencies: { name: string; digest: Digests }[];
    };
    runDetails: {
      builder: { id: "urn:packsmith"; version: { packsmith: string; esbuild: string } };
    };
  };
}

const require = createRequire(import.meta.url);

export function createProvenance(
  facts: Omit<BuildRecord, "metadata">,
  subject: Provenance["subject"],
  { parameters, commit }: { parameters: ReleaseParameters; commit: ReleaseCommit | undefined },
): Provenance {
  const inputs = facts.inputs.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } }));
  const source =
    commit === undefined ? [] : [{ name: "git", digest: { gitCommit: commit.commit } }];
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:packsmith:release:1",
        externalParameters: parameters,
        internalParameters: { modified: commit?.modified ?? [] },
        resolvedDependencies: [...source, ...inputs],
      },
      runDetails: {
        builder: {
          id: "urn:packsmith",
          version: { packsmith: facts.packsmithVersion, esbuild: esbuildVersion() },
        },
      },
    },
  };
}

function esbuildVersion(): string {
  return (require("esbuild/package.json") as { version: string }).version;
}
