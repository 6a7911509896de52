import { OAuth2Client, OAuth2HttpError } from "@badgateway/oauth2-client";
import * as openid from "openid-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import { tokenSetFromBody } from "../../src/oauth/token-response.ts";
import { createTokenTransport } from "../../src/oauth/transport.ts";
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
  /** Members that are kept beside the tokens. */
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
const typed = (original: string | null): Expected => ({
  ...base,
  kept: { x_original_token_type: original },
});
const unknownExpiry: Expected = { ...base, expiresIn: undefined };

/**
 * Section "responses with a usable token": each is accepted by both libraries behind the transport.
 */
const usable: Row[] = [
  { n: 1, what: "the baseline", body: baseTokens, expected: base },
  { n: 2, what: "token_type missing", body: withoutType, expected: typed(null) },
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
  { n: 8, what: "token_type empty", body: body({ token_type: "" }), expected: typed(null) },
  { n: 9, what: "token_type null", body: body({ token_type: null }), expected: typed(null) },
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
    expected: { ...base, kept: { x_id_token: jwt } },
  },
  {
    n: 30,
    what: "id_token not a JWT",
    body: body({ id_token: "not-a-jwt" }),
    expected: { ...base, kept: { x_id_token: "not-a-jwt" } },
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
      kept: { id: "U", x_original_token_type: "user" },
    },
  },
  {
    n: 34,
    what: "camel-case members",
    body: { accessToken: "at", refreshToken: "rt", expiresIn: 3600 },
    expected: { ...base, scope: undefined, kept: { x_original_token_type: null } },
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

function definitionFor(key: string | undefined): OAuthDefinition {
  return {
    type: "OAuth2",
    authorizationUrl: "https://login.example/a",
    tokenUrl: "https://login.example/t",
    nestedResponseKey: key,
  };
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

  /** One request with each library behind a transport. */
  async function askBoth(answer: Answer, key: string | undefined) {
    await using server = await startTokenServer(() => answer);
    const codes: string[] = [];
    const transport = createTokenTransport(definitionFor(key), {
      now: () => NOW,
      onFailure: ({ code }) => codes.push(code),
    });
    const configuration = new openid.Configuration(
      { issuer: server.url, token_endpoint: `${server.url}/t` },
      "client",
      {},
      openid.None(),
    );
    openid.allowInsecureRequests(configuration);
    configuration[openid.customFetch] = (url, options) => transport(url, options as RequestInit);
    const library = new OAuth2Client({
      clientId: "client",
      clientSecret: "secret",
      tokenEndpoint: `${server.url}/t`,
      fetch: transport,
    });
    const callback = new URL("http://127.0.0.1/callback?code=c");
    const outcome = {
      connect: await openid.authorizationCodeGrant(configuration, callback).then(
        (value) => ({ value }),
        (error: Error) => ({ error }),
      ),
      run: await library.clientCredentials().then(
        (value) => ({ value }),
        (error: Error) => ({ error }),
      ),
      requests: server.requests.length,
      codes,
    };
    return outcome;
  }

  // docs/rules.md: rule 25
  it.each(usable)("$what: both libraries accept it, and nothing is printed", async (row) => {
    const { connect, run } = await askBoth(row, row.key);
    if (!("value" in connect)) throw connect.error;
    if (!("value" in run)) throw run.error;
    const { expected } = row;

    expect(connect.value.access_token).toBe(expected.accessToken);
    expect(connect.value.expires_in).toBe(expected.expiresIn);
    expect(connect.value.refresh_token).toBe(expected.refreshToken);
    expect(connect.value.scope).toBe(expected.scope);
    expect(connect.value).toMatchObject(expected.kept ?? {});

    expect(run.value.accessToken).toBe(expected.accessToken);
    expect(run.value.refreshToken ?? undefined).toBe(expected.refreshToken);
    expect(run.value.scope?.join(" ")).toBe(expected.scope);
    expect(run.value.extraParams ?? {}).toMatchObject(expected.kept ?? {});

    const tokenSet = tokenSetFromBody(connect.value, ",", "none");
    expect(tokenSet.expiresAtMs).toBe(
      expected.expiresIn === undefined ? undefined : NOW + expected.expiresIn * 1_000,
    );
    expect(tokenSet.scopes).toEqual(expected.scope?.split(/[ ,]/));
    expect(printed).toEqual([]);
  });

  it("accepts all 44 usable responses", () => {
    expect(usable.filter(({ n }) => typeof n === "number")).toHaveLength(44);
  });

  // docs/rules.md: rule 25
  it.each(refused)("$what: both libraries report $error, and nothing is printed", async (row) => {
    const { connect, run, codes } = await askBoth(row, row.key);
    if (!("error" in connect) || !("error" in run))
      throw new Error("A library accepted the response.");
    expect(connect.error).toBeInstanceOf(openid.ResponseBodyError);
    expect(connect.error).toMatchObject({ error: row.error });
    expect(run.error).toBeInstanceOf(OAuth2HttpError);
    expect(run.error).toMatchObject({ oauth2Code: row.error });
    if (row.description !== undefined)
      expect(connect.error).toMatchObject({ error_description: row.description });
    expect(codes).toEqual([row.code, row.code]);
    expect(printed).toEqual([]);
  });

  // docs/rules.md: rule 23
  it.each([302, 307])(
    "the target of a redirect with status %i is never contacted",
    async (status) => {
      await using target = await startTokenServer(() => ({ body: baseTokens }));
      const { connect, run, codes, requests } = await askBoth(
        { status, headers: { location: `${target.url}/t` } },
        undefined,
      );
      expect(connect).toMatchObject({ error: { code: "OAUTH_RESPONSE_IS_NOT_CONFORM" } });
      expect(run).toMatchObject({
        error: { message: expect.stringContaining(`HTTP Error ${status}`) },
      });
      expect(codes).toEqual([invalid, invalid]);
      expect(requests).toBe(2);
      expect(target.requests).toEqual([]);
      expect(printed).toEqual([]);
    },
  );

  it("row 55, an empty body: stays an error", async () => {
    const { connect, run, codes } = await askBoth({ body: "" }, undefined);
    expect(connect).toMatchObject({ error: { code: "OAUTH_PARSE_ERROR" } });
    expect(run).toMatchObject({ error: { name: "SyntaxError" } });
    expect(codes).toEqual([invalid, invalid]);
    expect(printed).toEqual([]);
  });
});
