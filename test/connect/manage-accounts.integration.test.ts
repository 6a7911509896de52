import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createStoredAccount } from "../../src/accounts/account.ts";
import { accountKey } from "../../src/accounts/pack-account.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { listAccounts, refreshAccount, revokeAccount } from "../../src/connect/manage-accounts.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { summaryKey } from "../support/accounts.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { startTokenServer } from "../support/token-server.ts";

const cwd = fileURLToPath(new URL("../../examples", import.meta.url));
const file = "tasks/pack.ts";

/**
 * The tasks example, connected to a local provider that names the endpoint in every token response.
 */
async function connectTasks() {
  const folder = makeTemporaryFolder();
  const provider = await startProvider({
    tokenResponse: { service_url: "https://docs.tasks.example/v1" },
  });
  const options = {
    file,
    cwd,
    home: folder.path,
    redactor: createRedactor(),
    routes: [`https://login.tasks.example=${provider.issuer}`],
  };
  const { clientId, clientSecret } = provider;
  const account = await connectAccount({
    ...options,
    client: { clientId, clientSecret },
    browser: "headless",
  });
  return {
    account,
    options,
    provider,
    async [Symbol.asyncDispose]() {
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A server that accepts requests and never answers. */
const startSilentServer = () => startTokenServer(() => undefined);

describe("an account that is not connected", () => {
  it.runIf(isLong)(
    "names --local in the hint if the account of the local provider is connected",
    async () => {
      await using tasks = await connectTasks();
      const { home, redactor } = tasks.options;
      await using vault = await openVault({ directory: home });
      const key = await accountKey({ file, cwd, slot: "user", account: "default" });
      const stored = await vault.get(key);
      if (stored === undefined) throw new Error("The account was not stored.");
      await vault.save(createStoredAccount({ ...stored, key: { ...key, name: "local" } }));
      await vault.remove(key);
      const missing = {
        code: "ACCOUNT_MISSING",
        hint: "Run packsmith auth connect tasks/pack.ts. An account of the local provider is connected: execute, auth refresh and auth revoke use it with --local.",
      };
      await expect(refreshAccount(tasks.options)).rejects.toMatchObject(missing);
      await expect(revokeAccount(tasks.options)).rejects.toMatchObject(missing);
      const run = runFormula({ file, cwd, home, redactor, formula: "ListTasks", args: ["d"] });
      expect(await run).toMatchObject({ failure: { error: missing } });
    },
  );

  it("does not name --local if no account of the local provider is connected", async () => {
    using folder = makeTemporaryFolder();
    const options = { file, cwd, home: folder.path, redactor: createRedactor() };
    await expect(refreshAccount(options)).rejects.toMatchObject({
      code: "ACCOUNT_MISSING",
      hint: "Run packsmith auth connect tasks/pack.ts.",
    });
  });
});

describe("a server that does not answer", () => {
  it("ends a refresh after the time limit of a request", async () => {
    await using tasks = await connectTasks();
    await using silent = await startSilentServer();
    const routes = [`https://login.tasks.example=${silent.url}`];
    const options = { ...tasks.options, routes, requestTimeoutMs: 100 };
    await expect(refreshAccount(options)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_TIMEOUT",
      details: { limitMs: 100 },
    });
  });

  it.runIf(isLong)("ends a revocation after the time limit of a request", async () => {
    await using tasks = await connectTasks();
    await using silent = await startSilentServer();
    const routes = [`https://login.tasks.example=${silent.url}`];
    const revocationUrl = "https://login.tasks.example/revoke";
    const options = { ...tasks.options, routes, revocationUrl, requestTimeoutMs: 100 };
    const { revoked, warning } = await revokeAccount(options);
    expect(revoked).toBe(false);
    expect(warning).toContain("0.1 seconds");
  });
});

it.each(["", "  "])("no account has the name %j", async (account) => {
  await using tasks = await connectTasks();
  await expect(refreshAccount({ ...tasks.options, account })).rejects.toMatchObject({
    code: "USAGE_INVALID",
  });
});

describe("refreshAccount", () => {
  it("renews an account whose provider repeats the endpoint in its refresh response", async () => {
    await using tasks = await connectTasks();
    const refreshed = await refreshAccount(tasks.options);
    expect(refreshed).toMatchObject({
      status: "connected",
      endpoint: "https://docs.tasks.example/v1",
    });
    expect(
      tasks.provider.requests.filter(
        ({ parameters }) => parameters["grant_type"] === "refresh_token",
      ),
    ).toHaveLength(1);
  });

  it.runIf(isLong)("says that an account without a refresh token was not renewed", async () => {
    await using tasks = await connectTasks();
    await using vault = await openVault({ directory: tasks.options.home });
    const stored = await vault.get(summaryKey(tasks.account));
    if (stored?.tokenSet === undefined) throw new Error("nothing is stored");
    await vault.save(
      createStoredAccount({ ...stored, tokenSet: { ...stored.tokenSet, refreshToken: undefined } }),
    );
    await expect(refreshAccount(tasks.options)).rejects.toMatchObject({
      code: "ACCOUNT_RECONNECT",
    });
    expect(await vault.get(summaryKey(tasks.account))).toMatchObject({ status: "connected" });
  });
});

describe("revokeAccount", () => {
  it.each(
    chooseCases(
      [
        ["a route", { routes: ["nonsense"] }, "ROUTE_INVALID"],
        [
          "a revocation URL",
          { revocationUrl: "http://login.tasks.example/revoke" },
          "URL_NOT_ALLOWED",
        ],
      ],
      2,
    ),
  )("forgets nothing when %s is mistyped", async (_, mistake, code) => {
    await using tasks = await connectTasks();
    const revocation = { revocationUrl: "https://login.tasks.example/revoke" };
    await expect(
      revokeAccount({ ...tasks.options, ...revocation, ...mistake }),
    ).rejects.toMatchObject({ code });
    expect(await listAccounts({ cwd, home: tasks.options.home })).toHaveLength(1);
  });

  // docs/rules.md: rule 30
  it.each(chooseCases([200, 500], 2))(
    "asks the provider to revoke, and forgets the account also when it answers %i",
    async (status) => {
      await using tasks = await connectTasks();
      await using server = await startTokenServer(() => ({ status, body: "" }));
      const routes = [`https://login.tasks.example=${server.url}`];
      const result = await revokeAccount({
        ...tasks.options,
        routes,
        revocationUrl: "https://login.tasks.example/revoke",
      });
      expect(result.revoked).toBe(status === 200);
      expect(result.warning === undefined).toBe(status === 200);
      expect(server.requests.map(({ url }) => url)).toContain("/revoke");
      expect(await listAccounts({ cwd, home: tasks.options.home })).toEqual([]);
    },
  );
});

// docs/rules.md: rule 30
describe("the metadata of an issuer", () => {
  it.each(
    chooseCases(
      [
        ["only the issuer", ""],
        ["all URLs, too", `authorizationUrl: ISSUER + "/authorize", tokenUrl: ISSUER + "/token",`],
      ],
      2,
    ),
  )("tells auth revoke where to revoke, for a definition with %s", async (_, urls) => {
    await using provider = await startProvider({ issuer: "https://login.tasks.example" });
    using folder = makeTemporaryFolder();
    writeFileSync(
      join(folder.path, "pack.ts"),
      `import { newPack } from "packsmith";
      const ISSUER = "https://login.tasks.example";
      export const pack = newPack().addNetworkDomain("api.tasks.example")
        .setUserAuthentication({ type: "OAuth2", issuer: ISSUER, ${urls} });`,
    );
    const options = {
      file: "pack.ts",
      cwd: folder.path,
      home: join(folder.path, "home"),
      redactor: createRedactor(),
      routes: [`https://login.tasks.example=${new URL(provider.tokenUrl).origin}`],
    };
    const { clientId, clientSecret } = provider;
    await connectAccount({ ...options, client: { clientId, clientSecret }, browser: "headless" });
    const methods = provider.requests.map(({ parameters }) => parameters["code_challenge_method"]);
    expect(methods).toContain("S256");
    expect(await revokeAccount(options)).toEqual({ revoked: true, warning: undefined });
    expect(provider.requests.map(({ path }) => path)).toContain("/revoke");
  });
});

describe("granted scopes", () => {
  it("that are fewer than the declared ones are told, and stored as they were granted", async () => {
    await using tasks = await connectTasks();
    const { clientId, clientSecret } = tasks.provider;
    await using server = await startTokenServer(({ url }) => {
      const asked = new URL(url, "http://server.example");
      if (asked.pathname !== "/authorize")
        return {
          body: {
            access_token: "narrow-token",
            expires_in: 3600,
            scope: "docs:read",
            service_url: "https://docs.tasks.example/v1",
          },
        };
      const back = new URL(asked.searchParams.get("redirect_uri") ?? "");
      back.search = String(
        new URLSearchParams({ code: "code-1", state: asked.searchParams.get("state") ?? "" }),
      );
      return { status: 302, headers: { location: back.href } };
    });
    const lines: string[] = [];
    const account = await connectAccount({
      ...tasks.options,
      routes: [`https://login.tasks.example=${server.url}`],
      client: { clientId, clientSecret },
      browser: "headless",
      onProgress: (line) => void lines.push(line),
    });
    expect(lines).toContain("warning: these scopes were requested but not granted: docs:write");
    expect(account).toMatchObject({
      requestedScopes: ["docs:read", "docs:write"],
      scopes: ["docs:read"],
    });
    expect(await listAccounts({ cwd, home: tasks.options.home })).toMatchObject([
      { scopes: ["docs:read"] },
    ]);
  });
});

describe("listAccounts", () => {
  it("narrows the list to a Pack, a name and a slot", async () => {
    await using tasks = await connectTasks();
    const { home } = tasks.options;
    await using vault = await openVault({ directory: home });
    const stored = await vault.get(summaryKey(tasks.account));
    if (stored === undefined) throw new Error("nothing is stored");
    for (const change of [
      { name: "work" },
      { name: "work", slot: "system" as const },
      { pack: "/other/pack.ts" },
    ]) {
      await vault.save(createStoredAccount({ ...stored, key: { ...stored.key, ...change } }));
    }
    const labels = async (choice: object) =>
      (await listAccounts({ cwd, home, ...choice }))
        .map(
          ({ file, slot, name }) =>
            `${file === stored.key.pack ? "tasks" : "other"} ${slot}/${name}`,
        )
        .sort();
    expect(await labels({})).toEqual([
      "other user/default",
      "tasks system/work",
      "tasks user/default",
      "tasks user/work",
    ]);
    expect(await labels({ file })).toEqual([
      "tasks system/work",
      "tasks user/default",
      "tasks user/work",
    ]);
    expect(await labels({ account: "work" })).toEqual(["tasks system/work", "tasks user/work"]);
    expect(await labels({ file, account: "work", slot: "system" })).toEqual(["tasks system/work"]);
    expect(await labels({ account: "nobody" })).toEqual([]);
  });
});
