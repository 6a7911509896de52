import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { discoverAuthentication } from "../../src/connect/discover-authentication.ts";
import { refreshAccount, revokeAccount } from "../../src/connect/manage-accounts.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { summaryKey } from "../support/accounts.ts";
import { createTestBrowser } from "../support/browser.ts";
import { startOidcAuthority } from "../support/oidc-provider.ts";
import { makeSigningKeys } from "../support/signing-keys.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

// prompt=consent is what this server wants for offline_access; nothing else is added to the definition.
it("connects, renews and revokes at a server with the FAPI 2.0 profile", async () => {
  const keys = makeSigningKeys();
  await using authority = await startOidcAuthority({
    fapi: true,
    keyClient: { clientId: "key-pack", publicJwk: { ...keys.publicJwk, alg: "ES256" } },
  });
  const redactor = createRedactor();
  const { definition, server } = await discoverAuthentication({
    issuer: authority.issuer,
    scopes: ["docs:read", "offline_access"],
    redactor,
  });
  expect(definition).toEqual({
    type: "OAuth2",
    issuer: authority.issuer,
    scopes: ["docs:read", "offline_access"],
    clientAuthentication: "private_key_jwt",
  });
  using folder = makeTemporaryFolder();
  await writeFile(
    join(folder.path, "pack.ts"),
    `import { newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication(${JSON.stringify({ ...definition, additionalParams: { prompt: "consent" } })});
`,
  );
  const home = join(folder.path, "home");
  await mkdir(home, { mode: 0o700 });
  const options = { file: "pack.ts", cwd: folder.path, home, redactor };
  const account = await connectAccount({
    ...options,
    redirectPath: "/oauth/callback",
    client: { clientId: "key-pack", clientSecret: keys.privateKey },
    browser: logIn,
  });
  expect(account).toMatchObject({ status: "connected", renewable: true });
  const paths = authority.requests.map(({ path }) => path);
  expect(paths).toContain(new URL(server.pushedRequestUrl ?? "").pathname);
  const tokenRequest = authority.requests.find(({ path }) => path === "/token");
  expect(tokenRequest?.dpop).toMatch(/^ey/);

  const before = await readTokens(home);
  expect(before?.tokenType).toMatch(/dpop/i);
  await refreshAccount(options);
  expect((await readTokens(home))?.accessToken).not.toBe(before?.accessToken);
  expect(await revokeAccount(options)).toEqual({ revoked: true, warning: undefined });
  expect(authority.tokenRequests.every(({ ok }) => ok)).toBe(true);
});

async function logIn(startUrl: string): Promise<void> {
  const browser = createTestBrowser();
  const isAtCallback = (url: URL) => url.pathname === "/oauth/callback";
  let page = await browser.open(startUrl, isAtCallback);
  for (let pages = 0; pages < 4 && page.html.includes("<form"); pages++) {
    const isLogin = page.html.includes('name="login"');
    const fields = isLogin ? { login: "editor", password: "any" } : {};
    page = await browser.submit(page, fields, isAtCallback);
  }
  await browser.open(page.url.href);
}

async function readTokens(home: string) {
  await using vault = await openVault({ directory: home });
  const [summary] = await vault.list();
  return summary === undefined ? undefined : (await vault.get(summaryKey(summary)))?.tokenSet;
}
