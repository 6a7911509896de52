import { resolve } from "node:path";
import { getFolder } from "../execute/pack-issues.ts";
import { replaceFile } from "../shared/atomic-write.ts";
import { applyFixes } from "../validate/fixes.ts";
import type { Fix, Issue } from "../validate/issue.ts";
import type { AppliedFix } from "./applied-fix.ts";
import { eachPack } from "./each-pack.ts";
import { type ValidatePacksOptions, type ValidateResult, validatePacks } from "./validate-packs.ts";

export interface FixResult extends ValidateResult {
  fixed: AppliedFix[];
}

/** A fix may make the next one possible, such as one that overlapped with it. */
const MAX_ROUNDS = 10;

/**
 * Applies every safe fix to the Packs' own sources, then validates the result. A file is replaced
 * in one step, and only when it has
 * not changed since it was validated.
 * @throws {PackError} OUTPUT_NOT_WRITABLE
 */
export async function fixPacks(
  files: readonly string[],
  options: ValidatePacksOptions,
): Promise<FixResult> {
  const fixed: AppliedFix[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const applied = await fixOnce(files, options.cwd);
    if (applied.length === 0) break;
    fixed.push(...applied);
  }
  return { ...(await validatePacks(files, options)), fixed };
}

type FixableIssue = Issue & { fix: Fix };

async function fixOnce(files: readonly string[], cwd: string): Promise<AppliedFix[]> {
  const sources = new Map<string, string>();
  const issues = new Map<string, FixableIssue[]>();
  await eachPack(files, { cwd, types: false, keepSources: true }, async (pack, { file }) => {
    for (const { path, text } of pack.bundle.sources)
      sources.set(resolve(getFolder(file, cwd), path), text);
    for (const issue of pack.issues) {
      const [target, ...others] = new Set(issue.fix?.edits.map((edit) => resolve(cwd, edit.file)));
      if (issue.fix === undefined || target === undefined || others.length > 0) continue;
      issues.set(target, [...(issues.get(target) ?? []), issue as FixableIssue]);
    }
  });
  const applied: AppliedFix[] = [];
  for (const [path, found] of issues) {
    const text = sources.get(path);
    if (text !== undefined) applied.push(...(await fixFile(path, text, found)));
  }
  return applied;
}

async function fixFile(
  path: string,
  text: string,
  issues: readonly FixableIssue[],
): Promise<AppliedFix[]> {
  const { text: changed, applied } = applyFixes(
    text,
    issues.map(({ fix }) => fix),
  );
  const { isProgram } = await import("../validate/source-module.ts");
  // Never replace the author's text with a file that does not parse.
  if (changed === text || !isProgram({ path, text: changed })) return [];
  if (!(await replaceFile(path, text, changed))) return [];
  return issues
    .filter(({ fix }) => applied.includes(fix))
    .map(({ code, fix, file = path, line = 1, column = 1 }) => ({
      code,
      description: fix.description,
      file,
      line,
      column,
    }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}
