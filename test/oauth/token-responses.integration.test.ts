import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PackError } from "../../src/errors.ts";
import { createAuthorizationAttempt } from "../../src/oauth/connect/authorization-attempt.ts";
import { requestClientCredentialsToken } from "../../src/oauth/run/client-credentials.ts";
import type { TokenSet } from "../../src/oauth/token-set.ts";
import { type Answer, baseTokens, startTokenServer } from "../support/token-server.ts";

const NOW = Date.parse("2026-06-01T00:00:00Z");
const secondsUntil = (instantMs: number) => (instantMs - NOW) / 1_000;
const { token_type: _type, ...withoutType } = baseTokens;
const { expires_in: _expires, ...withoutExpiry } = baseTokens;
const jwt = `${btoa('{"alg":"none"}')}.${btoa('{"iss":"https://other.example"}')}.x`;

interface Expected {
  accessToken?: string;
  expiresIn?: number | undefined;
  refreshToken?: string | undefined;
  scope?: string | undefined;
  /** @default "Bearer", in any case of letters */
  tokenType?: string;
  /** Other members, which are kept. */
  kept?: Record<string, unknown>;
}
interface Row extends Answer {
  n: number | string;
  what: string;
  key?: string;
  expected: Expected;
}

const base: Expected = { accessToken: "at", expiresIn: 3600, refreshToken: "rt", scope: "a b" };
const body = (changes: object, from: object = baseTokens) => ({ ...from, ...changes });
const typed = (tokenType = "Bearer"): Expected => ({ ...base, tokenType });
const unknownExpiry: Expected = { ...base, expiresIn: undefined };

/**
 * Section "responses with a usable token": each is accepted by both libraries behind the transport.
 */
