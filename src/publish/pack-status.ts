import * as z from "zod";
import { change, changeClass } from "../compare/change-schema.ts";

const calls = z.strictObject({
  calls: z.int().nonnegative(),
  errors: z.int().nonnegative(),
});

export const formulaHealth = z.strictObject({
  name: z.string(),
  type: z.string(),
  /** Since the day of the release. */
  now: calls,
  /** From the day of the release before to the day before this one; undefined without one. */
  before: calls.optional(),
  isWorse: z.boolean().describe("True if the share of failed calls is larger than before."),
});
export type FormulaHealth = z.output<typeof formulaHealth>;

export const packStatus = z.strictObject({
  file: z.string(),
  packId: z.int().describe("ID of the Pack in the registry."),
  name: z.string(),
  /** The version that users have; undefined before the first release. */
  released: z.string().optional(),
  releasedAt: z.string().optional(),
  /** The version that was uploaded last. */
  newest: z.string().optional(),
  /** What the registry finds between the newest version and the source. */
  findings: z.array(z.string()),
  /** The version that the registry would give to the source. */
  nextVersion: z.string().optional(),
  /** What would change for users; undefined when git does not know what they have. */
  changes: z.array(change).optional(),
  class: changeClass.optional(),
  /** Reviews that are open. */
  reviews: z.array(
    z.strictObject({
      id: z.string(),
      version: z.string().optional(),
      submittedAt: z.string().optional(),
    }),
  ),
  /** Invitations that are open. */
  invitations: z.array(
    z.strictObject({ email: z.string(), access: z.string(), expiresAt: z.string() }),
  ),
  hasListingDraft: z.boolean(),
  /** The formulas that failed since the release; undefined when the registry has no analytics. */
  formulas: z.array(formulaHealth).optional(),
});

/** Where a Pack stands: what users have, what is uploaded, what waits, and what fails. */
export type PackStatus = z.output<typeof packStatus>;
