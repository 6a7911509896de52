import * as z from "zod";
import type { Failure } from "../shared/failures.ts";
import { type Issue, issue } from "../validate/issue.ts";
import type { BuildResult } from "./build-result.ts";

const issues: z.ZodType<readonly Issue[]> = z.array(issue);
const milliseconds = z.number().nonnegative().describe("Milliseconds.");

export const packRebuild = z.strictObject({
  event: z.literal("rebuild"),
  file: z.string(),
  issues,
  changedFiles: z.array(z.string()),
  durationMs: milliseconds,
});

/** A Pack was built, loaded and checked again, and written if there is an `outDir`. */
export interface PackRebuild extends z.output<typeof packRebuild> {
  /** Why the Pack cannot be used. */
  failure: Failure | undefined;
  /**
   * What was written; undefined when an error stopped it. The previous build is then still there.
   */
  built: BuildResult | undefined;
  /** How many builds in a row had failed before this one succeeded. */
  recoveredAfter: number;
}

export const packTypes = z.strictObject({
  event: z.literal("types"),
  file: z.string(),
  issues,
  durationMs: milliseconds,
});

/** The type check, which takes longer than everything else, has other issues than before. */
export type PackTypes = z.output<typeof packTypes>;

export const packGone = z.strictObject({ event: z.literal("gone"), file: z.string() });

/** A file that a pattern matched was removed. Its build stays. */
export type PackGone = z.output<typeof packGone>;

/** What happened to a Pack that is watched. */
export type RebuildEvent = PackRebuild | PackTypes | PackGone;
