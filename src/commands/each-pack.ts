import type { Issue } from "../validate/issue.ts";
import { failureIssues } from "./failure-issues.ts";
import { invalidPack } from "./invalid-pack.ts";
import { type LoadedPack, type LoadPackOptions, loadPack } from "./load-pack.ts";
import { type Failure, toFailure } from "./outcome.ts";

export interface PacksResult {
  issues: Issue[];
  /** The first Pack that could not be built, loaded or used, else the errors among the issues; undefined when all is well. */
  failure: Failure | undefined;
}

/** Whose turn it is, and since when, on the clock of `performance.now()`. */
export interface PackTurn {
  file: string;
  startedMs: number;
}

/** Loads Packs one after the other and uses each; one that fails becomes issues and does not stop the rest. */
export async function eachPack(
  files: readonly string[],
  options: LoadPackOptions,
  use: (pack: LoadedPack, turn: PackTurn) => Promise<void> = async () => {},
): Promise<PacksResult> {
  const issues: Issue[] = [];
  let failure: Failure | undefined;
  for (const file of files) {
    const startedMs = performance.now();
    try {
      await using pack = await loadPack(file, options);
      issues.push(...pack.issues);
      await use(pack, { file, startedMs });
    } catch (error) {
      const found = toFailure(error);
      failure ??= found;
      issues.push(...failureIssues(found, file, options.cwd));
    }
  }
  const invalid = invalidPack(issues, "The definition");
  return { issues, failure: failure ?? (invalid === undefined ? undefined : toFailure(invalid)) };
}
