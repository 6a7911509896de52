import type * as z from "zod";
import { findNearest } from "../../../shared/text.ts";

/**
 * Says what is wrong with a member of a seed, as the end of a sentence that begins with its path.
 */
export function seedProblem(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    case "invalid_value":
      return isMissing(issue)
        ? "is missing"
        : `must be ${choice(issue.values.map(String), issue.input)}`;
    case "invalid_format":
      return `must be ${FORMATS[issue.format] ?? `a valid ${issue.format}`}`;
    case "too_small":
      return issue.origin === "number" || issue.origin === "int"
        ? `must be at least ${issue.minimum}`
        : "must not be empty";
    case "too_big":
      return issue.origin === "string"
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case "invalid_type":
    case "invalid_union":
      return isMissing(issue) ? "is missing" : `must be ${orList(listKinds(issue))}`;
    default:
      return "does not match the type Seed";
  }
}

function isMissing({ input }: { input?: unknown }): boolean {
  return input === undefined;
}

function choice(values: readonly string[], input: unknown): string {
  const guess = typeof input === "string" ? findNearest(input, values) : undefined;
  return `${orList(values)}${guess === undefined ? "" : `; did you mean ${guess}?`}`;
}

/**
 * What the value itself may be. A branch of a union that fails further inside has the right kind
 * already.
 */
function listKinds(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_type") return [KINDS[issue.expected] ?? `a ${issue.expected}`];
  if (issue.code !== "invalid_union" || issue.errors === undefined) return [];
  const branches = issue.errors.flatMap((errors) =>
    errors.filter(({ path }) => path.length === 0).flatMap((each) => listKinds(each)),
  );
  return [...new Set(branches)];
}

function orList(words: readonly string[]): string {
  if (words.length === 0) return "one of the forms of the type Seed";
  return words.length === 1 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "a time such as 2026-01-31T12:00:00Z",
  date: "a date such as 2026-01-31",
  url: "a URL",
};
