import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createStoredAccount } from "../../src/accounts/account.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { connectAccount } from "../../src/commands/connect-account.ts";
import { listAccounts, refreshAccount, revokeAccount } from "../../src/commands/manage-accounts.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/redact.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const cwd = fileURLToPath(new URL("../../examples", import.meta.url));
const file = "tasks/pack.ts";

/** The tasks example, connected to a local provider that names the endpoint in every token response. */
async function connectTasks() {
  const folder = makeTemporaryFolder();
  const provider = await startProvider({ tokenResponse: { service_url: "https://docs.tasks.example/v1" } });
  const options = { file, cwd, home: folder.path, redactor: createRedactor(), routes: [`https://login.tasks.example=${provider.issuer}`] };
  const { clientId, clientSecret } = provider;
  const account = await connectAccount({ ...options, client: { clientId, clientSecret }, browser: "headless" });
  return {
    ...{ account, options, provider },
    async [Symbol.asyncDispose]() {
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}

describe("refreshAccount", () => {
  it("renews an account whose provider repeats the endpoint in its refresh response", async () => {
    await using tasks = await connectTasks();
    const refreshed = await refreshAccount(tasks.options);
    expect(refreshed).toMatchObject({ status: "connected", endpoint: "https://docs.tasks.example/v1" });
    expect(tasks.provider.requests.filter(({ parameters }) => parameters["grant_type"] === "refresh_token")).toHaveLength(1);
  });

  it("says that an account without a refresh token was not renewed", async () => {
    await using tasks = await connectTasks();
    await using vault = await openVault({ directory: tasks.options.home });
    const stored = await vault.get(tasks.account.key);
    if (stored?.tokenSet === undefined) throw new Error("nothing is stored");
    await vault.save(createStoredAccount({ ...stored, tokenSet: { ...stored.tokenSet, refreshToken: undefined } }));
    await expect(refreshAccount(tasks.options)).rejects.toMatchObject({ code: "ACCOUNT_RECONNECT" });
    expect(await vault.get(tasks.account.key)).toMatchObject({ status: "connected" });
  });
});

describe("revokeAccount", () => {
  it.each([
    ["a route", { routes: ["nonsense"] }, "ROUTE_INVALID"],
    ["a revocation URL", { revocationUrl: "http://login.tasks.example/revoke" }, "URL_NOT_ALLOWED"],
  ])("forgets nothing when %s is mistyped", async (_, mistake, code) => {
    await using tasks = await connectTasks();
    const revocation = { revocationUrl: "https://login.tasks.example/revoke" };
    await expect(revokeAccount({ ...tasks.options, ...revocation, ...mistake })).rejects.toMatchObject({ code });
    expect(await listAccounts({ cwd, home: tasks.options.home })).toHaveLength(1);
  });
});
