import * as z from "zod/mini";
import { findNearest, onlyNear } from "../shared/text.ts";
import { isRecord, type Members } from "../shared/values.ts";
import type { IssueCode } from "./codes.ts";
import type { FixIntent, Path, Report } from "./report.ts";

/** A zod type for every member of an interface: a forgotten or an extra key does not compile. */
export type ShapeOf<Interface> = { [Key in keyof Required<Interface>]: z.ZodMiniType };

/** The codes for problems of a shape, and the names in their hints. */
export interface ShapeCodes {
  unknownKey: IssueCode;
  /** For a value that is not one of a list. */
  unknownValue?: IssueCode | undefined;
  /** The names that authors write for members that the builder renames. */
  writtenAs?: Readonly<Record<string, string>> | undefined;
}

/** A member that is checked elsewhere, or not at all. */
export const anything = z.optional(z.unknown());
export const text = z.string();
export const optionalText = z.optional(z.string());
export const optionalFlag = z.optional(z.boolean());
export const optionalNumber = z.optional(z.number());
export const optionalTexts = z.optional(z.array(z.string()));
/** A function of the Pack, in one of its two forms. */
export const optionalFunction = z.optional(
  z.custom((value) => typeof value === "function" || isRecord(value), "a function"),
);

/**
 * Reports what an object has that its shape does not allow, and what it lacks.
 * @returns whether it is an object at all
 */
export function checkShape(
  shape: z.ZodMiniObject,
  value: unknown,
  path: Path,
  codes: ShapeCodes,
  report: Report,
): value is Members {
  const { error } = shape.safeParse(value, { reportInput: true });
  const issues = error?.issues ?? [];
  for (const issue of issues) {
    const keys = issue.path.length === 0 ? Object.keys(shape.shape) : [];
    const known = keys.map((key) => codes.writtenAs?.[key] ?? key);
    reportIssue(issue, path, { known, missing: listMissing(issues, issue.path) }, codes, report);
  }
  return isRecord(value);
}

/** The names of the members that an object can have, and of those that it lacks. */
interface MemberNames {
  known: readonly string[];
  missing: readonly string[];
}

/** @param path of an object */
function listMissing(
  issues: readonly z.core.$ZodIssue[],
  path: z.core.$ZodIssue["path"],
): string[] {
  return issues.flatMap((issue) => {
    const name = issue.path.at(-1);
    const isMissing =
      issue.code !== "unrecognized_keys" &&
      issue.input === undefined &&
      issue.path.length === path.length + 1 &&
      path.every((key, index) => key === issue.path[index]);
    return isMissing && typeof name === "string" ? [name] : [];
  });
}

function reportIssue(
  issue: z.core.$ZodIssue,
  base: Path,
  names: MemberNames,
  codes: ShapeCodes,
  report: Report,
): void {
  const path = [...base, ...(issue.path as Path)];
  const last = path.at(-1);
  const name = typeof last === "number" ? `Entry ${last}` : (last ?? "The definition");
  if (issue.code === "unrecognized_keys") {
    for (const key of issue.keys) reportUnknownKey(key, path, names, codes, report);
  } else if (issue.input === undefined) {
    const expected =
      issue.code === "invalid_value" ? listText(issue.values.map(String)) : formatExpected(issue);
    report("MEMBER_MISSING", path, `${name} is missing.`, `Add ${name}: ${expected}.`);
  } else if (issue.code === "invalid_value") {
    reportUnknownValue(
      codes.unknownValue ?? "VALUE_UNKNOWN",
      issue.input,
      issue.values.map(String),
      path,
      report,
    );
  } else {
    const expected = formatExpected(issue);
    report(
      "MEMBER_TYPE",
      path,
      `${name} must be ${expected}, not ${describeKind(issue.input)}.`,
      `Write ${expected}.`,
    );
  }
}

/** Reports a value that is not one of the legal ones, with the nearest of them. */
export function reportUnknownValue(
  code: IssueCode,
  value: unknown,
  values: readonly string[],
  path: Path,
  report: Report,
): void {
  const guess = typeof value === "string" ? findNearest(value, values) : undefined;
  const hint =
    guess === undefined ? "Write one of these values." : `Write ${JSON.stringify(guess)}.`;
  report(
    code,
    path,
    `${String(path.at(-1))} is ${shortenValue(value)}; it can be ${listText(values)}.`,
    hint,
    replacement(value, values),
  );
}

function replacement(value: unknown, values: readonly string[]): FixIntent | undefined {
  const text = typeof value === "string" ? onlyNear(value, values) : undefined;
  return text === undefined ? undefined : { kind: "replace", text };
}

function reportUnknownKey(
  key: string,
  path: Path,
  { known, missing }: MemberNames,
  codes: ShapeCodes,
  report: Report,
): void {
  const names = [...new Set([...known, ...missing])];
  const guess = findNearest(key, names) ?? missing.find((name) => isShortFor(key, name));
  const hint =
    guess === undefined ? "Remove the key: it has no effect." : `Rename the key to ${guess}.`;
  const to = onlyNear(key, names);
  report(
    codes.unknownKey,
    [...path, key],
    `${shortenValue(key)} is not a known key here.`,
    hint,
    to === undefined ? undefined : { kind: "rename", to },
  );
}

/** `params` is short for `parameters`: the first letter, then some of the others in their order. */
function isShortFor(key: string, name: string): boolean {
  if (key.length < 3 || key.charAt(0) !== name.charAt(0)) return false;
  let at = 0;
  for (const letter of name) if (letter === key.charAt(at)) at += 1;
  return at === key.length;
}

function formatExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === "custom") return issue.message;
  if (issue.code === "invalid_union") return "a number or text";
  const expected = "expected" in issue ? String(issue.expected) : "another value";
  const words: Record<string, string> = {
    string: "text",
    array: "a list",
    object: "an object",
    record: "an object",
    int: "a whole number",
    boolean: "true or false",
  };
  return words[expected] ?? `a ${expected}`;
}

/**
 * @returns a value's kind in words, such as `a number`; never the value itself, which may be a
 * secret.
 */
export function describeKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  const type = typeof value;
  return type === "string"
    ? "text"
    : type === "object"
      ? "an object"
      : type === "undefined"
        ? "nothing"
        : `a ${type}`;
}

/** A value inside a message: short, and on one line. */
export function shortenValue(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return describeKind(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

/** `a, b or c` */
export function listText(values: readonly string[]): string {
  return values.length < 2
    ? (values[0] ?? "nothing")
    : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}
