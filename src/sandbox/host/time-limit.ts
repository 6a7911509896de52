import { processorMs } from "./process-usage.ts";

export interface TimeLimit {
  ms: number;
  /**
   * `"wall"` is what a clock on the wall shows. `"processor"` counts only the time in which the process ran, so that a busy machine
   * ends nothing; at the latest it ends after ten times the limit.
   */
  of: "wall" | "processor";
}

const MAX_WAIT_FACTOR = 10;

/**
 * @param onExceeded called once, when the limit is reached
 * @returns a function that ends the limit
 */
export function startTimeLimit(
  pid: number,
  { ms, of }: TimeLimit,
  onExceeded: () => void,
): () => void {
  const usedMs = (): number | undefined => (of === "wall" ? undefined : processorMs(pid));
  const startMs = usedMs() ?? 0;
  let waitedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (nextMs: number): void => {
    timer = setTimeout(() => {
      waitedMs += nextMs;
      const used = usedMs();
      const leftMs = used === undefined ? 0 : ms - (used - startMs);
      if (leftMs <= 0 || waitedMs >= ms * MAX_WAIT_FACTOR) onExceeded();
      else wait(Math.max(leftMs, 10));
    }, nextMs);
  };
  wait(ms);
  return () => clearTimeout(timer);
}
