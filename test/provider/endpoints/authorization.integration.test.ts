import fc from "fast-check";
import { expect, it } from "vitest";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import { createHeadlessClient, fill, readForm } from "../../support/headless-client.ts";
import { authorizationUrl, exchange, getCode, PKCE, REDIRECT_URI } from "../flow.ts";

const answerTo = async (url: string) => {
  const response = await fetch(url, { redirect: "manual" });
  const location = response.headers.get("location");
  return {
    status: response.status,
    location,
    html: await response.text(),
    error: location === null ? null : new URL(location, url).searchParams.get("error"),
  };
};
const readError = async (provider: LocalProvider, fields: Record<string, string>) =>
  (await answerTo(authorizationUrl(provider, fields))).error;

it("shows a page and never redirects when the client or the redirect URI is not known", async () => {
  await using provider = await startProvider();
  const hostile = [
    { client_id: "nobody" },
    { client_id: "" },
    { redirect_uri: "" },
    ...[
      "https://evil.example/",
      "http://127.0.0.1:4711/oauth/callback/",
      "http://127.0.0.1:4711/oauth/callback?x=1",
      "http://127.0.0.1@evil.example/oauth/callback",
      "http://127.0.0.1:4711@evil.example/oauth/callback",
      "https://127.0.0.2/oauth/callback",
      "http://127.0.0.2/oauth/callback",
      "http://localhost.evil.example/oauth/callback",
      "http://127.0.0.1:99999/oauth/callback",
      "http://127.0.0.1:4711/oauth/../oauth/callback",
      "javascript:alert(1)//http://127.0.0.1/oauth/callback",
    ].map((redirect_uri) => ({ redirect_uri })),
  ];
  for (const fields of hostile) {
    const answer = await answerTo(authorizationUrl(provider, fields as Record<string, string>));
    expect([answer.status, answer.location], JSON.stringify(fields)).toEqual([400, null]);
    expect(answer.html).toContain("The request was refused");
  }
  for (const name of ["client_id", "redirect_uri"]) {
    const twice = new URL(authorizationUrl(provider));
    twice.searchParams.append(name, twice.searchParams.get(name) ?? "");
    expect((await answerTo(twice.href)).status).toBe(400);
  }
});

it("takes any port on the default client's loopback addresses", async () => {
  await using provider = await startProvider();
  for (const redirect_uri of [
    "http://127.0.0.1/oauth/callback",
    "http://[::1]:8080/oauth/callback",
    "http://localhost:3000/oauth/callback",
  ]) {
    expect((await answerTo(authorizationUrl(provider, { redirect_uri }))).location).toMatch(
      /^\/login\?request=/,
    );
  }
});

it("takes localhost on its registered port alone when a client registers it itself", async () => {
  await using provider = await startProvider({
    clients: [{ clientId: "c", clientSecret: "s-1", redirectUris: ["http://localhost:3000/cb"] }],
  });
  const ask = async (redirect_uri: string) =>
    (await answerTo(authorizationUrl(provider, { client_id: "c", redirect_uri }))).status;
  expect([await ask("http://localhost:3000/cb"), await ask("http://localhost:3001/cb")]).toEqual([
    303, 400,
  ]);
});

