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
import { summaryKey } from "../support/accounts.ts";
import { runCli } from "../support/cli.ts";
import { startLongCli } from "../support/long-cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const cwd = fileURLToPath(new URL("../../examples", import.meta.url));
const file = "tasks/pack.ts";

async function connectTasks(changes: (home: string) => Partial<ConnectAccountOptions>) {
  using folder = makeTemporaryFolder();
  await using provider = await startProvider({
    tokenResponse: { service_url: "https://docs.tasks.example/v1" },
  });
  const { clientId, clientSecret } = provider;
  const account = await connectAccount({
    file,
    cwd,
    home: folder.path,
    redactor: createRedactor(),
    client: { clientId, clientSecret },
    routes: [
      `https://login.tasks.example=${provider.issuer}`,
      "https://docs.tasks.example=http://127.0.0.1:9",
    ],
    ...changes(folder.path),
  });
  await using vault = await openVault({ directory: folder.path });
  return { account, stored: await vault.get(summaryKey(account)) };
}

it("a port in use ends the command at once", async () => {
  using folder = makeTemporaryFolder();
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  const port = String((blocker.address() as AddressInfo).port);
  const run = await runCli(
    ["auth", "connect", file, "--client-id", "c", "--port", port, "--timeout", "60", "--json"],
    {
      cwd,
      env: { PACKSMITH_HOME: folder.path, PACKSMITH_CLIENT_SECRET: "planted-secret" },
    },
  );
  blocker.close();
  expect({ code: run.code, document: run.json() }).toMatchObject({
    code: 11,
    document: { error: { code: "PORT_IN_USE" } },
  });
});

it("a browser that fails after the account was stored does not undo the success", async () => {
  const { account, stored } = await connectTasks(() => ({
    browser: async (url) => {
      await walkHeadless(url);
      throw new TypeError("the tab crashed");
    },
  }));
  expect(stored).toMatchObject({ status: "connected", key: summaryKey(account) });
});

it.each<
  [
    string,
    (provider: { clientId: string; clientSecret: string }) => {
      clientId: string;
      clientSecret: string;
    },
    RegExp,
  ]
>([
  [
    "a wrong client ID",
    ({ clientSecret }) => ({ clientId: "nobody", clientSecret }),
    /\/authorize responded with status 400: .*client/i,
  ],
])(
  "a headless walk that ends on a page of the provider, after %s, ends the connection with the page's status and text",
  async (_, clientOf, message) => {
    using folder = makeTemporaryFolder();
    await using provider = await startProvider({
      tokenResponse: { service_url: "https://docs.tasks.example/v1" },
    });
    const records: unknown[] = [];
    const connecting = connectAccount({
      file,
      cwd,
      home: folder.path,
      redactor: createRedactor(),
      client: clientOf(provider),
      browser: "headless",
      routes: [
        `https://login.tasks.example=${provider.issuer}`,
        "https://docs.tasks.example=http://127.0.0.1:9",
      ],
      // Without an end of its own the connection would outlive this test.
      timeoutMs: 600_000,
      onProgress: (line) => records.push(line),
    });
    await expect(connecting).rejects.toMatchObject({
      code: "OAUTH_HEADLESS_ENDED",
      message: expect.stringMatching(message),
      details: { status: 400 },
    });
    const run = await runCli(["auth", "explain", "--json"], {
      cwd,
      env: { PACKSMITH_HOME: folder.path },
    });
    expect(run.stdout).toContain("OAUTH_HEADLESS_ENDED");
    expect(run.stdout).not.toContain("OAUTH_CONNECT_TIMEOUT");
  },
);

it("a wrong address can be pasted again, and the prompt says that the page will not load and what to copy", async () => {
  using folder = makeTemporaryFolder();
  await using provider = await startProvider({
    tokenResponse: { service_url: "https://docs.tasks.example/v1" },
  });
  await using cli = startLongCli(
    [
      ...["auth", "connect", file, "--manual", "--client-id", provider.clientId, "--json"],
      ...[
        "--route",
        `https://login.tasks.example=${provider.issuer}`,
        "--route",
        "https://docs.tasks.example=http://127.0.0.1:9",
      ],
    ],
    { cwd, env: { PACKSMITH_HOME: folder.path, PACKSMITH_CLIENT_SECRET: provider.clientSecret } },
  );
  const [link] = await cli.seen(/^http\S+authorize\S+$/m);
  await cli.seen(
    /page that cannot load. This error is expected. Copy the complete address of the page/,
  );
  await cli.seen(/press Enter:/);
  cli.child.stdin.write("https://login.tasks.example/welcome\n");
  await cli.seen(/not a redirect URI that contains an authorization code.*\n.*press Enter:/);
  cli.child.stdin.write(`http://127.0.0.1/oauth/callback?code=1&state=${"x".repeat(43)}\n`);
  await cli.seen(/does not contain the state.*\n.*press Enter:/);
  let redirected = "";
  await walkHeadless(link, {
    fetch: async (url, init) => {
      const response = await fetch(url as URL, init);
      const location = response.headers.get("location") ?? "";
      if (!location.includes("code=")) return response;
      redirected = location;
      return new Response("");
    },
  });
  cli.child.stdin.write(`${redirected}\n`);
  await cli.seen(/"account"|"name"/);
  // Stdin stays open, and does not keep the command running.
  expect(await new Promise((resolve) => cli.child.on("close", resolve))).toBe(0);
});

it("the last of several wrong addresses is reported when stdin ends", async () => {
  using folder = makeTemporaryFolder();
  await using provider = await startProvider();
  const run = await runCli(
    [
      "auth",
      "connect",
      file,
      "--manual",
      "--client-id",
      provider.clientId,
      "--json",
      "--route",
      `https://login.tasks.example=${provider.issuer}`,
    ],
    {
      cwd,
      env: { PACKSMITH_HOME: folder.path, PACKSMITH_CLIENT_SECRET: provider.clientSecret },
      stdin: "nonsense\n?state=wrong&code=1\n",
    },
  );
  expect({ code: run.code, document: run.json() }).toMatchObject({
    code: 12,
    document: { error: { code: "OAUTH_CALLBACK_INVALID" } },
  });
});
