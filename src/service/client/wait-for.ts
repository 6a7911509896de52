import type { AcceptedEdit } from "../contract/models/responses.ts";
import type { Call } from "./call-types.ts";
import { MutationPendingError, MutationWarningError, NotFoundError } from "./errors.ts";
import type { CancelSignal, Timer } from "./transport.ts";

export interface PollOptions {
  /** The maximum wait in milliseconds, if the code can wait. @default 120_000 */
  timeoutMs?: number | undefined;
  /** The number of polls if the code cannot wait, for example inside a Pack. @default 5 */
  polls?: number | undefined;
  signal?: CancelSignal | undefined;
}

const FIRST_POLL_MS = 1_000;
const POLL_FACTOR = 1.5;
const MAX_POLL_MS = 15_000;
/** How long the service may answer 404 for an edit that it has just accepted, in milliseconds. */
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

export interface WaitOptions extends PollOptions {
  /**
   * Decides what happens if the service has not applied the edit in time. `throw`: throws a
   * `MutationPendingError`. `return`: returns an outcome that is not completed, so that the next
   * execution can continue.
   * @default "throw", or "return" if the code cannot wait
   */
  onPending?: "throw" | "return" | undefined;
  /**
   * Decides what happens with the warning of a completed edit. `return`: the outcome contains the
   * warning. `throw`: throws a `MutationWarningError`.
   * @default "return"
   */
  onWarning?: "throw" | "return" | undefined;
}

export interface MutationOutcome {
  requestId: string;
  /**
   * False if the service did not apply the edit in time. The service may still apply the edit, so
   * call the function again later with the same `requestId`.
   */
  completed: boolean;
  /** The warning of a completed edit, if the service did not apply a part of the edit. */
  warning?: string | undefined;
}

/**
 * Polls the state of an accepted edit until the edit is completed, or until the maximum wait or
 * number of polls is reached.
 * @throws {ServiceError} MutationPendingError or MutationWarningError, depending on the options
 */
export async function waitFor(
  call: Call,
  timer: Timer | undefined,
  edit: AcceptedEdit | string,
  { onPending = timer === undefined ? "return" : "throw", onWarning, ...options }: WaitOptions = {},
): Promise<MutationOutcome> {
  const requestId = typeof edit === "string" ? edit : edit.requestId;
  const facts = { operation: "getMutationStatus", status: 0, requestId };
  const { signal } = options;
  const found = await poll(
    timer,
    async () => {
      const status = await call("getMutationStatus", {
        path: { requestId },
        cacheTtlSecs: 0,
        signal,
      });
      return status.completed ? status : undefined;
    },
    options,
  );
  if (found === undefined && onPending === "throw")
    throw new MutationPendingError(
      "The edit was not applied in time. The service may still apply the edit.",
      facts,
    );
  if (found?.warning && onWarning === "throw") throw new MutationWarningError(found.warning, facts);
  return {
    requestId,
    completed: found !== undefined,
    ...(found?.warning ? { warning: found.warning } : {}),
  };
}
