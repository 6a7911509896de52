import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { OAuth2Authentication } from "../../../src/define/oauth.ts";
import { isPackError, type PackErrorCode } from "../../../src/errors.ts";
import {
  type AuthorizationAttemptOptions,
  createAuthorizationAttempt,
} from "../../../src/oauth/connect/authorization-attempt.ts";
import type { ExchangeRecord } from "../../../src/oauth/exchange-record.ts";
import { type Answer, baseTokens, startTokenServer } from "../../support/token-server.ts";

const redirectUri = "http://127.0.0.1:4000/oauth/callback";
const client = { clientId: "client-1", clientSecret: "s3cret+/= :x" };

function define(changes: Partial<OAuth2Authentication> = {}): OAuth2Authentication {
  return {
    type: "OAuth2",
    authorizationUrl: "https://login.tasks.example/authorize",
    tokenUrl: "https://login.tasks.example/token",
    ...changes,
  } as OAuth2Authentication;
}

async function prepare(
  changes: Partial<OAuth2Authentication> = {},
  options: Partial<AuthorizationAttemptOptions> = {},
  answer?: Answer,
) {
  const server = await startTokenServer(() => answer ?? { body: baseTokens });
  const records: ExchangeRecord[] = [];
  const attempt = await createAuthorizationAttempt({
    definition: define(changes),
    client,
    redirectUri,
    routes: { "https://login.tasks.example": server.url },
    onExchange: (record) => records.push(record),
    ...options,
  });
  const url = new URL(attempt.authorizationUrl);
  const callback = (params: Record<string, string> = {}) =>
    new URLSearchParams({ code: "code-1", state: attempt.state, ...params });
  return {
    attempt,
    server,
    records,
    url,
    callback,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function catchCode(promise: Promise<unknown>): Promise<PackErrorCode | "no error"> {
  return promise.then(
    () => "no error",
    (error: unknown) => {
      if (isPackError(error)) return error.code;
      throw error;
    },
  );
}

describe("createAuthorizationAttempt", () => {
  it("sends scopes, resource and additional parameters, and leaves empty ones out", async () => {
    await using run = await prepare(
      {
        scopes: ["tasks.read", "tasks.write"],
        scopeDelimiter: ",",
        scopeParamName: "user_scope",
        resource: "https://api.tasks.example/",
        additionalParams: { prompt: "consent", max_age: 5, empty: "", response_type: "code" },
      },
      { extraScopes: ["tasks.read", "extra"] },
    );
    const { state, ...params } = Object.fromEntries(run.url.searchParams);
    expect(params).toEqual({
      prompt: "consent",
      max_age: "5",
      response_type: "code",
      user_scope: "tasks.read,tasks.write,extra",
      resource: "https://api.tasks.example/",
      redirect_uri: redirectUri,
      client_id: "client-1",
    });
    expect(run.attempt.requestedScopes).toEqual(["tasks.read", "tasks.write", "extra"]);
    expect(state).toBe(run.attempt.state);
  });

  it("keeps response_type when additionalParams has a member request, which the library takes for a signed request", async () => {
    await using run = await prepare({ additionalParams: { request: "something-else" } });
    expect(Object.fromEntries(run.url.searchParams)).toMatchObject({
      response_type: "code",
      request: "something-else",
      client_id: "client-1",
    });
    await using other = await prepare({
      additionalParams: { response_type: "code id_token", request_uri: "x" },
    });
    expect(other.url.searchParams.getAll("response_type")).toEqual(["code id_token"]);
  });

  it.each<[string, Partial<OAuth2Authentication>]>([
    ["without an issuer", { scopes: ["openid", "email"] }],
    ["with an issuer", { scopes: ["openid"], issuer: "https://login.tasks.example" }],
    ["as part of another scope", { scopes: ["openid email"] }],
    ["among the additional parameters", { additionalParams: { scope: "openid" } }],
  ])("sends a fresh nonce when openid is asked for %s", async (_, changes) => {
    await using run = await prepare(changes);
    await using again = await prepare(changes);
    const nonces = [run, again].map(({ url }) => url.searchParams.get("nonce") ?? "");
    expect(new Set(nonces).size).toBe(2);
    for (const nonce of nonces) expect(nonce).toMatch(/^[\w-]{43}$/);
  });

  it("sends no nonce without openid, and ignores an unchecked ID Token when no issuer is known", async () => {
    await using plain = await prepare({ scopes: ["read"] });
    expect(plain.url.searchParams.has("nonce")).toBe(false);
    await using run = await prepare(
      { scopes: ["openid"] },
      {},
      { body: { ...baseTokens, id_token: "not.a.token" } },
    );
    await expect(run.attempt.complete(run.callback())).resolves.toMatchObject({
      accessToken: "at",
    });
  });

  // docs/rules.md: rule 34
  it("takes an ID Token of a known issuer only with the nonce of this attempt", async () => {
    const issuer = "https://login.tasks.example";
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const nowSeconds = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: client.clientId,
      sub: "user",
      iat: nowSeconds,
      exp: nowSeconds + 300,
    };
    for (const [nonceOf, expected] of [
      [(sent: string) => ({ nonce: sent }), /^no error$/],
      [() => ({ nonce: "of-another-attempt" }), /^OAUTH_/],
      [() => ({}), /^OAUTH_/],
    ] as const) {
      const body = { ...baseTokens, id_token: "" };
      await using run = await prepare({ scopes: ["openid"], issuer }, { issuer }, { body });
      const nonce = run.url.searchParams.get("nonce") ?? "";
      body.id_token = `${part({ alg: "RS256" })}.${part({ ...claims, ...nonceOf(nonce) })}.AAAA`;
      expect(await catchCode(run.attempt.complete(run.callback({ iss: issuer })))).toMatch(
        expected,
      );
    }
  });

  it("keeps the URL's own query byte for byte", async () => {
    await using run = await prepare({
      authorizationUrl: "https://login.tasks.example/a?tenant=%20x&flag&b=1+2",
      scopes: ["a", "b"],
    });
    expect(run.attempt.authorizationUrl).toContain("/a?tenant=%20x&flag&b=1+2&scope=a+b&");
  });

  it("sends no parameter twice that the URL's own query has, too (RFC 6749 §3.1)", async () => {
    await using run = await prepare({
      authorizationUrl:
        "https://login.tasks.example/a?response_type=code&tenant=x&client_id=other&%73tate=s",
    });
    const { searchParams } = new URL(run.attempt.authorizationUrl);
    for (const name of ["response_type", "client_id", "state"])
      expect(searchParams.getAll(name), name).toHaveLength(1);
    expect(searchParams.get("client_id")).not.toBe("other");
    expect(searchParams.get("state")).toBe(run.attempt.state);
    expect(run.attempt.authorizationUrl).toContain("/a?tenant=x&");
  });

  // docs/rules.md: rule 6
  it("makes a state of at least 128 bits for each attempt", async () => {
    await using one = await prepare();
    await using two = await prepare();
    expect(Buffer.from(one.attempt.state, "base64url").length * 8).toBeGreaterThanOrEqual(128);
    expect(one.attempt.state).not.toBe(two.attempt.state);
  });

  // docs/rules.md: rule 6
  it("checks the state before anything else, and makes no token request without it", async () => {
    await using run = await prepare();
    const { attempt, server } = run;
    const queries = [
      "code=a",
      "code=a&state=",
      "code=a&state=forged",
      `code=a&state=${attempt.state}&state=${attempt.state}`,
      "error=access_denied",
      "error=access_denied&state=forged",
      `code=a&code=b&state=${attempt.state}x`,
    ];
    for (const query of queries) {
      expect(await catchCode(attempt.complete(new URLSearchParams(query))), query).toBe(
        "OAUTH_STATE_MISMATCH",
      );
    }
    expect(server.requests).toEqual([]);
    expect(
      await catchCode(attempt.complete(run.callback())),
      "a forged callback leaves the attempt usable",
    ).toBe("no error");
  });

  // docs/rules.md: rule 8
  it("exchanges a code once, also for two callbacks at the same time", async () => {
    await using run = await prepare();
    const outcomes = await Promise.all([
      catchCode(run.attempt.complete(run.callback())),
      catchCode(run.attempt.complete(run.callback())),
    ]);
    expect(outcomes.sort()).toEqual(["OAUTH_CALLBACK_INVALID", "no error"]);
    expect(run.server.requests).toHaveLength(1);
  });

  // docs/rules.md: rule 9
  it("proves itself with S256, with a new verifier for each attempt", async () => {
    await using run = await prepare({ useProofKeyForCodeExchange: true });
    await using other = await prepare({ useProofKeyForCodeExchange: true });
    await run.attempt.complete(run.callback());
    const verifier = run.server.requests[0]?.params.get("code_verifier") ?? "";
    expect(run.url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(run.url.searchParams.get("code_challenge")).toBe(
      createHash("sha256").update(verifier).digest("base64url"),
    );
    expect(verifier.length).toBeGreaterThanOrEqual(43);
    expect(other.url.searchParams.get("code_challenge")).not.toBe(
      run.url.searchParams.get("code_challenge"),
    );
  });

  // docs/rules.md: rule 9
  it("sends the verifier itself when the definition says plain", async () => {
    await using run = await prepare({
      useProofKeyForCodeExchange: true,
      pkceChallengeMethod: "plain",
    });
    await run.attempt.complete(run.callback());
    expect(run.url.searchParams.get("code_challenge_method")).toBe("plain");
    expect(run.server.requests[0]?.params.get("code_verifier")).toBe(
      run.url.searchParams.get("code_challenge"),
    );
  });

  // docs/rules.md: rule 9
  it("sends no proof when the definition does not ask for one, and never retries without one", async () => {
    await using without = await prepare();
    expect(without.url.searchParams.has("code_challenge")).toBe(false);
    await using ofPublicClient = await prepare(
      {},
      { client: { clientId: "client-1", clientSecret: undefined } },
    );
    expect(ofPublicClient.url.searchParams.get("code_challenge_method")).toBe("S256");
    const refusal = {
      status: 400,
      body: { error: "invalid_request", error_description: "S256 is not supported" },
    };
    await using refused = await prepare({ useProofKeyForCodeExchange: true }, {}, refusal);
    expect(await catchCode(refused.attempt.complete(refused.callback()))).toBe(
      "OAUTH_TOKEN_REJECTED",
    );
    expect(refused.server.requests).toHaveLength(1);
  });

  // docs/rules.md: rule 10
  it("puts neither verifier nor client secret into a URL or a record", async () => {
    await using run = await prepare({ useProofKeyForCodeExchange: true });
    await run.attempt.complete(run.callback());
    const verifier = run.server.requests[0]?.params.get("code_verifier") ?? "-";
    const urls = [run.attempt.authorizationUrl, ...run.server.requests.map(({ url }) => url)].join(
      " ",
    );
    for (const secret of [verifier, client.clientSecret, encodeURIComponent(client.clientSecret)])
      expect(urls).not.toContain(secret);
    const recorded = JSON.stringify(run.records);
    for (const secret of [verifier, client.clientSecret, "code-1", '"at"', '"rt"'])
      expect(recorded).not.toContain(secret);
  });

  // docs/rules.md: rule 14
  it("compares the issuer exactly when it is known, and demands it when it is promised", async () => {
    const issuer = "https://login.tasks.example";
    for (const [iss, promised, expected] of [
      [issuer, true, "no error"],
      [`${issuer}/`, false, "OAUTH_ISSUER_MISMATCH"],
      ["https://evil.example", false, "OAUTH_ISSUER_MISMATCH"],
      [undefined, true, "OAUTH_ISSUER_MISMATCH"],
      [undefined, false, "no error"],
    ] as const) {
      await using run = await prepare({}, { issuer, issuerPromised: promised });
      expect(
        await catchCode(run.attempt.complete(run.callback(iss === undefined ? {} : { iss }))),
        String(iss),
      ).toBe(expected);
      expect(run.server.requests).toHaveLength(expected === "no error" ? 1 : 0);
    }
  });

  // docs/rules.md: rule 14
  it("accepts any iss when the definition knows no issuer", async () => {
    await using run = await prepare();
    expect(
      await catchCode(run.attempt.complete(run.callback({ iss: "https://whoever.example" }))),
    ).toBe("no error");
  });

  // docs/rules.md: rule 15
  it("refuses a callback with a repeated parameter", async () => {
    await using run = await prepare();
    const query = run.callback();
    query.append("code", "code-2");
    expect(await catchCode(run.attempt.complete(query))).toBe("OAUTH_CALLBACK_INVALID");
    expect(run.server.requests).toEqual([]);
  });

  it("refuses a callback without a code", async () => {
    await using run = await prepare();
    expect(
      await catchCode(run.attempt.complete(new URLSearchParams({ state: run.attempt.state }))),
    ).toBe("OAUTH_CALLBACK_INVALID");
  });

  // docs/rules.md: rule 13
  it("reports a denial with the provider's text made safe", async () => {
    await using run = await prepare();
    const query = {
      state: run.attempt.state,
      error: "access_denied",
      error_description: `no\u001b]0;x\u0007\r\n<script>${"a".repeat(2000)}`,
    };
    await expect(run.attempt.complete(new URLSearchParams(query))).rejects.toSatisfy(
      (error: unknown) => {
        if (!isPackError(error, "OAUTH_DENIED")) return false;
        const { description = "" } = error.details;
        return (
          !/\p{Cc}/u.test(description + error.message) &&
          description.length <= 301 &&
          error.details.error === "access_denied"
        );
      },
    );
    expect(run.server.requests).toEqual([]);
  });

  // docs/rules.md: rule 38
  it.each([
    "client_id",
    "redirect_uri",
    "state",
    "code_challenge",
    "code_challenge_method",
    "client_secret",
    "State",
    "REDIRECT_URI",
  ])("refuses %s in additionalParams", async (name) => {
    expect(await catchCode(prepare({ additionalParams: { [name]: "x" } }))).toBe(
      "OAUTH_PARAMETER_RESERVED",
    );
  });

  // docs/rules.md: rule 41
  it.each([
    "http://127.0.0.1:4000/oauth/callback",
    "http://127.0.0.1:4000",
    "https://tunnel.example/cb?pack=a%20b",
    "https://TUNNEL.example/cb",
  ])("sends the redirect URI %s byte for byte in both requests", async (uri) => {
    await using run = await prepare({}, { redirectUri: uri });
    await run.attempt.complete(run.callback());
    expect(run.url.searchParams.get("redirect_uri")).toBe(uri);
    expect(run.server.requests[0]?.params.get("redirect_uri")).toBe(uri);
  });

  it("reads the endpoint at a dotted path, as a host or a URL", async () => {
    for (const [value, expected] of [
      ["eu.tasks.example", "https://eu.tasks.example"],
      ["https://EU.tasks.example/v2/", "https://eu.tasks.example/v2"],
    ]) {
      const answer = { body: { ...baseTokens, installation: { api: value } } };
      await using run = await prepare(
        { endpointKey: "installation.api" },
        { networkDomains: ["tasks.example"] },
        answer,
      );
      expect((await run.attempt.complete(run.callback())).endpoint).toBe(expected);
    }
  });

  // docs/rules.md: rule 20
  it.each([
    ["evil-tasks.example", "ENDPOINT_OUTSIDE_DOMAIN"],
    ["tasks.example.evil.example", "ENDPOINT_OUTSIDE_DOMAIN"],
    ["https://tasks.example@evil.example/", "URL_NOT_ALLOWED"],
    ["http://tasks.example", "URL_NOT_ALLOWED"],
    ["https://169.254.169.254", "URL_NOT_ALLOWED"],
    ["tasks.example.", "no error"],
    [undefined, "ENDPOINT_MISSING"],
    [17, "ENDPOINT_MISSING"],
  ])("checks the endpoint %s against the declared domains: %s", async (value, expected) => {
    const answer = { body: { ...baseTokens, api: value } };
    await using run = await prepare(
      { endpointKey: "api" },
      { networkDomains: ["tasks.example"] },
      answer,
    );
    expect(await catchCode(run.attempt.complete(run.callback()))).toBe(expected);
  });

  it("joins relative URLs to the entered endpoint", async () => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const attempt = await createAuthorizationAttempt({
      definition: define({
        authorizationUrl: "/oauth/a?x",
        tokenUrl: "/oauth/t?refresh",
        requiresEndpointUrl: true,
        endpointDomain: "tasks.example",
      }),
      client,
      redirectUri,
      endpoint: "https://acme.tasks.example/tenant-1/",
      routes: { "https://acme.tasks.example": server.url },
    });
    expect(attempt.authorizationUrl.startsWith(`${server.url}/tenant-1/oauth/a?x&`)).toBe(true);
    await attempt.complete(new URLSearchParams({ code: "c", state: attempt.state }));
    expect(server.requests[0]?.url).toBe("/tenant-1/oauth/t?refresh");
  });

  it("refuses relative URLs without an endpoint, an endpoint outside its domain, and a missing client ID", async () => {
    const relative = { definition: define({ tokenUrl: "/t" }), client, redirectUri };
    expect(await catchCode(createAuthorizationAttempt(relative))).toBe("ENDPOINT_MISSING");
    const unasked = { definition: define({ requiresEndpointUrl: true }), client, redirectUri };
    expect(await catchCode(createAuthorizationAttempt(unasked))).toBe("ENDPOINT_MISSING");
    const outside = {
      definition: define({ endpointDomain: "tasks.example" }),
      client,
      redirectUri,
      endpoint: "https://eviltasks.example",
    };
    expect(await catchCode(createAuthorizationAttempt(outside))).toBe("ENDPOINT_OUTSIDE_DOMAIN");
    const nobody = {
      definition: define(),
      client: { clientId: "", clientSecret: undefined },
      redirectUri,
    };
    expect(await catchCode(createAuthorizationAttempt(nobody))).toBe("OAUTH_CLIENT_MISSING");
  });

  it("never lets a library's error out, whatever the server answers", async () => {
    const answers: Answer[] = [
      { body: "" },
      { body: "<html>" },
      { status: 302, headers: { location: "/x" } },
      { status: 500 },
      { body: "x".repeat(50) },
    ];
    for (const answer of answers) {
      await using run = await prepare({}, {}, answer);
      expect(await catchCode(run.attempt.complete(run.callback()))).toMatch(/^OAUTH_TOKEN_/);
    }
  });

  // docs/rules.md: rule 25
  it("shows no secret of a token set when it is inspected", async () => {
    await using run = await prepare();
    const { inspect } = await import("node:util");
    const shown = inspect({ account: await run.attempt.complete(run.callback()) }, { depth: 9 });
    expect(shown).not.toMatch(/'at'|'rt'/);
    expect(shown).toContain("expiresAtMs");
  });
});
