import { describe, expect, it } from "vitest";
import { discoverAuthentication } from "../../src/connect/discover-authentication.ts";
import type {
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "../../src/define/oauth.ts";
import { createAuthorizationAttempt } from "../../src/oauth/connect/authorization-attempt.ts";
import { requestDeviceToken } from "../../src/oauth/connect/device-authorization.ts";
import { requestClientCredentialsToken } from "../../src/oauth/run/client-credentials.ts";
import { refreshTokenSet } from "../../src/oauth/run/refresh.ts";
import { createTokenSet } from "../../src/oauth/token-set.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import {
  type Answer,
  type Behaviour,
  baseTokens,
  startTokenServer,
} from "../support/token-server.ts";

const client = { clientId: "client", clientSecret: "planted-secret" };
const redirectUri = "http://127.0.0.1/callback";

/** Requests a token at a server that does this. @returns the token set, or the error */
async function request(
  behave: Behaviour,
  members: Partial<OAuth2ClientCredentialsAuthentication> = {},
) {
  await using server = await startTokenServer(behave);
  const definition: OAuth2ClientCredentialsAuthentication = {
    type: "OAuth2ClientCredentials",
    tokenUrl: `${server.url}/t`,
    ...members,
  };
  return await requestClientCredentialsToken({ definition, client }).catch(
    (error: unknown) => error,
  );
}

/** Refreshes a token at a server that does this. @returns the error */
async function refresh(behave: Behaviour, timeoutMs?: number) {
  await using server = await startTokenServer(behave);
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  };
  const tokenSet = createTokenSet({
    accessToken: "old",
    tokenType: "Bearer",
    expiresAtMs: undefined,
    refreshToken: "planted-refresh",
    scopes: undefined,
    endpoint: undefined,
    extra: {},
    clientAuthentication: "body",
  });
  return await refreshTokenSet({ definition, client, tokenSet, timeoutMs }).catch(
    (error: unknown) => error,
  );
}

const answers = (answer: Answer) => (): Answer => answer;
const drops: Behaviour = (_, response) => void response.socket?.destroy();
const html = (status: number, text: string): Answer => ({
  status,
  body: text,
  headers: { "content-type": "text/html" },
});

it("a pushed request has the client ID in its body when the credentials are in the header", async () => {
  await using server = await startTokenServer(({ headers, params }) =>
    headers.authorization?.startsWith("Basic ") === true && !params.has("client_secret")
      ? { status: 201, body: { request_uri: "urn:request:1", expires_in: 60 } }
      : { status: 401, body: { error: "invalid_client" } },
  );
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
    pushedAuthorizationUrl: `${server.url}/par`,
  };
  await createAuthorizationAttempt({ definition, client, redirectUri });
  expect(server.requests.at(-1)?.params.getAll("client_id")).toEqual(["client"]);
});

it("a device request goes on to the next client authentication when the server refuses the first", async () => {
  await using server = await startTokenServer(({ headers, url }) => {
    if (headers.authorization === undefined)
      return { status: 401, body: { error: "invalid_client" } };
    if (url === "/t") return { body: baseTokens };
    return {
      body: {
        device_code: "d",
        user_code: "U",
        verification_uri: "https://login.example/device",
        expires_in: 60,
        interval: 0.001,
      },
    };
  });
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  };
  const device = {
    definition,
    client,
    tokenUrl: `${server.url}/t`,
    deviceAuthorizationUrl: `${server.url}/d`,
    networkDomains: [],
  };
  const tokenSet = await requestDeviceToken({ ...device, instruct: () => {} });
  expect(tokenSet).toMatchObject({ accessToken: "at", clientAuthentication: "basic" });
});

it.each([
  ["times as text", { expires_in: "60", interval: "0.001" }],
  [
    "the name of the drafts for the address",
    { verification_uri: undefined, verification_url: "https://login.example/device" },
  ],
])("a device response with %s is read", async (_, members) => {
  const response = {
    device_code: "d",
    user_code: "U",
    verification_uri: "https://login.example/device",
    expires_in: 60,
    interval: 0.001,
  };
  await using server = await startTokenServer(({ url }) => ({
    body: url === "/t" ? baseTokens : { ...response, ...members },
  }));
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  };
  const device = {
    definition,
    client,
    tokenUrl: `${server.url}/t`,
    deviceAuthorizationUrl: `${server.url}/d`,
    networkDomains: [],
  };
  const shown: unknown[] = [];
  await requestDeviceToken({ ...device, instruct: (instructions) => shown.push(instructions) });
  expect(shown).toMatchObject([
    { verificationUri: "https://login.example/device", expiresInSeconds: 60 },
  ]);
});