it("sends every other error to the redirect URI with state and iss", async () => {
  await using provider = await startProvider({ scopes: ["read", "write"] });
  const answer = await answerTo(
    authorizationUrl(provider, { response_type: "token", state: "a b&c=d+e%" }),
  );
  const callback = new URL(answer.location ?? "");
  expect(callback.origin + callback.pathname).toBe(REDIRECT_URI);
  expect(Object.fromEntries(callback.searchParams)).toMatchObject({
    error: "unsupported_response_type",
    state: "a b&c=d+e%",
    iss: provider.issuer,
  });
  const table: [Record<string, string>, string][] = [
    [{ response_type: "" }, "invalid_request"],
    [{ scope: "admin" }, "invalid_scope"],
    [{ scope: "read  write" }, "invalid_scope"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ code_challenge_method: "S256" }, "invalid_request"],
    [{ ...PKCE, code_challenge_method: "s256" }, "invalid_request"],
    [{ prompt: "none" }, "login_required"],
    [{ prompt: "none login" }, "invalid_request"],
    [{ prompt: "nonsense" }, "invalid_request"],
    [{ resource: "not a uri" }, "invalid_target"],
    [{ request: "eyJ" }, "request_not_supported"],
    [{ request_uri: "urn:x" }, "request_uri_not_supported"],
    [{ response_mode: "fragment" }, "invalid_request"],
    [{ state: "\uFFFD" }, "invalid_request"],
  ];
  for (const [fields, error] of table)
    expect(await readError(provider, fields), JSON.stringify(fields)).toBe(error);
  expect((await answerTo(`${authorizationUrl(provider)}&scope=read`)).error).toBe(
    "invalid_request",
  );
  const twoStates = new URL(
    (await answerTo(`${authorizationUrl(provider)}&state=other`)).location ?? "",
  );
  expect([twoStates.searchParams.get("error"), twoStates.searchParams.get("state")]).toEqual([
    "invalid_request",
    null,
  ]);
});

it("requires a challenge from public clients, and from all of them by policy", async () => {
  const clients = [{ clientId: "public", redirectUris: [REDIRECT_URI] }];
  await using relaxed = await startProvider({ clients });
  await using strict = await startProvider({ pkce: "required" });
  expect(await readError(relaxed, { client_id: "public" })).toBe("invalid_request");
  expect(await readError(relaxed, {})).toBeNull();
  expect(await readError(strict, {})).toBe("invalid_request");
  expect(await readError(strict, PKCE)).toBeNull();
});

it("echoes any state byte for byte and always names the issuer", async () => {
  await using provider = await startProvider();
  const browser = createHeadlessClient();
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1, maxLength: 60, unit: "grapheme" }),
      async (state) => {
        fc.pre(!state.includes("\uFFFD"));
        const callback = await browser.authorize(authorizationUrl(provider, { state }));
        expect([callback.searchParams.get("state"), callback.searchParams.get("iss")]).toEqual([
          state,
          provider.issuer,
        ]);
      },
    ),
    { numRuns: 30 },
  );
});

