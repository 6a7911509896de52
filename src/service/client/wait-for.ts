import type { AcceptedEdit } from "../contract/models/responses.ts";
import type { Call } from "./call-types.ts";
import { MutationPendingError, MutationWarningError } from "./errors.ts";
import { type PollOptions, poll } from "./poll.ts";
import type { Timer } from "./transport.ts";

export interface WaitOptions extends PollOptions {
  /**
   * What happens when the service has not applied the edit by then: `throw` a `MutationPendingError`, or `return` an outcome
   * that is not completed, with which the next execution can go on.
   * @default "throw", and "return" where waiting is not possible
   */
  onPending?: "throw" | "return" | undefined;
  /** What happens with the warning of a completed edit: it is part of the outcome, or a `MutationWarningError`. @default "return" */
  onWarning?: "throw" | "return" | undefined;
}

export interface MutationOutcome {
  requestId: string;
  /** False when the service had not applied the edit by then. It still may: ask again later with the same `requestId`. */
  completed: boolean;
  /** What the service could not apply of a completed edit. */
  warning?: string | undefined;
}

/**
 * Asks for the state of an accepted edit until it is completed, or until the time or the polls are used up.
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
      const status = await call("getMutationStatus", { path: { requestId }, cacheTtlSecs: 0, signal });
      return status.completed ? status : undefined;
    },
    options,
  );
  if (found === undefined && onPending === "throw")
    throw new MutationPendingError("The edit was not applied in time; it still may be.", facts);
  if (found?.warning && onWarning === "throw") throw new MutationWarningError(found.warning, facts);
  return { requestId, completed: found !== undefined, ...(found?.warning ? { warning: found.warning } : {}) };
}
