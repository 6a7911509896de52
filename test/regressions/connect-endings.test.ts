import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { walkHeadless } from "../../src/connect/headless-browser.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { runCli } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const cwd = fileURLToPath(new URL("../../examples", import.meta.url));
const file = "tasks/pack.ts";

async function connectTasks(changes: (home: string) => Partial<ConnectAccountOptions>) {
  using folder = makeTemporaryFolder();
  await using provider = await startProvider({ tokenResponse: { service_url: "https://docs.tasks.example/v1" } });
  const { clientId, clientSecret } = provider;
  const account = await connectAccount({
    ...{ file, cwd, home: folder.path, redactor: createRedactor(), client: { clientId, clientSecret } },
    routes: [`https://login.tasks.example=${provider.issuer}`, "https://docs.tasks.example=http://127.0.0.1:9"],
    ...changes(folder.path),
  });
  await using vault = await openVault({ directory: folder.path });
  return { account, stored: await vault.get(account.key) };
}

it("a port in use ends the command at once", async () => {
  using folder = makeTemporaryFolder();
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  const port = String((blocker.address() as AddressInfo).port);
  const run = await runCli(["auth", "connect", file, "--client-id", "c", "--port", port, "--timeout", "60", "--json"], {
    cwd,
    env: { PACKSMITH_HOME: folder.path, PACKSMITH_CLIENT_SECRET: "planted-secret" },
  });
  blocker.close();
  expect({ code: run.code, document: run.json() }).toMatchObject({ code: 11, document: { error: { code: "PORT_IN_USE" } } });
});

it("a browser that fails after the account was stored does not undo the success", async () => {
  const { account, stored } = await connectTasks(() => ({
    browser: async (url) => {
      await walkHeadless(url);
      throw new TypeError("the tab crashed");
    },
  }));
  expect(stored).toMatchObject({ status: "connected", key: account.key });
});