const usable: Row[] = [
  { n: 1, what: "the baseline", body: baseTokens, expected: base },
  { n: 2, what: "token_type missing", body: withoutType, expected: typed() },
  { n: 3, what: "token_type bearer", body: body({ token_type: "bearer" }), expected: base },
  { n: 4, what: "token_type BEARER", body: body({ token_type: "BEARER" }), expected: base },
  {
    n: 5,
    what: "token_type BearerToken",
    body: body({ token_type: "BearerToken" }),
    expected: typed("BearerToken"),
  },
  { n: 6, what: "token_type bot", body: body({ token_type: "bot" }), expected: typed("bot") },
  { n: 7, what: "token_type user", body: body({ token_type: "user" }), expected: typed("user") },
  { n: 8, what: "token_type empty", body: body({ token_type: "" }), expected: typed() },
  { n: 9, what: "token_type null", body: body({ token_type: null }), expected: typed() },
  { n: 10, what: "token_type mac", body: body({ token_type: "mac" }), expected: typed("mac") },
  { n: 11, what: "expires_in as a string", body: body({ expires_in: "3600" }), expected: base },
  { n: 12, what: "expires_in empty", body: body({ expires_in: "" }), expected: unknownExpiry },
  { n: 13, what: "expires_in null", body: body({ expires_in: null }), expected: unknownExpiry },
  { n: 14, what: "expires_in missing", body: withoutExpiry, expected: unknownExpiry },
  { n: 15, what: "expires_in 0", body: body({ expires_in: 0 }), expected: unknownExpiry },
  { n: 16, what: "expires_in negative", body: body({ expires_in: -1 }), expected: unknownExpiry },
  { n: 17, what: "expires_in never", body: body({ expires_in: "never" }), expected: unknownExpiry },
  {
    n: 18,
    what: "expires_in as a date",
    body: body({ expires_in: "2027-01-01T00:00:00Z" }),
    expected: { ...base, expiresIn: secondsUntil(Date.parse("2027-01-01T00:00:00Z")) },
  },
  {
    n: 19,
    what: "expires_in in epoch milliseconds",
    body: body({ expires_in: 1893456000000 }),
    expected: { ...base, expiresIn: secondsUntil(1893456000000) },
  },
  {
    n: 20,
    what: "expires_at alone",
    body: body({ expires_at: 1893456000 }, withoutExpiry),
    expected: { ...base, expiresIn: secondsUntil(1893456000000), kept: { expires_at: 1893456000 } },
  },
  {
    n: 21,
    what: "refresh_token null",
    body: body({ refresh_token: null }),
    expected: { ...base, refreshToken: undefined },
  },
  {
    n: 22,
    what: "refresh_token empty",
    body: body({ refresh_token: "" }),
    expected: { ...base, refreshToken: undefined },
  },
  {
    n: 23,
    what: "scope null",
    body: body({ scope: null }),
    expected: { ...base, scope: undefined },
  },
  {
    n: 24,
    what: "scope empty",
    body: body({ scope: "" }),
    expected: { ...base, scope: undefined },
  },
  { n: 25, what: "scope as an array", body: body({ scope: ["a", "b"] }), expected: base },
  {
    n: 26,
    what: "scope with commas",
    body: body({ scope: "a,b" }),
    expected: { ...base, scope: "a,b" },
  },
  { n: 27, what: "id_token null", body: body({ id_token: null }), expected: base },
  { n: 28, what: "id_token empty", body: body({ id_token: "" }), expected: base },
  {
    n: 29,
    what: "id_token of another issuer",
    body: body({ id_token: jwt }),
    expected: { ...base, kept: {} },
  },
  {
    n: 30,
    what: "id_token not a JWT",
    body: body({ id_token: "not-a-jwt" }),
    expected: { ...base, kept: {} },
  },
  {
    n: 31,
    what: "access_token as a number",
    body: body({ access_token: 12345 }),
    expected: { ...base, accessToken: "12345" },
  },
  {
    n: 32,
    what: "tokens nested in data",
    key: "data",
    body: { code: 0, message: "OK", data: baseTokens },
    expected: base,
  },
  {
    n: 33,
    what: "tokens nested in authed_user",
    key: "authed_user",
    body: {
      ok: true,
      authed_user: { id: "U", access_token: "xoxp", token_type: "user", scope: "a,b" },
    },
    expected: {
      accessToken: "xoxp",
      scope: "a,b",
      tokenType: "user",
      kept: { id: "U" },
    },
  },
  {
    n: 34,
    what: "camel-case members",
    body: { accessToken: "at", refreshToken: "rt", expiresIn: 3600 },
    expected: { ...base, scope: undefined },
  },
  { n: 35, what: "status 201", status: 201, body: baseTokens, expected: base },
  {
    n: 36,
    what: "a form body",
    body: "access_token=at&token_type=bearer&scope=repo&expires_in=3600",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    expected: { accessToken: "at", expiresIn: 3600, scope: "repo" },
  },
  {
    n: 37,
    what: "a form body as text/plain",
    body: "access_token=at&token_type=bearer&expires_in=3600",
    headers: { "content-type": "text/plain" },
    expected: { accessToken: "at", expiresIn: 3600 },
  },
  {
    n: 38,
    what: "text/html",
    body: baseTokens,
    headers: { "content-type": "text/html; charset=utf-8" },
    expected: base,
  },
  {
    n: 39,
    what: "text/plain",
    body: baseTokens,
    headers: { "content-type": "text/plain" },
    expected: base,
  },
  {
    n: 40,
    what: "text/javascript",
    body: baseTokens,
    headers: { "content-type": "text/javascript" },
    expected: base,
  },
  {
    n: 41,
    what: "a +json type",
    body: baseTokens,
    headers: { "content-type": "application/vnd.x+json" },
    expected: base,
  },
  { n: 42, what: "no content type", body: JSON.stringify(baseTokens), expected: base },
  { n: 43, what: "a byte order mark", body: `\uFEFF${JSON.stringify(baseTokens)}`, expected: base },
  { n: 44, what: "an array with one object", body: [baseTokens], expected: base },
  // Beyond the table.
  {
    n: "b1",
    what: "scope as an object",
    body: body({ scope: { a: 1 } }),
    expected: { ...base, scope: undefined },
  },
  {
    n: "b2",
    what: "refresh_token as a number",
    body: body({ refresh_token: 77 }),
    expected: { ...base, refreshToken: "77" },
  },
  {
    n: "b3",
    what: "expires_in in epoch seconds",
    body: body({ expires_in: 1893456000 }),
    expected: { ...base, expiresIn: secondsUntil(1893456000000) },
  },
  {
    n: "b4",
    what: "a lifetime of 1.5 seconds",
    body: body({ expires_in: 1.5 }),
    expected: { ...base, expiresIn: 1.5 },
  },
  {
    n: "b5",
    what: "a numeric token beyond 2^53",
    body: '{"access_token":12345678901234567890,"token_type":"Bearer"}',
    expected: { accessToken: "12345678901234567890" },
  },
  {
    n: "b6",
    what: "an empty error beside a token",
    body: body({ error: "" }),
    expected: { ...base, kept: { error: "" } },
  },
];

