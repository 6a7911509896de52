import { basename, resolve } from "node:path";
import { hintFor } from "../bundle/build-problems.ts";
import { type BuildProblem, isPackError } from "../errors.ts";
import { folderOf, placeIssues } from "../load/issue-files.ts";
import type { Failure } from "../shared/failure.ts";
import type { Issue } from "../validate/issue.ts";

/** The issues that stand for a Pack which could not be built or loaded, with positions where the error knows them. */
export function failureIssues(failure: Failure, file: string, cwd: string): Issue[] {
  const { cause } = failure;
  const base = { severity: "error" as const, path: "" };
  const isBuild = isPackError(cause, "PACK_BUILD_FAILED");
  const problems = isBuild ? cause.details.problems : [{ message: cause.message }];
  const issues = problems.map((problem: Partial<BuildProblem> & { message: string }) => ({
    ...base,
    code: problem.code ?? cause.code,
    message: problem.message,
    hint: isBuild ? (problem.hint ?? hintFor(problem.message)) : (cause.hint ?? ""),
    file: problem.file ?? basename(resolve(cwd, file)),
    line: problem.line ?? 1,
    column: problem.column ?? 1,
  }));
  return placeIssues(issues, folderOf(file, cwd), cwd);
}
