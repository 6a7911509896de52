import { ConnectionError, DeadlineError } from "./errors.ts";
import type { Throttle } from "./throttle.ts";
import type { CancelSignal, ServiceRequest, ServiceResponse, Timer, Wait } from "./transport.ts";

/** A response with what its headers say about repeating the request. */
export interface RawResponse extends ServiceResponse {
  /** Seconds, as the header names them. */
  retryAfter?: string | null | undefined;
}

export interface ResilienceOptions {
  timer: Timer;
  random: () => number;
  attempts: number;
  throttle: Throttle;
}

/** Limit of a call that names none, in milliseconds. */
const DEADLINE_MS = 120_000;
const FIRST_DELAY_MS = 2_000;
const DELAY_FACTOR = 3;
const MIN_ASKED_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** Failures before anything was sent. */
const UNSENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/;

/**
 * Sends requests within the limits of the service, and again where a refused or lost request can
 * have changed nothing: after
 * 429 always, after a failure when nothing was sent or the operation may be repeated. 504 is never
 * repeated as it is, because
 * it would take as long again.
 * @param sendOnce sends one request within so many milliseconds
 */
export function createResilientSend(
  sendOnce: (request: ServiceRequest, timeoutMs: number) => Promise<RawResponse>,
  { timer, random, attempts, throttle }: ResilienceOptions,
): (request: ServiceRequest) => Promise<ServiceResponse> {
  return async (request) => {
    const { operation, group, repeatable, signal } = request;
    const endsAtMs = timer.now() + (request.deadlineMs ?? DEADLINE_MS);
    const stuck = throttle.isStuck(timer.now());
    const late = (executed: "no" | "unknown") =>
      new DeadlineError("The call did not end before its deadline.", {
        operation,
        status: 0,
        executed,
      });
    let unknown = false;
    let limitedSinceMs: number | undefined;
    const wait = async (attempt: number, waitMs: number, reason: Wait["reason"]) => {
      request.observe?.({ event: "wait", operation, attempt, waitMs, reason });
      await timer.sleep(waitMs, signal);
    };
    for (let attempt = 1; ; attempt++) {
      const waitMs = throttle.reserve(group, timer.now(), endsAtMs);
      if (waitMs === undefined) throw late(unknown ? "unknown" : "no");
      if (waitMs > 0)
        await wait(attempt, waitMs, limitedSinceMs === undefined ? "pace" : "rateLimit");
      if (signal?.aborted) throw signal.reason;
      let response: RawResponse | undefined;
      let failure: unknown;
      try {
        response = await sendOnce(request, endsAtMs - timer.now());
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        failure = error;
      }
      const nowMs = timer.now();
      request.observe?.({ event: "attempt", operation, attempt, status: response?.status ?? 0 });
      const limited = response?.status === 429;
      // What was sent a window ago does not count any more: to wait longer helps only against
      // others, who need a window, too.
      if (
        limited &&
        (limitedSinceMs === undefined || nowMs - limitedSinceMs >= throttle.windowMs(group))
      )
        limitedSinceMs = nowMs;
      const windowLeftMs = limited
        ? throttle.windowMs(group) - (nowMs - (limitedSinceMs ?? nowMs))
        : Number.POSITIVE_INFINITY;
      if (response !== undefined && !limited) {
        throttle.note(nowMs, false);
        if (
          response.status < 500 ||
          response.status === 501 ||
          response.status === 504 ||
          !repeatable
        )
          return response;
      }
      const unsent = failure !== undefined && isUnsent(failure);
      if (!limited && !unsent) unknown = true;
      const delayMs = delayOf(attempt, response?.retryAfter, random, windowLeftMs);
      // A response that is too large stays so, and so does a redirect.
      const final =
        failure instanceof RangeError ||
        isRedirect(failure) ||
        (failure !== undefined && !unsent && !repeatable);
      const givesUp = attempt >= attempts || final || (limited && stuck);
      if (givesUp || nowMs + delayMs > endsAtMs) {
        if (limited) throttle.note(nowMs, true);
        if (response !== undefined) return { ...response, stuck: limited && stuck };
        if (nowMs >= endsAtMs) throw late(unknown ? "unknown" : "no");
        throw noResponse(operation, failure, unknown ? "unknown" : "no");
      }
      // All requests of the group wait, because the service would refuse them too.
      if (limited) throttle.hold(group, nowMs + delayMs);
      else await wait(attempt + 1, delayMs, "failure");
    }
  };
}

/** No response arrived, for this reason. */
export function noResponse(
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

function isRedirect(error: unknown): boolean {
  return (
    (error as { cause?: { message?: unknown } } | undefined)?.cause?.message ===
    "unexpected redirect"
  );
}

function isUnsent(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return UNSENT.test(`${code} ${cause?.code}`);
}

function delayOf(
  attempt: number,
  retryAfter: string | null | undefined,
  random: () => number,
  mostMs: number,
): number {
  const asked = Number(retryAfter ?? "") * 1_000;
  if (asked > 0) return Math.min(Math.max(asked, MIN_ASKED_MS), MAX_DELAY_MS);
  const full = Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** (attempt - 1), MAX_DELAY_MS);
  return Math.min(full / 2 + (random() * full) / 2, mostMs);
}

/** Waits with the platform's timers, which are looked up when they are needed. */
export const systemTimer: Timer = {
  now: () => Date.now(),
  sleep: (ms, signal?: CancelSignal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timeout);
        reject(signal?.reason);
      };
      const timeout = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort);
    }),
};
