import * as z from "zod";

const stepFailure = z.strictObject({
  /** A step of a simulated account. They are in order. */
  step: z.enum(["connect", "call", "refresh", "call again", "refusal"]),
  code: z.string(),
  message: z.string(),
});

export type StepFailure = z.output<typeof stepFailure>;

export const profileResult = z.strictObject({
  profile: z.string(),
  /** What the profile simulates. */
  summary: z.string(),
  outcome: z.enum(["passed", "failed", "skipped"]),
  failure: stepFailure.optional(),
  edit: z
    .string()
    .optional()
    .describe("The change to the authentication definition that this provider requires."),
  /** Undefined if the change fixes everything. */
  remaining: stepFailure.optional().describe("The failures that remain after the change."),
});

/** How an account behaves with the quirks of a provider. */
export type ProfileResult = z.output<typeof profileResult>;
