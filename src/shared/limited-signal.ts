/**
 * A signal that aborts after a time, in milliseconds, or when another signal does.
 * @param signal undefined: only the time counts
 */
export function limitedSignal(limitMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(limitMs);
  if (signal === undefined) return limit;
  // Node 20 drops a time limit that only AbortSignal.any refers to, as soon as it collects garbage.
  // A listener keeps it.
  limit.addEventListener("abort", () => {}, { once: true });
  return AbortSignal.any([limit, signal]);
}
