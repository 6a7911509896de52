import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startProvider } from "../../../src/provider/provider.ts";
import { isLong } from "../../support/breadth.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeClientCertificate } from "../../support/client-certificates.ts";
import { commandsIn } from "../../support/help-parts.ts";
import { describePostgres, makePostgresDatabase } from "../../support/postgres.ts";
import { makeProject } from "../../support/project.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

// docs/rules.md: rule 29
it("no option of any command takes a secret as its value", async () => {
  const below = async (...words: string[]) =>
    commandsIn((await runCli([...words, "--help"])).stdout);
  const verbs = await below();
  const nested = (await below("auth")).map((name) => ["auth", name]);
  expect(nested.length).toBeGreaterThan(8);
  expect(verbs).toEqual(expect.arrayContaining(["auth", "execute", "provider", "service"]));
  const options: RegExpExecArray[] = [];
  for (const words of [...verbs.map((verb) => [verb]), ...nested]) {
    const { stdout } = await runCli([...words, "--help"]);
    options.push(
      ...stdout.matchAll(/--([a-z-]*(?:secret|token|password|key)[a-z-]*)(?: <([a-z=]+)>)?/g),
    );
  }
  const withValue = options
    .filter(([, , value]) => value !== undefined)
    .map(([, name, value]) => `${name} <${value}>`);
  // Paths of files, the name of an environment variable, a lifetime, and members of a made-up
  // response.
  expect([...new Set(withValue)].sort()).toEqual([
    "client-key-file <path>",
    "client-secret-env <name>",
    "key <file>",
    "public-key <path>",
    "secrets-key <file>",
    "token-response <json>",
    "token-ttl <seconds>",
  ]);
});

it("a TLS certificate is refused for a Pack that uses none", async () => {
  using project = makeProject({
    "client.pem": makeClientCertificate().both,
    "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("certs.example").setSystemAuthentication({
type: "OAuth2ClientCredentials", tokenUrl: "https://login.certs.example/token",
});
`,
  });
  const args = [
    "auth",
    "connect",
    "pack.ts",
    "--system",
    "--client-id",
    "one",
    "--certificate-file",
    "client.pem",
    "--json",
  ];
  const run = await runCli(args, {
    cwd: project.path,
    env: { PACKSMITH_HOME: join(project.path, "home") },
  });
  expect([run.code, run.json()]).toMatchObject([
    2,
    { error: { code: "USAGE_INVALID", hint: expect.stringContaining("tls_client_auth") } },
  ]);
});

describe("without a client ID and a terminal", () => {
  const OWN_PATH = "/oauth/callback/tasks-…";
  const PORT_NOTE =
    "(any port; if the provider needs a fixed port, register a port and pass it with --port)";
  it.each([
    [[], `http://127.0.0.1${OWN_PATH} ${PORT_NOTE}`],
    [["--manual"], `http://127.0.0.1${OWN_PATH} ${PORT_NOTE}`],
    [["--ports", "3000,3001"], `http://127.0.0.1:3000${OWN_PATH}`],
    [["--redirect-uri", "https://tunnel.example/callback"], "https://tunnel.example/callback"],
  ])(
    "auth connect with %j prints the redirect URI to register, then what is missing",
    async (flags, uri) => {
      using home = makeTemporaryFolder();
      const cwd = fileURLToPath(new URL("../../../examples", import.meta.url));
      const { code, stderr } = await runCli(["auth", "connect", "tasks/pack.ts", ...flags], {
        cwd,
        env: { PACKSMITH_HOME: home.path },
      });
      // A machine without a display says that first.
      const lines = stderr.replace(/(callback\/tasks)-[\w-]{16}(?![\w-])/, "$1-…").split("\n");
      const at = lines.indexOf(`redirect URI to register with the provider: ${uri}`);
      expect([code, at >= 0, lines[at + 1]], stderr).toEqual([
        12,
        true,
        expect.stringMatching(/^error OAUTH_CLIENT_MISSING/),
      ]);
    },
  );
});

describe("a browser that cannot come back", () => {
  const connect = async (env: Record<string, string>, ...flags: string[]) => {
    using home = makeTemporaryFolder();
    const options = {
      cwd: fileURLToPath(new URL("../../../examples", import.meta.url)),
      env: { PACKSMITH_HOME: home.path, PACKSMITH_CLIENT_ID: "client-1", BROWSER: "true", ...env },
    };
    return await runCli(
      ["auth", "connect", "tasks/pack.ts", "--timeout", "0.2", ...flags],
      options,
    );
  };

  it("over SSH, without a terminal, one line names the flag to use", async () => {
    const { code, stderr } = await connect({ SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" });
    expect([code, stderr]).toEqual([
      12,
      expect.stringMatching(/^this is an SSH session[.,] .*--manual.*$/m),
    ]);
  });

  it.each([["--browser", "system"], ["--no-browser"]])(
    "says nothing of it with %s",
    async (...flags) => {
      const { stderr } = await connect(
        { SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" },
        ...flags.filter((flag) => flag !== undefined),
      );
      expect(stderr).not.toContain("SSH");
    },
  );

  it("knows one way to open a browser", async () => {
    const run = await connect({}, "--browser", "firefox", "--json");
    expect([run.code, run.json()]).toMatchObject([2, { error: { code: "USAGE_INVALID" } }]);
  });
});

describePostgres("DATABASE_URL", () => {
  it.runIf(isLong)(
    "puts the vault on the server, for every command that uses an account",
    async () => {
      await using database = await makePostgresDatabase();
      await using provider = await startProvider();
      using home = makeTemporaryFolder();
      const env = {
        DATABASE_URL: database.url,
        PACKSMITH_HOME: home.path,
        PACKSMITH_CLIENT_ID: provider.clientId,
        PACKSMITH_CLIENT_SECRET: provider.clientSecret,
      };
      const options = { cwd: fileURLToPath(new URL("../../../examples", import.meta.url)), env };
      const account = [
        "--account",
        "work",
        "--route",
        `https://login.reports.example=${provider.issuer}`,
        "--json",
      ];
      expect(
        await runCli(["auth", "connect", "reports/pack.ts", ...account], options),
      ).toMatchObject({ code: 0 });
      expect(
        await runCli(["auth", "refresh", "reports/pack.ts", ...account], options),
      ).toMatchObject({ code: 0 });
      const listed = await runCli(["auth", "list", "--account", "work", "--json"], options);
      expect(listed.json()).toMatchObject({
        ok: true,
        accounts: [{ name: "work", pack: "reports", status: "connected" }],
      });
      expect(
        await database.query("select count(*)::int as accounts from packsmith_vault.accounts"),
      ).toEqual([{ accounts: 1 }]);
      expect(readdirSync(home.path)).toContain("vault.key");
      expect(readdirSync(home.path)).not.toContain("vault.db");
      expect(
        await runCli(["auth", "revoke", "reports/pack.ts", ...account], options),
      ).toMatchObject({
        code: 0,
      });
      expect(
        await database.query("select count(*)::int as accounts from packsmith_vault.accounts"),
      ).toEqual([{ accounts: 0 }]);
    },
  );
});
