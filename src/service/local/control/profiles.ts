import type { RateLimitOptions } from "../api/rate-limits.ts";
import type { Latency } from "../edits/edit-settings.ts";
import type { Fault } from "./fault-schema.ts";

export interface Profile {
  latency: Latency;
  snapshotLagMs: number;
  shuffleNames: boolean;
  rateLimits: RateLimitOptions | undefined;
  faults: readonly Fault[];
}

const FAITHFUL: Profile = {
  latency: "realistic",
  snapshotLagMs: 500,
  shuffleNames: false,
  rateLimits: {},
  faults: [],
};

/**
 * `fast` is for tests and for work on this machine, `faithful` has the latency and the limits of the public service, and
 * `hostile` adds what happens on bad days.
 */
export const PROFILES = {
  fast: {
    latency: { ms: 100 },
    snapshotLagMs: 0,
    shuffleNames: false,
    rateLimits: undefined,
    faults: [],
  },
  faithful: FAITHFUL,
  hostile: {
    ...FAITHFUL,
    shuffleNames: true,
    faults: [
      // The state of an edit is not known everywhere at once.
      { operation: "getMutationStatus", probability: 0.2, status: 404 },
      { operation: "listRows", aboveLimit: 200, probability: 0.5, status: 504 },
      { probability: 0.02, status: 429 },
      { probability: 0.02, status: 503 },
      { probability: 0.01, drop: "before" },
      { probability: 0.01, drop: "after" },
      { probability: 0.01, truncate: true },
    ],
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof PROFILES;
