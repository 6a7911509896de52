import type { PackVersionSummary } from "../../service/contract/registry/registry-models.ts";
import type { ReportedError } from "../../shared/reported-error.ts";
import type { Issue } from "../../validate/issue.ts";

/** The Pack in its registry. */
export interface PublishView {
  /** The host of the registry. */
  host: string;
  /** Why the registry cannot be used for this Pack. The members below are then missing. */
  failure: ReportedError | undefined;
  /** Commands for a terminal that remove the failure. */
  commands: string[];
  pack: RegistryPackView | undefined;
}

export interface RegistryPackView {
  id: number;
  name: string;
  /** Whose token is used. */
  user: string;
  /** The newest first, at most 50. */
  versions: PackVersionSummary[];
  /** How many more there are is not known: the list was cut. */
  hasMore: boolean;
  /** What users have; undefined before the first release. */
  released: string | undefined;
}

/** What the registry finds between what users have and another version. */
export interface ReleaseChangesView {
  findings: string[];
}

/** An upload or a release that this page started. */
export interface PublishJobView {
  id: number;
  kind: "upload" | "release";
  state: "running" | "done" | "failed";
  /** How much of an upload has left; undefined until it is sent. */
  sent: { bytes: number; totalBytes: number; attempt: number } | undefined;
  /** What was done, in words. */
  result: string | undefined;
  failure: ReportedError | undefined;
  /** Problems of the Pack, and those that the registry found. */
  issues: readonly Issue[];
}
