import { expect, it } from "vitest";
import { findProfile, PROVIDER_PROFILES } from "../../../src/provider/profiles/catalogue.ts";
import { startProvider } from "../../../src/provider/provider.ts";
import {
  clientFields,
  connect,
  exchange,
  getCode,
  PKCE,
  post,
  REDIRECT_URI,
  VERIFIER,
} from "../flow.ts";

/** The 23 quirks, by number, and the profiles that imitate each. */
const QUIRKS: Record<number, readonly string[]> = {
  1: ["basic-only", "basic-raw", "body-only", "basic-burns-code"],
  2: ["authorize-parameter"],
  3: ["pkce-refused", "pkce-ignored", "pkce-required", "pkce-plain"],
  4: ["tenant-endpoint"],
  5: ["api-host"],
  6: ["json-request", "query-request"],
  7: ["comma-scopes"],
  8: ["callback-parameter", "callback-extras"],
  9: ["refresh-token-kept", "refresh-token-none", "refresh-token-offline"],
  10: ["refresh-url", "refresh-parameter"],
  11: ["type-missing", "type-own-word"],
  12: [
    "expiry-text",
    "expiry-null",
    "expiry-empty",
    "expiry-missing",
    "expiry-epoch-ms",
    "expires-at",
  ],
  13: ["nested-data", "nested-user", "nested-deep"],
  14: ["error-with-200", "error-not-ok"],
  15: ["json-as-text", "json-as-html"],
  16: ["form-answer", "form-as-text"],
  17: ["scope-array"],
  18: ["id-token-null", "refresh-token-null", "scope-null"],
  19: ["id-token-foreign"],
  20: ["status-201"],
  21: ["iss-other", "iss-missing"],
  22: ["renamed-client-id", "renamed-code", "scope-parameter"],
  23: ["error-challenge"],
};

/** The 55 token responses, by number. */
const RESPONSES: Record<number, string> = {
  1: "strict",
  2: "type-missing",
  3: "type-lower-case",
  4: "type-upper-case",
  5: "type-own-word",
  6: "type-bot",
  7: "type-user",
  8: "type-empty",
  9: "type-null",
  10: "type-mac",
  11: "expiry-text",
  12: "expiry-empty",
  13: "expiry-null",
  14: "expiry-missing",
  15: "expiry-zero",
  16: "expiry-negative",
  17: "expiry-word",
  18: "expiry-date",
  19: "expiry-epoch-ms",
  20: "expires-at",
  21: "refresh-token-null",
  22: "refresh-token-empty",
  23: "scope-null",
  24: "scope-empty",
  25: "scope-array",
  26: "comma-scopes",
  27: "id-token-null",
  28: "id-token-empty",
  29: "id-token-foreign",
  30: "id-token-broken",
  31: "numeric-tokens",
  32: "nested-data",
  33: "nested-user",
  34: "camel-case",
  35: "status-201",
  36: "form-answer",
  37: "form-as-text",
  38: "json-as-html",
  39: "json-as-text",
  40: "json-as-script",
  41: "json-own-type",
  42: "json-untyped",
  43: "byte-order-mark",
  44: "array",
  45: "error-with-200",
  46: "error-not-ok",
  47: "redirect-302",
  48: "redirect-307",
  49: "strict",
  50: "error-as-html",
  51: "error-challenge",
  52: "error-message",
  53: "down-with-error",
  54: "slow-down",
  55: "error-empty-200",
};

it("has a profile for each of the 23 quirks and the 55 token responses", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
  expect(Object.keys(QUIRKS)).toEqual(numbers(23));
  expect(Object.keys(RESPONSES)).toEqual(numbers(55));
  for (const name of [...Object.values(QUIRKS).flat(), ...Object.values(RESPONSES)])
    expect(findProfile(name).name).toBe(name);
});

it("names each profile once, in kebab-case, and says in one line what it imitates", () => {
  const names = PROVIDER_PROFILES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, summary } of PROVIDER_PROFILES) {
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(summary).toMatch(/^[^\n]{10,100}[^.]$/);
  }
});

it("fails with PROFILE_UNKNOWN for another name", async () => {
  await expect(startProvider({ profiles: ["nonsense"] })).rejects.toMatchObject({
    code: "PROFILE_UNKNOWN",
  });
});

