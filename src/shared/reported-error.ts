import * as z from "zod";
import type { SourcePlace } from "../errors.ts";

const position = z.int().min(1).describe("Counts from 1.");

export const sourcePlace: z.ZodType<SourcePlace> = z.strictObject({
  file: z.string(),
  line: position,
  column: position,
});

export const reportedError = z.strictObject({
  code: z.string().describe("To read an explanation, run packsmith explain CODE."),
  message: z.string(),
  thrown: z
    .string()
    .optional()
    .describe(
      "The class of the error that the Pack threw, such as MissingScopesError. Absent if the Pack threw something that is not an error, such as a text.",
    ),
  hint: z.string().optional().describe("What to do."),
  rule: z.string().optional().describe("The section of the standard that was violated."),
  /** The position in the definition that causes it. */
  place: sourcePlace.optional(),
});

/** Why something failed, as commands and pages report it. */
export type ReportedError = z.output<typeof reportedError>;
