import * as z from "zod";

export const delay = z.int().min(0).max(3_600_000);

export const latency = z.union([
  z.enum(["immediate", "realistic"]),
  z.strictObject({ ms: delay }),
  z.strictObject({ polls: z.int().min(1).max(1_000) }),
]);

/**
 * How long an accepted edit waits: milliseconds, so many polls of its state, or 10 to 20 seconds as
 * in the public service.
 */
export type Latency = z.output<typeof latency>;

/** A time that never comes: only a poll or a command completes the edit. */
export const NEVER_MS = Number.MAX_SAFE_INTEGER;

export function parseDelay(
  latency: Latency,
  random: () => number,
): { delayMs: number; polls: number | undefined } {
  if (latency === "immediate") return { delayMs: 0, polls: undefined };
  if (latency === "realistic")
    return { delayMs: 10_000 + Math.floor(random() * 10_000), polls: undefined };
  return "polls" in latency
    ? { delayMs: NEVER_MS, polls: latency.polls }
    : { delayMs: latency.ms, polls: undefined };
}

/** What the control plane can change while the service runs. */
export interface EditSettings {
  latency: Latency;
  /** Edits wait until they are completed by hand. */
  isHeld: boolean;
  /** How long reads do not see a completed edit, in milliseconds. */
  snapshotLagMs: number;
  /** How an edit ends that could not be applied completely. */
  failedMutation: "warning" | "stuck";
}
