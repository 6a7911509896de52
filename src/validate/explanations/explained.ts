import * as z from "zod";
import { CHANGE_CLASSES } from "../../compare/change-codes.ts";
import { change, changeClass } from "../../compare/change-schema.ts";

const text = z.string();
const severity = z.enum(["error", "warning"]);

export const explained = z.strictObject({
  code: text,
  /** What happened: one sentence. */
  meaning: text,
  /** Why it matters and what to do: one to three sentences. */
  why: text,
  /** An issue is a problem in a Pack; an error ends a command. */
  kind: z.enum(["issue", "error"]),
  severity,
  bad: text,
  good: text,
});

/** The explanation of an issue code or an error code. */
export type Explained = z.output<typeof explained>;

export const explainedChange = z.strictObject({
  code: change.shape.code,
  meaning: text,
  /** Why it is breaking, safe or to be reviewed, and what to do. */
  why: text,
  kind: z.literal("change"),
  /** What the change means for the users of the Pack. */
  severity: changeClass,
  before: text,
  after: text,
});

/** The explanation of a change that `packsmith diff` reports. */
export type ExplainedChange = z.output<typeof explainedChange>;

export const explainedCode = z.strictObject({
  code: text,
  kind: z.enum(["issue", "error", "change"]),
  severity: z.enum([...severity.options, ...CHANGE_CLASSES]),
  meaning: text,
});

/** A code in the list of all codes. */
export type ExplainedCode = z.output<typeof explainedCode>;
