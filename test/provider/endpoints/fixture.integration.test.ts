import { createHmac } from "node:crypto";
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { startProvider } from "../../../src/provider/provider.ts";
import { createHeadlessClient } from "../../support/headless-client.ts";
import { makeSigningKeys } from "../../support/signing-keys.ts";
import {
  authorizationUrl,
  clientFields,
  connect,
  exchange,
  getCode,
  me,
  PKCE,
  post,
  refresh,
} from "../flow.ts";

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

describe("the provider as a fixture for other clients", () => {
  it("issues access tokens as JWTs with chosen claims, which its published key verifies (RFC 9068)", async () => {
    await using provider = await startProvider({
      jwtAccessTokens: { claims: { groups: ["a", "b"] } },
    });
    const { access_token } = await connect(provider);
    const keys = (await (await fetch(`${provider.origin}/jwks`)).json()) as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(access_token, createLocalJWKSet(keys), {
      issuer: provider.issuer,
      typ: "at+jwt",
    });
    expect(payload).toMatchObject({
      client_id: provider.clientId,
      groups: ["a", "b"],
      scope: "read write",
      sub: "user-1",
    });
    expect(protectedHeader).toMatchObject({ typ: "at+jwt" });
  });

  it.each([1_000, 4_000, 16_000, 64_000, 65_536])(
    "issues access tokens of %i characters, and accepts them in a header",
    async (minLength) => {
      await using provider = await startProvider({ jwtAccessTokens: { minLength } });
      const { access_token } = await connect(provider);
      expect(access_token.length).toBeGreaterThanOrEqual(minLength);
      expect(access_token.length).toBeLessThan(minLength === 65_536 ? 65_537 : minLength + 600);
      const me = await fetch(provider.meUrl, {
        headers: { authorization: `Bearer ${access_token}` },
      });
      expect(me.status).toBe(200);
    },
  );

  it("has the password grant for users with a password, only on demand", async () => {
    const users = [
      { id: "ada", name: "Ada", password: "correct horse" },
      { id: "eve", name: "Eve" },
    ];
    await using provider = await startProvider({ users, grants: ["password"] });
    const ask = (username: string, password: string) =>
      post(provider.tokenUrl, {
        grant_type: "password",
        username,
        password,
        scope: "read",
        ...clientFields(provider),
      });
    expect((await ask("ada", "correct horse")).body).toMatchObject({
      scope: "read",
      access_token: expect.any(String),
      refresh_token: expect.any(String),
    });
    for (const [name, password] of [
      ["ada", "wrong"],
      ["eve", ""],
      ["eve", "undefined"],
      ["nobody", "x"],
    ] as const) {
      expect((await ask(name, password)).body.error, `${name} ${password}`).toMatch(
        /^invalid_(grant|request)$/,
      );
    }
    expect(JSON.stringify(provider.requests)).not.toContain("correct horse");
    await using plain = await startProvider({ users });
    const refused = await post(plain.tokenUrl, {
      grant_type: "password",
      username: "ada",
      password: "correct horse",
      ...clientFields(plain),
    });
    expect(refused.body.error).toBe("unsupported_grant_type");
  });

  it("exchanges access tokens, and never for more scopes (RFC 8693)", async () => {
    await using provider = await startProvider({ grants: [TOKEN_EXCHANGE] });
    const { access_token } = await connect(provider);
    const ask = (fields: Record<string, string>) =>
      post(provider.tokenUrl, {
        grant_type: TOKEN_EXCHANGE,
        subject_token: access_token,
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
        ...clientFields(provider),
        ...fields,
      });
    const { body } = await ask({ scope: "read" });
    expect(body).toMatchObject({
      scope: "read",
      issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
    });
    expect(body.access_token).not.toBe(access_token);
    expect((await ask({ scope: "read admin" })).body.error).toBe("invalid_scope");
    expect((await ask({ subject_token: "made-up" })).body.error).toBe("invalid_request");
    expect(
      (await ask({ subject_token_type: "urn:ietf:params:oauth:token-type:id_token" })).body.error,
    ).toBe("invalid_request");
  });

  it("takes assertions of trusted issuers for users, and no others (RFC 7523)", async () => {
    const [trusted, other] = [makeSigningKeys(), makeSigningKeys()];
    await using provider = await startProvider({
      grants: [JWT_BEARER],
      assertionIssuers: { "https://idp.example": trusted.publicKey },
    });
    const { importPKCS8 } = await import("jose");
    const sign = async (key: string, claims: { iss?: string; aud?: string; exp?: string } = {}) =>
      await new SignJWT()
        .setProtectedHeader({ alg: "ES256" })
        .setIssuer(claims.iss ?? "https://idp.example")
        .setSubject("user-1")
        .setAudience(claims.aud ?? provider.issuer)
        .setExpirationTime(claims.exp ?? "5m")
        .sign(await importPKCS8(key, "ES256"));
    const ask = async (assertion: string) =>
      (
        await post(provider.tokenUrl, {
          grant_type: JWT_BEARER,
          assertion,
          ...clientFields(provider),
        })
      ).body;
    const { access_token } = await ask(await sign(trusted.privateKey));
    const me = await fetch(provider.meUrl, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(await me.json()).toMatchObject({ sub: "user-1", name: "Local user" });
    const wrong = [
      await sign(other.privateKey),
      await sign(trusted.privateKey, { iss: "https://other.example" }),
      await sign(trusted.privateKey, { aud: "https://other.example" }),
      await sign(trusted.privateKey, { exp: "-5m" }),
      "not a jwt",
    ];
    for (const assertion of wrong) expect((await ask(assertion)).error).toBe("invalid_grant");
  });

  it("authenticates a client that signs with its secret, if it is registered for that (client_secret_jwt)", async () => {
    const secret = "a secret that is long enough for HS256";
    const redirectUris = ["http://127.0.0.1/oauth/callback"];
    await using provider = await startProvider({
      clients: [
        {
          clientId: "signs",
          clientSecret: secret,
          redirectUris,
          grantTypes: ["client_credentials"],
          authenticationMethods: ["client_secret_jwt"],
        },
        {
          clientId: "sends",
          clientSecret: secret,
          redirectUris,
          grantTypes: ["client_credentials"],
        },
      ],
    });
    let count = 0;
    const ask = async (clientId: string, key: string, alg = "HS256") => {
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: clientId,
        sub: clientId,
        aud: provider.tokenUrl,
        exp: now + 60,
        jti: `id-${++count}`,
      };
      const text = [{ alg }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      const assertion = `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
      const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      return (
        await post(provider.tokenUrl, {
          grant_type: "client_credentials",
          client_assertion: assertion,
          client_assertion_type: type,
        })
      ).body;
    };
    expect(await ask("signs", secret)).toMatchObject({ access_token: expect.any(String) });
    expect((await ask("signs", "another secret")).error).toBe("invalid_client");
    expect((await ask("signs", secret, "none")).error).toBe("invalid_client");
    expect((await ask("sends", secret)).error).toBe("invalid_client");
  });

  it("answers web pages of other origins only on demand, and never with their cookies", async () => {
    await using open = await startProvider({ cors: true });
    const headers = { origin: "https://app.example" };
    const preflight = await fetch(open.tokenUrl, {
      method: "OPTIONS",
      headers: { ...headers, "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
      204,
      "*",
    ]);
    const answer = await fetch(open.meUrl, { headers });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    await using closed = await startProvider();
    expect(
      (await fetch(closed.meUrl, { headers })).headers.get("access-control-allow-origin"),
    ).toBeNull();
  });

  it("signs a user out, and returns only to a registered address", async () => {
    const target = "https://app.example/bye";
    await using provider = await startProvider({
      clients: [
        {
          clientId: "web",
          redirectUris: ["https://app.example/cb"],
          postLogoutRedirectUris: [target],
        },
      ],
    });
    const logout = (query: Record<string, string>) =>
      fetch(`${provider.origin}/end_session?${new URLSearchParams(query)}`, { redirect: "manual" });
    const back = await logout({ client_id: "web", post_logout_redirect_uri: target, state: "s" });
    expect([back.status, back.headers.get("location")]).toEqual([303, `${target}?state=s`]);
    expect(
      (await logout({ client_id: "web", post_logout_redirect_uri: "https://evil.example/" }))
        .status,
    ).toBe(400);
    expect((await logout({ post_logout_redirect_uri: target })).status).toBe(400);
    const page = await logout({});
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Signed out")]);
  });

  it("reads the document of a client on this machine, and sends no request to another host", async () => {
    const url = "https://pack.example/client.json";
    const document = {
      client_id: url,
      client_name: "Tasks",
      redirect_uris: ["http://127.0.0.1:4711/oauth/callback"],
    };
    await using provider = await startProvider({ clientDocuments: { [url]: document } });
    const code = await getCode(provider, { ...PKCE, client_id: url });
    const tokens = await exchange(provider, code, { client_id: url, client_secret: "" });
    expect(tokens.body).toMatchObject({ access_token: expect.any(String) });
    for (const clientId of [
      "https://other.example/client.json",
      "https://127.0.0.1:1/client.json",
    ]) {
      const page = await fetch(authorizationUrl(provider, { ...PKCE, client_id: clientId }), {
        redirect: "manual",
      });
      expect(page.status, clientId).toBe(400);
    }
    await using wrong = await startProvider({
      clientDocuments: { [url]: { ...document, client_id: "https://other.example/" } },
    });
    await expect(
      createHeadlessClient().authorize(authorizationUrl(wrong, { ...PKCE, client_id: url }), {}),
    ).rejects.toThrow();
  });
});

describe("the login of a user (RFC 9470)", () => {
  const PROFILES = [
    {
      name: "strong",
      summary: "demands a login",
      resource: { login: { acr: "urn:strong", maxAgeSeconds: 300 } },
    },
  ];

  it("is in JWT access tokens, ID Tokens and introspection, and stays the same after a refresh", async () => {
    const nowMs = 1_800_000_000_000;
    await using provider = await startProvider({
      acrValues: ["urn:weak", "urn:strong"],
      jwtAccessTokens: {},
      now: () => nowMs,
    });
    const code = await getCode(provider, {
      ...PKCE,
      scope: "openid read",
      acr_values: "urn:other urn:strong urn:weak",
    });
    const { body } = await exchange(provider, code);
    const login = { acr: "urn:strong", auth_time: nowMs / 1_000 };
    expect(decodeJwt(body.access_token)).toMatchObject(login);
    expect(decodeJwt(String(body["id_token"]))).toMatchObject(login);
    provider.clock.advance(1_000_000);
    const renewed = await refresh(provider, body.refresh_token);
    expect(decodeJwt(renewed.body.access_token)).toMatchObject({
      ...login,
      iat: nowMs / 1_000 + 1_000,
    });
    const introspected = await post(provider.introspectionUrl, {
      token: renewed.body.access_token,
      client_id: provider.resourceServer.clientId,
      client_secret: provider.resourceServer.clientSecret,
    });
    expect(introspected.body).toMatchObject({ active: true, ...login });
    const metadata = (await (
      await fetch(`${provider.issuer}/.well-known/openid-configuration`)
    ).json()) as Record<string, unknown>;
    expect(metadata["acr_values_supported"]).toEqual(["urn:weak", "urn:strong"]);
  });

  it("is demanded again when it is too weak or too old, and otherwise not", async () => {
    await using provider = await startProvider({ profiles: PROFILES });
    const browser = createHeadlessClient();
    const ask = async (fields: Record<string, string>) => {
      const response = await browser.request(authorizationUrl(provider, { ...PKCE, ...fields }));
      return new URL(response.headers.get("location") ?? "", provider.issuer).pathname.replace(
        "/oauth/callback",
        "callback",
      );
    };
    await browser.authorize(authorizationUrl(provider, PKCE));
    expect(await ask({})).toBe("callback");
    expect(await ask({ acr_values: "urn:unknown" }), "acr_values is a wish").toBe("callback");
    expect(await ask({ acr_values: "urn:strong" })).toBe("/login");
    const strong = await browser.authorize(
      authorizationUrl(provider, { ...PKCE, acr_values: "urn:strong" }),
    );
    const { body } = await exchange(provider, strong.searchParams.get("code") ?? "");
    expect((await me(provider, body.access_token)).status).toBe(200);
    expect(await ask({ acr_values: "urn:strong", max_age: "60" })).toBe("callback");
    provider.clock.advance(61_000);
    expect(await ask({ max_age: "60" })).toBe("/login");
    expect(await ask({ max_age: "soon" })).toBe("callback");
    provider.clock.advance(240_000);
    const refused = await me(provider, body.access_token);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(
        /error="insufficient_user_authentication".*acr_values="urn:strong", max_age="300"/,
      ),
    ]);
  });
});
