import * as z from "zod";
import type { Change } from "../../compare/change.ts";
import { CHANGE_CODES, type ChangeCode } from "../../compare/change.ts";
import type { Failure } from "../../shared/failures.ts";
import type { Fix, Issue, SourceEdit } from "../../validate/issue.ts";

/** A schema for each member of a type: a member that is missing or too many does not compile. */
export type ShapeOf<Value> = { [Key in keyof Required<Value>]: z.ZodType<Value[Key]> };

/** What a command that succeeds prints. */
export const fine = z.literal(true);
export const count = z.int().nonnegative();
export const text = z.string();
export const optionalText = z.string().optional();
export const milliseconds = z.number().nonnegative().describe("Milliseconds.");
export const absolutePath = z.string().describe("Absolute path.");
export const packId = z.int().describe("Id of the Pack in the registry.");

const position = z.int().min(1).describe("Counts from 1.");
export const place = z.strictObject({ file: text, line: position, column: position });

const edit = z.strictObject({
  file: text,
  start: count,
  end: count,
  text,
} satisfies ShapeOf<SourceEdit>);
const fix = z.strictObject({ description: text, edits: z.array(edit) } satisfies ShapeOf<Fix>);

/** A problem in the definition of a Pack. */
export const issue = z.strictObject({
  code: text.describe("packsmith explain CODE explains it."),
  severity: z.enum(["error", "warning"]),
  message: text,
  path: text.describe("Where it is in the definition."),
  file: optionalText,
  line: position.optional(),
  column: position.optional(),
  hint: text.describe("What to do."),
  fix: fix.optional().describe("What packsmith validate --fix would do."),
} satisfies ShapeOf<Issue>);
export const issues = z.array(issue);

/** Why a command failed. */
export const error = z.strictObject({
  code: text.describe("packsmith explain CODE explains it."),
  message: text,
  hint: optionalText.describe("What to do."),
  rule: optionalText.describe("The section of a standard that it is about."),
  place: place.optional(),
} satisfies ShapeOf<Failure["error"]>);

/** What every command prints when it ends with an error. */
export const failure = z.strictObject({ ok: z.literal(false), error });

export const changeClass = z.enum(["safe", "review", "breaking"]);

/** A change for the users of a Pack. */
export const change = z.strictObject({
  class: changeClass,
  code: z.enum(Object.keys(CHANGE_CODES) as ChangeCode[]),
  subject: text,
  message: text,
} satisfies ShapeOf<Change>);
