import type { RateGroup } from "../contract/operations.ts";
import type { ServiceClock } from "./clock.ts";

export interface RateLimitOptions {
  /** Tells in a header how long to wait; the documented service does not (decision 100). @default false */
  retryAfter?: boolean | undefined;
  /** Other limits than the documented ones. */
  limits?: Partial<Record<RateGroup, RateLimit>> | undefined;
}

interface RateLimit {
  requests: number;
  windowMs: number;
}

export interface RateLimits {
  /** @returns how long a refused request has to wait, in milliseconds; 0 when it may pass, which then counts */
  waitOf(userId: string, group: RateGroup): number;
}

const DOCUMENTED: Record<RateGroup, RateLimit> = {
  read: { requests: 100, windowMs: 6_000 },
  write: { requests: 10, windowMs: 6_000 },
  content: { requests: 5, windowMs: 10_000 },
  listDocs: { requests: 4, windowMs: 6_000 },
  analytics: { requests: 100, windowMs: 6_000 },
};

/** Counts the requests of each user and group in a window that slides with the service's clock (decisions 93, 94 and 101). */
export function createRateLimits(clock: ServiceClock, { limits = {} }: RateLimitOptions): RateLimits {
  const logs = new Map<string, number[]>();
  return {
    waitOf(userId, group) {
      const { requests, windowMs } = limits[group] ?? DOCUMENTED[group];
      const key = `${group} ${userId}`;
      const nowMs = clock.now();
      const recent = (logs.get(key) ?? []).filter((atMs) => atMs > nowMs - windowMs);
      const oldest = recent[recent.length - requests];
      if (oldest === undefined) recent.push(nowMs);
      logs.set(key, recent);
      return oldest === undefined ? 0 : oldest + windowMs - nowMs;
    },
  };
}
