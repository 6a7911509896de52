import { PackError } from "../../errors.ts";

/**
 * A problem with a value. Its path is built while the error propagates, so valid values need no
 * path.
 */
export class Problem extends Error {
  path = "";
  readonly say: (path: string) => string;
  readonly hint: string;

  constructor(say: (path: string) => string, hint: string) {
    super();
    this.say = say;
    this.hint = hint;
  }
}

/** Adds a segment to the path of a problem. */
export function addSegment(error: unknown, segment: string): unknown {
  if (error instanceof Problem) error.path = segment + error.path;
  return error;
}

/** @param root the path of the complete value */
export function invalidResult(problem: Problem, root: string): PackError<"RESULT_INVALID"> {
  const path = root + problem.path;
  return new PackError("RESULT_INVALID", `${problem.say(path)}.`, {
    details: { path },
    hint: problem.hint,
  });
}

/** The problem of a value that has another type. */
export function wrongType(expected: string, value: unknown): Problem {
  const kind = describeKind(value);
  return new Problem(
    (path) => `${path} must be ${expected}, not ${kind}`,
    "Return a value that matches the schema, or change the schema.",
  );
}

/** @returns words for the type of a value */
export function describeKind(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Date) return "a Date";
  if (value instanceof Uint8Array) return "bytes";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
