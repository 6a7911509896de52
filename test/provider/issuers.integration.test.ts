import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { refreshAccount, revokeAccount } from "../../src/connect/manage-accounts.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import { type LocalIssuer, startProvider } from "../../src/provider/provider.ts";
import { readProviderOptions } from "../../src/provider/read-options.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { createHeadlessClient } from "../support/headless-client.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import {
  authorizationUrl,
  clientFields,
  connect,
  exchange,
  me,
  PKCE,
  post,
  REDIRECT_URI,
} from "./flow.ts";

const TENANTS = {
  "/tenant-a": { scopes: ["read", "write"] },
  "/realms/b": { profiles: ["basic-only"] },
};

const startTenants = () => startProvider({ issuers: TENANTS });

function below(
  provider: { issuers: Readonly<Record<string, LocalIssuer>> },
  path: keyof typeof TENANTS,
): LocalIssuer {
  const issuer = provider.issuers[path];
  if (issuer === undefined) throw new Error(`There is no issuer at ${path}.`);
  return issuer;
}

async function get(url: string) {
  const response = await fetch(url, { redirect: "manual" });
  const text = await response.text();
  return {
    status: response.status,
    json: response.status === 200 ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

describe("several issuers on one port, by path", () => {
  it("publish their metadata where RFC 8414, OpenID Connect Discovery and RFC 9728 put it, and nowhere else", async () => {
    await using provider = await startTenants();
    const { origin } = provider;
    for (const path of ["/tenant-a", "/realms/b"] as const) {
      const { issuer, authorizationUrl, tokenUrl, meUrl, mcpUrl } = below(provider, path);
      expect([issuer, tokenUrl]).toEqual([origin + path, `${origin}${path}/token`]);
      for (const at of [
        `/.well-known/oauth-authorization-server${path}`,
        `${path}/.well-known/openid-configuration`,
      ]) {
        const { status, json } = await get(origin + at);
        expect([at, status, json["issuer"], json["authorization_endpoint"]]).toEqual([
          at,
          200,
          issuer,
          authorizationUrl,
        ]);
        const urls = Object.entries(json).filter(([name]) => /_endpoint$|_uri$/.test(name));
        expect(urls.filter(([, url]) => !String(url).startsWith(`${issuer}/`))).toEqual([]);
      }
      expect(
        (await get(`${origin}/.well-known/oauth-protected-resource${path}/mcp`)).json,
      ).toMatchObject({
        resource: mcpUrl,
        authorization_servers: [issuer],
      });
      for (const wrong of [
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource/mcp",
        "/nothing",
        "",
      ])
        expect([wrong, (await get(origin + path + wrong)).status]).toEqual([wrong, 404]);
      const challenge = (await fetch(meUrl)).headers.get("www-authenticate");
      expect(challenge).toContain(
        `resource_metadata="${origin}/.well-known/oauth-protected-resource${path}/me"`,
      );
    }
    expect((await get(`${origin}/.well-known/oauth-authorization-server`)).json["issuer"]).toBe(
      provider.issuer,
    );
    expect((await get(`${origin}/.well-known/oauth-authorization-server/tenant-c`)).status).toBe(
      404,
    );
    expect((await get(`${origin}/tenant-ab/authorize`)).status).toBe(404);
  });

  it.each(["oauth2", "oidc"] as const)(
    "openid-client discovers one by %s, connects, refreshes and revokes",
    async (algorithm) => {
      await using provider = await startTenants();
      const issuer = below(provider, "/tenant-a");
      const config = await client.discovery(
        new URL(issuer.issuer),
        issuer.clientId,
        issuer.clientSecret,
        undefined,
        {
          algorithm,
          execute: [client.allowInsecureRequests],
        },
      );
      const verifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT_URI,
        scope: "read",
        state: "st",
        code_challenge_method: "S256",
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
      });
      const callback = await createHeadlessClient().authorize(url.href);
      expect(callback.searchParams.get("iss")).toBe(issuer.issuer);
      const first = await client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        expectedState: "st",
      });
      const second = await client.refreshTokenGrant(config, first.refresh_token ?? "");
      expect((await me(issuer, second.access_token)).status).toBe(200);
      await client.tokenRevocation(config, second.access_token);
      expect((await me(issuer, second.access_token)).status).toBe(401);
    },
  );

  it("share nothing: clients, tokens, codes, quirks, requests, faults and clocks", async () => {
    await using provider = await startTenants();
    const [a, b] = [below(provider, "/tenant-a"), below(provider, "/realms/b")];
    expect(new Set([provider, a, b].map(({ clientSecret }) => clientSecret)).size).toBe(3);
    const { access_token } = await connect(a);
    expect([(await me(a, access_token)).status, (await me(b, access_token)).status]).toEqual([
      200, 401,
    ]);
    const grant = { grant_type: "client_credentials", scope: "read" };
    expect(
      (await post(b.tokenUrl, { ...grant, ...clientFields(b) })).body.error,
      "its profile wants Basic",
    ).toBe("invalid_client");
    expect((await post(a.tokenUrl, { ...grant, ...clientFields(b) })).body.error).toBe(
      "invalid_client",
    );
    expect(
      (await post(a.tokenUrl, { ...grant, ...clientFields(a), scope: "other" })).body.error,
    ).toBe("invalid_scope");
    a.clock.advance(86_400_000);
    a.addFaults({ kind: "html", status: 503 });
    expect((await fetch(b.tokenUrl, { method: "POST" })).status).toBe(400);
    expect((await fetch(a.tokenUrl, { method: "POST" })).status).toBe(503);
    expect(b.requests.map(({ path, status }) => [path, status])).toEqual([
      ["/me", 401],
      ["/token", 401],
      ["/token", 400],
    ]);
    expect(provider.requests).toEqual([]);
    a.reset();
    expect([a.requests.length, b.requests.length]).toEqual([0, 3]);
    const requests = (await get(`${b.controlUrl}/requests`)).json["requests"];
    expect(requests).toHaveLength(3);
  });

  it("keep a browser signed in at one of them only: the cookie has the name and the path of its issuer", async () => {
    await using provider = await startTenants();
    const a = below(provider, "/tenant-a");
    const browser = createHeadlessClient();
    await browser.authorize(authorizationUrl(a, PKCE));
    const [cookie = ""] = (
      await fetch(authorizationUrl(a, PKCE), { redirect: "manual" })
    ).headers.getSetCookie();
    expect(cookie).toMatch(
      /^packsmith-provider-\d+-tenant-a=[\w-]+; Path=\/tenant-a; HttpOnly; SameSite=Lax$/,
    );
    const { port } = new URL(provider.origin);
    expect(port).not.toBe("");
    const again = await browser.authorize(authorizationUrl(a, PKCE));
    expect((await exchange(a, again.searchParams.get("code") ?? "")).status, "without a page").toBe(
      200,
    );
    for (const other of [provider, below(provider, "/realms/b")]) {
      const response = await browser.request(authorizationUrl(other, PKCE));
      expect(response.headers.get("location")).toMatch(/\/login\?request=/);
    }
  });

  it("a Pack connects to one by its issuer, or by its MCP server, on the device of the user too", async () => {
    await using provider = await startTenants();
    using folder = makeTemporaryFolder();
    const issuer = below(provider, "/tenant-a");
    const definition = {
      type: "OAuth2",
      useProofKeyForCodeExchange: true,
      useDynamicClientRegistration: true,
    };
    writeFileSync(
      join(folder.path, "pack.ts"),
      `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain(${JSON.stringify(new URL(provider.origin).host)});
pack.setUserAuthentication(${JSON.stringify(definition)} as never);
pack.addMCPServer({ name: "Tasks", endpointUrl: ${JSON.stringify(issuer.mcpUrl)} });
`,
    );
    const account = {
      file: "pack.ts",
      cwd: folder.path,
      home: join(folder.path, "home"),
      redactor: createRedactor(),
    };
    await connectAccount({ ...account, browser: "headless", timeoutMs: 20_000 });
    const target = {
      ...account,
      formula: "Mcp:call:whoami",
      args: { text: [], named: {} },
      routes: [provider.origin],
    };
    expect(await runFormula(target)).toMatchObject({
      ok: true,
      result: { structuredContent: { sub: "user-1" } },
    });
    await refreshAccount(account);
    await revokeAccount(account);
    expect(issuer.requests.find(({ path }) => path === "/revoke")).toMatchObject({ status: 200 });
    expect(provider.requests).toEqual([]);

    const device = await post(issuer.deviceAuthorizationUrl, {
      ...clientFields(issuer),
      scope: "read",
    });
    expect(device.body["verification_uri"]).toBe(issuer.deviceUrl);
    const page = await (await fetch(String(device.body["verification_uri_complete"]))).text();
    expect(new URL(/action="([^"]*)"/.exec(page)?.[1] ?? "", issuer.deviceUrl).href).toBe(
      issuer.deviceUrl,
    );
  });

  it("name the endpoints for certificates, and the origin behind which clients reach them", async () => {
    await using provider = await startProvider({
      issuers: TENANTS,
      mutualTlsPort: 0,
      issuer: "https://login.tasks.example",
    });
    const { issuer, mutualTls } = below(provider, "/tenant-a");
    expect([issuer, mutualTls?.tokenUrl]).toEqual([
      "https://login.tasks.example/tenant-a",
      `${provider.mutualTls?.origin}/tenant-a/token`,
    ]);
    expect(
      (await get(`${provider.origin}/.well-known/oauth-authorization-server/tenant-a`)).json,
    ).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/token`,
      mtls_endpoint_aliases: { token_endpoint: mutualTls?.tokenUrl },
    });
  });
});

describe("the paths of issuers", () => {
  it.each([
    "tenant",
    "/",
    "/tenant/",
    "/a//b",
    "/../a",
    "/token",
    "/login/x",
    "/.well-known",
    "/__provider",
    "/a b",
    "/a?b",
  ])("%s is none, neither in options nor in a file", async (path) => {
    await expect(startProvider({ issuers: { [path]: {} } })).rejects.toThrow(TypeError);
    expect(await catchProblem({ issuers: { [path]: {} } })).toContain("is not a valid path");
  });

  it.each([
    [{ "/a": {}, "/a/b": {} }, 'issuers contains "/a/b", which is not a valid path'],
    [{ "/a": [] }, 'issuers["/a"] must be an object.'],
    [{ "/a": { port: 1 } }, 'issuers["/a"] cannot have port.'],
    [{ "/a": { scope: [] } }, 'issuers["/a"] cannot have scope.'],
    [{ "/a": { scopes: "read" } }, 'issuers["/a"]: scopes must be a list.'],
  ])("a file with %j says what is wrong", async (issuers, problem) => {
    expect(await catchProblem({ issuers })).toContain(problem);
  });
});

async function catchProblem(options: object): Promise<string> {
  using folder = makeTemporaryFolder();
  const path = join(folder.path, "options.json");
  writeFileSync(path, JSON.stringify(options));
  return await readProviderOptions(path).then(
    () => "",
    (error: Error) => error.message,
  );
}
