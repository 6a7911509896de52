import { describe, expect, it } from "vitest";
import { openAccountSession } from "../../src/accounts/account-session.ts";
import { openVault } from "../../src/accounts/vault.ts";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { type Answer, startTokenServer } from "../support/token-server.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.parse("2026-06-01T00:00:00Z");

/** An account with a token of 60 days, which is renewed with itself. */
async function setUp(answer: (count: number) => Answer = renewed) {
  const folder = makeTemporaryFolder();
  const world = { now: START_MS };
  const server = await startTokenServer(() => answer(server.requests.length));
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
    tokenRenewal: {
      url: `${server.url}/renew`,
      method: "GET",
      grantType: "renew_token",
      params: { access_token: "{token}" },
      withClient: false,
    },
  };
  const vault = await openVault({ directory: folder.path });
  const tokenSet = makeTokenSet({
    accessToken: "at-0",
    refreshToken: undefined,
    expiresAtMs: START_MS + 60 * DAY_MS,
    lifetimeMs: 60 * DAY_MS,
    renewsItself: true,
  });
  await vault.save(makeAccount({ tokenSet }));
  const session = await openAccountSession({
    vault,
    key: accountKey,
    definition,
    now: () => world.now,
  });
  return {
    world,
    server,
    vault,
    session,
    status: async () => (await vault.get(accountKey))?.status,
    async [Symbol.asyncDispose]() {
      await vault[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function renewed(count: number): Answer {
  return { body: { access_token: `at-${count}`, token_type: "bearer", expires_in: 5_184_000 } };
}

describe("an account whose access token is renewed with itself", () => {
  it("renews it when half of its lifetime is over, without the client", async () => {
    await using run = await setUp();
    run.world.now += 29 * DAY_MS;
    expect(await run.session.getAccessToken()).toBe("at-0");
    expect(run.server.requests).toEqual([]);
    run.world.now += DAY_MS;
    expect(await run.session.getAccessToken()).toBe("at-1");
    run.world.now += 31 * DAY_MS;
    expect(await run.session.getAccessToken()).toBe("at-2");
    expect(run.server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /renew?grant_type=renew_token&access_token=at-0",
      "GET /renew?grant_type=renew_token&access_token=at-1",
    ]);
    expect((await run.vault.get(accountKey))?.tokenSet).toMatchObject({
      accessToken: "at-2",
      renewsItself: true,
      lifetimeMs: 60 * DAY_MS,
    });
  });

  it("uses the valid token when the renewal is refused, and waits a minute before the next attempt", async () => {
    const refusal = { status: 400, body: { error: "invalid_grant" } };
    await using run = await setUp((count) => (count === 1 ? refusal : renewed(count)));
    run.world.now += 30 * DAY_MS;
    for (let call = 0; call < 3; call++) expect(await run.session.getAccessToken()).toBe("at-0");
    expect(run.server.requests).toHaveLength(1);
    expect(await run.status()).toBe("connected");
    run.world.now += 60_000;
    expect(await run.session.getAccessToken()).toBe("at-2");
  });

  it("must be connected again after its token has expired, and nothing is sent", async () => {
    await using run = await setUp();
    run.world.now += 60 * DAY_MS;
    await expect(run.session.getAccessToken()).rejects.toMatchObject({ code: "ACCOUNT_RECONNECT" });
    expect(run.server.requests).toEqual([]);
    expect(await run.status()).toBe("reconnect");
  });

  it("takes over the answer of a process that was killed before it stored the token", async () => {
    await using run = await setUp();
    run.world.now += 30 * DAY_MS;
    const granted = (await run.vault.get(accountKey))?.tokenSet;
    await run.vault.savePendingTokens(accountKey, {
      status: 200,
      contentType: "application/json",
      text: JSON.stringify({ access_token: "at-lost", expires_in: 5_184_000 }),
      receivedAtMs: run.world.now,
      granted,
    });
    expect(await run.session.getAccessToken()).toBe("at-lost");
    expect(run.server.requests).toEqual([]);
  });

  it("is listed as renewable", async () => {
    await using run = await setUp();
    expect(await run.vault.list()).toMatchObject([{ renewable: true }]);
  });
});
