import * as z from "zod";

const position = z.int().nonnegative();

export const appliedFix = z.strictObject({
  code: z.string(),
  description: z.string(),
  file: z.string(),
  line: position,
  column: position,
});

/** A fix that was applied, with its position at that time. */
export type AppliedFix = z.output<typeof appliedFix>;
