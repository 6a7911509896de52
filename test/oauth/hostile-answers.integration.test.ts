import fc from "fast-check";
import { expect, it } from "vitest";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { PackError } from "../../src/errors.ts";
import { createAuthorizationAttempt } from "../../src/oauth/connect/authorization-attempt.ts";
import { discoverServer } from "../../src/oauth/connect/discovery.ts";
import { registerClient } from "../../src/oauth/connect/registration.ts";
import { revokeToken } from "../../src/oauth/connect/revocation.ts";
import { refreshTokenSet } from "../../src/oauth/run/refresh.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeTokenSet } from "../support/accounts.ts";
import { isLong } from "../support/breadth.ts";
import { type Answer, type ReceivedRequest, startTokenServer } from "../support/token-server.ts";

const issuer = "https://login.tasks.example";
const definition = {
  type: "OAuth2",
  authorizationUrl: `${issuer}/a`,
  tokenUrl: `${issuer}/t`,
} as OAuth2Authentication;
const client = { clientId: "client-1", clientSecret: "planted+client/secret=" };

/** What a server does with the request that it answers: nothing, or quotes it somewhere. */
type Echo = (request: ReceivedRequest) => string;
const echo = fc.constantFrom<Echo>(
  () => "",
  ({ params }) => params.toString(),
  ({ params }) => [...params.values()].join(" "),
  ({ headers }) => String(headers.authorization ?? ""),
  ({ headers, params }) => JSON.stringify({ headers, params: Object.fromEntries(params) }),
);

const member = fc.constantFrom(
  ...[
    "access_token",
    "token_type",
    "expires_in",
    "refresh_token",
    "scope",
    "id_token",
    "error",
    "error_description",
    "ok",
    "message",
  ],
  ...[
    "issuer",
    "authorization_endpoint",
    "token_endpoint",
    "registration_endpoint",
    "token_endpoint_auth_methods_supported",
    "client_id",
  ],
  ...[
    "client_secret",
    "expires_at",
    "__proto__",
    "constructor",
    "toString",
    "data",
    "dpop_signing_alg_values_supported",
  ],
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom<unknown>(
    1e20,
    -1,
    "1e999",
    "",
    null,
    true,
    "Bearer",
    "invalid_grant",
    "unauthorized_client",
    issuer,
    `${issuer}/t`,
    "javascript:x",
    "http://[::1",
  ),
);
const headers = fc.dictionary(
  fc.constantFrom(
    "content-type",
    "retry-after",
    "www-authenticate",
    "location",
    "dpop-nonce",
    "date",
    "x-other",
  ),
  fc.oneof(
    fc.string({ maxLength: 30 }).map((text) => text.replace(/[^\t\x20-\x7e]/g, "")),
    fc.constantFrom(
      "application/json",
      "text/html; charset=nonsense",
      "Wed, 99 Foo 99999 99:99:99 GMT",
      "99999999999999999999",
      "-1",
      issuer,
    ),
  ),
  { maxKeys: 3 },
);
const answer = fc.record({
  status: fc.oneof(
    fc.constantFrom(200, 201, 204, 301, 307, 400, 401, 403, 429, 500, 503),
    fc.integer({ min: 200, max: 599 }),
  ),
  headers,
  body: fc.oneof(
    fc
      .dictionary(member, value, { maxKeys: 6 })
      .map(
        (members) => (quoted: string) =>
          JSON.stringify({ ...members, ...(quoted === "" ? {} : { error_description: quoted }) }),
      ),
    fc
      .dictionary(member, fc.string(), { maxKeys: 4 })
      .map(
        (members) => (quoted: string) =>
          `${new URLSearchParams(members)}&error=x&error_description=${quoted}`,
      ),
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => (quoted: string) => text + quoted),
    fc
      .constantFrom(
        "<html><title>Oops",
        "[",
        "{}",
        "null",
        `${"[".repeat(5_000)}`,
        "\ufeff{}",
        '{"error":',
      )
      .map((text) => (quoted: string) => text + quoted),
  ),
  echo,
});

