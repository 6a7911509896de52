import type { ProviderProfile, TokenAnswer } from "../profile.ts";

type Members = Record<string, unknown>;

/**
 * Members of token responses that are missing, or have another type or meaning than in RFC 6749
 * §5.1.
 */
export const TOKEN_MEMBER_PROFILES: readonly ProviderProfile[] = [
  answers("type-missing", "token_type is missing", without("token_type")),
  answers("type-lower-case", "token_type is bearer", set("token_type", "bearer")),
  answers("type-upper-case", "token_type is BEARER", set("token_type", "BEARER")),
  answers("type-own-word", "token_type is BearerToken", set("token_type", "BearerToken")),
  answers(
    "type-bot",
    "token_type is bot, which is the type of the token's owner, not the type of the token",
    set("token_type", "bot"),
  ),
  answers(
    "type-user",
    "token_type is user, which is the type of the token's owner, not the type of the token",
    set("token_type", "user"),
  ),
  answers(
    "type-mac",
    "token_type is mac, but the token is used like a bearer token",
    set("token_type", "mac"),
  ),
  answers("type-empty", "token_type is empty", set("token_type", "")),
  answers("type-null", "token_type is null", set("token_type", null)),

  answers("expiry-text", "expires_in is a string", ({ expires_in, ...rest }) => ({
    ...rest,
    expires_in: String(expires_in),
  })),
  answers("expiry-empty", "expires_in is empty", set("expires_in", "")),
  answers("expiry-null", "expires_in is null", set("expires_in", null)),
  answers("expiry-missing", "expires_in is missing", without("expires_in")),
  answers("expiry-zero", "expires_in is 0 for a token that does not expire", set("expires_in", 0)),
  answers(
    "expiry-negative",
    "expires_in is -1 for a token that does not expire",
    set("expires_in", -1),
  ),
  answers("expiry-word", "expires_in is the string never", set("expires_in", "never")),
  answers(
    "expiry-date",
    "expires_in is a date",
    expiry((instantMs) => ({ expires_in: new Date(instantMs).toISOString() })),
  ),
  answers(
    "expiry-epoch",
    "expires_in is a time in seconds since 1970",
    expiry((ms) => ({ expires_in: Math.floor(ms / 1_000) })),
  ),
  answers(
    "expiry-epoch-ms",
    "expires_in is a time in milliseconds since 1970",
    expiry((ms) => ({ expires_in: ms })),
  ),
  answers(
    "expires-at",
    "sends the expiry only as expires_at",
    expiry((ms) => ({ expires_at: Math.floor(ms / 1_000) })),
  ),

  answers(
    "refresh-token-null",
    "refresh_token is null on refresh; the old refresh token stays valid",
    set("refresh_token", null, "present"),
    "kept",
  ),
  answers(
    "refresh-token-empty",
    "refresh_token is empty on refresh; the old refresh token stays valid",
    set("refresh_token", "", "present"),
    "kept",
  ),
  answers("scope-null", "scope is null", set("scope", null)),
  answers("scope-empty", "scope is empty", set("scope", "")),
  answers("scope-array", "scope is an array", ({ scope, ...rest }) => ({
    ...rest,
    scope: String(scope ?? "").split(" "),
  })),
  answers("scope-object", "scope is an object", set("scope", { read: true })),
  answers("id-token-null", "id_token is null", set("id_token", null)),
  answers("id-token-empty", "id_token is empty", set("id_token", "")),
  answers(
    "id-token-foreign",
    "sends an unexpected id_token from another issuer",
    set("id_token", foreignIdToken()),
  ),
  answers("id-token-broken", "sends an id_token that is not a JWT", set("id_token", "not-a-jwt")),
  {
    ...answers(
      "token-renamed",
      "uses the name api_key for the access token",
      ({ access_token, ...rest }) => ({
        api_key: access_token,
        ...rest,
      }),
    ),
    needs: { tokenResponse: { accessToken: "api_key" } },
  },
  {
    ...answers(
      "expiry-milliseconds",
      "sends expires_in in milliseconds",
      ({ expires_in, ...rest }) => ({
        ...rest,
        expires_in: Number(expires_in) * 1_000,
      }),
    ),
    needs: { tokenResponse: { expiresInUnit: "milliseconds" } },
  },
  answers(
    "camel-case",
    "uses the names accessToken, refreshToken and expiresIn",
    ({ access_token, refresh_token, expires_in }) => ({
      accessToken: access_token,
      ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
      expiresIn: expires_in,
    }),
  ),
  answers("empty-error", "sends an empty error field with the tokens", set("error", "")),
  {
    name: "numeric-tokens",
    summary: "sends tokens as numbers",
    token: { numeric: true },
    answer: {
      members: ({ access_token, refresh_token, ...rest }) => ({
        ...rest,
        access_token: Number(access_token),
        ...(refresh_token === undefined ? {} : { refresh_token: Number(refresh_token) }),
      }),
    },
  },
  {
    name: "api-host",
    summary: "sends the URL of the account's API as api_host in the token response",
    grant: "authorization_code",
    needs: { endpointKey: "api_host" },
    resource: { shard: "shard-7" },
    answer: {
      members: (members, { apiOrigin }) => ({ ...members, api_host: `${apiOrigin}/shard-7` }),
    },
  },
];

