import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { expect, it } from "vitest";
import { startProvider } from "../../../src/provider/provider.ts";
import { createHeadlessClient } from "../../support/headless-client.ts";
import { REDIRECT_URI } from "../flow.ts";

const insecure = { [oauth.allowInsecureRequests]: true };
const register = (url: string, metadata: unknown, type = "application/json") =>
  fetch(url, { method: "POST", body: JSON.stringify(metadata), headers: { "content-type": type } });

it("openid-client registers a client and connects with it", async () => {
  await using provider = await startProvider();
  const metadata = {
    redirect_uris: [REDIRECT_URI],
    client_name: "Registered",
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "client_secret_post",
  };
  const config = await client.dynamicClientRegistration(
    new URL(provider.issuer),
    metadata,
    undefined,
    {
      algorithm: "oauth2",
      execute: [client.allowInsecureRequests],
    },
  );
  expect(config.clientMetadata()).toMatchObject({ ...metadata, client_secret_expires_at: 0 });
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: "read",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const tokens = await client.authorizationCodeGrant(
    config,
    await createHeadlessClient().authorize(url.href),
    {
      pkceCodeVerifier: verifier,
    },
  );
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? "")).scope).toBe("read");
});

it("oauth4webapi reads the registration of a public client, whose loopback redirect URI matches on any port", async () => {
  await using provider = await startProvider();
  const as = { issuer: provider.issuer, registration_endpoint: provider.registrationUrl };
  const metadata = {
    redirect_uris: ["http://127.0.0.1/cb"],
    token_endpoint_auth_method: "none",
    scope: "read write",
  };
  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, metadata, insecure),
  );
  expect(registered).toMatchObject({
    ...metadata,
    grant_types: ["authorization_code"],
    response_types: ["code"],
  });
  expect(registered).not.toHaveProperty("client_secret");
  const ask = async (fields: Record<string, string>) => {
    const query = new URLSearchParams({
      client_id: registered.client_id,
      response_type: "code",
      redirect_uri: "http://127.0.0.1:9/cb",
      ...fields,
    });
    return (
      await fetch(`${provider.authorizationUrl}?${query}`, { redirect: "manual" })
    ).headers.get("location");
  };
  expect(await ask({ scope: "read" })).toContain("error=invalid_request");
  const challenge = { code_challenge: "x".repeat(43), code_challenge_method: "S256" };
  expect(await ask({ scope: "read", ...challenge })).toMatch(/^\/login/);
  expect(await ask({ scope: "admin", ...challenge })).toContain("error=invalid_scope");
});

it.each([
  ["no redirect URI", {}, "invalid_redirect_uri"],
  [
    "a redirect URI with a fragment",
    { redirect_uris: ["https://app.example/cb#x"] },
    "invalid_redirect_uri",
  ],
  [
    "a redirect URI with user info",
    { redirect_uris: ["https://u:p@app.example/cb"] },
    "invalid_redirect_uri",
  ],
  [
    "an http redirect URI elsewhere",
    { redirect_uris: ["http://app.example/cb"] },
    "invalid_redirect_uri",
  ],
  ["a script as redirect URI", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
  ["a relative redirect URI", { redirect_uris: ["/cb"] }, "invalid_redirect_uri"],
  ["redirect URIs that are no list", { redirect_uris: REDIRECT_URI }, "invalid_redirect_uri"],
  [
    "an unknown grant",
    { redirect_uris: [REDIRECT_URI], grant_types: ["password"] },
    "invalid_client_metadata",
  ],
  [
    "another response type",
    { redirect_uris: [REDIRECT_URI], response_types: ["token"] },
    "invalid_client_metadata",
  ],
  [
    "a code without its grant",
    { grant_types: ["client_credentials"], response_types: ["code"] },
    "invalid_client_metadata",
  ],
  [
    "an unknown client authentication",
    { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "magic" },
    "invalid_client_metadata",
  ],
  [
    "client credentials without a secret",
    { grant_types: ["client_credentials"], token_endpoint_auth_method: "none" },
    "invalid_client_metadata",
  ],
  [
    "a name that is none",
    { redirect_uris: [REDIRECT_URI], client_name: 7 },
    "invalid_client_metadata",
  ],
  ["a list", [], "invalid_client_metadata"],
])("refuses %s", async (_, metadata, error) => {
  await using provider = await startProvider();
  const response = await register(provider.registrationUrl, metadata);
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ error }),
  ]);
});

it("takes JSON alone, forgets registered clients on reset, and can be switched off", async () => {
  await using provider = await startProvider();
  expect(
    (await register(provider.registrationUrl, { redirect_uris: [REDIRECT_URI] }, "text/plain"))
      .status,
  ).toBe(400);
  const registered = await (
    await register(provider.registrationUrl, { redirect_uris: [REDIRECT_URI] })
  ).json();
  expect(registered).toMatchObject({ token_endpoint_auth_method: "client_secret_basic" });
  const { client_id } = registered as { client_id: string };
  const status = async () => {
    const query = new URLSearchParams({
      client_id,
      response_type: "code",
      redirect_uri: REDIRECT_URI,
    });
    return (await fetch(`${provider.authorizationUrl}?${query}`, { redirect: "manual" })).status;
  };
  expect(await status()).toBe(303);
  provider.reset();
  expect(await status()).toBe(400);
  await using closed = await startProvider({ registration: false });
  expect((await register(closed.registrationUrl, { redirect_uris: [REDIRECT_URI] })).status).toBe(
    405,
  );
  const metadata = await (
    await fetch(`${closed.issuer}/.well-known/oauth-authorization-server`)
  ).json();
  expect(metadata).not.toHaveProperty("registration_endpoint");
});
