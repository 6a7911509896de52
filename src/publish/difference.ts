import * as z from "zod";
import { change, changeClass } from "../compare/change-schema.ts";

export const packDifference = z.strictObject({
  /** The most serious class of all changes; undefined when nothing changed. */
  class: changeClass.optional(),
  changes: z.array(change),
  /** The version of the older state. */
  version: z.string().optional(),
  /** The suggested next version. */
  advice: z.string().optional(),
});

/** How two states of a Pack differ. */
export type PackDifference = z.output<typeof packDifference>;

export const liveDifference = z.strictObject({
  class: changeClass.optional(),
  packId: z.int().describe("ID of the Pack in the registry."),
  /** The version that users have; undefined before the first release. */
  released: z.string().optional(),
  /** The version that was uploaded last. */
  newest: z.string().optional(),
  /** What the registry finds between these two. */
  uploaded: z.array(z.string()),
  /** What the registry finds between the newest version and the source. */
  source: z.array(z.string()),
  /** The version that the registry would give to the source. */
  nextVersion: z.string().optional(),
  /**
   * Our own comparison with the released version; undefined when this repository does not know that
   * version.
   */
  changes: z.array(change).optional(),
});

/** What would change for users if the source were released now. */
export type LiveDifference = z.output<typeof liveDifference>;