it("a device response without a code says what is missing", async () => {
  await using server = await startTokenServer(
    answers({ body: { device_code: "d", verification_uri: "https://login.example/device" } }),
  );
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  };
  const device = {
    definition,
    client,
    tokenUrl: `${server.url}/t`,
    deviceAuthorizationUrl: `${server.url}/d`,
    networkDomains: [],
  };
  await expect(requestDeviceToken({ ...device, instruct: () => {} })).rejects.toMatchObject({
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    message: expect.stringMatching(/answered the device request without a usable user_code\.$/),
    hint: expect.stringContaining("--manual"),
  });
});

it("a device endpoint that refuses says so", async () => {
  await using server = await startTokenServer(
    answers({
      status: 400,
      body: { error: "unauthorized_client", error_description: "not for devices" },
    }),
  );
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  };
  const device = {
    definition,
    client,
    tokenUrl: `${server.url}/t`,
    deviceAuthorizationUrl: `${server.url}/d`,
    networkDomains: [],
  };
  await expect(requestDeviceToken({ ...device, instruct: () => {} })).rejects.toMatchObject({
    code: "OAUTH_TOKEN_REJECTED",
    message: expect.stringContaining(
      "refused the device request (status 400, unauthorized_client: not for devices)",
    ),
  });
});

it.each([
  ["repo,gist", ["repo", "gist"]],
  ["repo gist,more", ["repo", "gist,more"]],
  [" repo ", ["repo"]],
])("granted scopes %j, which were requested with spaces, are %j", async (scope, scopes) => {
  expect(await request(answers({ body: { ...baseTokens, scope } }))).toMatchObject({ scopes });
});

