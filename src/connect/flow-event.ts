import * as z from "zod";
import { EXCHANGE_STEPS } from "../oauth/exchange-record.ts";
import { reportedError } from "../shared/reported-error.ts";

const milliseconds = z.number().nonnegative().describe("Milliseconds.");
const facts: z.ZodType<Readonly<Record<string, string>>> = z.record(z.string(), z.string());
const deviations: z.ZodType<readonly string[]> = z.array(z.string());

const flowEvent = z.strictObject({
  atMs: z.number().describe("Milliseconds since the start of the flow."),
  step: z.enum([
    // Of the user and the Pack.
    ...(["authorize", "callback", "endpoint", "label"] as const),
    ...EXCHANGE_STEPS,
  ]),
  facts: facts.describe("Parameters and fields, with masked secrets."),
  /** How long the step took; absent for steps of the user. */
  durationMs: milliseconds.optional(),
  deviations: deviations
    .optional()
    .describe("The parts of the response that a strict client would reject."),
});

/** A step of a connection. */
export type FlowEvent = z.output<typeof flowEvent>;

const failedOutcome = reportedError.extend({
  ok: z.literal(false),
  details: z.unknown().optional(),
});

/** How a connection failed. */
export type FailedOutcome = z.output<typeof failedOutcome>;

const events: z.ZodType<readonly FlowEvent[]> = z.array(flowEvent);

export const flowRecord = z.strictObject({
  formatVersion: z.literal(1),
  pack: z.string(),
  account: z.string(),
  startedAtMs: z.number().describe("Milliseconds since 1970."),
  durationMs: milliseconds,
  events,
  outcome: z.discriminatedUnion("ok", [z.strictObject({ ok: z.literal(true) }), failedOutcome]),
});

/**
 * The last connection, from its first request to its end. It contains no secret, so it can be
 * shared.
 */
export type FlowRecord = z.output<typeof flowRecord>;
