/** How long an accepted edit waits: milliseconds, so many polls of its state, or 10 to 20 seconds as in the public service. */
export type Latency = { ms: number } | { polls: number } | "immediate" | "realistic";

/** Never by time alone. */
export const NEVER_MS = Number.MAX_SAFE_INTEGER;

export function delayOf(latency: Latency, random: () => number): { delayMs: number; polls: number | undefined } {
  if (latency === "immediate") return { delayMs: 0, polls: undefined };
  if (latency === "realistic") return { delayMs: 10_000 + Math.floor(random() * 10_000), polls: undefined };
  return "polls" in latency ? { delayMs: NEVER_MS, polls: latency.polls } : { delayMs: latency.ms, polls: undefined };
}

/** What the control plane can change while the service runs. */
export interface EditSettings {
  latency: Latency;
  /** Edits wait until they are completed by hand. */
  isHeld: boolean;
  /** How long a completed edit is not seen yet by reads, in milliseconds (decision 64). */
  snapshotLagMs: number;
  /** What becomes of an edit of which something could not be applied (decision 46). */
  failedMutation: "warning" | "stuck";
}
