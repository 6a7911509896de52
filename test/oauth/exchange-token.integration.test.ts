import { describe, expect, it } from "vitest";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import type { ExchangeRecord } from "../../src/oauth/exchange-record.ts";
import { exchangeToken } from "../../src/oauth/exchange-token.ts";
import { createTokenSet } from "../../src/oauth/token-set.ts";
import { startTokenServer } from "../support/token-server.ts";

const first = createTokenSet({
  accessToken: "first",
  tokenType: "Bearer",
  expiresAtMs: undefined,
  refreshToken: "rt",
  scopes: undefined,
  endpoint: undefined,
  extra: {},
  clientAuthentication: "basic",
});

/** Exchanges the first token at a server that takes any. @returns its request, and the token set */
async function exchange(members: Partial<NonNullable<OAuth2Authentication["tokenExchange"]>>) {
  await using server = await startTokenServer(() => ({
    body: { access_token: "second", token_type: "Bearer" },
  }));
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
    tokenExchange: { url: `${server.url}/exchange`, params: {}, ...members },
  };
  const client = { clientId: "client", clientSecret: "planted-secret" };
  const tokenSet = await exchangeToken({ definition, client }, first);
  return { request: server.requests[0], tokenSet };
}

describe("exchangeToken", () => {
  it("returns the second access token, with what renews and authenticates the first", async () => {
    const { tokenSet } = await exchange({});
    expect(tokenSet).toMatchObject({
      accessToken: "second",
      refreshToken: "rt",
      clientAuthentication: "basic",
    });
  });

  it("identifies as the client of the account", async () => {
    const { request } = await exchange({});
    expect(JSON.stringify([request?.headers.authorization, `${request?.params}`])).toMatch(
      /client_id=client|Basic /,
    );
    expect(`${request?.params}`).not.toContain("other");
  });

  it("identifies as the client that the exchange declares", async () => {
    const { request } = await exchange({ clientId: "other" });
    expect(request?.params.get("client_id")).toBe("other");
    expect(JSON.stringify(request)).not.toContain("planted-secret");
  });

  it("names the member of the definition whose server answers without a token", async () => {
    await using server = await startTokenServer(() => ({ body: { hello: "world" } }));
    const definition: OAuth2Authentication = {
      type: "OAuth2",
      authorizationUrl: `${server.url}/a`,
      tokenUrl: `${server.url}/t`,
      tokenExchange: { url: `${server.url}/exchange`, params: {} },
    };
    await expect(
      exchangeToken(
        { definition, client: { clientId: "client", clientSecret: "planted-secret" } },
        first,
      ),
    ).rejects.toMatchObject({
      code: "OAUTH_TOKEN_RESPONSE_INVALID",
      hint: "Check the url of tokenExchange.",
    });
  });

  it("does not take a server that asks to slow down for one that waits for a user", async () => {
    await using server = await startTokenServer(() => ({
      status: 400,
      body: { error: "slow_down" },
    }));
    const definition: OAuth2Authentication = {
      type: "OAuth2",
      authorizationUrl: `${server.url}/a`,
      tokenUrl: `${server.url}/t`,
      tokenExchange: { url: `${server.url}/exchange`, params: {} },
    };
    const records: ExchangeRecord[] = [];
    const onExchange = (record: ExchangeRecord) => void records.push(record);
    await expect(
      exchangeToken(
        { definition, client: { clientId: "client", clientSecret: "planted-secret" }, onExchange },
        first,
      ),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^OAUTH_/) });
    expect(records.map(({ isWaiting }) => isWaiting)).toEqual([undefined]);
  });
});
