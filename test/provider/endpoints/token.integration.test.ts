import { expect, it } from "vitest";
import { startProvider } from "../../../src/provider/provider.ts";
import {
  CHALLENGE,
  clientFields,
  connect,
  exchange,
  getCode,
  me,
  PKCE,
  post,
  refresh,
  VERIFIER,
} from "../flow.ts";

const refused = (error: string, status = 400) =>
  expect.objectContaining({ status, body: expect.objectContaining({ error }) });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});

it("exchanges a code once for tokens that name the person", async () => {
  await using provider = await startProvider({
    tokenResponse: { service_url: "https://docs.example/apis/v1" },
  });
  const { status, headers, body } = await exchange(provider, await getCode(provider));
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(body).toMatchObject({
    token_type: "Bearer",
    expires_in: 3600,
    scope: "read write",
    service_url: "https://docs.example/apis/v1",
  });
  expect(await (await me(provider, body.access_token)).json()).toMatchObject({
    name: "Local user",
    scopes: ["read", "write"],
  });
});

it("refuses a client that is not registered", async () => {
  await using provider = await startProvider();
  expect(
    await post(provider.tokenUrl, {
      grant_type: "client_credentials",
      client_id: "nobody",
      client_secret: "x",
    }),
  ).toEqual(refused("invalid_client", 401));
});

it("refuses a wrong secret with 401 and a challenge, by either method and for every grant", async () => {
  await using provider = await startProvider();
  const code = await getCode(provider);
  for (const fields of [
    { grant_type: "client_credentials" },
    { grant_type: "authorization_code", code },
    { grant_type: "refresh_token", refresh_token: "x" },
  ]) {
    const byPost = await post(provider.tokenUrl, {
      ...fields,
      client_id: provider.clientId,
      client_secret: "wrong",
    });
    const byBasic = await post(
      provider.tokenUrl,
      fields as Record<string, string>,
      basic(provider.clientId, "wrong"),
    );
    for (const answer of [byPost, byBasic]) {
      expect(answer).toEqual(refused("invalid_client", 401));
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
    }
  }
});

it("refuses a secret that is left out", async () => {
  await using provider = await startProvider();
  expect(
    await post(provider.tokenUrl, {
      grant_type: "client_credentials",
      client_id: provider.clientId,
    }),
  ).toEqual(refused("invalid_client", 401));
  expect(await post(provider.tokenUrl, { grant_type: "client_credentials" })).toEqual(
    refused("invalid_client", 401),
  );
});

it("refuses a made-up code", async () => {
  await using provider = await startProvider();
  expect(await exchange(provider, "made-up")).toEqual(refused("invalid_grant"));
});

it("refuses a made-up refresh token", async () => {
  await using provider = await startProvider();
  expect(await refresh(provider, "made-up")).toEqual(refused("invalid_grant"));
});

it("refuses a reused code and revokes what came of its first use", async () => {
  await using provider = await startProvider();
  const code = await getCode(provider);
  const { body } = await exchange(provider, code);
  expect(await exchange(provider, code)).toEqual(refused("invalid_grant"));
  expect((await me(provider, body.access_token)).status).toBe(401);
  expect(await refresh(provider, body.refresh_token)).toEqual(refused("invalid_grant"));
});

