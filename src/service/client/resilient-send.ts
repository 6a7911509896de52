import {
  type CallLimits,
  type CallProgress,
  createDeadlineError,
  decide,
  FIRST_ATTEMPT,
  isRateLimited,
  MAX_DELAY_MS,
  type Outcome,
  type RawResponse,
  recordOutcome,
} from "./retry-policy.ts";
import type { Throttle } from "./throttle.ts";
import type { CancelSignal, ServiceRequest, ServiceResponse, Timer, Wait } from "./transport.ts";

export interface ResilienceOptions {
  timer: Timer;
  random: () => number;
  attempts: number;
  /** @default true */
  repeatsHung?: boolean | undefined;
  /** @default a minute */
  maxUnsentDelayMs?: number | undefined;
  throttle: Throttle;
}

/** Limit of a call that names none, in milliseconds. */
const DEADLINE_MS = 120_000;

/**
 * Sends requests within the limits of the service, and sends one again where `decide` finds that
 * this is safe and may help.
 * @param sendOnce sends one request, which may take `timeoutMs`
 */
export function createResilientSend(
  sendOnce: (request: ServiceRequest, timeoutMs: number) => Promise<RawResponse>,
  { timer, random, attempts, repeatsHung = true, maxUnsentDelayMs, throttle }: ResilienceOptions,
): (request: ServiceRequest) => Promise<ServiceResponse> {
  async function wait(
    { observe, operation, signal }: ServiceRequest,
    attempt: number,
    waitMs: number,
    reason: Wait["reason"],
  ): Promise<void> {
    observe?.({ event: "wait", operation, attempt, waitMs, reason });
    await timer.sleep(waitMs, signal);
  }

  /** Waits for the request's place within the rate limit. */
  async function pace(request: ServiceRequest, call: CallLimits, progress: CallProgress) {
    const waitMs = throttle.reserve(request.group, timer.now(), call.endsAtMs);
    if (waitMs === undefined) throw createDeadlineError(call, progress);
    const reason = progress.limitedSinceMs === undefined ? "pace" : "rateLimit";
    if (waitMs > 0) await wait(request, progress.attempt, waitMs, reason);
    if (request.signal?.aborted) throw request.signal.reason;
  }

  async function tryOnce(request: ServiceRequest, timeoutMs: number): Promise<Outcome> {
    try {
      return { is: "response", response: await sendOnce(request, timeoutMs) };
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      return { is: "failure", error };
    }
  }

  return async (request) => {
    const { operation, group, repeatable } = request;
    const call: CallLimits = {
      operation,
      repeatable,
      attempts,
      repeatsHung,
      maxUnsentDelayMs: maxUnsentDelayMs ?? MAX_DELAY_MS,
      endsAtMs: timer.now() + (request.deadlineMs ?? DEADLINE_MS),
      windowMs: throttle.windowMs(group),
      isStuck: throttle.isStuck(timer.now()),
      random,
    };
    for (let progress = FIRST_ATTEMPT; ; progress = nextAttempt(progress)) {
      await pace(request, call, progress);
      const outcome = await tryOnce(request, call.endsAtMs - timer.now());
      const nowMs = timer.now();
      const status = outcome.is === "response" ? outcome.response.status : 0;
      request.observe?.({ event: "attempt", operation, attempt: progress.attempt, status });
      progress = recordOutcome(progress, outcome, nowMs, call);
      const decision = decide(outcome, progress, nowMs, call);
      const isLimited = isRateLimited(outcome);
      if (outcome.is === "response" && (!isLimited || decision.is !== "wait"))
        throttle.note(nowMs, isLimited);
      if (decision.is === "return") return decision.response;
      if (decision.is === "fail") throw decision.error;
      if (decision.holdsGroup) throttle.hold(group, nowMs + decision.ms);
      else await wait(request, progress.attempt + 1, decision.ms, "failure");
    }
  };
}

function nextAttempt(progress: CallProgress): CallProgress {
  return { ...progress, attempt: progress.attempt + 1 };
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
