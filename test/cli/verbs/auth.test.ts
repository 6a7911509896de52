import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startProvider } from "../../../src/provider/provider.ts";
import { runCli } from "../../support/cli.ts";
import { describePostgres, makePostgresDatabase } from "../../support/postgres.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

it("rule 29: no option of any command takes a secret as its value", async () => {
  const { stdout } = await runCli(["--help"]);
  const verbs = [...stdout.matchAll(/^ {2}([a-z]+)(?: |\|)/gm)].map(([, name]) => name ?? "").filter((name) => name !== "help");
  const auth = await runCli(["auth", "--help"]);
  const nested = [...auth.stdout.matchAll(/^ {2}([a-z]+)(?: |\|)/gm)].map(([, name]) => ["auth", name ?? ""]);
  expect(verbs).toEqual(expect.arrayContaining(["auth", "execute", "provider", "service"]));
  const help = await Promise.all([...verbs.map((verb) => [verb]), ...nested].map((words) => runCli([...words, "--help"])));
  const options = help.flatMap(({ stdout: text }) => [
    ...text.matchAll(/--([a-z-]*(?:secret|token|password|key)[a-z-]*)(?: <([a-z=]+)>)?/g),
  ]);
  const withValue = options.filter(([, , value]) => value !== undefined).map(([, name, value]) => `${name} <${value}>`);
  // The name of an environment variable, a lifetime, and members of a made-up response.
  expect([...new Set(withValue)].sort()).toEqual(["client-secret-env <name>", "token-response <json>", "token-ttl <seconds>"]);
}, 60_000);

describePostgres("DATABASE_URL", () => {
  it("puts the vault on the server, for every command that uses an account", async () => {
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
    const account = ["--account", "work", "--route", `https://login.reports.example=${provider.issuer}`, "--json"];
    expect(await runCli(["auth", "connect", "reports/pack.ts", ...account], options)).toMatchObject({ code: 0 });
    expect(await runCli(["auth", "refresh", "reports/pack.ts", ...account], options)).toMatchObject({ code: 0 });
    const listed = await runCli(["auth", "list", "--account", "work", "--json"], options);
    expect(listed.json()).toMatchObject({ ok: true, accounts: [{ name: "work", pack: "reports", status: "connected" }] });
    expect(await database.query("select count(*)::int as accounts from packsmith_vault.accounts")).toEqual([{ accounts: 1 }]);
    expect(readdirSync(home.path)).toContain("vault.key");
    expect(readdirSync(home.path)).not.toContain("vault.db");
    expect(await runCli(["auth", "revoke", "reports/pack.ts", ...account], options)).toMatchObject({ code: 0 });
    expect(await database.query("select count(*)::int as accounts from packsmith_vault.accounts")).toEqual([{ accounts: 0 }]);
  }, 60_000);
});
