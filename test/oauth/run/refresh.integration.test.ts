import { describe, expect, it } from "vitest";
import type {
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "../../../src/define/oauth.ts";
import { requestClientCredentialsToken } from "../../../src/oauth/run/client-credentials.ts";
import { refreshTokenSet } from "../../../src/oauth/run/refresh.ts";
import { createTokenSet } from "../../../src/oauth/token-set.ts";
import { type Answer, startTokenServer } from "../../support/token-server.ts";

const NOW = 1_780_000_000_000;
const client = { clientId: "id", clientSecret: "secret" };
const old = createTokenSet({
  accessToken: "at-1",
  tokenType: "Bearer",
  expiresAtMs: NOW - 1,
  refreshToken: "rt-1",
  scopes: ["a", "b"],
  endpoint: "https://eu.tasks.example",
  extra: { team: "T1", plan: "old" },
  clientAuthentication: "basic",
});

async function refresh(answer: Answer, changes: Partial<OAuth2Authentication> = {}) {
  await using server = await startTokenServer(() => answer);
  const definition = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
    ...changes,
  } as OAuth2Authentication;
  const tokenSet = await refreshTokenSet({
    definition,
    client,
    tokenSet: old,
    networkDomains: ["tasks.example"],
    now: () => NOW,
  });
  return { tokenSet, requests: server.requests };
}

describe("refreshTokenSet", () => {
  it("keeps the old refresh token, endpoint, scopes and unknown members when the response has none", async () => {
    const { tokenSet, requests } = await refresh({
      body: { access_token: "at-2", expires_in: 60 },
    });
    expect(tokenSet).toEqual({
      ...old,
      accessToken: "at-2",
      expiresAtMs: NOW + 60_000,
      lifetimeMs: 60_000,
      extra: { ...old.extra },
    });
    expect(Object.fromEntries(requests[0]?.params ?? [])).toEqual({
      grant_type: "refresh_token",
      refresh_token: "rt-1",
    });
    expect(requests[0]?.headers.authorization, "the method that worked before goes first").toBe(
      `Basic ${btoa("id:secret")}`,
    );
  });

  it("takes every new value", async () => {
    const body = {
      access_token: "at-2",
      token_type: "bearer",
      refresh_token: "rt-2",
      scope: "c",
      plan: "new",
      api: "us.tasks.example",
    };
    const { tokenSet } = await refresh({ body }, { endpointKey: "api" });
    expect(tokenSet).toMatchObject({
      refreshToken: "rt-2",
      scopes: ["c"],
      endpoint: "https://us.tasks.example",
      extra: { team: "T1", plan: "new" },
      expiresAtMs: undefined,
    });
  });

  it("reads nested tokens and sends the resource, like the code exchange", async () => {
    const { tokenSet, requests } = await refresh(
      { body: { data: { access_token: "at-2" } } },
      { nestedResponseKey: "data", resource: "https://api.tasks.example/" },
    );
    expect(tokenSet.accessToken).toBe("at-2");
    expect(requests[0]?.params.get("resource")).toBe("https://api.tasks.example/");
  });

  it("refuses a new endpoint outside the declared domains", async () => {
    await expect(
      refresh({ body: { access_token: "x", api: "evil.example" } }, { endpointKey: "api" }),
    ).rejects.toMatchObject({
      code: "ENDPOINT_OUTSIDE_DOMAIN",
    });
  });
});

describe("requestClientCredentialsToken", () => {
  it("sends joined scopes under their name, and the resource", async () => {
    await using server = await startTokenServer(() => ({
      body: { access_token: "at", scope: "a,b" },
    }));
    const definition: OAuth2ClientCredentialsAuthentication = {
      type: "OAuth2ClientCredentials",
      tokenUrl: "/t",
      scopes: ["a", "b"],
      scopeDelimiter: ",",
      scopeParamName: "permissions",
      resource: "https://api.tasks.example/",
      credentialsLocation: "AuthorizationHeader",
    };
    const tokenSet = await requestClientCredentialsToken({
      definition,
      client,
      endpoint: server.url,
    });
    expect(Object.fromEntries(server.requests[0]?.params ?? [])).toEqual({
      grant_type: "client_credentials",
      permissions: "a,b",
      resource: "https://api.tasks.example/",
    });
    expect(tokenSet.scopes).toEqual(["a", "b"]);
  });

  it("needs a client secret", async () => {
    const definition: OAuth2ClientCredentialsAuthentication = {
      type: "OAuth2ClientCredentials",
      tokenUrl: "https://as.example/t",
    };
    await expect(
      requestClientCredentialsToken({
        definition,
        client: { clientId: "id", clientSecret: undefined },
      }),
    ).rejects.toMatchObject({
      code: "OAUTH_CLIENT_MISSING",
    });
  });
});
