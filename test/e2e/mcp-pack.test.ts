import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { discoverAuthentication } from "../../src/connect/discover-authentication.ts";
import { refreshAccount } from "../../src/connect/manage-accounts.ts";
import { registerForPack } from "../../src/connect/register-client.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import type { ProviderOptions } from "../../src/provider/options.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { isLong } from "../support/breadth.ts";
import { runCli } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const CODE = {
  type: "OAuth2",
  useProofKeyForCodeExchange: true,
  useDynamicClientRegistration: true,
};

describe("a Pack with one MCP server and no URLs", () => {
  it("connects, lists the tools and calls one", async () => {
    await using setup = await startSetup();
    expect(await setup.execute("Mcp:tools")).toMatchObject({
      ok: false,
      failure: { error: { code: "ACCOUNT_MISSING" } },
    });
    await setup.connect();
    const tools = await setup.execute("Mcp:tools");
    expect(tools).toMatchObject({
      ok: true,
      kind: "value",
      result: [{ name: "whoami" }, { name: "echo" }],
    });
    expect(await setup.execute("Mcp:call:echo", ['{"text":"tea"}'])).toMatchObject({
      result: { content: [{ type: "text", text: "tea" }] },
    });
    expect(
      await setup.execute("Mcp:call:echo", [], { text: "2" }),
      "text stays text",
    ).toMatchObject({
      result: { content: [{ text: "2" }] },
    });
    expect(setup.asked("/par")).toMatchObject({
      resource: `${setup.origin}/mcp`,
      code_challenge_method: "S256",
    });
    expect(setup.asked("/token")).toMatchObject({ resource: `${setup.origin}/mcp` });
  });

  it.runIf(isLong)("does the same on the command line", async () => {
    await using setup = await startSetup();
    const env = { PACKSMITH_HOME: setup.options.home, PACKSMITH_KEY_STORE: "file" };
    const run = (...args: string[]) =>
      runCli([...args, "--route", setup.origin], { cwd: setup.options.cwd, env });
    const refused = await run("execute", "pack.ts", "Mcp:tools");
    expect([refused.code, refused.stderr]).toEqual([
      12,
      expect.stringContaining("Run packsmith auth connect"),
    ]);
    expect((await run("auth", "connect", "pack.ts", "--headless")).code).toBe(0);
    expect(
      JSON.parse((await run("execute", "pack.ts", "Mcp:call:echo", '{"text":"tea"}')).stdout),
    ).toEqual({
      content: [{ type: "text", text: "tea" }],
    });
    expect((await run("execute", "pack.ts", "Mcp:call:nothing")).stderr).toContain(
      "The server has these tools: whoami, echo.",
    );
  });

  it.each(["resource-unannounced", "resource-root", "resource-elsewhere", "resource-none"])(
    "connects to a server with the profile %s",
    async (profile) => {
      await using setup = await startSetup({ provider: { profiles: [profile] } });
      await setup.connect();
      expect(await setup.execute("Mcp:tools")).toMatchObject({ ok: true });
    },
  );

  it("sends no one to a server that another resource names", async () => {
    await using setup = await startSetup({ provider: { profiles: ["resource-mismatch"] } });
    await expect(setup.connect()).rejects.toMatchObject({
      code: "OAUTH_RESOURCE_INVALID",
      details: { reason: "its metadata is for https://other-resource.example/mcp" },
    });
    expect(
      setup.provider.requests.some(
        ({ path }) => path.startsWith("/authorize") || path === "/register",
      ),
    ).toBe(false);
  });

  it("gets the scope that a call needs, and keeps those that it had (step-up)", async () => {
    await using setup = await startSetup({
      provider: { profiles: ["step-up"], scopes: ["tools.list", "tools.call"] },
      definition: { scopes: ["tools.list"] },
    });
    await setup.connect();
    expect(await setup.execute("Mcp:tools")).toMatchObject({ ok: true });
    const refused = await setup.execute("Mcp:call:whoami");
    expect(refused.ok ? undefined : refused.failure.cause).toMatchObject({
      code: "ACCOUNT_SCOPES",
      details: { missing: ["tools.call"] },
      hint: 'Run packsmith auth connect pack.ts --scopes "tools.call".',
    });
    await setup.connect({ extraScopes: ["tools.call"] });
    expect(await setup.execute("Mcp:call:whoami")).toMatchObject({
      result: { structuredContent: { scopes: ["tools.list", "tools.call"] } },
    });
  });

  it("asks for the resource's scopes when the definition names none", async () => {
    await using setup = await startSetup({
      provider: { scopes: ["tools.list", "offline_access"] },
    });
    await setup.connect();
    expect(setup.asked("/par")["scope"]).toBe("tools.list offline_access");
  });

  it("pushes the request when the server's metadata says so (RFC 9126)", async () => {
    await using setup = await startSetup({ provider: { pushedRequests: "required" } });
    await setup.connect();
    expect(Object.keys(setup.asked("/authorize"))).toEqual(["client_id", "request_uri"]);
    expect(setup.provider.requests.find(({ path }) => path === "/par")).toMatchObject({
      status: 201,
    });
  });

  it("registers as a native public client, and again when the server has forgotten the client", async () => {
    await using setup = await startSetup({ provider: { accessTokenTtlSeconds: 3_600 } });
    const first = await setup.connect();
    const port = Number(new URL(first.redirectUri ?? "").port);
    setup.provider.reset();
    await expect(refreshAccount(setup.options)).rejects.toMatchObject({
      code: "ACCOUNT_RECONNECT",
      details: { error: expect.stringContaining("invalid_client") },
    });
    const second = await setup.connect({ port });
    expect(second.clientId).not.toBe(first.clientId);
    expect(await setup.execute("Mcp:tools")).toMatchObject({ ok: true });
  });

  it("registers again within the same connection when a reused client is unknown at the pushed request endpoint", async () => {
    await using setup = await startSetup();
    const first = await setup.connect();
    setup.provider.reset();
    const lines: string[] = [];
    const second = await setup.connect({
      port: Number(new URL(first.redirectUri ?? "").port),
      onProgress: (line) => lines.push(line),
    });
    expect(second.clientId).not.toBe(first.clientId);
    expect(lines).toContainEqual(expect.stringContaining("registers a new client"));
  });

  it("registers again when the token endpoint no longer knows the client", async () => {
    await using setup = await startSetup();
    const { discovered, ...options } = {
      ...setup.options,
      issuer: setup.provider.issuer,
      account: "default",
      discovered: await setup.discover(),
    };
    const registered = await registerForPack(options, discovered);
    setup.provider.addFaults({
      endpoint: "token",
      kind: "response",
      status: 401,
      body: { error: "invalid_client" },
    });
    const connected = await setup.connect();
    expect(connected.clientId).not.toBe(registered.clientId);
    expect(await setup.execute("Mcp:tools")).toMatchObject({ ok: true });
  });

  it("never sends the client of one authorization server to another", async () => {
    await using setup = await startSetup();
    const first = await setup.connect();
    await using other = await startProvider();
    setup.moveTo(other.issuer);
    const second = await setup.connect({ port: Number(new URL(first.redirectUri ?? "").port) });
    expect(second.clientId).not.toBe(first.clientId);
    expect(JSON.stringify(other.requests)).not.toContain(first.clientId);
  });

  it("is known by the document that it publishes, without a registration (client ID metadata document)", async () => {
    await using documents = await startDocuments();
    await using setup = await startSetup({
      definition: {
        clientMetadataUrl: `${documents.url}/client.json`,
        useDynamicClientRegistration: false,
        resource: "",
      },
    });
    documents.content = {
      client_id: `${documents.url}/client.json`,
      client_name: "Tasks",
      redirect_uris: ["http://127.0.0.1/registered"],
      grant_types: ["authorization_code", "refresh_token"],
    };
    const connected = await setup.connect({ redirectPath: "/registered" });
    expect(connected.clientId).toBe(`${documents.url}/client.json`);
    expect(setup.provider.requests.some(({ path }) => path === "/register")).toBe(false);
    documents.content = { ...documents.content, client_id: "https://other.example/client.json" };
    await expect(setup.connect({ timeoutMs: 2_000 })).rejects.toMatchObject({
      code: expect.stringMatching(/^OAUTH_/),
    });
  });
});

