import * as z from "zod";

export const packSchedule = z.strictObject({
  file: z.string(),
  timeZone: z.string(),
  /** The next five times, ISO 8601 in UTC; fewer if the schedule ends. */
  next: z.array(z.string()),
});

/** The schedule of an agent. */
export type PackSchedule = z.output<typeof packSchedule>;
