import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { findLeaks } from "../../src/doctor/find-leaks.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeAccount, makeTokenSet } from "../support/accounts.ts";
import { createCanary, findCanaries } from "../support/canaries.ts";
import { runCli } from "../support/cli.ts";
import { makeProject } from "../support/project.ts";

const clientSecret = 'leak+/=&"é\\-client-4f1c';
const accessToken = "leak.access~b77e/1d2f==";
const idToken = "leak.header.claims-77aa";
const canaries = [clientSecret, accessToken, idToken].map((secret) => createCanary(secret, secret));

/** A project, and a vault with one account. */
async function setUp(files: Record<string, string>) {
  const project = makeProject(files);
  const home = makeProject({});
  {
    await using vault = await openVault({ directory: home.path });
    const tokenSet = makeTokenSet({ accessToken, extra: { id_token: idToken } });
    await vault.save(makeAccount({ client: { clientId: "client-1", clientSecret }, tokenSet }));
  }
  const search = () =>
    findLeaks({ cwd: project.path, home: home.path, redactor: createRedactor() });
  return {
    project,
    home,
    search,
    [Symbol.dispose]() {
      project[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

// docs/rules.md: rule 27
describe("doctor --leaks", () => {
  it("finds the vault's secrets in every encoding, and shows only the place", async () => {
    using run = await setUp({
      "pack.ts": `const a = 1;\n  call(${JSON.stringify(accessToken)});\n`,
      "build/bundle.js": `x("${Buffer.from(`client-1:${clientSecret}`).toString("base64")}")`,
      "notes/url.txt": `\n\nhttps://api.tasks.example/?token=${encodeURIComponent(accessToken)}\n`,
      "data.json": JSON.stringify({ nested: { it: clientSecret } }),
      "cookie.txt": idToken,
      "node_modules/other/index.js": accessToken,
      "clean.ts": "export const accessToken = process.env.TOKEN;",
    });
    const report = await run.search();
    expect(
      report.leaks.map(({ file, line, column, kind }) => `${file}:${line}:${column} ${kind}`),
    ).toEqual([
      "build/bundle.js:1:16 vault-secret",
      "cookie.txt:1:1 vault-secret",
      "data.json:1:18 vault-secret",
      "notes/url.txt:3:34 vault-secret",
      "pack.ts:2:9 vault-secret",
    ]);
    expect(report).toMatchObject({ files: 6, accounts: 1, skipped: [] });
    expect(findCanaries(JSON.stringify(report), canaries)).toEqual([]);
  });

  it("prints file and line and never the secret, and ends with 1", async () => {
    using run = await setUp({
      "pack.ts": `\nconst t = ${JSON.stringify(accessToken)};`,
      [`${idToken}.txt`]: idToken,
    });
    const env = { PACKSMITH_HOME: run.home.path };
    for (const args of [[], ["--json"]]) {
      const done = await runCli(["doctor", "--leaks", ...args], { cwd: run.project.path, env });
      expect(done.code).toBe(1);
      expect(findCanaries(done.stdout + done.stderr, canaries)).toEqual([]);
      expect(done.stdout).toContain("pack.ts");
    }
    const done = await runCli(["doctor", "--leaks"], { cwd: run.project.path, env });
    expect(done.stdout).toContain(
      'pack.ts:2:12  vault-secret  contains a secret of the account "default" of Tasks\n',
    );
  });

  it.each([
    ["client-secret-literal", 'const options = { clientSecret: "s3cr8tV4lue99" };'],
    ["client-secret-literal", "client_secret = 's3cr8tV4lue99'"],
    ["client-secret-literal", '{"client_secret":"s3cr8tV4lue99"}'],
    ["client-secret-literal", "PACKSMITH_CLIENT_SECRET=s3cr8tV4lue99"],
    ["token-literal", 'const accessToken = "q8Zr2LmX0vT5yB1nKc7W";'],
    ["token-literal", "export MY_API_KEY=q8Zr2LmX0vT5yB1nKc7W"],
    ["authorization-literal", "headers: { Authorization: `Bearer q8Zr2LmX0vT5yB1nKc7W` }"],
    [
      "json-web-token",
      "x(eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P)",
    ],
    ["private-key", "-----BEGIN RSA PRIVATE KEY-----"],
    ["password-in-url", "postgres://me:hunter22@db.tasks.test/x"],
    ["vault-file", "packsmith-vault-key:1:AAAA"],
  ])("finds a %s in %s", async (kind, line) => {
    using run = await setUp({ "a.txt": `${line}\n` });
    expect((await run.search()).leaks).toMatchObject([{ kind, file: "a.txt", line: 1 }]);
  });

  it.each([
    'clientSecret: process.env["PACKSMITH_CLIENT_SECRET"] ?? "",',
    'clientSecret: "<your client secret 1>"',
    "PACKSMITH_CLIENT_SECRET=$SECRET_FROM_CI_1",
    'client_secret: "your-secret-here-1"',
    'const tokenUrl = "https://login.tasks.example/oauth2/token";',
    'accessToken: "accessToken, 2 of them"',
    "Authorization: Bearer <access token 1>",
    "postgres://user:password@host/database",
    "http://me:hunter22@127.0.0.1:8080/",
    "interface Account { clientSecret: string | undefined; password: string }",
  ])("takes %s for no secret", async (line) => {
    using run = await setUp({ "a.txt": `${line}\n` });
    expect((await run.search()).leaks).toEqual([]);
  });

  it("accepts other secrets in a file that git ignores, but none of the vault's", async () => {
    using run = await setUp({
      ".gitignore": ".env\n",
      ".env": "CLIENT_SECRET=s3cr8tV4lue99\n",
      "kept.env": "CLIENT_SECRET=s3cr8tV4lue99\n",
    });
    execFileSync("git", ["init", "-q"], { cwd: run.project.path });
    expect((await run.search()).leaks.map(({ file }) => file)).toEqual(["kept.env"]);
    run.project.write(".env", `TOKEN=${accessToken}\n`);
    expect((await run.search()).leaks.map(({ file }) => file)).toEqual([".env", "kept.env"]);
  });

  it("finds a vault key that was copied into the project", async () => {
    using run = await setUp({});
    copyFileSync(join(run.home.path, "vault.key"), join(run.project.path, "backup.key"));
    expect((await run.search()).leaks).toMatchObject([{ kind: "vault-file", file: "backup.key" }]);
  });

  it("passes a clean project without creating a vault, and refuses a folder that does not exist", async () => {
    using project = makeProject({ "pack.ts": "export const pack = 1;" });
    const home = join(project.path, "none");
    const clean = await runCli(["doctor", "--leaks", ".", "--json"], {
      cwd: project.path,
      env: { PACKSMITH_HOME: home },
    });
    expect(clean.code).toBe(0);
    expect(clean.json()).toEqual({ ok: true, leaks: [], files: 1, skipped: [], accounts: 0 });
    expect(existsSync(home)).toBe(false);
    const missing = await runCli(["doctor", "--leaks", "nowhere", "--json"], {
      cwd: project.path,
      env: { PACKSMITH_HOME: home },
    });
    expect(missing.code).toBe(2);
    expect(missing.json()).toMatchObject({ ok: false, error: { code: "DIRECTORY_UNREADABLE" } });
  });
});
