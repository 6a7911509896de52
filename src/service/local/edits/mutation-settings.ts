import type { Latency } from "./latency.ts";

/** What the control plane can change while the service runs. */
export interface MutationSettings {
  latency: Latency;
  /** Edits wait until they are completed by hand. */
  isHeld: boolean;
  /** How long a completed edit is not seen yet by reads, in milliseconds (decision 64). */
  snapshotLagMs: number;
  /** What becomes of an edit of which something could not be applied (decision 46). */
  failedMutation: "warning" | "stuck";
}
