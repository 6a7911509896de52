import { isAsleep, processorMs } from "./process-tree.ts";

const INTERVAL_MS = 100;

/**
 * Notices a process that waits for what does not come, such as a writer of a pipe: it sleeps and
 * computes nothing. Only a sleep that each look sees counts, so a busy machine ends nothing. Systems
 * other than Linux do not say.
 * @param onExceeded called once, when the process has slept for that long
 * @returns a function that ends the watch
 */
export function watchSleep(pid: number, limitMs: number, onExceeded: () => void): () => void {
  let sleptMs = 0;
  let lastUsedMs: number | undefined;
  const timer = setInterval(() => {
    const usedMs = processorMs(pid);
    const sleeps = isAsleep(pid) === true && usedMs === lastUsedMs;
    lastUsedMs = usedMs;
    sleptMs = sleeps ? sleptMs + INTERVAL_MS : 0;
    if (sleptMs < limitMs) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