/** A token response of a client-credentials request as it stands on the wire. */
async function fetchAnswer(name: string, fields: Record<string, string> = {}) {
  await using provider = await startProvider({ profiles: [name], now: () => 1_700_000_000_000 });
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    scope: "a b",
    ...clientFields(provider),
    ...fields,
  });
  const response = await fetch(provider.tokenUrl, { method: "POST", body, redirect: "manual" });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    bytes: Buffer.from(await response.arrayBuffer()).toString(),
  };
}

it.each([
  [
    "type-missing",
    (body: Record<string, unknown>) => expect(body).not.toHaveProperty("token_type"),
  ],
  ["type-null", (body: Record<string, unknown>) => expect(body["token_type"]).toBeNull()],
  ["expiry-text", (body: Record<string, unknown>) => expect(body["expires_in"]).toBe("3600")],
  [
    "expiry-date",
    (body: Record<string, unknown>) => expect(body["expires_in"]).toBe("2023-11-14T23:13:20.000Z"),
  ],
  [
    "expiry-epoch",
    (body: Record<string, unknown>) => expect(body["expires_in"]).toBe(1_700_003_600),
  ],
  [
    "expires-at",
    (body: Record<string, unknown>) =>
      expect([body["expires_in"], body["expires_at"]]).toEqual([undefined, 1_700_003_600]),
  ],
  ["scope-array", (body: Record<string, unknown>) => expect(body["scope"]).toEqual(["a", "b"])],
  [
    "numeric-tokens",
    (body: Record<string, unknown>) => expect(body["access_token"]).toBeTypeOf("number"),
  ],
  [
    "camel-case",
    (body: Record<string, unknown>) =>
      expect(body).toMatchObject({ accessToken: expect.any(String), expiresIn: 3600 }),
  ],
  [
    "nested-deep",
    (body: Record<string, unknown>) =>
      expect(body).toMatchObject({
        status: "success",
        result: { credentials: { token_type: "Bearer" } },
      }),
  ],
] as const)("%s changes the members of a response", async (name, check) => {
  check(JSON.parse((await fetchAnswer(name)).bytes));
});