it("reports a denial, grants fewer scopes, and signs in the chosen person", async () => {
  await using provider = await startProvider();
  const denied = await createHeadlessClient().authorize(authorizationUrl(provider), {
    decision: "deny",
  });
  expect(denied.searchParams.get("error")).toBe("access_denied");
  const code = await getCode(provider, PKCE, { scopes: ["read"], user: "user-2" });
  const { body } = await exchange(provider, code);
  expect(body["scope"]).toBe("read");
  const who = await fetch(provider.meUrl, {
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  expect(await who.json()).toMatchObject({ name: "Second local user" });
  const nothing = await createHeadlessClient().authorize(authorizationUrl(provider), {
    scopes: [],
  });
  expect(nothing.searchParams.get("error")).toBe("access_denied");
});

it("remembers a consent, and asks again when prompt or a wider scope says so", async () => {
  await using provider = await startProvider();
  const browser = createHeadlessClient();
  const next = async (fields: Record<string, string>) =>
    (await browser.request(authorizationUrl(provider, fields))).headers.get("location") ?? "";
  await browser.authorize(authorizationUrl(provider));
  expect(await next({})).toContain(`${REDIRECT_URI}?code=`);
  expect(await next({ prompt: "none", scope: "read" })).toContain("?code=");
  expect(await next({ prompt: "none", scope: "read admin" })).toContain("error=consent_required");
  expect(await next({ prompt: "consent" })).toMatch(/^\/consent/);
  expect(await next({ prompt: "login" })).toMatch(/^\/login/);
  expect(await next({ scope: "read admin" })).toMatch(/^\/consent/);
});

it("does not let prompt=login be skipped by opening the consent page directly", async () => {
  await using provider = await startProvider();
  const browser = createHeadlessClient();
  await browser.authorize(authorizationUrl(provider));
  const login =
    (await browser.request(authorizationUrl(provider, { prompt: "login" }))).headers.get(
      "location",
    ) ?? "";
  const consent = await browser.request(provider.issuer + login.replace("/login", "/consent"));
  expect(consent.headers.get("location")).toBe(login);
});

it("refuses forms without the token, from other sites, from other browsers, and twice", async () => {
  await using provider = await startProvider();
  const browser = createHeadlessClient();
  const page = await browser.request(
    provider.issuer +
      ((await browser.request(authorizationUrl(provider))).headers.get("location") ?? ""),
  );
  expect(page.headers.getSetCookie()).toEqual([]);
  const form = readForm(await page.text());
  if (form === undefined) throw new Error("no form");
  const url = new URL(form.action, page.url).href;
  const forged = fill(form, {});
  forged.set("csrf", "forged");
  const submit = async (
    body: URLSearchParams,
    headers: Record<string, string> = {},
    from = browser,
  ) => (await from.request(url, { method: "POST", body, headers })).status;
  expect(await submit(forged)).toBe(403);
  expect(await submit(fill(form, {}), { origin: "https://evil.example" })).toBe(403);
  expect(await submit(fill(form, {}), { "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await submit(fill(form, {}), {}, createHeadlessClient())).toBe(400);
  expect(await submit(fill(form, {}), { origin: "null" })).toBe(303);
  expect(await submit(fill(form, {}))).toBe(403);
});

it("takes a decision once", async () => {
  await using provider = await startProvider();
  const browser = createHeadlessClient();
  await browser.authorize(authorizationUrl(provider));
  const location =
    (await browser.request(authorizationUrl(provider, { prompt: "consent" }))).headers.get(
      "location",
    ) ?? "";
  const form = readForm(await (await browser.request(provider.issuer + location)).text());
  if (form === undefined) throw new Error("no form");
  const submit = async () =>
    (
      await browser.request(new URL(form.action, `${provider.issuer}/consent`).href, {
        method: "POST",
        body: fill(form, {}),
      })
    ).status;
  expect([await submit(), await submit()]).toEqual([303, 400]);
});

// docs/rules.md: rule 12
it("sets an HttpOnly SameSite=Lax cookie and the security headers on every page", async () => {
  await using provider = await startProvider();
  const start = await fetch(authorizationUrl(provider), { redirect: "manual" });
  expect(start.headers.get("set-cookie")).toMatch(
    /^packsmith-provider-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const cookie = start.headers.get("set-cookie")?.split(";")[0] ?? "";
  const login = await fetch(provider.issuer + start.headers.get("location"), {
    headers: { cookie },
  });
  for (const page of [
    login,
    start,
    await fetch(`${provider.issuer}/nothing`),
    await fetch(`${provider.authorizationUrl}?client_id=x`),
    await fetch(provider.meUrl),
  ]) {
    const csp = page.headers.get("content-security-policy") ?? "";
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ])
      expect(csp).toContain(part);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(page.headers.get("x-powered-by")).toBeNull();
  }
  expect(login.headers.get("content-security-policy")).toContain(
    "form-action 'self' http://127.0.0.1:4711",
  );
  expect(await login.text()).not.toContain("<script");
});

it("escapes everything that a request or a registration brings to a page", async () => {
  const name = `<img src=x onerror="alert('1')">`;
  await using provider = await startProvider({
    clients: [{ clientId: "c", clientSecret: "s-1", name, redirectUris: [REDIRECT_URI] }],
  });
  const browser = createHeadlessClient();
  const location =
    (
      await browser.request(authorizationUrl(provider, { client_id: "c", scope: "<b>bold</b>" }))
    ).headers.get("location") ?? "";
  const html = await (await browser.request(provider.issuer + location)).text();
  expect(html).not.toContain("<img");
  expect(html).toContain("&#60;img src=x");
});
