import { describe, expect, it } from "vitest";
import {
  type CallLimits,
  type CallProgress,
  decide,
  FIRST_ATTEMPT,
  type Outcome,
  recordOutcome,
} from "../../../src/service/client/retry-policy.ts";

const NOW_MS = 50_000;
const CALL: CallLimits = {
  operation: "listRows",
  repeatable: true,
  attempts: 4,
  repeatsHung: true,
  maxUnsentDelayMs: 60_000,
  endsAtMs: NOW_MS + 100_000,
  windowMs: 6_000,
  isStuck: false,
  random: () => 1,
};

function respond(status: number, retryAfter?: string): Outcome {
  return {
    is: "response",
    response: { status, headers: {}, body: undefined, retryAfter } as never,
  };
}

function fail(code: string): Outcome {
  return { is: "failure", error: Object.assign(new Error(code), { code }) };
}

const redirect: Outcome = {
  is: "failure",
  error: new TypeError("fetch failed", { cause: new Error("unexpected redirect") }),
};
const tooLarge: Outcome = { is: "failure", error: new RangeError("too large") };

/** `return`, `fail`, or how long to wait and for whom. */
function summarize(outcome: Outcome, call: Partial<CallLimits> = {}, progress = FIRST_ATTEMPT) {
  const limits = { ...CALL, ...call };
  const decision = decide(
    outcome,
    recordOutcome(progress, outcome, NOW_MS, limits),
    NOW_MS,
    limits,
  );
  if (decision.is !== "wait") return decision.is;
  return `wait ${decision.ms}${decision.holdsGroup ? " with the group" : ""}`;
}

describe("a call of the service client", () => {
  it.each<[string, Outcome, boolean, string]>([
    ["returns a success", respond(200), true, "return"],
    ["returns a refusal", respond(404), true, "return"],
    ["repeats 500 if the operation may be repeated", respond(500), true, "wait 2000"],
    ["returns 500 if the operation may not be repeated", respond(500), false, "return"],
    ["returns 501, which stays", respond(501), true, "return"],
    ["repeats 503 after the time that the service names", respond(503, "7"), true, "wait 7000"],
    ["returns 504, which would take as long again", respond(504), true, "return"],
    [
      "repeats 429 always, and all of its group wait",
      respond(429),
      false,
      "wait 2000 with the group",
    ],
    ["waits at least a second after 429", respond(429, "0.01"), false, "wait 1000 with the group"],
    ["waits at most a minute after 429", respond(429, "600"), false, "wait 60000 with the group"],
    ["repeats a request that was not sent", fail("ECONNREFUSED"), false, "wait 2000"],
    ["fails if a request may have been executed", fail("ECONNRESET"), false, "fail"],
    ["repeats a lost request that may be repeated", fail("ECONNRESET"), true, "wait 2000"],
    ["fails after a redirect", redirect, true, "fail"],
    ["fails after a response that is too large", tooLarge, true, "fail"],
  ])("%s", (_, outcome, repeatable, expected) => {
    expect(summarize(outcome, { repeatable })).toBe(expected);
  });

  it("waits longer after each failure, up to a minute", () => {
    const waits = [1, 2, 3, 4, 5].map((attempt) =>
      summarize(respond(500), { attempts: 10 }, { ...FIRST_ATTEMPT, attempt }),
    );
    expect(waits).toEqual(["wait 2000", "wait 6000", "wait 18000", "wait 54000", "wait 60000"]);
  });

  it("waits half as long when the random source gives 0", () => {
    expect(summarize(respond(500), { random: () => 0 })).toBe("wait 1000");
  });

  it("waits for the rate limit no longer than its window, counted from the first refusal", () => {
    const progress: CallProgress = {
      attempt: 3,
      executed: "no",
      limitedSinceMs: NOW_MS - 5_000,
    };
    expect(summarize(respond(429), {}, progress)).toBe("wait 1000 with the group");
    const older = { ...progress, limitedSinceMs: NOW_MS - 6_000 };
    expect(summarize(respond(429), {}, older)).toBe("wait 6000 with the group");
  });

  it("waits for a connection no longer than the call allows", () => {
    const limits = { maxUnsentDelayMs: 500 };
    expect(summarize(fail("ECONNREFUSED"), limits)).toBe("wait 500");
    expect(summarize(fail("ECONNRESET"), limits)).toBe("wait 2000");
  });

  it("repeats a connection that took too long only if it repeats what hung", () => {
    const connectTimeout = fail("UND_ERR_CONNECT_TIMEOUT");
    expect(summarize(connectTimeout)).toBe("wait 2000");
    expect(summarize(connectTimeout, { repeatsHung: false })).toBe("fail");
  });

  it("ends after its last attempt", () => {
    const last = { ...FIRST_ATTEMPT, attempt: 4 };
    expect(summarize(respond(500), {}, last)).toBe("return");
    expect(summarize(fail("ECONNREFUSED"), {}, last)).toBe("fail");
  });

  it("ends if it would wait past its deadline", () => {
    expect(summarize(respond(500), { endsAtMs: NOW_MS + 2_000 })).toBe("wait 2000");
    expect(summarize(respond(500), { endsAtMs: NOW_MS + 1_999 })).toBe("return");
  });

  it("returns 429 marked as stuck if waiting has not helped lately", () => {
    const outcome = respond(429);
    const limits = { ...CALL, isStuck: true };
    const decision = decide(
      outcome,
      recordOutcome(FIRST_ATTEMPT, outcome, NOW_MS, limits),
      NOW_MS,
      limits,
    );
    expect(decision).toMatchObject({ is: "return", response: { status: 429, stuck: true } });
  });

  it.each<[string, Outcome, "no" | "unknown"]>([
    ["was not executed after 429", respond(429), "no"],
    ["was not executed if nothing was sent", fail("ENOTFOUND"), "no"],
    ["may have been executed after 500", respond(500), "unknown"],
    ["may have been executed if the answer was lost", fail("ECONNRESET"), "unknown"],
  ])("%s", (_, outcome, executed) => {
    expect(recordOutcome(FIRST_ATTEMPT, outcome, NOW_MS, CALL).executed).toBe(executed);
  });

  it("stays possibly executed after a later refusal", () => {
    const lost = recordOutcome(FIRST_ATTEMPT, fail("ECONNRESET"), NOW_MS, CALL);
    expect(recordOutcome(lost, respond(429), NOW_MS, CALL).executed).toBe("unknown");
  });

  it("fails with DeadlineError after its deadline, and ConnectionError before it", () => {
    const errors = [NOW_MS, NOW_MS + 1].map((endsAtMs) => {
      const decision = decide(tooLarge, FIRST_ATTEMPT, NOW_MS, { ...CALL, endsAtMs });
      return decision.is === "fail" ? decision.error.name : decision.is;
    });
    expect(errors).toEqual(["DeadlineError", "ConnectionError"]);
  });
});
