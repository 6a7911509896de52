import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { expect, it } from "vitest";
import { type LocalProvider, startProvider } from "../../src/provider/provider.ts";
import { createHeadlessClient } from "../support/headless-client.ts";
import { me, REDIRECT_URI } from "./flow.ts";

const discover = (
  provider: LocalProvider,
  algorithm: "oidc" | "oauth2" = "oauth2",
  authentication?: client.ClientAuth,
) =>
  client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    provider.clientSecret,
    authentication,
    {
      algorithm,
      execute: [client.allowInsecureRequests],
    },
  );

async function connectWith(
  config: client.Configuration,
  method: "S256" | "plain",
): Promise<client.TokenEndpointResponse> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: "read write",
    state,
    code_challenge:
      method === "plain" ? verifier : await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: method,
  });
  const callback = await createHeadlessClient().authorize(url.href);
  return client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
}

for (const method of ["S256", "plain"] as const) {
  it(`openid-client connects with PKCE ${method}, refreshes, introspects and revokes`, async () => {
    await using provider = await startProvider();
    const config = await discover(
      provider,
      method === "S256" ? "oauth2" : "oidc",
      client.ClientSecretBasic(provider.clientSecret),
    );
    const first = await connectWith(config, method);
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? "");
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await client.tokenIntrospection(config, second.access_token)).toMatchObject({
      active: true,
      scope: "read write",
    });
    await client.tokenRevocation(config, second.refresh_token ?? "");
    expect(await client.tokenIntrospection(config, second.access_token)).toMatchObject({
      active: false,
    });
  });
}

it("openid-client meets reuse detection and client credentials", async () => {
  await using provider = await startProvider();
  const config = await discover(provider);
  const first = await connectWith(config, "S256");
  const second = await client.refreshTokenGrant(config, first.refresh_token ?? "");
  await expect(client.refreshTokenGrant(config, first.refresh_token ?? "")).rejects.toMatchObject({
    error: "invalid_grant",
    status: 400,
  });
  await expect(client.refreshTokenGrant(config, second.refresh_token ?? "")).rejects.toMatchObject({
    error: "invalid_grant",
  });
  const own = await client.clientCredentialsGrant(config, { scope: "read" });
  expect((await me(provider, own.access_token)).status).toBe(200);
});

it("oauth4webapi validates the discovery documents, the callback and the token response", async () => {
  await using provider = await startProvider({ scopes: ["read"] });
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(provider.issuer);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  );
  expect(as).toMatchObject({
    token_endpoint: provider.tokenUrl,
    code_challenge_methods_supported: ["S256", "plain"],
    scopes_supported: ["read"],
  });
  const own: oauth.Client = { client_id: provider.clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const query = {
    response_type: "code",
    client_id: own.client_id,
    redirect_uri: REDIRECT_URI,
    scope: "read",
    state: "st",
  };
  const pkce = {
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  const callback = await createHeadlessClient().authorize(
    `${as.authorization_endpoint}?${new URLSearchParams({ ...query, ...pkce })}`,
  );
  const parameters = oauth.validateAuthResponse(as, own, callback, "st");
  const authentication = oauth.ClientSecretPost(provider.clientSecret);
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    own,
    authentication,
    parameters,
    REDIRECT_URI,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, own, answer);
  expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "read" });
});
