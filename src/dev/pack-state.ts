import type { PackBundle } from "../bundle/pack-bundle.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import type { Failure } from "../shared/failure.ts";
import type { Issue } from "../validate/issue.ts";
import type { PackStatus } from "./wire/pack.ts";

/** The Pack as its latest build left it. */
export interface PackState {
  /** Grows with every build. */
  revision: number;
  status: PackStatus;
  name: string;
  /** Of what runs: this version when it is free of errors, else the last one that was; while there has been none, this one. */
  definition: PackVersionDefinition | undefined;
  /** Of the last version that could be built and loaded, also one with errors in its definition. */
  bundle: PackBundle | undefined;
  /** The definition is that of an older version. */
  isStale: boolean;
  /** Files relative to the working directory. */
  issues: readonly Issue[];
  failure: Failure | undefined;
  /** What the author changed since the build before, relative to the working directory. */
  changedFiles: readonly string[];
  durationMs: number;
}