/** Runs requests against a server of one answer. @returns what was thrown */
async function thrownBy(
  {
    status,
    headers: sent,
    body,
    echo: quote,
  }: typeof answer extends fc.Arbitrary<infer Value> ? Value : never,
  run: (routes: Record<string, string>) => Promise<unknown>,
): Promise<unknown> {
  await using server = await startTokenServer(
    (request): Answer => ({ status, headers: sent, body: body(quote(request)) }),
  );
  return await run({ [issuer]: server.url }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

function expectHarmless(thrown: unknown, secrets: readonly string[]): void {
  if (thrown === undefined) return;
  expect(thrown).toBeInstanceOf(PackError);
  const { message, hint, details } = thrown as PackError;
  const shown = `${message}\n${hint}\n${JSON.stringify(details)}`;
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")])
      expect(shown).not.toContain(form);
  }
  expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
}

const options = { timeoutMs: 20_000, redactor: undefined };
const runs = { numRuns: isLong ? 250 : 60 };

it("whatever a token endpoint answers to a code, the failure is a PackError without a secret", async () => {
  await fc.assert(
    fc.asyncProperty(
      answer,
      fc.constantFrom<Partial<OAuth2Authentication>>(
        {},
        { credentialsLocation: "AuthorizationHeader" },
        { nestedResponseKey: "data" },
        { issuer, scopes: ["openid"] },
        { dpop: true },
      ),
      async (given, changes) => {
        let secrets: string[] = [];
        const thrown = await thrownBy(given, async (routes) => {
          const attempt = await createAuthorizationAttempt({
            ...options,
            definition: {
              ...definition,
              useProofKeyForCodeExchange: true,
              ...changes,
            } as OAuth2Authentication,
            client,
            routes,
            redirectUri: "http://127.0.0.1/oauth/callback",
          });
          secrets = [client.clientSecret, "planted-code-0123456789"];
          await attempt.complete(
            new URLSearchParams({ code: "planted-code-0123456789", state: attempt.state }),
          );
        });
        expectHarmless(thrown, secrets);
      },
    ),
    runs,
  );
});

it("whatever a token endpoint answers to a refresh, the failure is a PackError without a secret", async () => {
  await fc.assert(
    fc.asyncProperty(answer, async (given) => {
      const tokenSet = makeTokenSet({
        accessToken: "planted-access-0123456789",
        refreshToken: "planted-refresh-0123456789",
      });
      const thrown = await thrownBy(given, (routes) =>
        refreshTokenSet({
          ...options,
          redactor: createRedactor(),
          definition,
          client,
          routes,
          tokenSet,
        }),
      );
      expectHarmless(thrown, [client.clientSecret, "planted-refresh-0123456789"]);
    }),
    runs,
  );
});

it("whatever an issuer answers, discovery, registration and revocation fail with a PackError", async () => {
  await fc.assert(
    fc.asyncProperty(answer, async (given) => {
      const tokenSet = makeTokenSet({ refreshToken: "planted-refresh-0123456789" });
      for (const run of [
        (routes: Record<string, string>) =>
          discoverServer({ ...options, definition, issuer, routes }),
        (routes: Record<string, string>) =>
          registerClient({
            ...options,
            definition,
            issuer,
            routes,
            registrationUrl: `${issuer}/register`,
            redirectUri: "http://127.0.0.1/x",
            clientName: "Tasks",
          }),
        (routes: Record<string, string>) =>
          revokeToken({
            ...options,
            definition,
            client,
            routes,
            revocationUrl: `${issuer}/revoke`,
            tokenSet,
          }),
      ]) {
        expectHarmless(await thrownBy(given, run), [
          client.clientSecret,
          "planted-refresh-0123456789",
        ]);
      }
    }),
    runs,
  );
});
