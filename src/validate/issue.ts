import * as z from "zod";

const position = z.int().min(1).describe("Counts from 1.");
const offset = z.int().nonnegative();

const sourceEdit = z.strictObject({
  file: z.string(),
  start: offset,
  end: offset,
  text: z.string(),
});

/** Replaces the text from `start` up to `end`: offsets in UTF-16 units. */
export type SourceEdit = z.output<typeof sourceEdit>;

const fix = z.strictObject({
  /** What it does, such as `Rename cacheTtlSec to cacheTtlSecs.` */
  description: z.string(),
  edits: z.array(sourceEdit),
});

/** A change of the author's source. Its edits belong together and do not overlap. */
export type Fix = z.output<typeof fix>;

export const issue = z.strictObject({
  code: z.string().describe("To read an explanation, run packsmith explain CODE."),
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  thrown: z
    .string()
    .optional()
    .describe("The class of the error that the Pack threw while it was loaded."),
  path: z.string().describe("Position in the definition."),
  file: z.string().optional(),
  line: position.optional(),
  column: position.optional(),
  hint: z.string().describe("What to do."),
  /** A fix that is certainly right; `packsmith validate --fix` applies it. */
  fix: fix.optional().describe("The change that packsmith validate --fix makes."),
});

/** A problem in a definition. Lines and columns count from 1. */
export type Issue = z.output<typeof issue>;

export interface SourceFile {
  path: string;
  text: string;
}