interface SetupOptions {
  provider?: ProviderOptions;
  /** Members of the authentication. An empty `resource` is the MCP server. */
  definition?: Record<string, unknown>;
}

/** A Pack whose MCP server is the one of a local provider. */
async function startSetup({ provider: options = {}, definition: changes = {} }: SetupOptions = {}) {
  const folder = makeTemporaryFolder();
  const provider = await startProvider(options);
  const write = (more: Record<string, unknown> = {}): void => {
    const resource = changes["resource"] === "" ? { resource: `${provider.origin}/mcp` } : {};
    const definition = { ...CODE, ...changes, ...resource, ...more };
    const host = new URL(provider.origin).host;
    writeFileSync(
      join(folder.path, "pack.ts"),
      `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain(${JSON.stringify(host)}).setUserAuthentication(${JSON.stringify(definition)} as never);
pack.addMCPServer({ name: "Tasks", endpointUrl: ${JSON.stringify(`${provider.origin}/mcp`)} });
`,
    );
  };
  write();
  const account = {
    file: "pack.ts",
    cwd: folder.path,
    home: join(folder.path, "home"),

    redactor: createRedactor(),
  } as const;
  return {
    provider,
    origin: provider.origin,
    options: account,
    connect: (changes: Partial<ConnectAccountOptions> = {}) =>
      connectAccount({ ...account, browser: "headless", timeoutMs: 20_000, ...changes }),
    execute: (target: string, text: string[] = [], named: Record<string, string> = {}) =>
      runFormula({ ...account, formula: target, args: { text, named }, routes: [provider.origin] }),
    /** The parameters of the last request to a path. */
    asked: (path: "/par" | "/authorize" | "/token"): Record<string, string> =>
      Object.fromEntries(
        Object.entries(
          provider.requests.filter((request) => request.path === path).at(-1)?.parameters ?? {},
        ),
      ) as Record<string, string>,
    discover: () => discoverAuthentication({ issuer: provider.issuer, redactor: account.redactor }),
    moveTo: (issuer: string) => write({ issuer }),
    async [Symbol.asyncDispose]() {
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A web server for the document of a client. */
async function startDocuments() {
  const state = { content: {} as Record<string, unknown> };
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(state.content));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
