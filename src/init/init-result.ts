import * as z from "zod";

const count = z.int().nonnegative();
const texts = z.array(z.string());
const left: z.ZodType<readonly string[]> = texts;

export const initResult = z.strictObject({
  /** Absolute path of the project. */
  directory: z.string().describe("Absolute path."),
  /** Absent for an existing project, and for one from a description. */
  template: z.string().optional(),
  /** For a project from a description. */
  scaffold: z
    .strictObject({
      /** Name of the API. */
      title: z.string(),
      formulas: count,
      tables: count.describe("The number of sync tables."),
      notChosen: count.describe("The number of operations that --include and --tag excluded."),
      /** What was left out: its place, and why. */
      left: left.describe(
        "The omitted parts of the description, each with its position and the reason.",
      ),
    })
    .optional(),
  /** The files that were written, relative to `directory`. */
  files: texts,
  /** What an existing project still needs, one step each. */
  left: texts.optional(),
});

export type InitResult = z.output<typeof initResult>;
