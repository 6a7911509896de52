import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { AccountsView } from "../../src/dev/wire/accounts.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { OAUTH_PACK } from "../support/account-packs.ts";
import { seriousFindings } from "../support/axe.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { startDevProject } from "../support/dev.ts";
import { approveLocally, openDevWindow } from "../support/dev-browser.ts";

describe.runIf(hasChromium)("an account that a run needs", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const here = (page: Page) => page.getByRole("region", { name: "Account for this run" });
  const result = (page: Page) => page.getByRole("region", { name: "Result" });
  const runButton = (page: Page) => page.getByRole("button", { name: "Run", exact: true });

  it("is connected next to the form, and then the run goes on", async () => {
    await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
    await using window = await openDevWindow(browser, dev, "run");
    const { page } = window;
    await here(page).getByText("WhoAmI needs an account, but no account is connected.").waitFor();
    await runButton(page).click();
    await here(page).getByText("The run starts when the account is connected.").waitFor();
    // The keyboard is where the next step is, and nothing has run.
    expect(await page.evaluate("document.activeElement.textContent")).toBe(
      "Connect to the local provider",
    );
    expect(dev.server.session.runs.get("1")).toBeUndefined();
    expect(await seriousFindings(page)).toEqual([]);
    const tab = await window.tabAfter(() => page.keyboard.press("Enter"));
    await here(page).getByText("the user approves").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await approveLocally(tab);
    await result(page).getByText("Local user").waitFor();
    await here(page).waitFor({ state: "detached" });
    expect(window.errors).toEqual([]);
  });

  it("is not run for before the user chooses Run, and a refused connection can be tried again", async () => {
    await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
    await using window = await openDevWindow(browser, dev, "run");
    const { page } = window;
    const connect = () =>
      here(page).getByRole("button", { name: "Connect to the local provider" }).click();
    await approveLocally(await window.tabAfter(connect), "Deny");
    await here(page).getByText("OAUTH_DENIED").waitFor();
    await approveLocally(
      await window.tabAfter(() => here(page).getByRole("button", { name: "Try again" }).click()),
    );
    await here(page).getByText("The account default is connected.").waitFor();
    await result(page).getByText("Nothing has run yet").waitFor();
    await runButton(page).click();
    await result(page).getByText("Local user").waitFor();
  });

  it("is connected again after the provider refused to renew it", async () => {
    await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
    await using window = await openDevWindow(browser, dev, "accounts");
    const { page } = window;
    await approveLocally(
      await window.tabAfter(() =>
        page.getByRole("button", { name: "Connect to the local provider" }).click(),
      ),
    );
    await page.getByRole("button", { name: "Refresh now: default" }).waitFor();
    // A provider that was started again knows neither the access token nor the refresh token.
    await page.getByText("Local provider running: strict").click();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByText("The local provider for this account has stopped.").waitFor();
    await dev.post("/api/accounts/connect", {
      slot: "user",
      account: "other",
      local: { profile: "strict", tokenSeconds: 3_600 },
    });
    await page.getByText("Local provider running: strict").waitFor();
    await window.show("run");
    await runButton(page).click();
    await here(page)
      .getByText("WhoAmI cannot use the account default. Connect the account again.")
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await approveLocally(
      await window.tabAfter(() =>
        here(page).getByRole("button", { name: "Reconnect default" }).click(),
      ),
    );
    await result(page).getByText("Local user").waitFor();
    await here(page).waitFor({ state: "detached" });
    expect(window.errors).toEqual([]);
  });

  it("is connected again with the scopes that a formula needs, which the page asks for", async () => {
    const declared = OAUTH_PACK.replace(
      'name: "WhoAmI",',
      'name: "WhoAmI", extraOAuthScopes: ["tasks:admin"],',
    );
    await using dev = await startDevProject({ "pack.ts": declared });
    await using window = await openDevWindow(browser, dev, "run");
    const { page } = window;
    await approveLocally(
      await window.tabAfter(() =>
        here(page).getByRole("button", { name: "Connect to the local provider" }).click(),
      ),
    );
    await here(page).getByText("The account default is connected.").waitFor();
    await runButton(page).click();
    await here(page)
      .getByText("WhoAmI needs the scope tasks:admin, which the account default does not have.")
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await approveLocally(
      await window.tabAfter(() =>
        here(page).getByRole("button", { name: "Connect again with this scope" }).click(),
      ),
    );
    await result(page).getByText("Local user").waitFor();
    await here(page).waitFor({ state: "detached" });
    const { slots } = (await (await dev.get("/api/accounts")).json()) as AccountsView;
    expect(slots[0]?.accounts).toMatchObject([
      { name: "default", scopes: ["tasks:read", "tasks:write", "tasks:admin"] },
    ]);
    expect(window.errors).toEqual([]);
  });

  it("keeps what was typed to connect it again when the Pack is saved and runs again", async () => {
    await using provider = await startProvider();
    const declared = OAUTH_PACK.replace(
      'name: "WhoAmI",',
      'name: "WhoAmI", extraOAuthScopes: ["tasks:admin"],',
    );
    const routes = ["login.tasks.example", "tasks.example"].map(
      (host) => `https://${host}=${provider.origin}`,
    );
    await using dev = await startDevProject({ "pack.ts": declared }, { routes });
    const { cwd, home = "" } = dev.server.session.options;
    const client = { clientId: provider.clientId, clientSecret: provider.clientSecret };
    await connectAccount({
      file: "pack.ts",
      cwd,
      home,
      client,
      routes,
      browser: "headless",
      redactor: createRedactor(),
    });
    await using window = await openDevWindow(browser, dev, "run");
    const { page } = window;
    await runButton(page).click();
    await here(page).getByRole("button", { name: "Other ways to connect" }).click();
    await here(page).getByLabel("Client ID").fill("another client");
    const runs = page.waitForResponse((response) => response.url().endsWith("/api/runs"));
    writeFileSync(join(cwd, "pack.ts"), `${declared}\n`);
    await (await runs).finished();
    await expect.poll(() => runButton(page).isEnabled()).toBe(true);
    expect(await here(page).getByLabel("Client ID").inputValue()).toBe("another client");
  });
});
