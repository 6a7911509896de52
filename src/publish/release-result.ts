import * as z from "zod";
import { change, changeClass } from "../compare/change-schema.ts";
import { sourcePlace } from "../shared/reported-error.ts";

export const releaseResult = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** The version of the release before. */
  previous: z.string().optional(),
  class: changeClass.optional(),
  changes: z.array(change),
  /** Where the version was written in the source; undefined when the source had it already. */
  edited: sourcePlace.optional(),
  /** The changelog that lists the changes. */
  changelog: z.string().optional().describe("Absolute path."),
  /** The commit of exactly this release; undefined without git, or before it is committed. */
  commit: z.string().optional(),
});

/** A release: what was changed in the source for it. */
export type ReleaseResult = z.output<typeof releaseResult>;