type Mutator = NonNullable<NonNullable<ProviderProfile["answer"]>["members"]>;

function answers(name: string, summary: string, members: Mutator, token?: "kept"): ProviderProfile {
  const grant =
    token === undefined ? {} : ({ grant: "authorization_code", refresh: { token } } as const);
  return { name, summary, ...grant, answer: { members } };
}

/**
 * @param when `present`: a response that has the member keeps it, because the first tokens need it
 * to be renewable
 */
function set(name: string, value: unknown, when?: "present"): Mutator {
  return (members) =>
    when === "present" && members[name] !== undefined ? members : { ...members, [name]: value };
}

function without(name: string): Mutator {
  return ({ [name]: _, ...rest }) => rest;
}

function expiry(write: (instantMs: number) => Members): Mutator {
  return ({ expires_in, ...rest }, { nowMs }) => {
    // Another profile may have removed it, or changed it to a date.
    const seconds = Number(expires_in);
    return Number.isNaN(seconds)
      ? { ...rest, ...(expires_in === undefined ? {} : { expires_in }) }
      : { ...rest, ...write(nowMs + seconds * 1_000) };
  };
}

function foreignIdToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256" })}.${part({ iss: "https://other.example", aud: "nobody", sub: "1", iat: 1, exp: 2 })}.c2ln`;
}

/** Where token responses have their members, and how they are written. */
export const TOKEN_ENVELOPE_PROFILES: readonly ProviderProfile[] = [
  {
    name: "nested-data",
    summary: "nests the tokens in data",
    needs: { nestedResponseKey: "data" },
    answer: { container: "data", beside: { code: 0, message: "OK" } },
  },
  {
    name: "nested-user",
    summary: "nests the user's tokens in authed_user",
    needs: { nestedResponseKey: "authed_user" },
    answer: { container: "authed_user", beside: { ok: true } },
  },
  {
    name: "nested-deep",
    summary: "nests the tokens in result.credentials",
    needs: { nestedResponseKey: "result.credentials" },
    answer: { container: "result.credentials", beside: { status: "success" } },
  },
  makeEnveloped("array", "sends an array with one object", (answer) => ({
    ...answer,
    body: [answer.body],
  })),
  makeEnveloped("status-201", "responds with status 201", (answer) => ({ ...answer, status: 201 })),
  makeEnveloped(
    "json-as-html",
    "sends JSON with the content type text/html",
    labelType("text/html; charset=utf-8"),
  ),
  makeEnveloped(
    "json-as-text",
    "sends JSON with the content type text/plain",
    labelType("text/plain; charset=utf-8"),
  ),
  makeEnveloped(
    "json-as-script",
    "sends JSON with the content type text/javascript",
    labelType("text/javascript; charset=utf-8"),
  ),
  makeEnveloped(
    "json-own-type",
    "sends JSON with a vendor content type",
    labelType("application/vnd.tokens+json"),
  ),
  makeEnveloped("json-untyped", "sends no content type", (answer) => ({
    ...answer,
    body: JSON.stringify(answer.body),
  })),
  makeEnveloped("byte-order-mark", "sends a byte order mark before the JSON", (answer) => ({
    ...labelType("application/json")(answer),
    body: `\uFEFF${JSON.stringify(answer.body)}`,
  })),
  makeEnveloped(
    "form-answer",
    "sends form-encoded data instead of JSON",
    asForm("application/x-www-form-urlencoded"),
  ),
  makeEnveloped(
    "form-as-text",
    "sends form-encoded data with the content type text/plain",
    asForm("text/plain"),
  ),
];

