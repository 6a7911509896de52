import { describe, expect, it } from "vitest";
import type { AccountSession } from "../../../src/accounts/account-session.ts";
import type { Hop } from "../../../src/execute/fetch/fetch-policy.ts";
import { computeRetryDelay, findNextHop } from "../../../src/execute/fetch/next-request.ts";

const NOW_MS = 50_000;
const policy = {
  resolveRedirect: (location: string, from: string) => new URL(location, from).href,
};
const post: Hop = {
  url: "https://api.example.com/a?key=k",
  method: "POST",
  headers: { "X-Key": "v", "Content-Type": "text/plain", Accept: "*/*" },
  body: "text",
  mayCarryCredentials: true,
};

function redirect(status: number, location?: string) {
  return { status, headers: location === undefined ? {} : { location } };
}

describe("a response to a Pack's request", () => {
  it.each([
    ["with a status of success is final", redirect(200, "/b"), undefined],
    ["that redirects nowhere is final", redirect(302), undefined],
    [
      "with 307 repeats the request at its target",
      redirect(307, "/b"),
      { ...post, url: "https://api.example.com/b" },
    ],
    [
      "with 303 makes it a GET without a body",
      redirect(303, "/b"),
      {
        url: "https://api.example.com/b",
        method: "GET",
        headers: { "X-Key": "v", Accept: "*/*" },
        body: undefined,
        mayCarryCredentials: true,
      },
    ],
    [
      "that redirects to another origin keeps neither headers nor credentials",
      redirect(307, "https://files.example.com/b"),
      {
        url: "https://files.example.com/b",
        method: "POST",
        headers: { Accept: "*/*" },
        body: undefined,
        mayCarryCredentials: false,
      },
    ],
  ])("%s", (_, response, next) => {
    expect(findNextHop(response, post, 0, policy, undefined)).toEqual(next);
  });

  it("does not pass on a credential that the server repeats in its redirect", () => {
    const account: Pick<AccountSession, "authentication"> = {
      authentication: { type: "QueryParamToken", paramName: "key" },
    };
    const response = redirect(307, "https://files.example.com/b?x=1&key=k");
    expect(findNextHop(response, post, 0, policy, account)?.url).toBe(
      "https://files.example.com/b?x=1",
    );
  });

  it("is refused when it is the sixth redirect", () => {
    expect(findNextHop(redirect(307, "/b"), post, 4, policy, undefined)).toBeDefined();
    expect(() => findNextHop(redirect(307, "/b"), post, 5, policy, undefined)).toThrow(
      expect.objectContaining({ code: "FETCH_TOO_MANY_REDIRECTS" }),
    );
  });

  it.each<[string, number, string | undefined, number, number | undefined]>([
    ["with a status of success is final", 200, "1", 0, undefined],
    ["with 503 is final", 503, "1", 0, undefined],
    ["with 429 is repeated after the time that it asks for", 429, "2", 0, 2_000],
    [
      "with 429 is repeated at the date that it asks for",
      429,
      "Thu, 01 Jan 1970 00:00:53 GMT",
      0,
      3_000,
    ],
    ["with 429 is final without a time", 429, undefined, 0, undefined],
    ["with 429 is final if the run ends before", 429, "10", 0, undefined],
    ["with 429 is repeated five times", 429, "1", 4, 1_000],
    ["with 429 is final after five retries", 429, "1", 5, undefined],
  ])("%s", (_, status, retryAfter, retries, delayMs) => {
    const headers: Record<string, string> = {};
    if (retryAfter !== undefined) headers["retry-after"] = retryAfter;
    const state = { retries, nowMs: NOW_MS, deadlineMs: NOW_MS + 10_000 };
    expect(computeRetryDelay({ status, headers }, state)).toBe(delayMs);
  });
});