interface ErrorRow extends Answer {
  n: number | string;
  what: string;
  key?: string;
  /** What both libraries report. */
  error: string;
  description?: string;
  /** The typed error behind it. */
  code: "OAUTH_TOKEN_REJECTED" | "OAUTH_TOKEN_UNAVAILABLE" | "OAUTH_TOKEN_RESPONSE_INVALID";
}
const html = "<!doctype html><title>Sign in</title>";
const htmlType = { "content-type": "text/html" };
const rejected = "OAUTH_TOKEN_REJECTED";
const unavailable = "OAUTH_TOKEN_UNAVAILABLE";
const invalid = "OAUTH_TOKEN_RESPONSE_INVALID";

const refused: ErrorRow[] = [
  {
    n: 45,
    what: "200 with an OAuth error",
    body: { error: "invalid_grant", error_description: "bad code" },
    error: "invalid_grant",
    description: "bad code",
    code: rejected,
  },
  {
    n: 46,
    what: "200 with ok: false",
    body: { ok: false, error: "invalid_code" },
    error: "invalid_code",
    code: rejected,
  },
  {
    n: 49,
    what: "400 invalid_grant",
    status: 400,
    body: { error: "invalid_grant", error_description: "x" },
    error: "invalid_grant",
    description: "x",
    code: rejected,
  },
  {
    n: 50,
    what: "400 invalid_grant as text/html",
    status: 400,
    body: { error: "invalid_grant" },
    headers: htmlType,
    error: "invalid_grant",
    code: rejected,
  },
  {
    n: 51,
    what: "401 with WWW-Authenticate",
    status: 401,
    body: { error: "invalid_client" },
    headers: { "www-authenticate": 'Basic realm="x"' },
    error: "invalid_client",
    code: rejected,
  },
  {
    n: 52,
    what: "403 with a message",
    status: 403,
    body: { message: "nope" },
    error: "server_error",
    description: "nope",
    code: rejected,
  },
  {
    n: 53,
    what: "500 server_error",
    status: 500,
    body: { error: "server_error" },
    error: "server_error",
    code: unavailable,
  },
  {
    n: 54,
    what: "429 slow_down",
    status: 429,
    body: { error: "slow_down" },
    error: "slow_down",
    code: unavailable,
  },
  // Beyond the table.
  ...[
    { foo: 1 },
    {},
    body({ access_token: null }),
    body({ access_token: "" }),
    { data: baseTokens },
    [baseTokens, baseTokens],
    '"at-12345"',
  ].map(
    (given, index) =>
      ({
        n: `c${index + 1}`,
        what: `200 without a token`,
        body: given,
        error: "invalid_response",
        code: invalid,
      }) as const,
  ),
  {
    n: "c8",
    what: "200 with an HTML page",
    body: html,
    headers: htmlType,
    error: "invalid_response",
    code: invalid,
  },
  {
    n: "c9",
    what: "200 with a bare token",
    body: "at-12345",
    error: "invalid_response",
    code: invalid,
  },
  {
    n: "c10",
    what: "503 with a message",
    status: 503,
    body: { message: "down" },
    error: "server_error",
    description: "down",
    code: unavailable,
  },
  {
    n: "c11",
    what: "502 with an HTML page",
    status: 502,
    body: html,
    headers: htmlType,
    error: "server_error",
    code: unavailable,
  },
  {
    n: "c12",
    what: "400 with an error object",
    status: 400,
    body: { error: { code: 17, message: "expired" } },
    error: "expired",
    code: rejected,
  },
  {
    n: "c13",
    what: "400 with an errors array",
    status: 400,
    body: { errors: [{ code: 1 }] },
    error: "server_error",
    code: rejected,
  },
  {
    n: "c14",
    what: "a form with an error",
    body: "error=bad_verification_code&error_description=The+code+is+wrong",
    error: "bad_verification_code",
    description: "The code is wrong",
    code: rejected,
  },
  {
    n: "c15",
    what: "a declared key that is absent",
    key: "data",
    body: { secretive: "x" },
    error: "invalid_response",
    code: invalid,
  },
  {
    n: "c16",
    what: "a token with a line break",
    body: body({ access_token: "a\r\nb" }),
    error: "invalid_response",
    code: invalid,
  },
  {
    n: "c17",
    what: "JSON nested beyond the limit",
    body: `${"[".repeat(5000)}${"]".repeat(5000)}`,
    error: "invalid_response",
    code: invalid,
  },
];

/** What a flow has ended with. */
type Outcome = { tokenSet: TokenSet } | { error: unknown };

