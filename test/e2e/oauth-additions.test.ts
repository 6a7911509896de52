import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { listAccounts, refreshAccount } from "../../src/connect/manage-accounts.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { executeFormula } from "../../src/testing/test-formula.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** One formula that calls the API and gives back what the API and the Pack saw. */
const PACK = `import { newPack, makeParameter } from "packsmith";
import { authentication } from "./authentication.js";
export const pack = newPack({ networkDomains: ["books.example"] });
pack.setUserAuthentication(authentication);
pack.addFormula({
  name: "Call", description: "Calls the API.", resultType: "string",
  parameters: [makeParameter({ type: "string", name: "url", description: "Where." })],
  execute: async ([url], context) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url });
    return JSON.stringify({ api: body, connection: context.connection, endpoint: context.endpoint });
  },
});
`;

const CODE = {
  type: "OAuth2",
  authorizationUrl: "https://login.books.example/authorize",
  tokenUrl: "https://login.books.example/token",
  useProofKeyForCodeExchange: true,
};
const MACHINE = { type: "OAuth2ClientCredentials", tokenUrl: "https://login.books.example/token" };
const region = {
  name: "region",
  label: "Region",
  kind: "choice",
  default: "eu",
  options: [
    {
      value: "eu",
      label: "Europe",
      parts: { auth: "login.eu.books.example", api: "api.eu.books.example" },
    },
    {
      value: "us",
      label: "United States",
      parts: { auth: "login.us.books.example", api: "api.us.books.example" },
    },
  ],
};

