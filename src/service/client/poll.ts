import { NotFoundError } from "./errors.ts";
import type { CancelSignal, Timer } from "./transport.ts";

export interface PollOptions {
  /** How long to wait where waiting is possible, in milliseconds. @default 120_000 */
  timeoutMs?: number | undefined;
  /** How often to ask where waiting is not possible, as inside a Pack. @default 5 */
  polls?: number | undefined;
  signal?: CancelSignal | undefined;
}

const FIRST_POLL_MS = 1_000;
const POLL_FACTOR = 1.5;
const MAX_POLL_MS = 15_000;
/** How long the service may not know what it has just accepted (decision 63), in milliseconds. */
const UNKNOWN_GRACE_MS = 30_000;

/**
 * Asks until there is an answer, or until the time or the polls are used up.
 * @param ask undefined means: not yet
 * @returns undefined when there was none in time
 */
export async function poll<Answer>(
  timer: Timer | undefined,
  ask: () => Promise<Answer | undefined>,
  { timeoutMs = 120_000, polls = 5, signal }: PollOptions,
): Promise<Answer | undefined> {
  const startedAtMs = timer?.now() ?? 0;
  let delayMs = FIRST_POLL_MS;
  for (let count = 0; timer !== undefined || count < polls; count++) {
    let mayBeUnknown = true;
    if (timer !== undefined) {
      const leftMs = startedAtMs + timeoutMs - timer.now();
      if (leftMs <= 0) break;
      await timer.sleep(Math.min(delayMs, leftMs), signal);
      if (signal?.aborted) throw signal.reason;
      delayMs = Math.min(delayMs * POLL_FACTOR, MAX_POLL_MS);
      mayBeUnknown = timer.now() - startedAtMs < UNKNOWN_GRACE_MS;
    }
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!mayBeUnknown || !(error instanceof NotFoundError)) throw error;
    }
  }
  return undefined;
}