it("gives tokens once when the same code arrives twice at the same time", async () => {
  await using provider = await startProvider();
  const code = await getCode(provider);
  const answers = await Promise.all([exchange(provider, code), exchange(provider, code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

it("refuses a code without its verifier", async () => {
  await using provider = await startProvider();
  expect(await exchange(provider, await getCode(provider), { code_verifier: "" })).toEqual(
    refused("invalid_grant"),
  );
});

it("refuses a wrong verifier, answers once and issues nothing", async () => {
  await using provider = await startProvider();
  const answer = await exchange(provider, await getCode(provider), {
    code_verifier: `${VERIFIER}x`,
  });
  expect(answer).toEqual(refused("invalid_grant"));
  expect(Object.keys(answer.body)).toEqual(["error", "error_description"]);
});

it("refuses a verifier when the authorization request had no challenge", async () => {
  await using provider = await startProvider();
  expect(await exchange(provider, await getCode(provider, {}))).toEqual(refused("invalid_grant"));
});

it("takes a plain challenge, and compares it", async () => {
  await using provider = await startProvider();
  const plain = { code_challenge: VERIFIER, code_challenge_method: "plain" };
  expect((await exchange(provider, await getCode(provider, plain))).status).toBe(200);
  expect(
    await exchange(provider, await getCode(provider, plain), { code_verifier: CHALLENGE }),
  ).toEqual(refused("invalid_grant"));
});

it("refuses a code whose 60 seconds are over", async () => {
  await using provider = await startProvider();
  const code = await getCode(provider);
  provider.clock.advance(61_000);
  expect(await exchange(provider, code)).toEqual(refused("invalid_grant"));
});

it("refuses a redirect URI other than that of the authorization request, be it a registered one", async () => {
  await using provider = await startProvider();
  const code = await getCode(provider);
  expect(
    await exchange(provider, code, { redirect_uri: "http://127.0.0.1:4712/oauth/callback" }),
  ).toEqual(refused("invalid_grant"));
  expect(await exchange(provider, code, { redirect_uri: "" })).toEqual(refused("invalid_request"));
});

it("refuses a code of another client", async () => {
  const other = { clientId: "other", clientSecret: "other-secret" };
  await using provider = await startProvider({ clients: [other] });
  const code = await getCode(provider);
  expect(
    await exchange(provider, code, {
      client_id: other.clientId,
      client_secret: other.clientSecret,
    }),
  ).toEqual(refused("invalid_grant"));
  expect((await exchange(provider, code)).status).toBe(200);
});

it("rotates the refresh token, and a reused one ends the whole family", async () => {
  await using provider = await startProvider();
  const first = await connect(provider);
  const second = (await refresh(provider, first.refresh_token)).body;
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await refresh(provider, first.refresh_token)).toEqual(refused("invalid_grant"));
  expect(await refresh(provider, second.refresh_token)).toEqual(refused("invalid_grant"));
  expect((await me(provider, second.access_token)).status).toBe(401);
});

it("narrows the scope of one access token and keeps the grant's", async () => {
  await using provider = await startProvider();
  const narrowed = (
    await refresh(provider, (await connect(provider)).refresh_token, { scope: "read" })
  ).body;
  expect(narrowed["scope"]).toBe("read");
  expect(await refresh(provider, narrowed.refresh_token, { scope: "read admin" })).toEqual(
    refused("invalid_scope"),
  );
  expect((await refresh(provider, narrowed.refresh_token)).body["scope"]).toBe("read write");
});

it("expires access tokens by the virtual clock", async () => {
  await using provider = await startProvider({ accessTokenTtlSeconds: 100 });
  const { access_token, refresh_token } = await connect(provider);
  provider.clock.advance(99_000);
  expect((await me(provider, access_token)).status).toBe(200);
  provider.clock.advance(2_000);
  const expired = await me(provider, access_token);
  expect(expired.status).toBe(401);
  expect(expired.headers.get("www-authenticate")).toContain('error="invalid_token"');
  expect((await refresh(provider, refresh_token)).status).toBe(200);
});

it("gives client credentials an access token without a refresh token, and checks scopes", async () => {
  await using provider = await startProvider({ scopes: ["read"] });
  const answer = await post(provider.tokenUrl, {
    grant_type: "client_credentials",
    scope: "read",
    ...clientFields(provider),
  });
  expect(answer.body).not.toHaveProperty("refresh_token");
  expect((await me(provider, answer.body.access_token)).status).toBe(200);
  expect(
    await post(provider.tokenUrl, {
      grant_type: "client_credentials",
      scope: "admin",
      ...clientFields(provider),
    }),
  ).toEqual(refused("invalid_scope"));
});

it("refuses two client authentication methods at once", async () => {
  await using provider = await startProvider();
  const answer = await post(
    provider.tokenUrl,
    { grant_type: "client_credentials", ...clientFields(provider) },
    basic(provider.clientId, provider.clientSecret),
  );
  expect(answer).toEqual(refused("invalid_request"));
});

it("lets a client use its registered methods and grants alone", async () => {
  const client = {
    clientId: "basic-only",
    clientSecret: "secret-1",
    authenticationMethods: ["client_secret_basic"] as const,
    grantTypes: ["client_credentials"] as const,
  };
  await using provider = await startProvider({ clients: [client] });
  const fields = { grant_type: "client_credentials", client_id: "basic-only" };
  expect(await post(provider.tokenUrl, { ...fields, client_secret: "secret-1" })).toEqual(
    refused("invalid_client", 401),
  );
  expect((await post(provider.tokenUrl, fields, basic("basic-only", "secret-1"))).status).toBe(200);
  expect(
    await post(
      provider.tokenUrl,
      { grant_type: "refresh_token", refresh_token: "x" },
      basic("basic-only", "secret-1"),
    ),
  ).toEqual(refused("unauthorized_client"));
});

it("form-decodes Basic credentials, so a raw plus sign is a space", async () => {
  await using provider = await startProvider({
    clients: [{ clientId: "c", clientSecret: "a+b:c/d=", grantTypes: ["client_credentials"] }],
  });
  const fields = { grant_type: "client_credentials" };
  expect(
    (await post(provider.tokenUrl, fields, basic("c", encodeURIComponent("a+b:c/d=")))).status,
  ).toBe(200);
  expect(await post(provider.tokenUrl, fields, basic("c", "a+b:c/d="))).toEqual(
    refused("invalid_client", 401),
  );
  expect(await post(provider.tokenUrl, fields, basic("c", "%zz"))).toEqual(
    refused("invalid_client", 401),
  );
});

it("refuses repeated parameters, unknown grants, JSON bodies, parameters in the URL, oversized bodies and other methods", async () => {
  await using provider = await startProvider();
  const own = Object.entries(clientFields(provider));
  expect(
    await post(
      provider.tokenUrl,
      new URLSearchParams([
        ...own,
        ["grant_type", "client_credentials"],
        ["grant_type", "client_credentials"],
      ]),
    ),
  ).toEqual(refused("invalid_request"));
  expect(
    await post(provider.tokenUrl, { grant_type: "password", ...clientFields(provider) }),
  ).toEqual(refused("unsupported_grant_type"));
  expect(
    await post(provider.tokenUrl, { grant_type: "__proto__", ...clientFields(provider) }),
  ).toEqual(refused("unsupported_grant_type"));
  expect(await post(provider.tokenUrl, clientFields(provider))).toEqual(refused("invalid_request"));
  expect(
    await post(provider.tokenUrl, clientFields(provider), { "content-type": "application/json" }),
  ).toEqual(refused("invalid_request"));
  expect(
    await post(`${provider.tokenUrl}?client_secret=${provider.clientSecret}`, {
      grant_type: "client_credentials",
    }),
  ).toEqual(refused("invalid_request"));
  expect(await post(provider.tokenUrl, { padding: "x".repeat(100_000) })).toEqual(
    refused("invalid_request", 413),
  );
  expect((await fetch(provider.tokenUrl)).status).toBe(405);
});

it("introspects truly: for the resource server and the token's client, and no longer after revocation", async () => {
  await using provider = await startProvider({
    clients: [{ clientId: "other", clientSecret: "other-secret" }],
  });
  const { access_token, refresh_token } = await connect(provider);
  const ask = async (id: string, secret: string, token = access_token) =>
    (await post(provider.introspectionUrl, { token }, basic(id, secret))).body;
  const { clientId, clientSecret } = provider.resourceServer;
  expect(await ask(clientId, clientSecret)).toMatchObject({
    active: true,
    scope: "read write",
    client_id: provider.clientId,
    sub: "user-1",
  });
  expect(await ask(provider.clientId, provider.clientSecret)).toMatchObject({ active: true });
  expect(await ask("other", "other-secret")).toEqual({ active: false });
  expect(await ask(clientId, clientSecret, "made-up")).toEqual({ active: false });
  expect(await post(provider.introspectionUrl, { token: access_token })).toEqual(
    refused("invalid_client", 401),
  );
  expect(
    await post(provider.revocationUrl, {
      token: refresh_token,
      client_id: "other",
      client_secret: "other-secret",
    }),
  ).toEqual(refused("unauthorized_client"));
  expect(
    (await post(provider.revocationUrl, { token: refresh_token, ...clientFields(provider) }))
      .status,
  ).toBe(200);
  expect(await ask(clientId, clientSecret)).toEqual({ active: false });
  expect(await refresh(provider, refresh_token)).toEqual(refused("invalid_grant"));
  expect(
    (await post(provider.revocationUrl, { token: "made-up", ...clientFields(provider) })).status,
  ).toBe(200);
});

it("demands the scope that /me is set to", async () => {
  await using provider = await startProvider({ meScope: "profile" });
  const answer = await me(provider, (await connect(provider)).access_token);
  expect(answer.status).toBe(403);
  expect(answer.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
  expect((await fetch(provider.meUrl)).headers.get("www-authenticate")).toBe(
    `Bearer realm="packsmith provider", resource_metadata="${provider.origin}/.well-known/oauth-protected-resource/me"`,
  );
});

it("binds resources to the code (RFC 8707)", async () => {
  await using provider = await startProvider();
  const resource = "https://api.example/v1";
  const answer = await exchange(provider, await getCode(provider, { ...PKCE, resource }));
  const { clientId, clientSecret } = provider.resourceServer;
  expect(
    (
      await post(
        provider.introspectionUrl,
        { token: answer.body.access_token },
        basic(clientId, clientSecret),
      )
    ).body,
  ).toMatchObject({
    aud: resource,
  });
  expect(
    await refresh(provider, answer.body.refresh_token, { resource: "https://other.example" }),
  ).toEqual(refused("invalid_target"));
});

it("spoils the next token responses as the fault plan says, and no more", async () => {
  await using provider = await startProvider();
  const ask = () =>
    fetch(provider.tokenUrl, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", ...clientFields(provider) }),
      redirect: "manual",
    });
  provider.addFaults({
    kind: "response",
    status: 503,
    headers: { "Retry-After": "7" },
    body: { message: "down" },
    times: 2,
  });
  expect([(await ask()).status, (await ask()).headers.get("retry-after")]).toEqual([503, "7"]);
  provider.addFaults({ kind: "redirect", location: "https://elsewhere.example/" });
  expect((await ask()).status).toBe(307);
  provider.addFaults({ kind: "html" });
  expect(await (await ask()).text()).toContain("<h1>");
  provider.addFaults({ kind: "drop" });
  await expect(ask()).rejects.toThrow();
  provider.addFaults({ kind: "truncate" });
  await expect(ask().then((response) => response.json())).rejects.toThrow();
  provider.addFaults({ kind: "huge", bytes: 300_000 });
  expect((await (await ask()).text()).length).toBeGreaterThan(300_000);
  expect((await ask()).status).toBe(200);
});

it("waits by the injected sleep, and a lost answer can still rotate the token", async () => {
  const waits: number[] = [];
  await using provider = await startProvider({ sleep: async (ms) => void waits.push(ms) });
  const { refresh_token } = await connect(provider);
  provider.addFaults({ kind: "drop", processed: true, delayMs: 30_000 });
  await expect(refresh(provider, refresh_token)).rejects.toThrow();
  expect(waits).toEqual([30_000]);
  expect(await refresh(provider, refresh_token)).toEqual(refused("invalid_grant"));
});

it("lets a profile rewrite the token response", async () => {
  await using provider = await startProvider({
    profiles: [
      { name: "own", summary: "nests its tokens", answer: { container: "data" } },
      "status-201",
    ],
  });
  const answer = await post(provider.tokenUrl, {
    grant_type: "client_credentials",
    ...clientFields(provider),
  });
  expect(answer).toMatchObject({ status: 201, body: { data: { token_type: "Bearer" } } });
});