describe("an answer without an error of the protocol gets none", () => {
  it.each<[string, Answer, RegExp, RegExp]>([
    [
      "a page of a firewall",
      html(403, "<html><head><title>Blocked by\n policy</title></head></html>"),
      /\(status 403, Blocked by policy\)/,
      /auth explain/,
    ],
    [
      "a page without a title",
      html(404, "<html></html>"),
      /\(status 404, without a reason\)/,
      /^Check tokenUrl/,
    ],
    ["a short text", { status: 400, body: "Bad code" }, /\(status 400, Bad code\)/, /auth explain/],
    [
      "problem details",
      { status: 400, body: { title: "Bad Request", detail: "no such code" } },
      /\(status 400, no such code\)/,
      /auth explain/,
    ],
    [
      "a list of errors",
      { status: 400, body: { errors: [{ message: "no such code" }] } },
      /\(status 400, no such code\)/,
      /auth explain/,
    ],
    [
      "a description that begins with the code",
      { status: 400, body: { error: "E17", error_description: "E17: odd" } },
      /\(status 400, E17: odd\)/,
      /Search for the error/,
    ],
    [
      "an object with a message only",
      { status: 400, body: { error: { message: "odd" } } },
      /\(status 400, odd\)/,
      /Search for the error/,
    ],
  ])("%s", async (_, answer, message, hint) => {
    expect(await request(answers(answer))).toMatchObject({
      code: "OAUTH_TOKEN_REJECTED",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it("and its secrets are hidden", async () => {
    const error = await request(
      ({ params }) => ({ status: 400, body: `unknown ${params.get("client_secret")}` }),
      {
        credentialsLocation: "Body",
      },
    );
    expect((error as Error).message).toMatch(/\(status 400, unknown ••••\w\w\)/);
  });
});

describe("a request that may have been processed", () => {
  it.each<[string, Behaviour, RegExp, RegExp]>([
    [
      "a closed connection",
      drops,
      /closed the connection before the response was complete\./,
      /^ECONNRESET$/,
    ],
    [
      "another protocol",
      (_, response) => void response.socket?.end("SSH-2.0-x\r\n"),
      /did not send an HTTP response\./,
      /^HPE_/,
    ],
    [
      "an encoding that it does not have",
      answers({ body: "{}", headers: { "content-encoding": "gzip" } }),
      /cannot be decoded\./,
      /^Z_DATA_ERROR$/,
    ],
  ])("after %s, a refresh is not to be tried again", async (_, behave, message, systemCode) => {
    const error = await refresh(behave);
    expect(error).toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
      message: expect.stringMatching(message),
      details: { systemCode: expect.stringMatching(systemCode) },
    });
    expect(error).toMatchObject({
      hint: expect.stringMatching(
        /may already have replaced the refresh token.*connect the account again/,
      ),
    });
    expect(error).toMatchObject({ hint: expect.not.stringMatching(/try again/i) });
  });

  it("the same after a time limit", async () => {
    const error = await refresh(() => undefined, 20);
    expect(error).toMatchObject({
      code: "OAUTH_TOKEN_TIMEOUT",
      hint: expect.stringMatching(/may already have replaced/),
    });
  });
});

it("a wait of years is not counted in seconds", async () => {
  const error = await request(
    answers({ status: 503, body: "", headers: { "retry-after": "99999999" } }),
  );
  expect(error).toMatchObject({
    hint: "Try again later.",
    details: { retryAfterSeconds: 99_999_999 },
  });
});

it("a redirect says where it goes, without its query", async () => {
  const error = await request(
    answers({ status: 307, headers: { location: "https://new.example/token?secret=1" } }),
  );
  expect((error as Error).message).toMatch(/a redirect to https:\/\/new\.example\/token\.$/);
});

it("an empty access token is called empty", async () => {
  expect(await request(answers({ body: { access_token: null } }))).toMatchObject({
    details: { reason: "its access_token is empty" },
  });
});

it("a token that is bound to a key that no one has is refused", async () => {
  const error = await request(answers({ body: { ...baseTokens, token_type: "DPoP" } }));
  expect(error).toMatchObject({
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    hint: "Set dpop: true in the authentication definition.",
  });
});

it("a server that accepts only bound tokens is recognized", async () => {
  const error = await request(answers({ status: 400, body: { error: "invalid_dpop_proof" } }));
  expect(error).toMatchObject({
    code: "OAUTH_TOKEN_REJECTED",
    hint: expect.stringContaining("dpop: true"),
  });
});

describe("an ID Token that is refused", () => {
  it.each([
    ["has expired", { exp: -600 }, /expired or is not valid yet/, /clock/],
    [
      "is for another client",
      { aud: "other" },
      /not for this issuer, this client or this login/,
      /issuer and client ID/,
    ],
    [
      "is for another login",
      { nonce: "other" },
      /not for this issuer, this client or this login/,
      /issuer and client ID/,
    ],
  ])(
    "because it %s is named as the reason",
    async (_, claims: { exp?: number; aud?: string; nonce?: string }, message, hint) => {
      let nonce = "";
      await using server = await startTokenServer(() => {
        const now = Math.floor(Date.now() / 1_000);
        const { exp = 600, ...others } = claims;
        const payload = {
          iss: server.url,
          sub: "u",
          aud: client.clientId,
          nonce,
          iat: now,
          ...others,
          exp: now + exp,
        };
        const [header, body] = [{ alg: "RS256" }, payload].map((part) =>
          Buffer.from(JSON.stringify(part)).toString("base64url"),
        );
        return {
          body: {
            ...baseTokens,
            id_token: `${header}.${body}.${Buffer.from("unsigned").toString("base64url")}`,
          },
        };
      });
      const definition: OAuth2Authentication = {
        type: "OAuth2",
        authorizationUrl: `${server.url}/a`,
        tokenUrl: `${server.url}/t`,
        issuer: server.url,
        scopes: ["openid"],
      };
      const attempt = await createAuthorizationAttempt({
        definition,
        client,
        redirectUri,
        issuer: server.url,
      });
      nonce = new URL(attempt.authorizationUrl).searchParams.get("nonce") ?? "";
      await expect(
        attempt.complete(new URLSearchParams({ code: "c", state: attempt.state })),
      ).rejects.toMatchObject({
        code: "OAUTH_TOKEN_RESPONSE_INVALID",
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      });
    },
  );
});

it("a redirect without the issuer that the server promises says so", async () => {
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: "https://login.example/a",
    tokenUrl: "https://login.example/t",
  };
  const attempt = await createAuthorizationAttempt({
    definition,
    client,
    redirectUri,
    issuer: "https://login.example",
    issuerPromised: true,
  });
  await expect(
    attempt.complete(new URLSearchParams({ code: "c", state: attempt.state })),
  ).rejects.toMatchObject({
    message:
      "The redirect contains no issuer, but the server announces the issuer https://login.example.",
  });
});

it("a server whose metadata lists only keys says how to authenticate", async () => {
  await using server = await startTokenServer(
    answers({ status: 401, body: { error: "invalid_client" } }),
  );
  const definition: OAuth2Authentication = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  };
  const supportedAuthenticationMethods = ["private_key_jwt"];
  const attempt = await createAuthorizationAttempt({
    definition,
    client,
    redirectUri,
    supportedAuthenticationMethods,
  });
  await expect(
    attempt.complete(new URLSearchParams({ code: "c", state: attempt.state })),
  ).rejects.toMatchObject({
    hint: 'The server accepts only private_key_jwt: set clientAuthentication: "private_key_jwt" in the authentication definition.',
  });
});

it.each([true, false])(
  "auth discover leaves the address for pushed requests to the metadata, whether the server demands them or not: %s",
  async (isRequired) => {
    await using server = await startTokenServer(() => ({
      body: {
        issuer: server.url,
        authorization_endpoint: `${server.url}/a`,
        token_endpoint: `${server.url}/t`,
        pushed_authorization_request_endpoint: `${server.url}/par`,
        require_pushed_authorization_requests: isRequired,
      },
    }));
    const { definition } = await discoverAuthentication({
      issuer: server.url,
      redactor: createRedactor(),
    });
    expect(definition).toMatchObject({ type: "OAuth2", issuer: server.url });
    expect(definition).not.toHaveProperty("pushedAuthorizationUrl");
  },
);
