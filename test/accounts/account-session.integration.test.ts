import { describe, expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import type { Behaviour } from "../support/token-server.ts";
import { define, rotating, setUp, stored } from "./session-under-test.ts";

describe("openAccountSession", () => {
  // docs/rules.md: rule 28
  it("finds rotated tokens with a corrected definition, also after the old refresh token was refused", async () => {
    const tokens = {
      access_token: "renewed",
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: "rotated",
    };
    let asked = 0;
    await using run = await setUp(() =>
      ++asked === 1
        ? { body: { data: tokens } }
        : { status: 400, body: { error: "invalid_grant" } },
    );
    await expect((await run.open()).getAccessToken()).rejects.toMatchObject({
      code: "OAUTH_TOKEN_RESPONSE_INVALID",
    });
    for (const _ of ["refused", "remembered", "remembered"]) {
      await expect((await run.open()).getAccessToken()).rejects.toMatchObject({
        code: "ACCOUNT_RECONNECT",
      });
    }
    expect(asked).toBe(2);
    const corrected = await run.open({
      definition: { ...run.definition, nestedResponseKey: "data" },
    });
    expect(await corrected.getAccessToken()).toBe("renewed");
    expect(await stored(run.vault)).toEqual({
      access: "renewed",
      refresh: "rotated",
      status: "connected",
    });
    expect(asked).toBe(2);
  });

  it("fails for an account that does not exist", async () => {
    await using run = await setUp(rotating());
    await expect(run.open({ key: { ...accountKey, name: "none" } })).rejects.toMatchObject({
      code: "ACCOUNT_MISSING",
    });
  });

  // docs/rules.md: rule 28
  it("renews an expired account once for 50 concurrent calls in two sessions, and stores the rotated token", async () => {
    await using run = await setUp(rotating());
    const [one, two] = [await run.open(), await run.open()];
    const got = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : two).getAccessToken()),
    );
    expect(new Set(got)).toEqual(new Set(["renewed-1"]));
    expect(run.server.requests).toHaveLength(1);
    expect(await stored(run.vault)).toEqual({
      access: "renewed-1",
      refresh: "rotated-1",
      status: "connected",
    });
    expect(await one.renewAfterUnauthorized("renewed-1")).toBe("renewed-2");
    expect(await two.renewAfterUnauthorized("renewed-1")).toBe("renewed-2");
    expect(run.server.requests).toHaveLength(2);
  });

  // docs/rules.md: rule 28
  it("stores the new tokens before any request uses them", async () => {
    await using run = await setUp(rotating());
    const token = await (await run.open()).getAccessToken();
    await using other = await openVault({ directory: run.folder.path });
    expect(await stored(other)).toMatchObject({ access: token });
  });

  // docs/rules.md: rule 28
  it("keeps an unreadable response, and understands it once the definition is right", async () => {
    await using run = await setUp(() => ({
      body: { data: { access_token: "nested", refresh_token: "next", expires_in: 3600 } },
    }));
    const session = await run.open();
    await expect(session.getAccessToken()).rejects.toMatchObject({
      code: "OAUTH_TOKEN_RESPONSE_INVALID",
    });
    expect(await stored(run.vault)).toMatchObject({
      refresh: "planted-refresh",
      status: "connected",
    });
    const corrected = await run.open({
      definition: define(run.server.url, { nestedResponseKey: "data" }),
    });
    expect(await corrected.getAccessToken()).toBe("nested");
    expect(run.server.requests).toHaveLength(1);
  });

  // docs/rules.md: rule 28
  it("asks for a reconnection only after invalid_grant, and then makes no further request", async () => {
    await using run = await setUp(rotating("another-refresh-token"));
    const session = await run.open();
    await expect(session.getAccessToken()).rejects.toMatchObject({
      code: "ACCOUNT_RECONNECT",
      details: { error: "invalid_grant: reused" },
    });
    await expect(session.getAccessToken()).rejects.toMatchObject({ code: "ACCOUNT_RECONNECT" });
    expect(run.server.requests).toHaveLength(1);
    expect(await stored(run.vault)).toMatchObject({
      refresh: "planted-refresh",
      status: "reconnect",
    });
  });

  // docs/rules.md: rule 28
  it.each([
    ["a 500", () => ({ status: 500, body: { error: "invalid_grant" } }), "OAUTH_TOKEN_UNAVAILABLE"],
    ["a 429", () => ({ status: 429, body: {} }), "OAUTH_TOKEN_UNAVAILABLE"],
    ["an HTML page", () => ({ body: "<html>" }), "OAUTH_TOKEN_RESPONSE_INVALID"],
    [
      "invalid_client",
      () => ({ status: 401, body: { error: "invalid_client" } }),
      "OAUTH_TOKEN_REJECTED",
    ],
    [
      "invalid_scope",
      () => ({ status: 400, body: { error: "invalid_scope" } }),
      "OAUTH_TOKEN_REJECTED",
    ],
    [
      "a dropped socket",
      (_: unknown, response: import("node:http").ServerResponse) => {
        response.destroy();
        return undefined;
      },
      "OAUTH_TOKEN_UNAVAILABLE",
    ],
    ["no answer", () => undefined, "OAUTH_TOKEN_TIMEOUT"],
  ])("keeps the old tokens after %s", async (_, behave, code) => {
    await using run = await setUp(behave as Behaviour);
    const session = await run.open({ timeoutMs: code === "OAUTH_TOKEN_TIMEOUT" ? 200 : 60_000 });
    await expect(session.getAccessToken()).rejects.toMatchObject({ code });
    expect(await stored(run.vault)).toEqual({
      access: "planted-access",
      refresh: "planted-refresh",
      status: "connected",
    });
  });

  it("keeps the account's endpoint when it renews, and takes a new one inside the declared domains", async () => {
    const body = { access_token: "x", expires_in: 3600, api: "us.tasks.example" };
    const account = makeAccount({
      tokenSet: makeTokenSet({ endpoint: "https://eu.tasks.example" }),
    });
    await using run = await setUp(() => ({ body }), { endpointKey: "api" }, account);
    const session = await run.open({ networkDomains: ["tasks.example"] });
    expect(session.endpoint).toBe("https://eu.tasks.example");
    await session.getAccessToken();
    expect(session.endpoint).toBe("https://us.tasks.example");
  });

  it.each<[string, Partial<OAuth2Authentication>]>([
    ["a member of the response", { endpointKey: "homepage" }],
    ["the definition", { endpointUrl: "https://evil.example" }],
  ])(
    "does not follow an endpoint in %s to a host that the account was not connected for, and loses no token",
    async (_, changes) => {
      const body = {
        access_token: "new",
        expires_in: 3600,
        refresh_token: "rotated",
        homepage: "https://evil.example",
      };
      const hosts = { credentialDomains: ["tasks.example"], tokenOrigins: [] };
      const account = makeAccount({
        hosts,
        tokenSet: makeTokenSet({ endpoint: "https://eu.tasks.example" }),
      });
      await using run = await setUp(() => ({ body }), changes, account);
      const networkDomains = ["tasks.example", "evil.example"];
      for (const _attempt of ["with the response", "with the kept response"]) {
        const session = await run.open({ networkDomains });
        await expect(session.getAccessToken()).rejects.toMatchObject({
          code: "ACCOUNT_HOSTS_CHANGED",
          details: { hosts: ["evil.example"] },
        });
        expect(session.endpoint).toBe("https://eu.tasks.example");
      }
      const { endpointKey: _key, endpointUrl: _url, ...definition } = run.definition;
      expect(await (await run.open({ networkDomains, definition })).getAccessToken()).toBe("new");
      expect(await stored(run.vault)).toMatchObject({ access: "new", refresh: "rotated" });
    },
  );

  it("asks again for a client-credentials account, first and whenever it has expired", async () => {
    let count = 0;
    await using run = await setUp(
      () => ({ body: { access_token: `cc-${++count}`, expires_in: 3600 } }),
      {},
      makeAccount({ tokenSet: undefined }),
    );
    let now = 1_000_000;
    const definition = {
      type: "OAuth2ClientCredentials",
      tokenUrl: `${run.server.url}/t`,
    } as const;
    const session = await run.open({ definition, now: () => now });
    expect(await session.getAccessToken()).toBe("cc-1");
    expect(await session.getAccessToken()).toBe("cc-1");
    now += 3_600_000;
    expect(await session.getAccessToken()).toBe("cc-2");
    expect(await session.renewAfterUnauthorized("cc-2")).toBe("cc-3");
    expect(run.server.requests.map(({ params }) => params.get("grant_type"))).toEqual(
      Array(3).fill("client_credentials"),
    );
  });

  // docs/rules.md: rule 43
  it("offers no refresh token and no client secret to the code that runs formulas", async () => {
    await using run = await setUp(rotating());
    const session = await run.open();
    expect(Object.keys(session).sort()).toEqual([
      "authentication",
      "clientContext",
      "connection",
      "endpoint",
      "getAccessToken",
      "id",
      "proveRequest",
      "renewAfterUnauthorized",
    ]);
    expect(JSON.stringify(session)).not.toContain("planted");
  });
});
