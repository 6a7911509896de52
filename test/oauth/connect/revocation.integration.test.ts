import { describe, expect, it } from "vitest";
import type { OAuth2Authentication } from "../../../src/define/oauth.ts";
import { revokeToken } from "../../../src/oauth/connect/revocation.ts";
import { makeTokenSet } from "../../support/accounts.ts";
import { type Answer, startTokenServer } from "../../support/token-server.ts";

const client = { clientId: "id", clientSecret: "secret" };

async function revoke(
  answer: Answer,
  changes: Parameters<typeof makeTokenSet>[0] = {},
  members: Partial<OAuth2Authentication> = {},
) {
  await using server = await startTokenServer(() => answer);
  const definition = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
    ...members,
  } as OAuth2Authentication;
  const outcome = await revokeToken({
    definition,
    client,
    revocationUrl: `${server.url}/revoke`,
    tokenSet: makeTokenSet(changes),
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { outcome, requests: server.requests };
}

describe("revokeToken", () => {
  it("revokes the refresh token, or else the access token, with the client authentication that worked", async () => {
    const { outcome, requests } = await revoke({}, { clientAuthentication: "basic" });
    expect(outcome).toBeUndefined();
    expect(Object.fromEntries(requests[0]?.params ?? [])).toEqual({
      token: "planted-refresh",
      token_type_hint: "refresh_token",
    });
    expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa("id:secret")}`);
    const without = await revoke({}, { refreshToken: undefined });
    expect(without.requests[0]?.params.get("token")).toBe("planted-access");
  });

  it.each<[Partial<OAuth2Authentication>, object]>([
    [
      { parameterNames: { client_id: "client_key", token: "access_key", token_type_hint: "" } },
      { client_key: "id", client_secret: "secret", access_key: "planted-refresh" },
    ],
    [
      { parameterNames: { client_id: "no" }, tokenParameterNames: { client_secret: "app_key" } },
      {
        client_id: "id",
        app_key: "secret",
        token: "planted-refresh",
        token_type_hint: "refresh_token",
      },
    ],
  ])("names the parameters as the definition says: %j", async (changes, expected) => {
    const { requests } = await revoke({}, { clientAuthentication: "body" }, changes);
    expect(Object.fromEntries(requests[0]?.params ?? [])).toEqual(expected);
  });

  it.each([
    { status: 500 },
    { status: 400, body: { error: "unsupported_token_type" } },
    { status: 302, headers: { location: "/x" } },
  ])("reports %j", async (answer) => {
    const { outcome } = await revoke(answer);
    expect(outcome).toMatchObject({
      code: "OAUTH_REVOCATION_FAILED",
      details: { status: answer.status },
    });
  });
});
