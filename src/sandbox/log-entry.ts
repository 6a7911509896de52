import * as z from "zod";

export const logEntry = z.strictObject({
  level: z.enum(["trace", "debug", "info", "warn", "error", "log"]),
  message: z.string(),
});

/** A console line of the Pack. */
export type LogEntry = z.output<typeof logEntry>;
