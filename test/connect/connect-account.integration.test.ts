import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { listAccounts } from "../../src/connect/manage-accounts.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { createTestBrowser, type TestPage } from "../support/browser.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { shownCertificate, trustingFetch } from "../support/trusting-fetch.ts";

const pack = `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("api.example").setUserAuthentication({
  type: "OAuth2", authorizationUrl: "https://login.api.example/authorize", tokenUrl: "https://login.api.example/token",
  scopes: ["profile"], additionalParams: { prompt: "consent" }, useProofKeyForCodeExchange: true,
});
`;

describe("connectAccount", () => {
  it("stays until a browser that it did not start itself has seen the result", async () => {
    await using setup = await startSetup();
    const { account, page } = await setup.connectByLink({ decision: "approve" });
    expect(account).toMatchObject({ status: "connected", scopes: ["profile"] });
    expect([page.url.pathname, page.status]).toEqual(["/done", 200]);
    expect(page.html).toContain("Connected");
  });

  it("shows a denial in the browser too, and keeps the account that was there", async () => {
    await using setup = await startSetup();
    await setup.connectByLink({ decision: "approve" });
    const { error, page } = await setup.connectByLink({ decision: "deny" });
    expect(error).toMatchObject({ code: "OAUTH_DENIED", details: { error: "access_denied" } });
    expect(page.html).toContain("Access was not granted");
    expect(await listAccounts(setup.options)).toMatchObject([{ status: "connected" }]);
  });

  it("keeps the additional scopes of client credentials when the account is connected again", async () => {
    using folder = makeTemporaryFolder();
    const client = { clientId: "nightly", clientSecret: "secret-of-the-night" };
    await using provider = await startProvider({
      clients: [{ ...client, redirectUris: [], grantTypes: ["client_credentials"] }],
    });
    await writeFile(
      join(folder.path, "pack.ts"),
      `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("api.example").setSystemAuthentication({
  type: "OAuth2ClientCredentials", tokenUrl: "https://login.api.example/token", scopes: ["profile"],
});
`,
    );
    const options = {
      file: "pack.ts",
      cwd: folder.path,
      home: join(folder.path, "home"),
      redactor: createRedactor(),
      slot: "system" as const,
      client,
      routes: [`https://login.api.example=${provider.origin}`],
    };
    await connectAccount({ ...options, extraScopes: ["email", "profile", ""] });
    await connectAccount(options);
    const asked = provider.requests.map(({ parameters }) => parameters["scope"]);
    expect(asked).toEqual(["profile email", "profile email"]);
  });

  it("ends with OAUTH_CONNECT_TIMEOUT when nobody comes back", async () => {
    await using setup = await startSetup();
    await expect(
      connectAccount({ ...setup.options, browser: "none", timeoutMs: 1 }),
    ).rejects.toMatchObject({
      code: "OAUTH_CONNECT_TIMEOUT",
    });
  });

  it("ends with INTERRUPTED when the user stops it", async () => {
    await using setup = await startSetup();
    const interrupt = new AbortController();
    const onProgress = (line: string) =>
      void (line.startsWith("open this link") && interrupt.abort(new Error("stop")));
    await expect(
      connectAccount({ ...setup.options, browser: "none", signal: interrupt.signal, onProgress }),
    ).rejects.toMatchObject({
      code: "INTERRUPTED",
    });
  });

  it("connects over https with a certificate that it announces, and leaves nothing of it on disk", async () => {
    await using setup = await startSetup();
    const lines: string[] = [];
    const browser = async (startUrl: string): Promise<void> => {
      const { certificate, fingerprint } = await shownCertificate(Number(new URL(startUrl).port));
      expect(lines).toContain(
        `your browser will warn about a certificate that was made for this run; its SHA-256 fingerprint is ${fingerprint}`,
      );
      await walk(startUrl, "approve", trustingFetch(certificate));
    };
    const connected = await connectAccount({
      ...setup.options,
      https: true,
      browser,
      onProgress: (line) => lines.push(line),
    });
    expect(connected).toMatchObject({
      status: "connected",
      redirectUri: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\//),
    });
    expect(readdirSync(setup.options.home).filter((name) => /pem|crt|cert|tls/.test(name))).toEqual(
      [],
    );
    await expect(
      connectAccount({ ...setup.options, https: true, browser: "headless" }),
    ).rejects.toMatchObject({ code: "USAGE_INVALID" });
  });

  it("takes client ID and secret from the account when they are not given again", async () => {
    await using setup = await startSetup();
    await setup.connectByLink({ decision: "approve" });
    await expect(
      connectAccount({ ...setup.options, client: undefined, browser: "headless" }),
    ).resolves.toMatchObject({
      status: "connected",
    });
  });
});

async function startSetup() {
  const provider = await startProvider();
  const folder = makeTemporaryFolder();
  await writeFile(join(folder.path, "pack.ts"), pack);
  const options = {
    file: "pack.ts",
    cwd: folder.path,
    home: join(folder.path, "home"),
    client: { clientId: provider.clientId, clientSecret: provider.clientSecret },
    routes: [`https://login.api.example=${provider.issuer}`],
    redactor: createRedactor(),
  };
  return {
    options,
    async connectByLink({ decision }: { decision: string }) {
      let walking: Promise<TestPage> | undefined;
      const onProgress = (line: string) => {
        const link = /^open this link to continue: (\S+)$/.exec(line)?.[1];
        if (link !== undefined) walking = walk(link, decision);
      };
      const [result] = await Promise.allSettled([
        connectAccount({ ...options, browser: "none", onProgress }),
      ]);
      if (walking === undefined) throw new Error("no link was printed");
      const page = await walking;
      return result.status === "fulfilled"
        ? { page, account: result.value, error: undefined }
        : { page, account: undefined, error: result.reason as unknown };
    },
    async [Symbol.asyncDispose]() {
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}

async function walk(link: string, decision: string, fetch = globalThis.fetch): Promise<TestPage> {
  const browser = createTestBrowser({ fetch });
  let page = await browser.open(link);
  for (let pages = 0; pages < 4 && page.html.includes("<form"); pages++) {
    const button = /<button[^>]*name="(?!decision)(\w+)"[^>]*value="([^"]*)"/.exec(page.html);
    const pressed: Record<string, string> = page.html.includes('data-packsmith="consent"')
      ? { decision }
      : button === null
        ? {}
        : { [String(button[1])]: String(button[2]) };
    page = await browser.submit(page, pressed);
  }
  return page;
}
