import { describe, expect, it } from "vitest";
import { openAccountSession } from "../../src/accounts/account-session.ts";
import { openVault } from "../../src/accounts/vault.ts";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { type Answer, startTokenServer } from "../support/token-server.ts";

interface Setup {
  /** Answers the exchange. @default a token named after the one that is exchanged */
  exchange?: (token: string) => Answer;
  /** Members of each answer to a refresh, after the nth. */
  granted?: (count: number) => Record<string, unknown>;
  tokens?: Parameters<typeof makeTokenSet>[0];
  changes?: Partial<OAuth2Authentication>;
}

/** An identity provider that rotates its refresh tokens, and a server that exchanges its tokens. */
async function setUp({ granted = () => ({}), tokens, changes, ...rest }: Setup = {}) {
  const folder = makeTemporaryFolder();
  const exchange = {
    answer:
      rest.exchange ??
      ((token: string): Answer => ({
        body: { access_token: `api-of-${token}`, token_type: "Bearer", expires_in: 3600 },
      })),
  };
  let current = "planted-refresh";
  let count = 0;
  const server = await startTokenServer(({ url, params }) => {
    if (url === "/exchange") return exchange.answer(params.get("assertion") ?? "");
    if (params.get("refresh_token") !== current)
      return { status: 400, body: { error: "invalid_grant" } };
    count++;
    current = `rotated-${count}`;
    const body = { access_token: `idp-${count}`, token_type: "Bearer", refresh_token: current };
    return { body: { ...body, expires_in: 3600, ...granted(count) } };
  });
  const definition = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
    tokenExchange: { url: `${server.url}/exchange`, params: { assertion: "{token}" } },
    ...changes,
  } as OAuth2Authentication;
  const first = await openVault({ directory: folder.path });
  await first.save(makeAccount({ tokenSet: makeTokenSet({ step: "exchange", ...tokens }) }));
  return {
    exchange,
    server,
    first,
    /** What another process gets, which opens the vault after the earlier one has ended. */
    async getToken(): Promise<string> {
      await using vault = await openVault({ directory: folder.path });
      const session = await openAccountSession({ vault, key: accountKey, definition });
      return await session.getAccessToken();
    },
    paths: () => server.requests.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const broken = () => ({ status: 500, body: {} });

describe("an account whose definition exchanges its tokens", () => {
  it("never hands out the token of the first request when the second one fails", async () => {
    await using run = await setUp();
    const answer = run.exchange.answer;
    run.exchange.answer = broken;
    await expect(run.getToken()).rejects.toMatchObject({ code: "OAUTH_TOKEN_UNAVAILABLE" });
    await expect(run.getToken()).rejects.toMatchObject({ code: "OAUTH_TOKEN_UNAVAILABLE" });
    run.exchange.answer = answer;
    expect(await run.getToken()).toBe("api-of-idp-1");
    expect(run.paths()).toEqual(["/t", "/exchange", "/exchange", "/exchange"]);
    expect((await run.first.get(accountKey))?.tokenSet).toMatchObject({
      accessToken: "api-of-idp-1",
      refreshToken: "rotated-1",
      step: "exchange",
    });
    expect(await run.first.getPendingTokens(accountKey)).toBeUndefined();
  });

  it("refreshes with the rotated token when the kept one can no longer be exchanged", async () => {
    await using run = await setUp();
    const answer = run.exchange.answer;
    run.exchange.answer = broken;
    await expect(run.getToken()).rejects.toMatchObject({ code: "OAUTH_TOKEN_UNAVAILABLE" });
    run.exchange.answer = (token) =>
      token === "idp-1" ? { status: 400, body: { error: "invalid_request" } } : answer(token);
    expect(await run.getToken()).toBe("api-of-idp-2");
    expect(run.paths()).toEqual(["/t", "/exchange", "/exchange", "/t", "/exchange"]);
  });

  it("takes over the second response of a process that was killed before it stored the tokens", async () => {
    await using run = await setUp({ changes: { nestedResponseKey: "data" } });
    const granted = makeTokenSet({ accessToken: "idp-0", refreshToken: "rotated-0" });
    await run.first.savePendingTokens(accountKey, {
      status: 200,
      contentType: "application/json",
      text: JSON.stringify({ access_token: "api-of-idp-0", expires_in: 3600 }),
      receivedAtMs: Date.now(),
      granted,
    });
    expect(await run.getToken()).toBe("api-of-idp-0");
    expect(run.paths()).toEqual([]);
    expect((await run.first.get(accountKey))?.tokenSet).toMatchObject({
      refreshToken: "rotated-0",
    });
  });

  it("exchanges a stored token that an earlier definition did not exchange", async () => {
    const expiresAtMs = Date.now() + 3_600_000;
    await using run = await setUp({
      tokens: { accessToken: "idp-0", step: undefined, expiresAtMs, refreshToken: undefined },
    });
    expect(await run.getToken()).toBe("api-of-idp-0");
    expect(run.paths()).toEqual(["/exchange"]);
  });
});

it.each([
  ["work", / --account work and enter the secret\. packsmith keeps /],
  [
    "local",
    /^After a restart, packsmith provider --for uses a new client\. Connect the account again: .* \/packs\/tasks\/pack\.ts --local\.$/,
  ],
])(
  "a refused client of the account %s is told what to do, and the account stays",
  async (name, hint) => {
    using folder = makeTemporaryFolder();
    await using server = await startTokenServer(() => ({
      status: 401,
      body: { error: "invalid_client" },
    }));
    await using vault = await openVault({ directory: folder.path });
    const key = { ...accountKey, name };
    await vault.save(makeAccount({ key }));
    const definition = {
      type: "OAuth2",
      authorizationUrl: `${server.url}/a`,
      tokenUrl: `${server.url}/t`,
    } as const;
    const session = await openAccountSession({ vault, key, definition });
    await expect(session.getAccessToken()).rejects.toMatchObject({
      code: "OAUTH_TOKEN_REJECTED",
      hint: expect.stringMatching(hint),
    });
    expect(await vault.get(key)).toMatchObject({
      status: "connected",
      tokenSet: { refreshToken: "planted-refresh" },
    });
  },
);
