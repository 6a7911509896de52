import { ConnectionError, DeadlineError } from "./errors.ts";
import type { ServiceResponse } from "./transport.ts";

/** A response with what its headers say about repeating the request. */
export interface RawResponse extends ServiceResponse {
  /** Seconds, as the header names them. */
  retryAfter?: string | null | undefined;
}

/** What one attempt gave. */
export type Outcome = { is: "response"; response: RawResponse } | { is: "failure"; error: unknown };

/** What stays the same for all attempts of a call. */
export interface CallLimits {
  operation: string;
  /** Repeating the request does the same as sending it once. */
  repeatable: boolean;
  attempts: number;
  /** A request that met its time limit is sent again. */
  repeatsHung: boolean;
  /** The longest wait after a connection that could not be made. */
  maxUnsentDelayMs: number;
  endsAtMs: number;
  /** How long the rate limit of the operation counts a request. */
  windowMs: number;
  /** Waiting for the rate limit has not helped lately. */
  isStuck: boolean;
  random: () => number;
}

/** What is known of a call after its attempts so far. */
export interface CallProgress {
  /** Counts from 1. */
  attempt: number;
  /** Whether the service may have executed the request. */
  executed: "no" | "unknown";
  /** When the service first refused it in the current window. */
  limitedSinceMs: number | undefined;
}

export const FIRST_ATTEMPT: CallProgress = {
  attempt: 1,
  executed: "no",
  limitedSinceMs: undefined,
};

export type Decision =
  | { is: "return"; response: ServiceResponse }
  | { is: "fail"; error: Error }
  /** All requests of the group wait with it if `holdsGroup`. */
  | { is: "wait"; ms: number; holdsGroup: boolean };

const FIRST_DELAY_MS = 2_000;
const DELAY_FACTOR = 3;
const MIN_ASKED_MS = 1_000;
export const MAX_DELAY_MS = 60_000;
/** Failures before anything was sent. */
const UNSENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/;

export function isRateLimited(outcome: Outcome): boolean {
  return outcome.is === "response" && outcome.response.status === 429;
}

/** Adds an outcome to what is known of a call. */
export function recordOutcome(
  progress: CallProgress,
  outcome: Outcome,
  nowMs: number,
  { windowMs }: CallLimits,
): CallProgress {
  const isLimited = isRateLimited(outcome);
  const cannotHaveRun = isLimited || (outcome.is === "failure" && isUnsent(outcome.error));
  const { limitedSinceMs } = progress;
  const startsWindow =
    isLimited && (limitedSinceMs === undefined || nowMs - limitedSinceMs >= windowMs);
  return {
    ...progress,
    executed: cannotHaveRun ? progress.executed : "unknown",
    limitedSinceMs: startsWindow ? nowMs : limitedSinceMs,
  };
}

/**
 * Whether a request is sent again: after 429 always; after a failure if nothing was sent or the
 * operation may be repeated; after 500, 502 and 503 if it may be repeated.
 * @param progress includes the outcome
 */
export function decide(
  outcome: Outcome,
  progress: CallProgress,
  nowMs: number,
  call: CallLimits,
): Decision {
  if (outcome.is === "response" && isFinalResponse(outcome.response, call.repeatable))
    return { is: "return", response: outcome.response };
  const isLimited = isRateLimited(outcome);
  const ms = computeDelay(outcome, progress, nowMs, call);
  if (canRepeat(outcome, progress, call) && nowMs + ms <= call.endsAtMs)
    return { is: "wait", ms, holdsGroup: isLimited };
  if (outcome.is === "response")
    return { is: "return", response: { ...outcome.response, stuck: isLimited && call.isStuck } };
  return {
    is: "fail",
    error:
      nowMs >= call.endsAtMs
        ? createDeadlineError(call, progress)
        : createConnectionError(call.operation, outcome.error, progress.executed),
  };
}

export function createDeadlineError(
  { operation }: CallLimits,
  { executed }: CallProgress,
): DeadlineError {
  return new DeadlineError("The call did not finish before the deadline.", {
    operation,
    status: 0,
    executed,
  });
}

/** The error of a request without a response. */
export function createConnectionError(
  operation: string,
  cause: unknown,
  executed: "no" | "unknown",
): ConnectionError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConnectionError(`No response from the service: ${reason}`, {
    operation,
    status: 0,
    executed,
    cause,
  });
}

function isFinalResponse({ status }: RawResponse, repeatable: boolean): boolean {
  if (status === 429) return false;
  // 504 would take as long again.
  return !repeatable || status < 500 || status === 501 || status === 504;
}

function canRepeat(outcome: Outcome, { attempt }: CallProgress, call: CallLimits): boolean {
  if (attempt >= call.attempts) return false;
  if (outcome.is === "response") return !(isRateLimited(outcome) && call.isStuck);
  // A response that is too large stays too large, and a redirect stays a redirect.
  if (outcome.error instanceof RangeError || isRedirect(outcome.error)) return false;
  if (!call.repeatsHung && (isTimeout(outcome.error) || isConnectTimeout(outcome.error)))
    return false;
  return call.repeatable || isUnsent(outcome.error);
}

function computeDelay(
  outcome: Outcome,
  { attempt, limitedSinceMs }: CallProgress,
  nowMs: number,
  { random, windowMs, maxUnsentDelayMs }: CallLimits,
): number {
  const retryAfter = outcome.is === "response" ? outcome.response.retryAfter : undefined;
  const askedMs = Number(retryAfter ?? "") * 1_000;
  if (askedMs > 0) return Math.min(Math.max(askedMs, MIN_ASKED_MS), MAX_DELAY_MS);
  const isWaitForConnection = outcome.is === "failure" && isUnsent(outcome.error);
  const maxMs = isWaitForConnection ? maxUnsentDelayMs : MAX_DELAY_MS;
  const fullMs = Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** (attempt - 1), maxMs);
  const delayMs = fullMs / 2 + (random() * fullMs) / 2;
  if (!isRateLimited(outcome)) return delayMs;
  // A request no longer counts after a window, so waiting longer helps only against others.
  return Math.min(delayMs, windowMs - (nowMs - (limitedSinceMs ?? nowMs)));
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

function isRedirect(error: unknown): boolean {
  return (
    (error as { cause?: { message?: unknown } } | undefined)?.cause?.message ===
    "unexpected redirect"
  );
}

/** Whether an error says that no connection was made, so that nothing was sent. */
export function isUnsent(error: unknown): boolean {
  return UNSENT.test(readCodes(error));
}

function isConnectTimeout(error: unknown): boolean {
  return readCodes(error).includes("UND_ERR_CONNECT_TIMEOUT");
}

function readCodes(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return `${code} ${cause?.code}`;
}
