import type { RateGroup } from "../../contract/operations.ts";
import type { ServiceClock } from "../clock.ts";
import type { RequestTimes } from "../store/request-times.ts";

export interface RateLimitOptions {
  /** Sends a `Retry-After` header with 429; the documented service does not. @default false */
  retryAfter?: boolean | undefined;
  /** Other limits than the documented ones. */
  limits?: Partial<Record<RateGroup, RateLimit>> | undefined;
}

interface RateLimit {
  requests: number;
  windowMs: number;
}

export interface RateLimits {
  /**
   * @returns how long a refused request has to wait, in milliseconds; 0 when it may pass, which
   * then counts
   */
  computeWait(userId: string, group: RateGroup): Promise<number>;
  /** Undefined while requests are not limited. */
  readonly options: RateLimitOptions | undefined;
  set(options: RateLimitOptions | undefined): void;
  /** Forgets what was counted. */
  forget(): Promise<void>;
  /** How many requests of each user and group the window holds now. */
  inspect(): Promise<{ userId: string; group: string; recent: number; limit: RateLimit }[]>;
}

const DOCUMENTED: Record<RateGroup, RateLimit> = {
  read: { requests: 100, windowMs: 6_000 },
  write: { requests: 10, windowMs: 6_000 },
  content: { requests: 5, windowMs: 10_000 },
  listDocs: { requests: 4, windowMs: 6_000 },
  analytics: { requests: 100, windowMs: 6_000 },
};

/** Counts the requests of each user and group in a window that slides with the service's clock. */
export function createRateLimits(
  clock: ServiceClock,
  times: RequestTimes,
  initial: RateLimitOptions | undefined,
): RateLimits {
  let options = initial;
  const getLimit = (group: RateGroup) => options?.limits?.[group] ?? DOCUMENTED[group];
  const selectRecent = (all: readonly number[], { windowMs }: RateLimit) =>
    all.filter((atMs) => atMs > clock.now() - windowMs);
  return {
    get options() {
      return options;
    },
    set(next) {
      options = next;
    },
    forget: () => times.clear(),
    inspect: async () =>
      (await times.list()).map(({ name, times: all }) => {
        const [group = "", userId = ""] = name.split(" ");
        const limit = getLimit(group as RateGroup);
        return { userId, group, recent: selectRecent(all, limit).length, limit };
      }),
    async computeWait(userId, group) {
      if (options === undefined) return 0;
      const limit = getLimit(group);
      let waitMs = 0;
      await times.update(`${group} ${userId}`, (all) => {
        const recent = selectRecent(all, limit);
        const oldest = recent[recent.length - limit.requests];
        waitMs = oldest === undefined ? 0 : oldest + limit.windowMs - clock.now();
        return oldest === undefined ? [...recent, clock.now()] : recent;
      });
      return waitMs;
    },
  };
}
