import type { ReportedError } from "../../shared/reported-error.ts";
import type { IssueView } from "./pack.ts";

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
  versions: VersionView[];
  /** How many more there are is not known: the list was cut. */
  hasMore: boolean;
  /** What users have; undefined before the first release. */
  released: string | undefined;
}

export interface VersionView {
  version: string;
  notes: string;
  createdAt: string;
  user: string;
  /** Number of its latest release; undefined when it was never released. */
  releaseId: number | undefined;
}

/** What would change for users if the source were released now. */
export interface DifferenceView {
  released: string | undefined;
  newest: string | undefined;
  /** The version that the registry would give to the source. */
  nextVersion: string | undefined;
  /** What the registry finds between the released and the newest version. */
  uploaded: string[];
  /** What the registry finds between the newest version and the source. */
  source: string[];
  /** The comparison with the released version; undefined when git does not know that version. */
  changes:
    | { class: "safe" | "review" | "breaking"; subject: string; message: string }[]
    | undefined;
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
  issues: Pick<IssueView, "code" | "severity" | "message" | "hint" | "file" | "line" | "column">[];
}
