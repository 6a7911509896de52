import type { AcceptedEdit, MutationStatus } from "../contract/wire.ts";
import { NotFoundError } from "./errors.ts";
import type { Call } from "./request.ts";
import type { Timer } from "./transport.ts";

export interface WaitOptions {
  /** How long to wait where waiting is possible, in milliseconds. @default 120_000 */
  timeoutMs?: number | undefined;
  /** How often to ask where waiting is not possible, as inside a Pack. @default 5 */
  polls?: number | undefined;
}

export interface MutationOutcome {
  requestId: string;
  /** False when the service had not applied the edit by then. It still may: ask again later with the same `requestId`. */
  completed: boolean;
  /** What the service could not apply of a completed edit. */
  warning?: string | undefined;
}

const FIRST_POLL_MS = 1_000;
const POLL_FACTOR = 1.5;
const MAX_POLL_MS = 15_000;
/** How long the service may not know an edit yet that it has just accepted (decision 63), in milliseconds. */
const UNKNOWN_GRACE_MS = 30_000;

/** Asks for the state of an accepted edit until it is completed, or until the time or the polls are used up. */
export async function waitFor(
  call: Call,
  timer: Timer | undefined,
  edit: AcceptedEdit | string,
  { timeoutMs = 120_000, polls = 5 }: WaitOptions = {},
): Promise<MutationOutcome> {
  const requestId = typeof edit === "string" ? edit : edit.requestId;
  const ask = (unknownIsFine: boolean) => askOnce(call, requestId, unknownIsFine);
  if (timer === undefined) {
    for (let poll = 0; poll < polls; poll++) {
      const outcome = await ask(true);
      if (outcome.completed) return outcome;
    }
    return { requestId, completed: false };
  }
  const startedAtMs = timer.now();
  for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(delayMs * POLL_FACTOR, MAX_POLL_MS)) {
    const leftMs = startedAtMs + timeoutMs - timer.now();
    if (leftMs <= 0) return { requestId, completed: false };
    await timer.sleep(Math.min(delayMs, leftMs));
    const outcome = await ask(timer.now() - startedAtMs < UNKNOWN_GRACE_MS);
    if (outcome.completed) return outcome;
  }
}

async function askOnce(call: Call, requestId: string, unknownIsFine: boolean): Promise<MutationOutcome> {
  try {
    const status = await call<MutationStatus>("getMutationStatus", { path: { requestId }, cacheTtlSecs: 0 });
    return { requestId, completed: status.completed, ...(status.warning ? { warning: status.warning } : {}) };
  } catch (error) {
    if (!unknownIsFine || !(error instanceof NotFoundError)) throw error;
    return { requestId, completed: false };
  }
}
