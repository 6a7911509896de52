import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createRequestGuard } from "../../src/dev/request-guard.ts";

describe("the guard of packsmith dev", () => {
  it("makes another key, cookie and token for each start", () => {
    const [first, second] = [
      createRequestGuard({ port: 4000 }),
      createRequestGuard({ port: 4000 }),
    ];
    for (const name of ["instanceKey", "token", "cookie"] as const)
      expect(first[name]).not.toBe(second[name]);
    const keys = [readQuery(first.createLink()), readQuery(first.createLink())].map(
      (query) => query.get("launch") ?? "",
    );
    for (const key of keys) expect(Buffer.from(key, "base64url")).toHaveLength(16);
    const secrets = [...keys, first.instanceKey, first.token, /=([^;]+)/.exec(first.cookie)?.[1]];
    expect(new Set(secrets).size).toBe(5);
  });

  it("accepts the key of each link once, and not after its time", () => {
    const guard = createRequestGuard({ port: 4000 });
    let uses = 0;
    const [one, two] = [
      readQuery(guard.createLink({ onUse: () => uses++ })),
      readQuery(guard.createLink({ lifetimeMs: 60_000 })),
    ];
    expect([one, one, two, two].map((query) => guard.useLaunchKey(query))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(uses).toBe(1);
    expect(guard.useLaunchKey(readQuery(guard.createLink({ lifetimeMs: 0 })))).toBe(false);
    expect(guard.useLaunchKey(new URLSearchParams("launch="))).toBe(false);
  });

  it("does not accept a cookie next to another one of the same name", () => {
    const guard = createRequestGuard({ port: 4001 });
    const [own = ""] = guard.cookie.split(";");
    const accepts = (cookie: string) =>
      guard.hasSession({ headers: { cookie } } as IncomingMessage);
    expect(accepts(`other=1; ${own}`)).toBe(true);
    expect(accepts(`packsmith_dev_4001=set-by-another-server; ${own}`)).toBe(false);
    expect(accepts(`${own}; packsmith_dev_4001=set-by-another-server`)).toBe(false);
  });

  it("names the cookie after the port, so that two servers do not throw out each other's pages", () => {
    expect(createRequestGuard({ port: 4001 }).cookie).toMatch(/^packsmith_dev_4001=/);
  });
});

function readQuery(link: string): URLSearchParams {
  return new URL(link).searchParams;
}
