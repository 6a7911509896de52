import type { Issue } from "../validate/issue.ts";
import { failureIssues } from "./failure-issues.ts";
import { invalidPack } from "./invalid-pack.ts";
import { loadPack } from "./load-pack.ts";
import { type Failure, toFailure } from "./outcome.ts";

export interface ValidateResult {
  /** No issue is an error. Warnings do not count. */
  ok: boolean;
  issues: Issue[];
  /** Why `ok` is false: the first Pack that could not even be built or loaded, else the errors among the issues. */
  failure: Failure | undefined;
}

/** Checks Packs one after the other; one that cannot be loaded does not stop the rest. */
export async function validatePacks(files: readonly string[], { cwd }: { cwd: string }): Promise<ValidateResult> {
  const issues: Issue[] = [];
  let failure: Failure | undefined;
  for (const file of files) {
    try {
      await using pack = await loadPack(file, { cwd });
      issues.push(...pack.issues);
    } catch (error) {
      const found = toFailure(error);
      failure ??= found;
      issues.push(...failureIssues(found, file, cwd));
    }
  }
  const invalid = invalidPack(issues, "The definition");
  failure ??= invalid === undefined ? undefined : toFailure(invalid);
  return { ok: failure === undefined, issues, failure };
}