describe("the OAuth additions, from the author's file to the wire", () => {
  it("fills connection variables in URLs, parameters and scopes, and refreshes with the same answers", async () => {
    await using setup = await startSetup({
      ...CODE,
      connectionVariables: [
        region,
        { name: "tenant", label: "Tenant", kind: "segment" },
        { name: "team", label: "Team", kind: "text", optional: true },
      ],
      authorizationUrl: "https://{region.auth}/{tenant}/authorize",
      tokenUrl: "https://{region.auth}/{tenant}/token?v=2",
      refreshUrl: "https://{region.api}/{tenant}/refresh?refresh",
      endpointUrl: "https://{region.api}/v2/{tenant}",
      additionalParams: { audience: "{tenant}@{region}", team: "{team}", claims: '{"id":1}' },
      scopes: ["{tenant}.read"],
      refreshParams: { audience: "{tenant}" },
    });
    const account = await setup.connect({ variables: { region: "us", tenant: "acme~1" } });
    expect(account.endpoint).toBe("https://api.us.books.example/v2/acme~1");
    const [authorize] = setup.requests;
    expect(authorize).toMatchObject({
      host: "login.us.books.example",
      path: expect.stringMatching(/^\/acme~1\/authorize\?/),
    });
    expect(authorize?.params).toMatchObject({
      audience: "acme~1@us",
      scope: "acme~1.read",
      claims: '{"id":1}',
    });
    expect(authorize?.params).not.toHaveProperty("team");
    expect(setup.requests[1]).toMatchObject({
      host: "login.us.books.example",
      path: "/acme~1/token?v=2",
    });
    await setup.refresh();
    expect(setup.requests[2]).toMatchObject({
      host: "api.us.books.example",
      path: "/acme~1/refresh?refresh",
      params: { grant_type: "refresh_token", audience: "acme~1" },
    });
    expect(await setup.call("/me")).toMatchObject({
      connection: { variables: { region: "us", tenant: "acme~1" }, callbackParams: {} },
      endpoint: "https://api.us.books.example/v2/acme~1",
    });
  });

  it("asks again for nothing that the account was connected with, and refuses what a variable does not allow", async () => {
    await using setup = await startSetup({
      ...CODE,
      connectionVariables: [{ name: "tenant", label: "Tenant", kind: "segment", pattern: /\w+/ }],
      tokenUrl: "https://login.books.example/{tenant}/token",
    });
    await expect(setup.connect()).rejects.toMatchObject({
      code: "CONNECTION_VARIABLE_MISSING",
      details: { names: ["tenant"] },
    });
    for (const tenant of ["..", "a/b", "a b", "a~b"]) {
      await expect(setup.connect({ variables: { tenant } })).rejects.toMatchObject({
        code: "CONNECTION_VARIABLE_INVALID",
      });
    }
    await expect(
      setup.connect({ variables: { other: "1", tenant: "acme" } }),
    ).rejects.toMatchObject({
      code: "CONNECTION_VARIABLE_INVALID",
    });
    expect(setup.requests, "nothing was sent").toEqual([]);
    await setup.connect({ variables: { tenant: "acme" } });
    await setup.connect();
    expect(setup.requests.at(-1)).toMatchObject({ path: "/acme/token" });
  });

  it("sends a secret variable in the token request only, and shows it nowhere", async () => {
    const lines: string[] = [];
    await using setup = await startSetup({
      ...CODE,
      connectionVariables: [{ name: "pin", label: "PIN", kind: "text", secret: true }],
      tokenParams: { pin: "{pin}" },
      refreshParams: { pin: "{pin}" },
    });
    await expect(setup.connect({ variables: { pin: "planted-pin-1" } })).rejects.toMatchObject({
      code: "CONNECTION_VARIABLE_INVALID",
      details: { reason: "it was given as an argument" },
    });
    await setup.connect({
      ask: async () => "planted-pin-1",
      onProgress: (line) => lines.push(line),
    });
    await setup.refresh();
    expect(setup.requests.map(({ path, params }) => [path.split("?")[0], params["pin"]])).toEqual([
      ["/authorize", undefined],
      ["/token", "planted-pin-1"],
      ["/token", "planted-pin-1"],
    ]);
    const shown = JSON.stringify([
      lines,
      await setup.list(),
      await setup.call("https://api.books.example/me"),
    ]);
    expect(shown).not.toContain("planted-pin-1");
  });

  it("writes the token request as JSON: protocol members as text, parameters with their types", async () => {
    await using setup = await startSetup({
      ...CODE,
      tokenRequestFormat: "json",
      credentialsLocation: "Body",
      resource: "https://api.books.example",
      tokenParams: { version: 2, offline: true, context: "team" },
    });
    await setup.connect();
    const { contentType, body } = setup.requests[1] ?? {};
    expect(contentType).toBe("application/json");
    expect(JSON.parse(body ?? "")).toEqual({
      grant_type: "authorization_code",
      code: "the-code",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\/[\w.-]+$/),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      resource: "https://api.books.example",
      client_id: "client-1",
      client_secret: "s3cret",
      version: 2,
      offline: true,
      context: "team",
    });
    await setup.refresh();
    expect(JSON.parse(setup.requests[2]?.body ?? "")).toEqual({
      grant_type: "refresh_token",
      refresh_token: "refresh-1",
      resource: "https://api.books.example",
      client_id: "client-1",
      client_secret: "s3cret",
    });
  });

  it("writes a client-credentials request into the URL, beside the URL's own query", async () => {
    await using setup = await startSetup({
      ...MACHINE,
      tokenUrl: "https://login.books.example/token?grant",
      tokenRequestFormat: "query",
      credentialsLocation: "AuthorizationHeader",
      grantType: "account_credentials",
      additionalParams: { audience: "a b" },
      scopes: ["read"],
    });
    await setup.connect();
    expect(setup.requests[0]).toMatchObject({
      method: "POST",
      path: "/token?grant&grant_type=account_credentials&scope=read&audience=a+b",
      body: "",
      authorization: `Basic ${btoa("client-1:s3cret")}`,
    });
  });

  it("keeps declared callback parameters with the account and fills them in", async () => {
    await using setup = await startSetup(
      {
        ...CODE,
        callbackParams: [
          "realm",
          { name: "accounts-server", as: "server", kind: "origin", domains: ["books.example"] },
        ],
        tokenUrl: "https://{callback.server}/token",
        refreshUrl: "https://{callback.server}/refresh",
        endpointUrl: "https://api.books.example/{callback.realm}",
      },
      { realm: "r 1", "accounts-server": "https://accounts.eu.books.example", other: "dropped" },
    );
    // A realm with a space is text, which no URL may carry.
    await expect(setup.connect()).rejects.toMatchObject({ code: "PACK_INVALID" });
    setup.define({
      ...CODE,
      callbackParams: [
        "realm",
        { name: "accounts-server", as: "server", kind: "origin", domains: ["books.example"] },
      ],
      tokenUrl: "https://{callback.server}/token",
      refreshUrl: "https://{callback.server}/refresh",
      tokenParams: { realm: "{callback.realm}" },
    });
    await setup.connect();
    expect(setup.requests[1]).toMatchObject({
      host: "accounts.eu.books.example",
      path: "/token",
      params: { realm: "r 1" },
    });
    await setup.refresh();
    expect(setup.requests[2]).toMatchObject({
      host: "accounts.eu.books.example",
      path: "/refresh",
    });
    expect(await setup.call("https://api.books.example/me")).toMatchObject({
      connection: {
        variables: {},
        callbackParams: { realm: "r 1", server: "https://accounts.eu.books.example" },
      },
    });
  });

  it.each([
    ["a host outside its domains", { "accounts-server": "https://evil.example" }],
    ["an origin with a path", { "accounts-server": "https://accounts.books.example/x" }],
    ["an origin without TLS", { "accounts-server": "http://accounts.books.example" }],
    ["none at all", {}],
  ])("refuses a callback with %s before the code is sent anywhere", async (_what, callback) => {
    await using setup = await startSetup(
      {
        ...CODE,
        callbackParams: [
          { name: "accounts-server", as: "server", kind: "origin", domains: ["books.example"] },
        ],
        tokenUrl: "https://{callback.server}/token",
      },
      callback as Record<string, string>,
    );
    await expect(setup.connect()).rejects.toMatchObject({ code: "OAUTH_CALLBACK_INVALID" });
    expect(setup.requests.map(({ path }) => path.split("?")[0])).toEqual(["/authorize"]);
  });

  it.each([
    [{ tokenHeaderName: "X-Token" }, { "x-token": "token-1" }],
    [{ tokenHeaderName: "X-Token", tokenPrefix: "Key" }, { "x-token": "Key token-1" }],
  ])("sends the access token as %o says", async (members, headers) => {
    await using setup = await startSetup({ ...CODE, ...members });
    await setup.connect();
    const { api } = (await setup.call("https://api.books.example/me")) as {
      api: { headers: Record<string, string> };
    };
    // The token itself is hidden from a Pack whose API echoes it.
    expect(Object.keys(api.headers)).toEqual(Object.keys(headers));
    expect(setup.requests.at(-1)?.headers["x-token"]).toBe(Object.values(headers)[0]);
    expect(setup.requests.at(-1)?.headers["authorization"]).toBeUndefined();
  });

  it("discovers the URLs that the definition leaves out, and pins the issuer", async () => {
    await using setup = await startSetup({
      type: "OAuth2",
      issuer: "https://login.books.example",
      useProofKeyForCodeExchange: true,
    });
    await setup.connect();
    expect(setup.requests.map(({ path }) => path.split("?")[0])).toEqual([
      "/.well-known/oauth-authorization-server",
      "/authorize",
      "/token",
    ]);
    await setup.refresh();
    expect(setup.requests.at(-1), "without asking the server for its metadata again").toMatchObject(
      { path: "/token" },
    );
    setup.callback = { iss: "https://other.books.example" };
    await expect(setup.connect()).rejects.toMatchObject({ code: "OAUTH_ISSUER_MISMATCH" });
  });

  it("registers a client when there is none, once for each redirect URI (RFC 7591)", async () => {
    await using setup = await startSetup({
      type: "OAuth2",
      issuer: "https://login.books.example",
      useDynamicClientRegistration: true,
      useProofKeyForCodeExchange: true,
      scopes: ["read"],
    });
    await setup.connect({ client: undefined });
    const registration = setup.requests.find(({ path }) => path === "/register");
    expect(JSON.parse(registration?.body ?? "")).toMatchObject({
      client_name: expect.any(String),
      redirect_uris: [
        expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\/[\w.-]+$/),
      ],
      grant_types: ["authorization_code", "refresh_token"],
      application_type: "native",
      token_endpoint_auth_method: "client_secret_basic",
      scope: "read",
    });
    expect(setup.requests.find(({ path }) => path.startsWith("/authorize"))?.params).toMatchObject({
      client_id: "registered-1",
    });
    const [redirectUri = ""] = (JSON.parse(registration?.body ?? "") as { redirect_uris: string[] })
      .redirect_uris;
    await setup.connect({ client: undefined, port: Number(new URL(redirectUri).port) });
    // The account remembers the port.
    await setup.connect({ client: undefined });
    expect(setup.requests.filter(({ path }) => path === "/register")).toHaveLength(1);
    await setup.connect({ client: undefined, port: 0 });
    expect(
      setup.requests.filter(({ path }) => path === "/register"),
      "the server knows no other redirect URI",
    ).toHaveLength(2);
  });

  it("asks for extra scopes and for those that were granted before (incremental consent)", async () => {
    await using setup = await startSetup({ ...CODE, scopes: ["read"] });
    await setup.connect({ extraScopes: ["write"] });
    await setup.connect({ extraScopes: ["admin"] });
    const asked = setup.requests
      .filter(({ path }) => path.startsWith("/authorize"))
      .map(({ params }) => params["scope"]);
    expect(asked).toEqual(["read write", "read write admin"]);
  });

  it("connects without a server, from the address that a person pastes", async () => {
    await using setup = await startSetup({ ...CODE, scopes: ["read"] });
    const follow = async (authorizationUrl: string): Promise<string> => {
      const response = await fetch(authorizationUrl, { redirect: "manual" });
      return response.headers.get("location") ?? "";
    };
    const account = await setup.connect({ paste: follow });
    expect(account).toMatchObject({
      status: "connected",
      redirectUri: expect.stringMatching(/^http:\/\/127\.0\.0\.1\/oauth\/callback\/[\w.-]+$/),
    });
    await expect(
      setup.connect({ paste: async () => "https://tasks.example/nothing" }),
    ).rejects.toMatchObject({
      code: "OAUTH_CALLBACK_INVALID",
    });
    const stale = setup.connect({
      paste: async () => "http://127.0.0.1/oauth/callback?code=x&state=older",
    });
    await expect(stale).rejects.toMatchObject({ code: "OAUTH_STATE_MISMATCH" });
  });

  it("pastes where a browser could not come back, and tells a script which flag does", async () => {
    await using setup = await startSetup({ ...CODE, scopes: ["read"] });
    const lines: string[] = [];
    const onProgress = (line: string): void => void lines.push(line);
    const follow = async (authorizationUrl: string): Promise<string> =>
      (await fetch(authorizationUrl, { redirect: "manual" })).headers.get("location") ?? "";
    const reason = "this is an SSH session";
    const noBrowser = (): Promise<never> => Promise.reject(new Error("a browser was opened"));
    const pasted = await setup.connect({
      obstacle: { reason, paste: follow },
      browser: noBrowser,
      port: 4711,
      onProgress,
    });
    expect(pasted).toMatchObject({
      status: "connected",
      redirectUri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4711\/oauth\/callback\//),
    });
    expect(lines).toContain(
      `${reason}, so packsmith continues as with --manual. To open a browser on this machine, pass --browser system.`,
    );
    expect(
      await setup.connect({ obstacle: { reason, paste: undefined }, onProgress }),
    ).toMatchObject({ status: "connected" });
    expect(lines).toContain(
      `${reason}. If your browser is on another machine, use --manual. If the server supports it, use --device.`,
    );
  });

  it("lets the user choose the endpoint that a step of the set-up offers", async () => {
    await using setup = await startSetup({
      ...CODE,
      postSetup: [
        { type: "SetEndPoint", name: "site", description: "Which site?", getOptions: "SITES" },
      ],
    });
    await expect(setup.connect()).rejects.toMatchObject({
      code: "POST_SETUP_CHOICE",
      details: { step: "site", options: ["https://eu.books.example", "https://us.books.example"] },
    });
    expect(await setup.connect({ choices: { site: "https://us.books.example" } })).toMatchObject({
      endpoint: "https://us.books.example",
    });
    await setup.refresh();
    expect(await setup.call("/me")).toMatchObject({ endpoint: "https://us.books.example" });
    expect(
      await setup.connect({ choose: async (_step, options) => options[0]?.value ?? "" }),
    ).toMatchObject({
      endpoint: "https://eu.books.example",
    });
  });
});

