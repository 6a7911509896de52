import type { Issue } from "../validate/issue.ts";
import { failureIssues } from "./failure-issues.ts";
import { loadPack } from "./load-pack.ts";
import { type Failure, toFailure } from "./outcome.ts";

export interface ValidateResult {
  /** No issue is an error. Warnings do not count. */
  ok: boolean;
  issues: Issue[];
  /** The first Pack that could not even be built or loaded. */
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
  return { ok: issues.every(({ severity }) => severity !== "error"), issues, failure };
}
