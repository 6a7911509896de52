import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { listAccounts, refreshAccount, revokeAccount } from "../../src/connect/manage-accounts.ts";
import { testAuthentication } from "../../src/connect/simulation/test-authentication.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { runCli } from "../support/cli.ts";
import { makeProject } from "../support/project.ts";

const PACK = `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
pack.setUserAuthentication({
  type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize", tokenUrl: "https://login.tasks.example/token",
  scopes: ["profile"], useProofKeyForCodeExchange: true,
});
pack.addAdminAuthentication({
  name: "Reports", displayName: "Reports", description: "Reads the reports of the whole organization.",
  authentication: {
    type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize", tokenUrl: "https://login.tasks.example/token",
    scopes: ["reports"], useProofKeyForCodeExchange: true, getConnectionName: () => "Reports of everybody",
  },
});
pack.addAdminAuthentication({
  name: "Nightly", displayName: "Nightly job", description: "Runs at night.",
  authentication: { type: "OAuth2ClientCredentials", tokenUrl: "https://login.tasks.example/token", scopes: ["jobs"] },
});
pack.addAdminAuthentication({
  name: "Key", displayName: "Key", description: "Has a key.", authentication: { type: "HeaderBearerToken" },
});
`;

describe("accounts that an administrator sets up", () => {
  it("are kept apart by the name of their authentication, with everything that an account can do", async () => {
    await using setup = await startSetup();
    const { options, provider } = setup;
    const client = { clientId: provider.clientId, clientSecret: provider.clientSecret };
    const user = await connectAccount({ ...options, client, browser: "headless" });
    const reports = await connectAccount({
      ...options,
      client,
      browser: "headless",
      slot: "admin:Reports",
    });
    const nightly = await connectAccount({ ...options, client, slot: "admin:Nightly" });
    expect([user.scopes, reports.scopes, nightly.scopes]).toEqual([
      ["profile"],
      ["reports"],
      ["jobs"],
    ]);
    expect(reports).toMatchObject({
      connectionName: "Reports of everybody",
      slot: "admin:Reports",
      name: "default",
    });
    expect(reports.redirectUri).toMatch(/\/oauth\/callback\/admins-[\w-]{16}$/);
    const slots = (await listAccounts(options)).map(({ slot }) => slot).sort();
    expect(slots).toEqual(["admin:Nightly", "admin:Reports", "user"]);
    expect(await refreshAccount({ ...options, slot: "admin:Reports" })).toMatchObject({
      scopes: ["reports"],
    });
    const revocationUrl = "https://login.tasks.example/revoke";
    expect(await revokeAccount({ ...options, slot: "admin:Reports", revocationUrl })).toMatchObject(
      { revoked: true },
    );
    expect((await listAccounts(options)).map(({ slot }) => slot).sort()).toEqual([
      "admin:Nightly",
      "user",
    ]);
    await expect(refreshAccount({ ...options, slot: "admin:Reports" })).rejects.toMatchObject({
      code: "ACCOUNT_MISSING",
      hint: "Run packsmith auth connect pack.ts --admin Reports.",
    });
  });

  it("a name that no administrator's authentication has is told those that there are", async () => {
    await using setup = await startSetup();
    await expect(connectAccount({ ...setup.options, slot: "admin:Missing" })).rejects.toMatchObject(
      {
        code: "OAUTH_NOT_CONFIGURED",
        hint: "Pass --admin with one of Reports, Nightly, Key.",
      },
    );
  });

  it("auth test tries the definition of the one that is named", async () => {
    await using setup = await startSetup();
    const { results } = await testAuthentication({
      ...setup.options,
      slot: "admin:Nightly",
      profiles: ["pkce-required", "json-request"],
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(["skipped", "failed"]);
  });

  it("the command line says --admin NAME, and not together with --system", async () => {
    await using setup = await startSetup();
    const { provider, options } = setup;
    const env = {
      PACKSMITH_HOME: options.home,
      PACKSMITH_CLIENT_ID: provider.clientId,
      PACKSMITH_CLIENT_SECRET: provider.clientSecret,
    };
    const route = ["--route", `https://login.tasks.example=${provider.issuer}`, "--json"];
    const run = (...args: string[]) =>
      runCli(["auth", ...args, ...(args[0] === "list" ? ["--json"] : route)], {
        cwd: options.cwd,
        env,
      });
    expect((await run("connect", "pack.ts", "--admin", "Nightly")).json()).toMatchObject({
      ok: true,
      account: { slot: "admin:Nightly" },
    });
    expect((await run("list", "--admin", "Nightly")).json()).toMatchObject({
      accounts: [{ slot: "admin:Nightly", scopes: ["jobs"] }],
    });
    expect((await run("list", "--admin", "Reports")).json()).toMatchObject({ accounts: [] });
    const both = await run("connect", "pack.ts", "--admin", "Nightly", "--system");
    expect([both.code, both.json()]).toMatchObject([2, { error: { code: "USAGE_INVALID" } }]);
  });
});

async function startSetup() {
  const provider = await startProvider();
  const project = makeProject({
    "package.json": '{ "name": "admins", "type": "module" }',
    "pack.ts": PACK,
  });
  return {
    provider,
    options: {
      file: "pack.ts",
      cwd: project.path,
      home: `${project.path}/home`,
      routes: [`https://login.tasks.example=${provider.issuer}`],
      redactor: createRedactor(),
    },
    async [Symbol.asyncDispose]() {
      await provider.close();
      project[Symbol.dispose]();
    },
  };
}
