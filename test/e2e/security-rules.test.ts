import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { type JWTPayload, SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { readClientKey } from "../../src/oauth/client-key.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { createTestBrowser } from "../support/browser.ts";
import { makeSigningKeys } from "../support/signing-keys.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const ISSUER = "https://login.rules.example";
const CODE = {
  type: "OAuth2",
  authorizationUrl: `${ISSUER}/authorize`,
  tokenUrl: `${ISSUER}/token`,
  scopes: ["read"],
  useProofKeyForCodeExchange: true,
};
const root = new URL("../../", import.meta.url);
const launcher = process.env["BROWSER"];

afterEach(() => {
  if (launcher === undefined) delete process.env["BROWSER"];
  else process.env["BROWSER"] = launcher;
});

// docs/rules.md: rule 31
describe("the browser of a login", () => {
  it.runIf(process.platform === "linux")(
    "the system's browser opens with a private file, which has the link to the local server",
    async () => {
      await using setup = await startSetup(CODE);
      const record = join(setup.folder, "opened");
      const program = join(setup.folder, "browser");
      writeFileSync(
        program,
        `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}.part' && mv '${record}.part' '${record}'\n`,
      );
      chmodSync(program, 0o700);
      process.env["BROWSER"] = program;
      const connecting = setup.connect({ browser: "system" });
      await expect.poll(() => existsSync(record)).toBe(true);
      const opened = readFileSync(record, "utf8").trim();
      expect(opened).toMatch(/\/links\/open-[0-9a-f]{16}\.html$/);
      expect([statSync(opened), statSync(dirname(opened))].map(({ mode }) => mode & 0o777)).toEqual(
        [0o600, 0o700],
      );
      const [, link = ""] = /url=(http[^"]+)"/.exec(readFileSync(opened, "utf8")) ?? [];
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/start\?launch=[\w-]+$/);
      await createTestBrowser().open(link);
      expect(await connecting).toMatchObject({ status: "connected" });
      expect(existsSync(opened)).toBe(false);
    },
  );

  it("no package that embeds or drives a browser is installed with packsmith", () => {
    const { dependencies } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const embedding = /electron|webview|puppeteer|playwright|nw$|neutralino|selenium|chromium|cef/i;
    expect(Object.keys(dependencies).filter((name) => embedding.test(name))).toEqual([]);
  });
});

// docs/rules.md: rule 32
describe("the redirect path", () => {
  it("each Pack has its own redirect path, which is printed first", async () => {
    for (const name of ["tasks", "Notes.Pack"]) {
      const lines: string[] = [];
      await using setup = await startSetup(CODE, { name });
      const { redirectUri } = await setup.connect({ onProgress: (line) => lines.push(line) });
      expect(redirectUri).toMatch(
        new RegExp(`^http://127\\.0\\.0\\.1:\\d+/oauth/callback/${name.toLowerCase()}-[\\w-]{16}$`),
      );
      expect(lines[0]).toBe(`redirect URI to register with the provider: ${redirectUri}`);
      expect(setup.requests.map((request) => request["redirect_uri"])).toEqual([
        redirectUri,
        redirectUri,
      ]);
    }
  });

  it("a Pack has the same path in each connection, and another one with a known issuer", async () => {
    const paths = new Set<string>();
    await using setup = await startSetup(CODE);
    for (const _time of ["first", "again"])
      paths.add(new URL((await setup.connect()).redirectUri ?? "").pathname);
    expect(paths.size).toBe(1);
    await using other = await startSetup({ ...CODE, issuer: ISSUER });
    paths.add(new URL((await other.connect()).redirectUri ?? "").pathname);
    expect(paths.size).toBe(2);
  });

  it("a path that is registered already can be kept, but only a path", async () => {
    await using setup = await startSetup(CODE);
    expect((await setup.connect({ redirectPath: "/registered" })).redirectUri).toMatch(
      /:\d+\/registered$/,
    );
    for (const redirectPath of [
      "callback",
      "/a/../b",
      "//host.example/x",
      "/start",
      "/x?y=1",
      "/a b",
    ]) {
      await expect(setup.connect({ redirectPath })).rejects.toMatchObject({
        code: "USAGE_INVALID",
      });
    }
  });

  it("an answer at another Pack's path reaches nothing", async () => {
    await using setup = await startSetup(CODE);
    const browser: ConnectAccountOptions["browser"] = async (startUrl) => {
      const tab = createTestBrowser();
      const { url } = await tab.open(startUrl, ({ pathname }) =>
        pathname.startsWith("/oauth/callback"),
      );
      const astray = new URL(url);
      astray.pathname = "/oauth/callback/other";
      expect((await tab.open(astray.href)).status).toBe(404);
      await tab.open(url.href);
    };
    expect(await setup.connect({ browser })).toMatchObject({ status: "connected" });
    expect(setup.requests).toHaveLength(2);
  });

  it("the default client of the local provider takes the path of every Pack, and no other path", async () => {
    await using provider = await startProvider();
    const ask = async (path: string) => {
      const query = {
        response_type: "code",
        client_id: provider.clientId,
        redirect_uri: `http://127.0.0.1:1${path}`,
        state: "s",
      };
      return (
        await fetch(`${provider.authorizationUrl}?${new URLSearchParams(query)}`, {
          redirect: "manual",
        })
      ).status;
    };
    expect(await ask("/oauth/callback/tasks")).toBe(303);
    for (const path of [
      "/oauth/callbackx",
      "/oauth/callback/../x",
      "/oauth/callback/",
      "/oauth",
      "/oauth/callback/a?b=1",
    ]) {
      expect(await ask(path), path).toBe(400);
    }
  });
});

// docs/rules.md: rule 34
describe("an ID Token", () => {
  const keys = makeSigningKeys();
  const sign = (claims: JWTPayload) =>
    new SignJWT({ iss: ISSUER, aud: "client-1", sub: "planted-subject", ...claims })
      .setProtectedHeader({ alg: "ES256" })
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(readClientKey(keys.privateKey).key);

  it("is not an identity when it cannot be checked: not a label, not validated", async () => {
    await using setup = await startSetup({ ...CODE, scopes: ["openid"] });
    setup.tokenMembers = async () => ({
      id_token: await sign({ iss: "https://other.example", name: "planted-name" }),
    });
    const account = await setup.connect();
    expect(account).toMatchObject({ status: "connected" });
    expect(account.connectionName).toBeUndefined();
    expect(JSON.stringify(account)).not.toContain("planted");
    // Servers may demand a nonce from everyone who asks for an ID Token.
    expect(setup.requests[0]).toHaveProperty("nonce");
  });

  it("must return the new nonce that was sent, with an issuer and the scope openid", async () => {
    await using setup = await startSetup({ ...CODE, issuer: ISSUER, scopes: ["openid"] });
    setup.tokenMembers = async ({ nonce = "" }) => ({ id_token: await sign({ nonce }) });
    const account = await setup.connect();
    expect(account).toMatchObject({ status: "connected" });
    expect(account.connectionName).toBeUndefined();
    await setup.connect();
    const nonces = setup.requests
      .map((request) => request["nonce"])
      .filter((nonce) => nonce !== undefined);
    expect(nonces).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it.each<[string, JWTPayload]>([
    ["another issuer", { iss: "https://other.example" }],
    ["another client", { aud: "client-2" }],
    ["another attempt", { nonce: "of another attempt" }],
    ["yesterday", { exp: Math.floor(Date.now() / 1_000) - 86_400 }],
  ])("of %s ends the flow", async (_, claims) => {
    await using setup = await startSetup({ ...CODE, issuer: ISSUER, scopes: ["openid"] });
    setup.tokenMembers = async ({ nonce = "" }) => {
      const { key } = readClientKey(keys.privateKey);
      const all = {
        iss: ISSUER,
        aud: "client-1",
        sub: "s",
        nonce,
        iat: 1,
        exp: Math.floor(Date.now() / 1_000) + 300,
        ...claims,
      };
      return { id_token: await new SignJWT(all).setProtectedHeader({ alg: "ES256" }).sign(key) };
    };
    await expect(setup.connect()).rejects.toMatchObject({ code: "OAUTH_TOKEN_RESPONSE_INVALID" });
  });

  it("that is missing ends the flow, with an issuer and the scope openid", async () => {
    await using setup = await startSetup({ ...CODE, issuer: ISSUER, scopes: ["openid"] });
    await expect(setup.connect()).rejects.toMatchObject({ code: "OAUTH_TOKEN_RESPONSE_INVALID" });
  });
});

// docs/rules.md: rule 35
describe("a missing refresh token", () => {
  it.each<[string, object, string | undefined]>([
    ["nothing that asks for one", {}, 'access_type: "offline", prompt: "consent"'],
    [
      "access_type alone",
      { additionalParams: { access_type: "offline" } },
      'Add prompt: "consent"',
    ],
    ["the scope offline_access alone", { scopes: ["offline_access"] }, 'Add prompt: "consent"'],
    [
      "both",
      { additionalParams: { access_type: "offline", prompt: "consent" } },
      "Allow the refresh_token grant",
    ],
  ])("is reported with the next step, for %s in the definition", async (_, members, advice) => {
    const lines: string[] = [];
    await using setup = await startSetup({ ...CODE, ...members });
    await setup.connect({ onProgress: (line) => lines.push(line) });
    expect(
      lines.filter((line) => line.startsWith("warning: the provider issued no refresh token")),
    ).toEqual([expect.stringContaining(advice ?? "")]);
  });

  it("is not reported when there is one, or when the token has no expiry", async () => {
    const lines: string[] = [];
    await using setup = await startSetup(CODE);
    for (const members of [{ refresh_token: "rt-1" }, { expires_in: undefined }]) {
      setup.tokenMembers = async () => members;
      await setup.connect({ onProgress: (line) => lines.push(line) });
    }
    expect(lines.filter((line) => line.includes("refresh token"))).toEqual([]);
  });
});

// docs/rules.md: rule 39
describe("reserved parameter names", () => {
  const TOKEN_PARAMS = [
    "grant_type",
    "code",
    "redirect_uri",
    "code_verifier",
    "refresh_token",
    "client_id",
    "client_secret",
  ];
  const ASSERTION_PARAMS = ["client_assertion", "client_assertion_type"];
  it.each<[string, readonly string[]]>([
    [
      "additionalParams",
      [
        "client_id",
        "client_secret",
        "redirect_uri",
        "state",
        "code_challenge",
        "code_challenge_method",
      ],
    ],
    ["tokenParams", [...TOKEN_PARAMS, ...ASSERTION_PARAMS, "scope"]],
    ["refreshParams", [...TOKEN_PARAMS, ...ASSERTION_PARAMS]],
  ])("a reserved name in %s fails the build, one issue for each", async (member, names) => {
    await using setup = await startSetup({
      ...CODE,
      [member]: Object.fromEntries(names.map((name) => [name, "planted"])),
    });
    const { ok, packs, issues } = await buildPacks(["pack.ts"], {
      cwd: setup.folder,
      outDir: "dist",
      minify: false,
      types: false,
    });
    expect([ok, packs]).toEqual([false, []]);
    expect(
      issues
        .filter(({ severity }) => severity === "error")
        .map(({ code, path }) => `${code} ${path}`),
    ).toEqual(names.map((name) => `AUTH_PARAM_RESERVED defaultAuthentication.${member}.${name}`));
    expect(existsSync(join(setup.folder, "dist"))).toBe(false);
  });
});

type TokenMembers = (asked: Record<string, string>) => Promise<Record<string, unknown>>;

/**
 * A Pack with this authentication, and an authorization server that answers without asking anybody.
 */
async function startSetup(definition: object, { name = "rules" }: { name?: string } = {}) {
  const requests: Record<string, string>[] = [];
  const state: { tokenMembers: TokenMembers } = { tokenMembers: async () => ({}) };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", ISSUER);
    if (url.pathname === "/authorize") {
      const asked = Object.fromEntries(url.searchParams);
      requests.push(asked);
      const target = new URL(asked["redirect_uri"] ?? "");
      const iss = JSON.stringify(definition).includes('"issuer"') ? { iss: ISSUER } : {};
      target.search = new URLSearchParams({
        code: "the-code",
        state: asked["state"] ?? "",
        ...iss,
      }).toString();
      return void response.writeHead(303, { location: target.href }).end();
    }
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const asked = requests.at(-1) ?? {};
    requests.push(Object.fromEntries(new URLSearchParams(body)));
    const members = {
      access_token: "at-1",
      token_type: "Bearer",
      expires_in: 3_600,
      ...(await state.tokenMembers(asked)),
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(members));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = makeTemporaryFolder();
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ name, type: "module" }));
  await writeFile(
    join(folder.path, "pack.ts"),
    `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("rules.example").setUserAuthentication(${JSON.stringify(definition)});
`,
  );
  const home = join(folder.path, "home");
  await mkdir(home, { mode: 0o700 });
  return {
    folder: folder.path,
    requests,
    set tokenMembers(value: TokenMembers) {
      state.tokenMembers = value;
    },
    connect: (more: Partial<ConnectAccountOptions> = {}) =>
      connectAccount({
        file: "pack.ts",
        cwd: folder.path,
        home,
        client: { clientId: "client-1", clientSecret: "s3cret-1" },
        routes: [`${ISSUER}=http://127.0.0.1:${(server.address() as AddressInfo).port}`],
        redactor: createRedactor(),
        browser: async (startUrl) => void (await createTestBrowser().open(startUrl)),
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      folder[Symbol.dispose]();
    },
  };
}
