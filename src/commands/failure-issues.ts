import { resolve } from "node:path";
import { isPackError } from "../errors.ts";
import type { Issue } from "../validate/issue.ts";
import type { Failure } from "./outcome.ts";

/** The issues that stand for a Pack which could not be built or loaded, with positions where the error knows them. */
export function failureIssues(failure: Failure, file: string, cwd: string): Issue[] {
  const { cause } = failure;
  const base = { code: cause.code, severity: "error" as const, path: "", hint: cause.hint ?? "" };
  if (isPackError(cause, "PACK_BUILD_FAILED")) {
    return cause.details.problems.map((problem) => ({
      ...base,
      message: problem.message,
      file: resolve(cwd, problem.file ?? file),
      line: problem.line ?? 1,
      column: problem.column ?? 1,
    }));
  }
  return [{ ...base, message: cause.message, file: resolve(cwd, file), line: 1, column: 1 }];
}
