import type { AcceptedEdit } from "../contract/models/responses.ts";
import type { Call } from "./call-types.ts";
import { MutationPendingError, MutationWarningError, NotFoundError } from "./errors.ts";
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
   * What happens when the service has not applied the edit by then: `throw` a
   * `MutationPendingError`, or `return` an outcome
   * that is not completed, with which the next execution can go on.
   * @default "throw", and "return" where waiting is not possible
   */
  onPending?: "throw" | "return" | undefined;
  /**
   * What happens with the warning of a completed edit: it is part of the outcome, or a
   * `MutationWarningError`. @default "return"
   */
  onWarning?: "throw" | "return" | undefined;
}

export interface MutationOutcome {
  requestId: string;
  /**
   * False when the service had not applied the edit by then. It still may: ask again later with the
   * same `requestId`.
   */
  completed: boolean;
  /** What the service could not apply of a completed edit. */
  warning?: string | undefined;
}

/**
 * Asks for the state of an accepted edit until it is completed, or until the time or the polls are
 * used up.
 * @throws {ServiceError} MutationPendingError, MutationWarningError where the options say so
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
