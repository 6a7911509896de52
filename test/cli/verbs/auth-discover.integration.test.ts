import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startProvider } from "../../../src/provider/provider.ts";
import { chooseCases } from "../../support/breadth.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { startOidcAuthority } from "../../support/oidc-provider.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTokenServer } from "../../support/token-server.ts";

const ISSUER = "https://login.tasks.example";
const PACK = `import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";

export const pack = newPack();

pack.addNetworkDomain("tasks.example");

pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [makeParameter({ type: ParameterType.String, name: "name", description: "Whom." })],
  resultType: ValueType.String,
  execute: async ([name]) => name,
});
`;

function metadata(more: object = {}): object {
  return {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    ...more,
  };
}

async function discoverFrom(document: unknown, args: string[] = [], more: { cwd?: string } = {}) {
  await using server = await startTokenServer(({ url }) =>
    url === "/.well-known/oauth-authorization-server"
      ? { body: document }
      : { status: 404, body: {} },
  );
  return await runCli(
    ["auth", "discover", ISSUER, "--route", `${ISSUER}=${server.url}`, ...args],
    more,
  );
}

describe("auth discover", () => {
  it("prints the authentication for the local provider as TypeScript, and what is left to the author", async () => {
    await using provider = await startProvider({
      scopes: ["profile", "tasks:read"],
      issuer: ISSUER,
    });
    const origin = new URL(provider.tokenUrl).origin;
    const { code, stdout, stderr } = await runCli([
      "auth",
      "discover",
      ISSUER,
      "--route",
      `${ISSUER}=${origin}`,
    ]);
    expect({
      code,
      stdout: stdout.replaceAll(origin, "http://127.0.0.1:PORT"),
    }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "pack.setUserAuthentication({
        type: AuthenticationType.OAuth2,
        issuer: "https://login.tasks.example",
        scopes: ["profile", "tasks:read"],
      });
      ",
      }
    `);
    expect(stderr.replaceAll(origin, "http://127.0.0.1:PORT")).toMatchInlineSnapshot(`
      "found  https://login.tasks.example
      note  scopes lists all scopes of the server: keep the scopes that the Pack needs
      this server registers clients automatically: add --register pack.ts
      "
    `);
  });

  it("reads node-oidc-provider, whose metadata is where OpenID Connect has it", async () => {
    await using authority = await startOidcAuthority();
    const { definition } = (
      await runCli(["auth", "discover", authority.issuer, "--json", "--scopes", "openid docs:read"])
    ).json<{
      definition: object;
    }>();
    expect(definition).toEqual({
      type: "OAuth2",
      issuer: authority.issuer,
      scopes: ["openid", "docs:read"],
    });
  });

  it.each<[string, object, object]>(
    chooseCases<[string, object, object]>(
      [
        [
          "silence about client authentication is the header (RFC 8414 §2)",
          { grant_types_supported: ["client_credentials"] },
          { credentialsLocation: "AuthorizationHeader" },
        ],
        [
          "the body alone",
          {
            grant_types_supported: ["client_credentials"],
            token_endpoint_auth_methods_supported: ["client_secret_post"],
          },
          { credentialsLocation: "Body" },
        ],
        [
          "a signature alone",
          { token_endpoint_auth_methods_supported: ["private_key_jwt"] },
          { clientAuthentication: "private_key_jwt" },
        ],
        [
          "certificates, at the endpoints for them (RFC 8705 §5)",
          {
            grant_types_supported: ["client_credentials"],
            token_endpoint_auth_methods_supported: [
              "tls_client_auth",
              "self_signed_tls_client_auth",
            ],
            mtls_endpoint_aliases: { token_endpoint: "https://mtls.tasks.example/token" },
          },
          { clientAuthentication: "tls_client_auth", tokenUrl: "https://mtls.tasks.example/token" },
        ],
        [
          "certificates next to another method",
          {
            grant_types_supported: ["client_credentials"],
            token_endpoint_auth_methods_supported: ["tls_client_auth", "client_secret_post"],
            mtls_endpoint_aliases: { token_endpoint: "https://mtls.tasks.example/token" },
          },
          { credentialsLocation: "Body", tokenUrl: `${ISSUER}/token` },
        ],
        [
          "PKCE without a hash",
          { code_challenge_methods_supported: ["plain"] },
          { pkceChallengeMethod: "plain" },
        ],
        [
          "client credentials alone",
          { grant_types_supported: ["client_credentials"], authorization_endpoint: undefined },
          { type: "OAuth2ClientCredentials", tokenUrl: `${ISSUER}/token` },
        ],
        [
          "scopes that are none",
          { scopes_supported: ["read", 7, "two words", 'say "x"'] },
          { scopes: ["read"] },
        ],
        [
          "members of another type",
          { scopes_supported: "read", code_challenge_methods_supported: 1 },
          { useProofKeyForCodeExchange: true },
        ],
      ],
      2,
    ),
  )("reads %s", async (_, more, expected) => {
    const run = await discoverFrom(metadata(more), ["--json"]);
    expect(run.json()).toMatchObject({ ok: true, definition: expected });
  });

  it("asks for no scope where there are too many to be meant", async () => {
    const run = await discoverFrom(
      metadata({ scopes_supported: Array.from({ length: 40 }, (_, index) => `scope${index}`) }),
    );
    expect(run.stdout).not.toContain("scope");
    expect(run.stderr).toContain(
      "note  the server has 40 scopes: add the scopes that the Pack needs, or pass --scopes\n",
    );
  });

  it.each<[string, unknown, string, number]>(
    chooseCases<[string, unknown, string, number]>(
      [
        [
          "metadata of another issuer (RFC 8414 §3.3)",
          metadata({ issuer: "https://evil.example" }),
          "OAUTH_DISCOVERY_FAILED",
          11,
        ],
        [
          "an issuer that differs by a slash",
          metadata({ issuer: `${ISSUER}/` }),
          "OAUTH_DISCOVERY_FAILED",
          11,
        ],
        [
          "no token endpoint",
          metadata({ token_endpoint: undefined }),
          "OAUTH_DISCOVERY_FAILED",
          11,
        ],
        [
          "endpoints that are not https",
          metadata({ token_endpoint: "http://login.tasks.example/token" }),
          "OAUTH_DISCOVERY_FAILED",
          11,
        ],
        [
          "endpoints inside the network",
          metadata({ authorization_endpoint: "https://192.168.0.1/authorize" }),
          "OAUTH_DISCOVERY_FAILED",
          11,
        ],
        ["a page", "<html>", "OAUTH_DISCOVERY_FAILED", 11],
        ["an endless answer", metadata({ x: "x".repeat(1_100_000) }), "OAUTH_DISCOVERY_FAILED", 11],
      ],
      2,
    ),
  )("refuses %s", async (_, document, code, exit) => {
    const run = await discoverFrom(document, ["--json"]);
    expect({ code: run.code, error: run.json<{ error: { code: string } }>().error.code }).toEqual({
      code: exit,
      error: code,
    });
  });

  it("refuses an issuer that is not https, and gives up on one that is silent", async () => {
    expect(
      (await runCli(["auth", "discover", "http://login.tasks.example", "--json"])).json(),
    ).toMatchObject({
      error: { code: "URL_NOT_ALLOWED" },
    });
    await using server = await startTokenServer(() => undefined);
    const run = await runCli([
      "auth",
      "discover",
      ISSUER,
      "--route",
      `${ISSUER}=${server.url}`,
      "--request-timeout",
      "0.2",
      "--json",
    ]);
    expect(run.json()).toMatchObject({ ok: false, error: { code: "OAUTH_DISCOVERY_FAILED" } });
  });
});

describe("auth discover --write", () => {
  it("adds the authentication after the network domains, with its import, and keeps the file's permissions", async () => {
    using folder = makeTemporaryFolder();
    const path = join(folder.path, "pack.ts");
    await writeFile(path, PACK);
    await chmod(path, 0o640);
    const run = await discoverFrom(
      metadata({ scopes_supported: ["read"] }),
      ["--write", "pack.ts"],
      { cwd: folder.path },
    );
    expect(run.stderr).toContain("written  pack.ts:7\n");
    expect(await readFile(path, "utf8")).toBe(
      PACK.replace("import { ", "import { AuthenticationType, ").replace(
        'pack.addNetworkDomain("tasks.example");\n',
        `pack.addNetworkDomain("tasks.example");\n\n${run.stdout}`,
      ),
    );
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect((await runCli(["validate", "pack.ts", "--json"], { cwd: folder.path })).json()).toEqual({
      ok: true,
      issues: [],
    });
  });

  it("refuses where there is one, and shows what differs", async () => {
    using folder = makeTemporaryFolder();
    const path = join(folder.path, "pack.ts");
    await writeFile(path, PACK);
    await discoverFrom(metadata({ scopes_supported: ["read"] }), ["--write", "pack.ts"], {
      cwd: folder.path,
    });
    const before = await readFile(path, "utf8");
    const run = await discoverFrom(
      metadata({ scopes_supported: ["read", "write"] }),
      ["--write", "pack.ts"],
      { cwd: folder.path },
    );
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('  scopes  ["read"] → ["read","write"]\n');
    expect(run.stderr).toContain(
      "error AUTHENTICATION_PRESENT  pack.ts already has user authentication in line 7. The authentication in the Pack differs in scopes.\n",
    );
    const same = await discoverFrom(
      metadata({ scopes_supported: ["read"] }),
      ["--write", "pack.ts", "--json"],
      { cwd: folder.path },
    );
    expect(same.json()).toMatchObject({
      error: {
        code: "AUTHENTICATION_PRESENT",
        message:
          "pack.ts already has user authentication in line 7. The authentication in the Pack matches the server's metadata.",
      },
    });
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it.each<[string, string, string]>([
    [
      "a namespace",
      'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n',
      "type: coda.AuthenticationType.OAuth2,",
    ],
    [
      "the name under another name",
      'import { AuthenticationType as Auth, newPack } from "packsmith";\nexport const pack = newPack();\nexport const types = Auth;\n',
      "type: Auth.OAuth2,",
    ],
    [
      "another name for the Pack",
      'import { newPack } from "packsmith";\nconst tasks = newPack();\nexport { tasks as pack };\n',
      "tasks.setUserAuthentication({",
    ],
    [
      "Windows line breaks",
      'import { newPack } from "packsmith";\r\nexport const pack = newPack();\r\n',
      "({\r\n  type: AuthenticationType.OAuth2,\r\n",
    ],
  ])("fits into a file with %s", async (_, text, expected) => {
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "pack.ts"), text);
    const run = await discoverFrom(metadata(), ["--write", "pack.ts"], { cwd: folder.path });
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('next: add pack.addNetworkDomain("…")'),
    });
    const written = await readFile(join(folder.path, "pack.ts"), "utf8");
    expect(written).toContain(expected);
    expect(written.replaceAll("\r\n", "").includes("\n")).toBe(!text.includes("\r\n"));
  });

  it("leaves a file alone that has no place for it, and one that does not build", async () => {
    using folder = makeTemporaryFolder();
    const write = async (text: string) => {
      await writeFile(join(folder.path, "pack.ts"), text);
      const run = await discoverFrom(metadata(), ["--write", "pack.ts", "--json"], {
        cwd: folder.path,
      });
      expect(await readFile(join(folder.path, "pack.ts"), "utf8")).toBe(text);
      return run.json<{ error: { code: string } }>().error.code;
    };
    expect(await write("export const pack = { formulas: [], networkDomains: [] };\n")).toBe(
      "PACK_EXPORT_MISSING",
    );
    expect(await write("export const pack = \n")).toBe("PACK_BUILD_FAILED");
  });
});

describe("auth discover --register", () => {
  it("keeps a client that the server registered, with which the Pack then connects", async () => {
    await using provider = await startProvider({ scopes: ["profile"] });
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "pack.ts"), PACK);
    const options = { cwd: folder.path, env: { PACKSMITH_HOME: join(folder.path, "home") } };
    const run = await runCli(
      [
        "auth",
        "discover",
        provider.issuer,
        "--write",
        "pack.ts",
        "--register",
        "pack.ts",
        "--json",
      ],
      options,
    );
    const { registered } = run.json<{ registered: { clientId: string } }>();
    expect(registered).toMatchObject({
      account: "default",
      redirectUri: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1\/oauth\/callback\/[\w.-]+-[\w-]{16}$/,
      ),
    });
    const connected = await runCli(["auth", "connect", "pack.ts", "--headless", "--json"], options);
    expect(connected.json()).toMatchObject({
      ok: true,
      account: { status: "connected", scopes: ["profile"] },
    });
    const again = await runCli(
      ["auth", "discover", provider.issuer, "--register", "pack.ts", "--json"],
      options,
    );
    expect(again.json()).toMatchObject({ ok: false, error: { code: "ACCOUNT_BUSY" } });
  });

  it("keeps a client of node-oidc-provider; no secret is printed", async () => {
    await using authority = await startOidcAuthority({ registration: true });
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "pack.ts"), PACK);
    const options = { cwd: folder.path, env: { PACKSMITH_HOME: join(folder.path, "home") } };
    const args = [
      "auth",
      "discover",
      authority.issuer,
      "--register",
      "pack.ts",
      "--scopes",
      "openid",
    ];
    const run = await runCli(args, options);
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/registered {2}client \S+, kept for the account default\n/),
    });
    const { accounts } = (await runCli(["auth", "list", "pack.ts", "--json"], options)).json<{
      accounts: { status: string }[];
    }>();
    expect(accounts).toMatchObject([{ status: "reconnect" }]);
    await using other = await startOidcAuthority();
    expect(
      (
        await runCli(
          ["auth", "discover", other.issuer, "--register", "pack.ts", "--account", "b", "--json"],
          options,
        )
      ).json(),
    ).toMatchObject({
      error: { code: "OAUTH_REGISTRATION_FAILED" },
    });
  });
});

it.each(["not a url", "login.example", "ftp://login.example", "https://", ""])(
  "the issuer %j is wrong usage",
  async (issuer) => {
    const run = await runCli(["auth", "discover", issuer]);
    expect([run.code, run.stderr]).toEqual([
      2,
      `error USAGE_INVALID  "${issuer}" is not an http or https URL.\n  → Pass the issuer of the server, such as https://login.example.\n`,
    ]);
  },
);

it.each(chooseCases([[["--manual"]], [["--no-browser"]]], 2))(
  "auth connect %j with a redirect URI that is not one is wrong usage",
  async (flags) => {
    using folder = makeTemporaryFolder();
    await writeFile(
      join(folder.path, "pack.ts"),
      `import { newPack } from "packsmith";
      export const pack = newPack().addNetworkDomain("tasks.example").setUserAuthentication({
        type: "OAuth2", authorizationUrl: "${ISSUER}/a", tokenUrl: "${ISSUER}/t",
      });`,
    );
    const options = { cwd: folder.path, env: { PACKSMITH_HOME: join(folder.path, "home") } };
    const connect = ["auth", "connect", "pack.ts", ...flags];
    const run = await runCli([...connect, "--client-id", "c", "--redirect-uri", "x"], options);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("USAGE_INVALID")]);
    const without = await runCli(connect, options);
    expect([without.code, without.stderr]).toEqual([
      12,
      expect.stringMatching(
        /provider --for pack\.ts, then packsmith auth connect pack\.ts --local\.$/m,
      ),
    ]);
  },
);
