import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { type LocalProvider, startProvider } from "../../src/provider/provider.ts";
import { OAUTH_PACK } from "../support/account-packs.ts";
import { summaryKey } from "../support/accounts.ts";
import { seriousFindings } from "../support/axe.ts";
import { createCanary } from "../support/canaries.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { type DevProject, startDevProject } from "../support/dev.ts";
import { type DevWindow, openAll, openDevWindow } from "../support/dev-browser.ts";
import { type OidcAuthority, startOidcAuthority } from "../support/oidc-provider.ts";
import { createDiscoveringPack, enterClient } from "./real-provider.ts";

describe.runIf(hasChromium)("the view Accounts, in other ways", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const findFlow = ({ page }: DevWindow) =>
    page.getByRole("region", { name: "Connection for default" });

  it("connects with node-oidc-provider, and none of its secrets reaches the page", async () => {
    await using authority = await startOidcAuthority();
    await using dev = await startDevProject({ "pack.ts": packFor(authority) });
    await using window = await openDevWindow(browser, dev, "accounts");
    const { page } = window;
    await page.getByRole("button", { name: "Connect to the real provider" }).click();
    await page.getByLabel("Client ID").fill(authority.clientId);
    await page.getByLabel("Client secret").fill(authority.clientSecret);
    await page.getByText("More options", { exact: true }).click();
    await page.getByLabel("Path of the redirect URI").fill("/oauth/callback");
    const tab = await window.tabAfter(() =>
      page.getByRole("button", { name: "Connect", exact: true }).click(),
    );
    await tab.locator('input[name="login"]').fill("editor");
    await tab.locator('input[name="password"]').fill("any");
    await tab.locator('button[type="submit"]').click();
    await tab.getByRole("button", { name: "Continue" }).click();
    await tab.getByText("You can close this tab").waitFor();
    await tab.close();
    await findFlow(window).getByText("connected", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Refresh now: default" }).click();
    await page.getByText("The account has a new access token.").waitFor();
    expect(authority.tokenRequests).toEqual([
      { grantType: "authorization_code", ok: true },
      { grantType: "refresh_token", ok: true },
    ]);
    // Everything that can be opened is open.
    await openAll(findFlow(window));
    const accounts = await page.content();
    await window.show("timeline");
    for (const row of await page.locator(".request button").all()) {
      await row.click();
      await page.getByRole("tab", { name: "curl" }).waitFor();
    }
    const vault = await storedSecrets(dev);
    const canaries = [
      ...authority.receivedSecrets,
      ...vault,
      ["client secret", authority.clientSecret] as const,
    ].map(([name, value]) => createCanary(name, value));
    expect([...new Set(canaries.map(({ name }) => name))].sort()).toEqual([
      "access token",
      "client secret",
      "code",
      "code_verifier",
      "refresh token",
      "refresh_token",
    ]);
    expect(await window.findSecrets(canaries)).toEqual([]);
    expect(accounts).toContain("code_verifier");
    expect(window.errors).toEqual([]);
  });

  it("connects by pasting the address of a browser elsewhere, asks again after a wrong one, and keeps the code out of the page", async () => {
    await using provider = await startProvider();
    await using dev = await startDevProject({ "pack.ts": createDiscoveringPack(provider) });
    await using window = await openDevWindow(browser, dev, "accounts");
    const { page } = window;
    const form = await startPasting(page, provider);
    const link = await form.getByRole("link", { name: "the provider's page" }).getAttribute("href");
    expect(await seriousFindings(page)).toEqual([]);
    await form.getByLabel("Address from the browser").fill("https://tasks.example/somewhere-else");
    await form.getByRole("button", { name: "Continue" }).click();
    await form.getByText("is not a redirect URI that contains an authorization code").waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await other.goto(link ?? "");
    await other.getByRole("button", { name: "Sign in" }).click();
    // No server of this machine answers at the address that the browser is sent to.
    const sent = other.waitForRequest((request) => request.url().includes("code="));
    await other.getByRole("button", { name: "Allow" }).click();
    const address = (await sent).url();
    await elsewhere.close();
    await form.getByLabel("Address from the browser").fill(address);
    await form.getByRole("button", { name: "Continue" }).click();
    await findFlow(window).getByText("connected", { exact: true }).waitFor();
    const messages = await findFlow(window).getByRole("listitem").allInnerTexts();
    expect(messages.join("\n")).toContain("the pasted address");
    expect(messages.join("\n")).not.toContain("GET /start");
    await page.getByRole("button", { name: "Refresh now: default" }).waitFor();
    await openAll(findFlow(window));
    const code = new URL(address).searchParams.get("code") ?? "";
    expect(code.length).toBeGreaterThan(10);
    expect(await window.findSecrets([createCanary("code", code)])).toEqual([]);
    expect(window.errors).toEqual([]);
  });

  it("cancels a connection that waits for an address", async () => {
    await using provider = await startProvider();
    await using dev = await startDevProject({ "pack.ts": createDiscoveringPack(provider) });
    await using window = await openDevWindow(browser, dev, "accounts");
    const { page } = window;
    const form = await startPasting(page, provider);
    await form.waitFor();
    await findFlow(window).getByRole("button", { name: "Cancel" }).click();
    await findFlow(window).getByText("cancelled", { exact: true }).waitFor();
    await form.waitFor({ state: "detached" });
  });

  it("connects with the keyboard only", async () => {
    await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
    await using window = await openDevWindow(browser, dev, "accounts");
    const { page } = window;
    await page.getByRole("button", { name: "Connect to the local provider" }).waitFor();
    await focusByTab(page, "Connect to the local provider");
    const tab = await window.tabAfter(() => page.keyboard.press("Enter"));
    await tab.getByRole("button", { name: "Sign in" }).waitFor();
    await focusByTab(tab, "Sign in");
    await tab.keyboard.press("Enter");
    await tab.getByRole("button", { name: "Allow" }).waitFor();
    await focusByTab(tab, "Allow");
    await tab.keyboard.press("Enter");
    await tab.getByText("You can close this tab").waitFor();
    await tab.close();
    await findFlow(window).getByText("connected", { exact: true }).waitFor();
    await focusByTab(page, "Disconnect…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // Who closes the question is back where it was asked.
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Disconnect…");
  });
});

/** Connects to the real provider, as far as the form for the address. */
async function startPasting(page: Page, provider: LocalProvider): Promise<Locator> {
  await enterClient(page, provider, "paste");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  return page.getByRole("form", { name: "Paste the address" });
}

function packFor({ issuer }: OidcAuthority): string {
  return `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({
  type: sdk.AuthenticationType.OAuth2,
  authorizationUrl: "${issuer}/auth",
  tokenUrl: "${issuer}/token",
  scopes: ["docs:read", "offline_access"],
  additionalParams: { prompt: "consent" },
  useProofKeyForCodeExchange: true,
});
`;
}

/** Tab, until the control of this name has the focus. */
async function focusByTab(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate("document.activeElement.textContent.trim()")) === name) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

async function storedSecrets(dev: DevProject): Promise<(readonly [name: string, value: string])[]> {
  await using vault = await openVault({ directory: `${dev.project.path}/.home` });
  const accounts = await Promise.all(
    (await vault.list()).map((summary) => vault.get(summaryKey(summary))),
  );
  return accounts.flatMap((account) => {
    const { accessToken = "", refreshToken = "" } = account?.tokenSet ?? {};
    return [["access token", accessToken] as const, ["refresh token", refreshToken] as const];
  });
}
