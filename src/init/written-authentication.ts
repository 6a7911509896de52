import * as z from "zod";

export const writtenAuthentication = z.strictObject({
  file: z.string().describe("Absolute path."),
  /** The first line that was written. Starts at 1. */
  line: z.int().nonnegative(),
  /** Whether the Pack declares a network domain. */
  hasDomains: z.boolean(),
});

/** The authentication that was written into a file. */
export type WrittenAuthentication = z.output<typeof writtenAuthentication>;
