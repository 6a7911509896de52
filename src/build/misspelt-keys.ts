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
 * more. In a statement with a misspelt key, the types of other members follow from it: only the key
 * is reported.
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
  const misspelt = [
    ...errors.filter(
      ({ code, hint }) => code.endsWith("KEY_UNKNOWN") && hint.startsWith("Rename the key to "),
    ),
    ...types.filter((issue) => misspeltName(issue) !== undefined),
  ];
  const sourceOf = createSourceReader(cwd);
  const isConsequence = (issue: Issue): boolean =>
    misspeltName(issue) === undefined &&
    misspelt.some((key) => key.file === issue.file && isInOneStatement(key, issue, sourceOf));
  return others.filter((issue) => !isConsequence(issue));
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