it.each([
  ["status-201", 201, "application/json; charset=utf-8", /^\{/],
  ["json-as-html", 200, "text/html; charset=utf-8", /^\{/],
  ["json-untyped", 200, null, /^\{/],
  ["json-own-type", 200, "application/vnd.tokens+json; charset=utf-8", /^\{/],
  ["byte-order-mark", 200, "application/json", /^\uFEFF\{/],
  ["array", 200, "application/json; charset=utf-8", /^\[\{/],
  ["form-answer", 200, "application/x-www-form-urlencoded", /(?:^|&)access_token=/],
  ["form-as-text", 200, "text/plain", /(?:^|&)token_type=Bearer/],
] as const)("%s changes the envelope of a response", async (name, status, type, text) => {
  const answer = await fetchAnswer(name);
  expect([answer.status, answer.type]).toEqual([status, type]);
  expect(answer.bytes).toMatch(text);
});

const made = { grant_type: "refresh_token", refresh_token: "made-up" };
it.each([
  ["error-with-200", 200, /"error":"invalid_grant"/],
  ["error-not-ok", 200, /^\{"ok":false,"error":"invalid_grant"\}$/],
  ["error-challenge", 401, /invalid_grant/],
  ["error-message", 403, /^\{"message":"[^"]+"\}$/],
  ["error-object", 400, /"error":\{"type":"invalid_grant"/],
  ["error-form", 400, /^error=invalid_grant&/],
  ["down-with-json", 503, /^\{"message":"down"\}$/],
  ["down-with-page", 502, /^<!doctype html>/],
  ["slow-down", 429, /slow_down/],
  ["error-empty-200", 200, /^$/],
  ["redirect-307", 307, /^$/],
] as const)("%s changes a refusal", async (name, status, text) => {
  const answer = await fetchAnswer(name, made);
  expect(answer.status).toBe(status);
  expect(answer.bytes).toMatch(text);
});

it("basic-only refuses the body, and basic-burns-code uses up the code besides", async () => {
  for (const [name, error] of [
    ["basic-only", undefined],
    ["basic-burns-code", "invalid_grant"],
  ] as const) {
    await using provider = await startProvider({ profiles: [name] });
    const code = await getCode(provider);
    expect((await exchange(provider, code)).body.error).toBe("invalid_client");
    const again = {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
    };
    expect(
      (await post(provider.tokenUrl, again, basic(provider.clientId, provider.clientSecret))).body
        .error,
    ).toBe(error);
  }
});

it("basic-raw takes a secret with a plus sign as it is", async () => {
  await using provider = await startProvider({
    profiles: ["basic-raw"],
    clients: [{ clientId: "c", clientSecret: "a+b%2F=", grantTypes: ["client_credentials"] }],
  });
  const ask = async (secret: string) =>
    (await post(provider.tokenUrl, { grant_type: "client_credentials" }, basic("c", secret)))
      .status;
  expect([await ask("a+b%2F="), await ask(encodeURIComponent("a+b%2F="))]).toEqual([200, 401]);
});

it("json-request and query-request take parameters in their way alone", async () => {
  const fields = { grant_type: "client_credentials" };
  await using json = await startProvider({ profiles: ["json-request"] });
  const send = (body: unknown, type = "application/json") =>
    fetch(json.tokenUrl, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": type },
    }).then(({ status }) => status);
  expect(
    await send({
      ...fields,
      ...clientFields(json),
      resource: ["https://a.example", "https://b.example"],
    }),
  ).toBe(200);
  expect(await send({ ...fields, ...clientFields(json) }, "text/plain")).toBe(400);
  for (const body of [[], "x", null, { ...fields, deep: { x: 1 } }])
    expect(await send(body)).toBe(400);
  expect((await post(json.tokenUrl, { ...fields, ...clientFields(json) })).body.error).toBe(
    "invalid_request",
  );
  expect(JSON.stringify(json.requests)).not.toContain(json.clientSecret);

  await using query = await startProvider({ profiles: ["query-request"] });
  const headers = basic(query.clientId, query.clientSecret);
  expect(
    (await fetch(`${query.tokenUrl}?${new URLSearchParams(fields)}`, { method: "POST", headers }))
      .status,
  ).toBe(200);
  expect((await post(query.tokenUrl, fields, headers)).body.error).toBe("invalid_request");
});

it("pkce profiles refuse what they do not know", async () => {
  const errors = async (name: string, fields: Record<string, string>) => {
    await using provider = await startProvider({ profiles: [name] });
    return await getCode(provider, fields).then(
      () => "granted",
      (error: Error) => new URLSearchParams(error.message.replace("No code: ", "")).get("error"),
    );
  };
  const plain = { code_challenge: VERIFIER, code_challenge_method: "plain" };
  expect(
    await Promise.all(
      ["pkce-refused", "pkce-required", "pkce-plain", "pkce-ignored"].map((name) =>
        errors(name, PKCE),
      ),
    ),
  ).toEqual(["invalid_request", "granted", "invalid_request", "granted"]);
  expect(
    await Promise.all(
      ["pkce-refused", "pkce-required", "pkce-plain"].map((name) => errors(name, plain)),
    ),
  ).toEqual(["invalid_request", "invalid_request", "granted"]);
  expect(
    await Promise.all(
      ["pkce-refused", "pkce-required", "pkce-plain"].map((name) => errors(name, {})),
    ),
  ).toEqual(["granted", "invalid_request", "invalid_request"]);
});

it("composes: what two profiles say holds at once, and contradictions are refused", async () => {
  await using provider = await startProvider({
    profiles: ["type-missing", "expiry-text", "nested-data", "json-as-html"],
  });
  const answer = await connect(provider);
  expect(answer).toMatchObject({ data: { expires_in: "3600" } });
  expect(answer["data"]).not.toHaveProperty("token_type");
  await expect(startProvider({ profiles: ["nested-data", "nested-user"] })).rejects.toMatchObject({
    code: "PROFILE_CONFLICT",
  });
});

it("answers at other paths, under another issuer, besides its own", async () => {
  await using provider = await startProvider({
    paths: { authorize: "/o/authorize", token: "/o/token?v=2" },
    issuer: "https://login.example/realm",
  });
  const metadata = await fetch(
    `${provider.origin}/.well-known/oauth-authorization-server/realm`,
  ).then((response) => response.json());
  expect(metadata).toMatchObject({
    issuer: "https://login.example/realm",
    token_endpoint: "https://login.example/token",
  });
  const answer = await post(`${provider.origin}/o/token?v=2`, {
    grant_type: "client_credentials",
    ...clientFields(provider),
  });
  expect(answer.status).toBe(200);
  const page = await fetch(`${provider.origin}/o/authorize?client_id=nobody`);
  expect(page.status).toBe(400);
});

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
}