interface Seen {
  method: string;
  host: string;
  path: string;
  params: Record<string, string>;
  body: string;
  contentType: string | undefined;
  authorization: string | undefined;
  headers: Record<string, string>;
}

/**
 * An authorization server, an API and a browser that follows redirects, in front of a Pack with
 * this authentication.
 */
async function startSetup(authentication: object, callback: Record<string, string> = {}) {
  const folder = makeTemporaryFolder();
  const file = join(folder.path, "pack.js");
  const requests: Seen[] = [];
  const hosts = [
    "login",
    "login.eu",
    "login.us",
    "accounts.eu",
    "accounts",
    "api",
    "api.eu",
    "api.us",
    "eu",
    "us",
  ];
  const state = { callback, count: 0 };
  const answer = async (
    host: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const seen = await readRequest(host, request);
    requests.push(seen);
    const json = (value: unknown, status = 200): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    };
    const [path = ""] = seen.path.split("?");
    if (path.startsWith("/.well-known/")) return json(metadata());
    if (path === "/register")
      return json({ client_id: `registered-${++state.count}`, ...JSON.parse(seen.body) }, 201);
    if (path.endsWith("/authorize")) {
      const target = new URL(seen.params["redirect_uri"] ?? "");
      target.search = new URLSearchParams({
        code: "the-code",
        state: seen.params["state"] ?? "",
        ...state.callback,
      }).toString();
      return void response.writeHead(302, { location: String(target) }).end();
    }
    if (path.endsWith("/token") || path.endsWith("/refresh")) {
      const { scope } =
        requests.findLast(({ path: at }) => at.includes("/authorize"))?.params ?? {};
      return json({
        access_token: "token-1",
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: "refresh-1",
        ...(scope === undefined ? {} : { scope }),
      });
    }
    json({
      headers: Object.fromEntries(
        Object.entries(seen.headers).filter(([name]) => name === "x-token"),
      ),
    });
  };
  const servers = await Promise.all(
    hosts.map(async (name) => {
      const host = `${name}.books.example`;
      const server = createServer((request, response) => void answer(host, request, response));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
      return { host, server, port: (server.address() as AddressInfo).port };
    }),
  );
  const routes = servers.map(({ host, port }) => `https://${host}=http://127.0.0.1:${port}`);
  const options = { cwd: folder.path, home: join(folder.path, "home"), routes };
  const define = (definition: object): void =>
    writeFileSync(
      join(folder.path, "authentication.js"),
      `export const authentication = ${writeSource(definition)};`,
    );
  writeFileSync(file, PACK);
  define(authentication);
  return {
    requests,
    define,
    set callback(value: Record<string, string>) {
      state.callback = value;
    },
    connect: (more: Partial<ConnectAccountOptions> = {}) =>
      connectAccount({
        client: { clientId: "client-1", clientSecret: "s3cret" },
        browser: browse,
        redactor: createRedactor(),
        file,
        ...options,
        ...more,
      }),
    refresh: () => refreshAccount({ file, ...options, redactor: createRedactor() }),
    list: () => listAccounts({ cwd: folder.path, home: options.home }),
    call: async (url: string): Promise<unknown> =>
      JSON.parse(String(await executeFormula(file, "Call", [url], options))),
    async [Symbol.asyncDispose]() {
      for (const { server } of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      folder[Symbol.dispose]();
    },
  };
}

