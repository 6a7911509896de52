import type { Output } from "./output.ts";

/** Fewer things than these are done before anybody wonders. */
const MIN_TOTAL = 20;
const INTERVAL_MS = 1_000;

/**
 * Makes what is called after each of many things: it says how far the work is, at most once a second.
 * @param now milliseconds of a clock that only goes forward
 */
export function createProgress(output: Output, now: () => number): (done: number, total: number) => void {
  const startedMs = now();
  let saidMs = startedMs;
  return (done, total) => {
    const nowMs = now();
    if (total < MIN_TOTAL || done === total || nowMs - saidMs < INTERVAL_MS) return;
    saidMs = nowMs;
    const secondsLeft = Math.ceil((((nowMs - startedMs) / done) * (total - done)) / 1_000);
    output.progress(output.style("quiet", `${done} of ${total}, about ${secondsLeft} s left`));
  };
}
