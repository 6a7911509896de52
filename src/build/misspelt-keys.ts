import { createSourceReader } from "../shared/files.ts";
import type { Issue } from "../validate/issue.ts";

type Place = Pick<Issue, "file" | "line" | "column">;

/**
 * Leaves out members that are absent only because their name or value is misspelt, such as `typ:`
 * or `ValueType.Nummber`: the compiler names it.
 */
export function withoutMisspelt(issues: readonly Issue[], typeErrors: readonly Issue[]): Issue[] {
  const missing = issues.filter(({ code }) => code === "MEMBER_MISSING");
  const absent = new Set(typeErrors.flatMap((error) => findConsequences(error, missing)));
  return issues.filter((issue) => !absent.has(issue));
}

function findConsequences(error: Issue, missing: readonly Issue[]): Issue[] {
  const inFile = missing.filter(({ file }) => file === error.file);
  if (/^Property '\w+' does not exist on type .*\(TS(?:2339|2551)\)/.test(error.message))
    return inFile.filter(({ line }) => line === error.line);
  const name = misspeltName(error);
  if (name === undefined) return [];
  // The object begins before the key. One object can be in several parts of the definition.
  const before = inFile.filter(
    (issue) => issue.path.endsWith(`.${name}`) && !isAfter(issue, error),
  );
  const [nearest] = before.sort((one, next) => (isAfter(one, next) ? -1 : 1));
  return before.filter(({ line, column }) => line === nearest?.line && column === nearest?.column);
}

/** The name that a key should have, by the compiler. */
function misspeltName({ message }: Issue): string | undefined {
  return /Did you mean to write '(\w+)'\? \(TS2561\)/.exec(message)?.[1];
}

function isAfter(one: Place, other: Place): boolean {
  const { line = 0, column = 0 } = one;
  return line > (other.line ?? 0) || (line === other.line && column > (other.column ?? 0));
}

/**
 * Leaves out type errors at positions where a rule reports an error, because the rule explains
 * more. A misspelt key or a missing member changes the types that the compiler infers in its
 * statement: what follows from it is not reported.
 */
export function withoutReported(
  types: readonly Issue[],
  reported: readonly Issue[],
  cwd: string,
): Issue[] {
  const formatPlace = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;
  const errors = reported.filter(({ severity }) => severity === "error");
  const places = new Set(errors.map(formatPlace));
  const others = types.filter((issue) => !places.has(formatPlace(issue)));
  if (others.length === 0) return others;
  const causes = [
    ...errors.filter(({ code }) => code.endsWith("KEY_UNKNOWN") || code === "MEMBER_MISSING"),
    ...types.filter((issue) => misspeltName(issue) !== undefined),
  ];
  const sourceOf = createSourceReader(cwd);
  const isConsequence = (issue: Issue): boolean =>
    causes.some(
      (cause) =>
        cause.file === issue.file &&
        (namesMissing(issue, cause) || isOfInference(issue)) &&
        isInOneStatement(cause, issue, sourceOf),
    );
  return others.filter((issue) => !isConsequence(issue));
}

/** Whether the compiler reports at an object what a rule reports: it lacks the same member. */
function namesMissing({ message, line }: Issue, cause: Issue): boolean {
  const [, name] = /^Add (\w+):/.exec(cause.hint) ?? /(\w+)$/.exec(cause.path) ?? [];
  return (
    cause.code === "MEMBER_MISSING" &&
    cause.line === line &&
    message.includes(`Property '${name}' is missing in type `)
  );
}

/** Of parameters whose types are not known, because another member of the call is wrong. */
const ANY_PARAMETER = "(string | undefined)[] | (number | undefined)[] | (boolean | undefined)[]";

/**
 * Whether an error is about what the compiler inferred without a correct definition: a parameter
 * without a type or of the types of all parameters, or a schema that the result type does not take.
 */
function isOfInference({ message }: Issue): boolean {
  return (
    /\(TS70(?:06|31)\)/.test(message) ||
    /^Type '.*' is not assignable to type 'undefined'\. \(TS2322\)$/.test(message) ||
    message.includes(ANY_PARAMETER)
  );
}

/** Statements begin in the first column, and their further lines do not. */
function isInOneStatement(
  { file = "", line: one = 0 }: Place,
  { line: other = 0 }: Place,
  sourceOf: (file: string) => string | undefined,
): boolean {
  const lines = sourceOf(file)?.split("\n").slice(Math.min(one, other), Math.max(one, other));
  return lines?.every((line) => /^(?:[\s})\]]|$)/.test(line)) === true;
}
