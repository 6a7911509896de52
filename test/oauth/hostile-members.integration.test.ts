import { describe, expect, it } from "vitest";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { requestDeviceToken } from "../../src/oauth/connect/device-authorization.ts";
import { discoverServer } from "../../src/oauth/connect/discovery.ts";
import { discoverResource } from "../../src/oauth/connect/protected-resource.ts";
import { pushAuthorizationRequest } from "../../src/oauth/connect/pushed-request.ts";
import { namedUrl } from "../../src/oauth/url-policy.ts";
import { startTokenServer } from "../support/token-server.ts";

const ISSUER = "https://login.tasks.example";
const definition = { type: "OAuth2", issuer: ISSUER } as OAuth2Authentication;
const client = { clientId: "client-1", clientSecret: "planted-client-secret-0123456789" };

/** A request to a server with one answer. */
async function askWith(
  body: object,
  ask: (options: {
    definition: OAuth2Authentication;
    client: typeof client;
    routes: Record<string, string>;
    timeoutMs: number;
  }) => Promise<unknown>,
): Promise<unknown> {
  await using server = await startTokenServer(() => ({ body }));
  return await ask({ definition, client, routes: { [ISSUER]: server.url }, timeoutMs: 10_000 });
}

/** Values that are not addresses to which a request may go. */
const UNUSABLE: Record<string, unknown> = {
  "a number": 5,
  null: null,
  "an object": {},
  "a list": [`${ISSUER}/x`],
  "an empty text": "",
  "a path": "/x",
  "an address without a scheme": "//login.tasks.example/x",
  http: "http://login.tasks.example/x",
  javascript: "javascript:alert(1)",
  "a file": "file:///etc/passwd",
  "a user name": "https://login.tasks.example@evil.example/x",
  "a password": "https://a:b@login.tasks.example/x",
  "a private address": "https://10.0.0.1/x",
  "the address of cloud metadata": "https://169.254.169.254/x",
  "a disguised address": "https://0x7f.1/x",
  "a port of mail": "https://login.tasks.example:25/x",
  "an impossible port": "https://login.tasks.example:99999/x",
  "a fragment": `${ISSUER}/x#y`,
  "a line break": `${ISSUER}/x\ny: z`,
  "a backslash": "https://login.tasks.example\\@evil.example/x",
};

// docs/rules.md: rule 19
describe("metadata whose endpoint is", () => {
  it.each(Object.entries(UNUSABLE))("%s has no such endpoint", async (_what, value) => {
    const metadata = {
      issuer: ISSUER,
      authorization_endpoint: value,
      token_endpoint: value,
      revocation_endpoint: value,
      registration_endpoint: value,
      device_authorization_endpoint: value,
      introspection_endpoint: value,
      pushed_authorization_request_endpoint: value,
      mtls_endpoint_aliases: { token_endpoint: value },
    };
    const server = await askWith(metadata, (options) =>
      discoverServer({ ...options, issuer: ISSUER }),
    );
    expect(server).toMatchObject({
      issuer: ISSUER,
      authorizationUrl: undefined,
      tokenUrl: undefined,
      revocationUrl: undefined,
      registrationUrl: undefined,
      deviceAuthorizationUrl: undefined,
      introspectionUrl: undefined,
      pushedRequestUrl: undefined,
      certificateTokenUrl: undefined,
    });
  });
});

it.each([
  ["https://login.tasks.example", {}, undefined],
  ["https://login.tasks.example", { "https://other.example": "http://127.0.0.1:1" }, undefined],
  ["http://127.0.0.1:1", {}, "http://127.0.0.1:2/x"],
  [
    "https://login.tasks.example",
    { "https://login.tasks.example": "http://127.0.0.1:1" },
    "http://127.0.0.1:2/x",
  ],
])("only a server on this machine names addresses on it: %s, %o", (server, routes, expected) => {
  expect(namedUrl("http://127.0.0.1:2/x", server, routes)).toBe(expected);
});

it.each([
  [5],
  ["https://login.tasks.example"],
  [[5, null]],
  [["http://login.tasks.example", "javascript:x", "https://10.0.0.1"]],
])("a resource whose authorization servers are %o has none", async (servers) => {
  const resource = `${ISSUER}/api`;
  const metadata = { resource, authorization_servers: servers };
  await expect(
    askWith(metadata, (options) => discoverResource({ ...options, resource })),
  ).rejects.toMatchObject({
    code: "OAUTH_RESOURCE_INVALID",
    message: expect.stringContaining("contains no usable authorization server"),
  });
});

const DEVICE = {
  device_code: "planted-device-code",
  user_code: "ABCD",
  verification_uri: `${ISSUER}/device`,
  expires_in: 60,
};

it.each<[string, object]>([
  ["device_code", { device_code: 5 }],
  ["device_code", { device_code: ["a"] }],
  ["device_code", { device_code: "a\nb" }],
  ["user_code", { user_code: { a: 1 } }],
  ["user_code", { user_code: "\u001b[2J" }],
  ["user_code", { user_code: "AB\u202eDC" }],
  ["verification_uri", { verification_uri: "javascript:alert(1)" }],
  ["verification_uri", { verification_uri: "file:///etc/passwd" }],
  ["verification_uri", { verification_uri: "/device" }],
  ["verification_uri", { verification_uri: true }],
  ["expires_in", { expires_in: -1 }],
  ["expires_in", { expires_in: 0 }],
  ["expires_in", { expires_in: "soon" }],
  ["expires_in", { expires_in: [60] }],
])("a device response without a usable %s is refused: %o", async (member, change) => {
  const shown: unknown[] = [];
  await expect(
    askWith({ ...DEVICE, ...change }, (options) =>
      requestDeviceToken({
        ...options,
        tokenUrl: `${ISSUER}/t`,
        deviceAuthorizationUrl: `${ISSUER}/d`,
        networkDomains: [],
        instruct: (instructions) => shown.push(instructions),
      }),
    ),
  ).rejects.toMatchObject({
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    message: `login.tasks.example answered the device request without a usable ${member}.`,
  });
  expect(shown).toEqual([]);
});

it.each<[string, object]>([
  ["an interval below zero", { interval: -5 }],
  ["an interval that is a list", { interval: [] }],
  ["a complete address that is a script", { verification_uri_complete: "javascript:x" }],
])("a device response with %s is used without it", async (_what, change) => {
  class Shown extends Error {}
  await expect(
    askWith({ ...DEVICE, ...change }, (options) =>
      requestDeviceToken({
        ...options,
        tokenUrl: `${ISSUER}/t`,
        deviceAuthorizationUrl: `${ISSUER}/d`,
        networkDomains: [],
        instruct({ verificationUriComplete }) {
          expect(verificationUriComplete).toBeUndefined();
          throw new Shown();
        },
      }),
    ),
  ).rejects.toBeInstanceOf(Shown);
});

it.each([[5], [""], [null], [["urn:x"]], [{}]])(
  "a pushed request that is answered with the request_uri %o is refused",
  async (value) => {
    await expect(
      askWith({ request_uri: value, expires_in: 60 }, (options) =>
        pushAuthorizationRequest({
          ...options,
          pushedRequestUrl: `${ISSUER}/par`,
          params: new URLSearchParams(),
        }),
      ),
    ).rejects.toMatchObject({
      code: "OAUTH_TOKEN_RESPONSE_INVALID",
      message: "login.tasks.example answered the pushed request without a usable request_uri.",
      hint: expect.stringContaining("pushedAuthorizationUrl"),
    });
  },
);
