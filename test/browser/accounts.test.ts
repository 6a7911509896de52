import { chmodSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { KEY_PACK, OAUTH_PACK } from "../support/account-packs.ts";
import { summaryKey } from "../support/accounts.ts";
import { seriousFindings } from "../support/axe.ts";
import { isLong } from "../support/breadth.ts";
import { createCanary } from "../support/canaries.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { startDevProject } from "../support/dev.ts";
import { approveLocally, type DevWindow, openDevWindow } from "../support/dev-browser.ts";
import { createDiscoveringPack, enterClient } from "./real-provider.ts";

describe.runIf(hasChromium)("the view Accounts", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const connectLocally = (page: Page) =>
    page.getByRole("button", { name: "Connect to the local provider" }).click();
  const findFlow = ({ page }: DevWindow) =>
    page.getByRole("region", { name: "Connection for default" });

  it("connects with the local provider by clicks, draws the exchange as it goes, refreshes, renews what expired, and revokes", async () => {
    await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
    await using window = await openDevWindow(browser, dev, "accounts");
    const { page } = window;
    const tab = await window.tabAfter(() => connectLocally(page));
    await tab.getByRole("heading", { name: "Sign in" }).waitFor();
    // The diagram grows before anybody has approved.
    await findFlow(window).getByText("the user approves").waitFor();
    expect(await findFlow(window).getByText("POST /token").count()).toBe(0);
    const participants = () => findFlow(window).locator(".head strong").allInnerTexts();
    // The API has no column before it gets a request.
    expect(await participants()).toEqual(["Browser", "packsmith", "Authorization server"]);
    await approveLocally(tab);
    await findFlow(window).getByText("connected", { exact: true }).waitFor();
    expect(await participants()).toEqual(["Browser", "packsmith", "Authorization server", "API"]);

    const messages = await findFlow(window).getByRole("listitem").allInnerTexts();
    expect(messages.map((text) => text.split("\n").slice(0, 2).join(" ").trim())).toEqual([
      "Browser to packsmith: GET /start",
      "packsmith to Browser: 303 to the provider's page",
      "Browser to Authorization server: GET /authorize",
      "Authorization server to Browser: 302 with code, state, iss",
      "Browser to packsmith: GET the redirect URI",
      "packsmith to Authorization server: POST /token",
      "Authorization server to packsmith: 200",
      "packsmith to API: GET /me",
      "API to packsmith: 200",
      "packsmith: Named Local user",
    ]);
    const token = findFlow(window).getByRole("button", { name: "POST /token" });
    await token.click();
    const opened = findFlow(window)
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: "POST /token" }) });
    expect(await opened.innerText()).toMatch(/grant_type\s+authorization_code/);
    expect(await opened.innerText()).toMatch(/code_verifier\s+••••/);

    const row = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: "Local user" }) });
    expect(await row.innerText()).toMatch(/expires in 59 min \d\d s/);
    expect(await row.innerText()).toMatch(/tasks:read\s+tasks:write/);
    await page.getByRole("button", { name: "Refresh now: default" }).click();
    await row.getByText("The account has a new access token.").waitFor();

    // The provider refuses the token although the vault believes in it: it is renewed on the way.
    await page.getByText("Local provider running: strict").click();
    await page.getByRole("button", { name: "Expire all tokens" }).click();
    await page.getByRole("button", { name: "Test default" }).click();
    await row.getByText("The account works. The Pack calls it “Local user”.").waitFor();
    const sent = dev.server.session.traffic
      .list()
      .map(({ method, status, url }) => `${method} ${new URL(url).pathname} ${status}`);
    expect(sent.slice(-3)).toEqual(["GET /me 401", "POST /token 200", "GET /me 200"]);

    await page.getByRole("button", { name: "Disconnect… default" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke and disconnect" }).click();
    await page.getByText("the provider has revoked the tokens of the account").waitFor();
    await row.waitFor({ state: "detached" });
    expect(dev.server.session.traffic.list().at(-1)).toMatchObject({
      url: expect.stringMatching(/\/revoke$/),
      status: 200,
    });
    expect(window.errors).toEqual([]);
  });

  it.runIf(isLong)(
    "says in place why a connection failed, in the words of the terminal, and connects at the next try",
    async () => {
      const opened: string[] = [];
      await using dev = await startDevProject(
        { "pack.ts": OAUTH_PACK },
        { openLink: async (link) => void opened.push(link) },
      );
      await using window = await openDevWindow(browser, dev, "accounts");
      const { page } = window;
      await approveLocally(await window.tabAfter(() => connectLocally(page)), "Deny");
      const notice = findFlow(window).getByRole("alert");
      await notice.waitFor();
      const text = await notice.innerText();
      for (const part of [
        "OAUTH_DENIED",
        "access_denied",
        "Connect again and approve",
        "RFC 6749 §4.1.2.1",
        "pack.ts:4:6",
        "The user denied the request",
      ]) {
        expect(text).toContain(part);
      }
      expect(await notice.getByRole("region").innerText()).toContain(
        "pack.setUserAuthentication({",
      );
      await findFlow(window).getByText("302 with error access_denied").waitFor();
      await notice.getByRole("button", { name: "Open in the editor" }).click();
      await expect.poll(() => opened).toEqual([expect.stringMatching(/pack\.ts:4:6$/)]);
      expect(await seriousFindings(page)).toEqual([]);

      const tab = await window.tabAfter(() =>
        findFlow(window).getByRole("button", { name: "Try again" }).click(),
      );
      await approveLocally(tab);
      await findFlow(window).getByText("connected", { exact: true }).waitFor();
      expect(await notice.count()).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
    },
  );

  it.runIf(isLong)(
    "connects with a code on another device, and shows no participant without a message",
    async () => {
      await using provider = await startProvider({ deviceIntervalSeconds: 0.01 });
      await using dev = await startDevProject({ "pack.ts": createDiscoveringPack(provider) });
      await using window = await openDevWindow(browser, dev, "accounts");
      const { page } = window;
      await enterClient(page, provider, "device");
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      const code = await findFlow(window)
        .getByText(/^[A-Z]{4}-[A-Z]{4}$/)
        .innerText();
      await findFlow(window).getByText("the user enters the code").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      // The device is a browser that shares nothing with the page.
      const elsewhere = await browser.newContext();
      const device = await elsewhere.newPage();
      await device.goto(`${provider.origin}/device`);
      await device.locator('input[name="user_code"]').fill(code);
      await device.locator('button[type="submit"]').first().click();
      await device.getByRole("button", { name: "Sign in" }).click();
      await device.getByRole("button", { name: "Allow" }).click();
      await device.getByText("The device is connected").waitFor();
      await elsewhere.close();
      await findFlow(window).getByText("connected", { exact: true }).waitFor();
      expect(await findFlow(window).locator(".head strong").allInnerTexts()).toEqual([
        "Any device",
        "packsmith",
        "Authorization server",
      ]);
      await page.getByRole("button", { name: "Refresh now: default" }).waitFor();
      expect(window.errors).toEqual([]);
    },
  );

  it("asks for what an account with an API key needs, and keeps it out of the page", async () => {
    await using dev = await startDevProject({ "pack.ts": KEY_PACK });
    await using window = await openDevWindow(browser, dev, "accounts");
    const { page } = window;
    const user = page.getByRole("region", { name: "Each user's account" });
    await user.getByRole("button", { name: "Enter credentials" }).click();
    await user.getByLabel("API token").fill("planted-api-key-7");
    await user.getByLabel("Endpoint").fill("https://elsewhere.example");
    await user.getByRole("button", { name: "Save to vault" }).click();
    await user.getByText("ENDPOINT_OUTSIDE_DOMAIN").waitFor();
    await user.getByRole("button", { name: "Try again" }).click();
    await user.getByLabel("API token").fill("planted-api-key-7");
    await user.getByLabel("Endpoint").fill("https://team.notes.example");
    await user.getByRole("button", { name: "Save to vault" }).click();
    await user.getByRole("heading", { name: "default", exact: true }).waitFor();
    expect(await user.innerText()).toContain("https://team.notes.example");

    const own = page.getByRole("region", { name: "The Pack's own account" });
    await own.getByRole("button", { name: "Enter credentials" }).click();
    await own.getByLabel("User name").fill("robot");
    await own.getByLabel("Password").fill("planted-password-8");
    expect(await seriousFindings(page)).toEqual([]);
    await own.getByRole("button", { name: "Save to vault" }).click();
    await own.getByRole("heading", { name: "default", exact: true }).waitFor();
    expect(
      await window.findSecrets([
        createCanary("key", "planted-api-key-7"),
        createCanary("password", "planted-password-8"),
      ]),
    ).toEqual([]);

    const vaultKey = `${dev.project.path}/.home/vault.key`;
    chmodSync(vaultKey, 0o644);
    await page.reload();
    await page.getByText("VAULT_PERMISSIONS").waitFor();
    chmodSync(vaultKey, 0o600);
    await page.getByRole("button", { name: "Try again" }).click();
    await own.getByRole("heading", { name: "default", exact: true }).waitFor();
    await using vault = await openVault({ directory: `${dev.project.path}/.home` });
    const stored = await Promise.all(
      (await vault.list()).map((summary) => vault.get(summaryKey(summary))),
    );
    expect(stored.map((account) => account?.secrets)).toEqual(
      expect.arrayContaining([
        { token: "planted-api-key-7" },
        { username: "robot", password: "planted-password-8" },
      ]),
    );
  });
});