function metadata(): object {
  const issuer = "https://login.books.example";
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ["code"],
  };
}

/** Patterns and the options of a step are code. */
function writeSource(definition: object): string {
  const sites =
    '() => ["https://eu.books.example", { display: "US", value: "https://us.books.example" }]';
  return JSON.stringify(definition, (_key, value: unknown) =>
    value instanceof RegExp ? `RE:${value.source}` : value,
  )
    .replace('"SITES"', sites)
    .replace(/"RE:([^"]*)"/g, (_, source: string) => `new RegExp("${source}")`);
}

async function readRequest(host: string, request: IncomingMessage): Promise<Seen> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { pathname, search, searchParams } = new URL(request.url ?? "", "http://x");
  const contentType = request.headers["content-type"]?.split(";")[0];
  const form = contentType === "application/x-www-form-urlencoded" ? new URLSearchParams(body) : [];
  return {
    method: request.method ?? "",
    host,
    path: pathname + search,
    params: Object.fromEntries([...searchParams, ...form]),
    body,
    contentType,
    authorization: request.headers.authorization,
    headers: request.headers as Record<string, string>,
  };
}

/** Follows redirects with the cookies of the callback server, as a browser does. */
async function browse(startUrl: string): Promise<void> {
  let url = startUrl;
  let cookie = "";
  for (let hop = 0; hop < 10; hop++) {
    const response = await fetch(url, {
      redirect: "manual",
      headers: cookie === "" ? {} : { cookie },
    });
    await response.arrayBuffer();
    cookie =
      response.headers
        .getSetCookie()
        .map((text) => text.split(";")[0])
        .join("; ") || cookie;
    const location = response.headers.get("location");
    if (location === null) return;
    url = String(new URL(location, url));
  }
}