type Envelope = (answer: TokenAnswer) => TokenAnswer;

function makeEnveloped(name: string, summary: string, envelope: Envelope): ProviderProfile {
  return { name, summary, answer: { envelope } };
}

function labelType(type: string): Envelope {
  return (answer) => ({ ...answer, headers: { ...answer.headers, "Content-Type": type } });
}

function asForm(type: string): Envelope {
  return (answer) => {
    const pairs = Object.entries(answer.body).map(([name, value]): [string, string] => [
      name,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]);
    return { ...labelType(type)(answer), body: new URLSearchParams(pairs).toString() };
  };
}

const PAGE = "<!doctype html><title>Error</title><h1>Something went wrong</h1>";

/** Errors that are not written as in RFC 6749 §5.2. */
export const TOKEN_ERROR_PROFILES: readonly ProviderProfile[] = [
  refuses("error-with-200", "reports errors with status 200", (answer) => ({
    ...answer,
    status: 200,
    headers: {},
  })),
  refuses("error-not-ok", "reports errors with status 200 and ok: false", ({ body }) =>
    json(200, { ok: false, error: readError(body) }),
  ),
  refuses("error-as-html", "sends JSON errors with the content type text/html", (answer) => ({
    ...answer,
    headers: { ...answer.headers, "Content-Type": "text/html" },
  })),
  refuses(
    "error-challenge",
    "reports every error with status 401 and a challenge for Bearer",
    ({ body }) => ({
      ...json(401, body),
      headers: { "WWW-Authenticate": 'Bearer realm="token"' },
    }),
  ),
  refuses("error-message", "sends an error message instead of an error code", () =>
    json(403, { message: "This was not accepted." }),
  ),
  refuses("error-object", "reports errors as objects", ({ status, body }) =>
    json(status, { error: { type: readError(body), message: "It was refused." } }),
  ),
  refuses("error-form", "sends form-encoded errors", ({ status, body }) => ({
    status,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      error: readError(body),
      error_description: "It was refused.",
    }).toString(),
  })),
  fails("down-with-json", "is down, and returns status 503 with a message", () =>
    json(503, { message: "down" }),
  ),
  fails("down-with-error", "is down, and returns status 500 with the error server_error", () =>
    json(500, { error: "server_error" }),
  ),
  fails("down-with-page", "is down, and returns status 502 with an HTML page", () => ({
    status: 502,
    headers: { "Content-Type": "text/html" },
    body: PAGE,
  })),
  fails("slow-down", "limits requests, and returns status 429 with the error slow_down", () => ({
    ...json(429, { error: "slow_down" }),
    headers: { "Retry-After": "30" },
  })),
  fails("error-page-200", "rejects a request with an HTML page and status 200", () => ({
    status: 200,
    headers: { "Content-Type": "text/html" },
    body: PAGE,
  })),
  fails("error-empty-200", "rejects a request with status 200 and an empty body", () => ({
    status: 200,
    headers: {},
    body: "",
  })),
  fails("redirect-302", "rejects a request with a redirect (status 302)", redirectTo(302)),
  fails(
    "redirect-307",
    "rejects a request with a redirect that would send the secret again (status 307)",
    redirectTo(307),
  ),
];

type Rewrite = (answer: TokenAnswer) => TokenAnswer;

function refuses(name: string, summary: string, error: Rewrite): ProviderProfile {
  return { name, summary, answer: { error } };
}

/** Responses that say nothing about the refresh token, so the account must stay connected. */
function fails(name: string, summary: string, error: Rewrite): ProviderProfile {
  return {
    name,
    summary,
    grant: "authorization_code",
    refusal: "transient",
    answer: {
      error: (answer) => (readError(answer.body) === "invalid_grant" ? error(answer) : answer),
    },
  };
}

function json(status: number, body: TokenAnswer["body"]): TokenAnswer {
  return { status, headers: {}, body };
}

function redirectTo(status: number): Rewrite {
  return () => ({ status, headers: { Location: "https://elsewhere.example/token" }, body: "" });
}

function readError(body: TokenAnswer["body"]): string {
  return typeof body === "string"
    ? "server_error"
    : String((body as Record<string, unknown>)["error"]);
}
