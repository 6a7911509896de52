import { describe, expect, it } from "vitest";
import { createRequestGuard } from "../../src/dev/request-guard.ts";

describe("the guard of packsmith dev", () => {
  it("makes another key, cookie and token for each start", () => {
    const [first, second] = [
      createRequestGuard({ port: 4000 }),
      createRequestGuard({ port: 4000 }),
    ];
    for (const name of ["launchKey", "token", "cookie"] as const)
      expect(first[name]).not.toBe(second[name]);
    expect(Buffer.from(first.launchKey, "base64url")).toHaveLength(16);
    expect(new Set([first.launchKey, first.token, /=([^;]+)/.exec(first.cookie)?.[1]]).size).toBe(
      3,
    );
  });

  it("names the cookie after the port, so that two servers do not throw out each other's pages", () => {
    expect(createRequestGuard({ port: 4001 }).cookie).toMatch(/^packsmith_dev_4001=/);
  });
});
