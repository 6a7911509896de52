import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { hintFor } from "../bundle/build-problems.ts";
import { readMetadata } from "../bundle/build-record.ts";
import { type BuildProblem, isPackError, PackError } from "../errors.ts";
import { type Failure, thrownClass } from "../shared/failures.ts";
import { hasDeprecatedKeys } from "../validate/deprecated-keys.ts";
import type { Issue } from "../validate/issue.ts";

/**
 * Names the files of issues so that the reader of a report can open them: relative to the working
 * directory with forward
 * slashes, or absolute when they are outside of it.
 * @param base folder that the issues' own paths are relative to
 */
export function placeIssues(issues: readonly Issue[], base: string, cwd: string): Issue[] {
  const placeFile = (file: string): string => readablePath(resolve(base, file), cwd);
  return issues.map((issue) => ({
    ...issue,
    ...(issue.file === undefined ? {} : { file: placeFile(issue.file) }),
    ...(issue.fix === undefined
      ? {}
      : {
          fix: {
            ...issue.fix,
            edits: issue.fix.edits.map((edit) => ({ ...edit, file: placeFile(edit.file) })),
          },
        }),
  }));
}

/**
 * The issues of a Pack that is to be published. Old names of members work in a local run, but the
 * platform refuses an upload that still has one, so they are errors here.
 */
export function issuesOfUpload(issues: readonly Issue[], compiled: object): readonly Issue[] {
  // Compiling has renamed some of them.
  if (!issues.some(concernsUpload) || !hasDeprecatedKeys(readMetadata(compiled))) return issues;
  return issues.map((issue) =>
    concernsUpload(issue)
      ? {
          ...issue,
          severity: "error",
          hint: `${issue.hint} The document service rejects the old name. Run packsmith validate --fix to rename all old keys.`,
        }
      : issue,
  );
}

/** Whether an error stops a build from being written. One that only concerns an upload does not. */
export function stopsBuild(issue: Issue): boolean {
  return issue.severity === "error" && !concernsUpload(issue);
}

function concernsUpload({ code }: Issue): boolean {
  return code === "DEPRECATED_KEY";
}

/** The folder that positions in a Pack are relative to. */
export function getFolder(file: string, cwd: string): string {
  return dirname(resolve(cwd, file));
}

function readablePath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return isAbsolute(inside) || inside.startsWith("..") ? path : inside.split(sep).join("/");
}

/**
 * One error for all issues of a Pack; undefined when none of them is an error.
 * @param name how the message calls the Pack
 */
export function invalidPack(
  issues: readonly Issue[],
  name: string,
): PackError<"PACK_INVALID"> | undefined {
  return summarizeErrors(issues, `${name} has`);
}

/**
 * The same for the Packs of one command.
 * @param invalid the number of Packs with errors
 * @param total the number of Packs
 */
export function invalidPacks(
  issues: readonly Issue[],
  { invalid, total }: { invalid: number; total: number },
): PackError<"PACK_INVALID"> | undefined {
  if (total === 1) return invalidPack(issues, "The Pack");
  return summarizeErrors(issues, `${invalid} of ${total} Packs ${invalid === 1 ? "has" : "have"}`);
}

/** @param start the start of the message, up to the verb */
function summarizeErrors(
  issues: readonly Issue[],
  start: string,
): PackError<"PACK_INVALID"> | undefined {
  const errors = issues.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return undefined;
  const several = errors.length > 1;
  return new PackError(
    "PACK_INVALID",
    `${start} ${several ? `${errors.length} errors. The first` : "an error"}: ${first.message}`,
    {
      details: { errors: errors.length },
      hint: several ? "Run packsmith validate to see all errors with their positions." : first.hint,
    },
  );
}

/**
 * Turns the failure of a Pack that could not be built or loaded into issues, with the positions
 * that the error knows.
 */
export function failureIssues(failure: Failure, file: string, cwd: string): Issue[] {
  const { cause } = failure;
  const thrown = thrownClass(cause);
  const base = {
    severity: "error" as const,
    path: "",
    ...(thrown === undefined ? {} : { thrown }),
  };
  const isBuild = isPackError(cause, "PACK_BUILD_FAILED");
  const problems = isBuild ? cause.details.problems : [{ message: cause.message, ...cause.place }];
  const issues = problems.map((problem: Partial<BuildProblem> & { message: string }) => ({
    ...base,
    code: problem.code ?? cause.code,
    message: problem.message,
    hint: isBuild ? (problem.hint ?? hintFor(problem.message)) : (cause.hint ?? ""),
    file: problem.file ?? basename(resolve(cwd, file)),
    line: problem.line ?? 1,
    column: problem.column ?? 1,
  }));
  return placeIssues(issues, getFolder(file, cwd), cwd);
}