async function readOutcome(flow: Promise<TokenSet>): Promise<Outcome> {
  return await flow.then(
    (tokenSet) => ({ tokenSet }),
    (error: unknown) => ({ error }),
  );
}

describe("token responses", () => {
  const printed: string[] = [];
  beforeEach(() => {
    printed.length = 0;
    for (const method of ["log", "info", "warn", "error", "debug"] as const) {
      vi.spyOn(console, method).mockImplementation(
        (...parts) => void printed.push(`console.${method} ${parts.join(" ")}`),
      );
    }
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** One request with each library: of a code, and of the client itself. */
  async function askBoth(answer: Answer, nestedResponseKey: string | undefined) {
    await using server = await startTokenServer(() => answer);
    const common = { tokenUrl: `${server.url}/t`, nestedResponseKey, scopeDelimiter: "," } as const;
    const client = { clientId: "client", clientSecret: "secret" };
    const now = () => NOW;
    const attempt = await createAuthorizationAttempt({
      definition: {
        ...common,
        type: "OAuth2",
        authorizationUrl: `${server.url}/a`,
        credentialsLocation: "Body",
      },
      client,
      redirectUri: "http://127.0.0.1/callback",
      now,
    });
    const callback = new URLSearchParams({ code: "c", state: attempt.state });
    const definition = {
      ...common,
      type: "OAuth2ClientCredentials",
      credentialsLocation: "Body",
    } as const;
    return {
      connect: await readOutcome(attempt.complete(callback)),
      run: await readOutcome(requestClientCredentialsToken({ definition, client, now })),
      requests: server.requests.length,
    };
  }

  // docs/rules.md: rule 25
  it.each(usable)("$what: both libraries accept it, and nothing is printed", async (row) => {
    const { connect, run } = await askBoth(row, row.key);
    const { expected } = row;
    for (const outcome of [connect, run]) {
      if ("error" in outcome) throw outcome.error;
      const { tokenSet } = outcome;
      expect(tokenSet.accessToken).toBe(expected.accessToken);
      expect(tokenSet.expiresAtMs).toBe(
        expected.expiresIn === undefined ? undefined : NOW + expected.expiresIn * 1_000,
      );
      expect(tokenSet.refreshToken).toBe(expected.refreshToken);
      expect(tokenSet.scopes).toEqual(expected.scope?.split(/[ ,]/));
      if (expected.tokenType === undefined) expect(tokenSet.tokenType).toMatch(/^bearer$/i);
      else expect(tokenSet.tokenType).toBe(expected.tokenType);
      expect(tokenSet.extra).toMatchObject(expected.kept ?? {});
      expect(tokenSet.extra).not.toHaveProperty("id_token");
    }
    expect(printed).toEqual([]);
  });

  it("accepts all 44 usable responses", () => {
    expect(usable.filter(({ n }) => typeof n === "number")).toHaveLength(44);
  });

  // docs/rules.md: rule 25
  it.each(refused)("$what: both flows report $error, and nothing is printed", async (row) => {
    const { connect, run } = await askBoth(row, row.key);
    for (const outcome of [connect, run]) {
      if (!("error" in outcome)) throw new Error("The response was accepted.");
      const { error } = outcome;
      if (!(error instanceof PackError)) throw error;
      expect(error.code).toBe(row.code);
      if (row.code === rejected) expect(error.details).toMatchObject({ error: row.error });
      if (row.description !== undefined) expect(error.message).toContain(row.description);
      // Errors of the libraries hold response bodies.
      expect(error.cause).toBeUndefined();
    }
    expect(printed).toEqual([]);
  });

  // docs/rules.md: rule 23
  it.each([302, 307])(
    "the target of a redirect with status %i is never contacted",
    async (status) => {
      await using target = await startTokenServer(() => ({ body: baseTokens }));
      const { connect, run, requests } = await askBoth(
        { status, headers: { location: `${target.url}/t` } },
        undefined,
      );
      for (const outcome of [connect, run])
        expect(outcome).toMatchObject({ error: { code: invalid, details: { status } } });
      expect(requests).toBe(2);
      expect(target.requests).toEqual([]);
      expect(printed).toEqual([]);
    },
  );

  it("row 55, an empty body: stays an error", async () => {
    const { connect, run } = await askBoth({ body: "" }, undefined);
    for (const outcome of [connect, run])
      expect(outcome).toMatchObject({ error: { code: invalid } });
    expect(printed).toEqual([]);
  });
});
