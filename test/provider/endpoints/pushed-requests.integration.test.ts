import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { expect, it } from "vitest";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import { createHeadlessClient } from "../../support/headless-client.ts";
import { authorizationUrl, clientFields, PKCE, post, REDIRECT_URI } from "../flow.ts";

const request = {
  response_type: "code",
  redirect_uri: REDIRECT_URI,
  scope: "read",
  state: "st",
  ...PKCE,
};
const push = (provider: LocalProvider, fields: Record<string, string> = {}) =>
  post(provider.pushedRequestUrl, { ...request, ...clientFields(provider), ...fields });
const open = (provider: LocalProvider, request_uri: string, client_id = provider.clientId) =>
  fetch(`${provider.authorizationUrl}?${new URLSearchParams({ client_id, request_uri })}`, {
    redirect: "manual",
  });

it("openid-client pushes a request and connects", async () => {
  await using provider = await startProvider({ pushedRequests: "required" });
  const config = await client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    provider.clientSecret,
    undefined,
    {
      algorithm: "oauth2",
      execute: [client.allowInsecureRequests],
    },
  );
  expect(config.serverMetadata().require_pushed_authorization_requests).toBe(true);
  const verifier = client.randomPKCECodeVerifier();
  const url = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: REDIRECT_URI,
    scope: "read",
    state: "st",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);
  const callback = await createHeadlessClient().authorize(url.href);
  const tokens = await client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: "st",
  });
  expect(tokens.scope).toBe("read");
});

it("oauth4webapi reads the answer", async () => {
  await using provider = await startProvider();
  const as = {
    issuer: provider.issuer,
    pushed_authorization_request_endpoint: provider.pushedRequestUrl,
  };
  const own = { client_id: provider.clientId };
  const response = await oauth.pushedAuthorizationRequest(
    as,
    own,
    oauth.ClientSecretBasic(provider.clientSecret),
    request,
    {
      [oauth.allowInsecureRequests]: true,
    },
  );
  expect(await oauth.processPushedAuthorizationResponse(as, own, response)).toMatchObject({
    request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
    expires_in: 60,
  });
});

it("serves a pushed request once, to its own client, for a minute, whatever else the URL says", async () => {
  await using provider = await startProvider({
    clients: [{ clientId: "other", clientSecret: "s-1", redirectUris: [REDIRECT_URI] }],
  });
  const pushed = async () => (await push(provider)).body["request_uri"] as string;
  const uri = await pushed();
  expect((await open(provider, uri, "other")).status).toBe(400);
  const query = new URLSearchParams({
    client_id: provider.clientId,
    request_uri: uri,
    scope: "admin",
    redirect_uri: "https://evil.example/",
  });
  const first = await fetch(`${provider.authorizationUrl}?${query}`, { redirect: "manual" });
  expect(first.headers.get("location")).toMatch(/^\/login/);
  expect(await (await open(provider, uri)).text()).toContain("invalid_request_uri");
  const late = await pushed();
  provider.clock.advance(60_000);
  expect((await open(provider, late)).status).toBe(400);
});

it.each([
  [
    "a redirect URI that is not registered",
    { redirect_uri: "https://evil.example/" },
    400,
    "invalid_request",
  ],
  ["another response type", { response_type: "token" }, 400, "unsupported_response_type"],
  ["a request_uri", { request_uri: "urn:ietf:params:oauth:request_uri:x" }, 400, "invalid_request"],
  ["a malformed challenge", { code_challenge: "short" }, 400, "invalid_request"],
  ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
] as const)("refuses %s at once", async (_, fields, status, error) => {
  await using provider = await startProvider();
  expect(await push(provider, fields)).toMatchObject({ status, body: { error } });
});

it("refuses requests that were not pushed when they must be", async () => {
  await using provider = await startProvider({ pushedRequests: "required" });
  expect((await fetch(authorizationUrl(provider), { redirect: "manual" })).status).toBe(400);
});
