import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProvider } from "../../src/provider/provider.ts";
import { seriousFindings } from "../support/axe.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { type DevProject, startDevProject } from "../support/dev.ts";
import { type DevWindow, openDevWindow } from "../support/dev-browser.ts";

const PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("api.example");
pack.addFormula({
  name: "Read", description: "Reads a part of the metadata.",
  parameters: [
    sdk.makeParameter({ type: "string", name: "path", description: "What to read." }),
    sdk.makeParameter({ type: "string", name: "apiKey", description: "A key.", optional: true }),
  ],
  resultType: "object",
  schema: sdk.makeObjectSchema({ properties: { path: { type: "string" }, status: { type: "number" } }, displayProperty: "path" }),
  execute: async ([path], context) => {
    const { status } = await context.fetcher.fetch({ method: "GET", url: "https://api.example/.well-known/" + path });
    return { path, status };
  },
});
`;

describe.runIf(hasChromium)("the view History", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let dev: DevProject;
  let window: DevWindow;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    provider = await startProvider();
    dev = await startDevProject(
      { "pack.ts": PACK },
      { routes: [`https://api.example=${provider.origin}`] },
    );
    window = await openDevWindow(browser, dev, "history");
    page = window.page;
  });
  afterAll(async () => {
    await window?.[Symbol.asyncDispose]();
    await dev?.[Symbol.asyncDispose]();
    await provider?.close();
    await browser?.close();
  });
  const runs = () => page.getByRole("list", { name: "Runs, newest first" });

  it("is filled while something runs, and names and filters what ran", async () => {
    await page.getByText("No runs yet").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dev.post("/api/runs", { target: "Read", args: ["openid-configuration", "planted-key"] });
    await dev.post("/api/runs", { target: "Read", args: ["missing"] });
    await runs().getByRole("link").nth(1).click();
    await page.getByRole("button", { name: "Name this run" }).click();
    await page.getByLabel("Name of this run").fill("The good one");
    await page.keyboard.press("Enter");
    await runs().getByText("The good one").waitFor();
    await page.getByLabel("Filter runs").fill("good");
    await page.getByText("1 of 2 runs").waitFor();
    await page.getByLabel("Filter runs").fill("");
    await page.getByLabel("Failed only").check();
    await page.getByText("1 of 2 runs").waitFor();
    await runs().getByText("failed").waitFor();
    await page.getByLabel("Failed only").uncheck();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.content()).not.toContain("planted-key");
  });

  it("compares two runs: arguments, requests and result, with what differs marked", async () => {
    for (const mark of await runs().getByRole("checkbox").all()) await mark.check();
    await page.getByRole("link", { name: "Compare 2 runs" }).click();
    const parts = page.getByRole("region", { name: "Arguments and account" });
    await parts.getByRole("row").filter({ hasText: "path" }).getByText("different").waitFor();
    await parts
      .getByRole("row")
      .filter({ hasText: "apiKey" })
      .getByText("only in the first")
      .waitFor();
    await page.getByText("200 in").waitFor();
    await page
      .getByRole("region", { name: "Result", exact: true })
      .getByText("FETCH_STATUS")
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Second run" }).selectOption({ index: 1 });
    await page.getByText("The runs do not differ.").waitFor();
    await page.getByLabel("Show equal parts").check();
    await parts
      .getByRole("row")
      .filter({ hasText: "apiKey" })
      .getByText("secret, not compared")
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(window.errors).toEqual([]);
  });

  it("goes back to the list", async () => {
    await page.getByRole("link", { name: "All runs" }).click();
    await runs().waitFor();
  });

  it("works with the keyboard only", async () => {
    await page.getByRole("main").focus();
    await page.keyboard.press("/");
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText",
      );
    expect(await focused()).toBe("Filter runs");
    const tabTo = async (name: RegExp, key = "Tab"): Promise<void> => {
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press(key);
        if (name.test(await focused())) return;
      }
      throw new Error(`${String(name)} cannot be reached with ${key}.`);
    };
    for (const mark of await runs().getByRole("checkbox").all()) await mark.uncheck();
    await tabTo(/^Compare Read/);
    await page.keyboard.press("Space");
    await tabTo(/^Compare The good one/);
    await page.keyboard.press("Space");
    await tabTo(/^Compare 2 runs$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Arguments and account", exact: true }).waitFor();
    await page.goto(`${dev.server.origin}/#/history`);
  });

  it("runs something again, or opens it in the form, or gives it as a command", async () => {
    await page.goto(`${dev.server.origin}/#/history/1`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy as command" }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      'packsmith execute pack.ts Read openid-configuration "$API_KEY"',
    );
    await page.getByRole("button", { name: "Run again" }).click();
    await expect.poll(() => page.url()).toContain("#/history/3");
    await runs().getByText("3 runs").or(page.getByText("3 runs")).waitFor();
    await page.getByRole("button", { name: "Save as test" }).click();
    await page.getByRole("button", { name: "Run and save" }).click();
    await page.getByText("Saved test/read.test.ts").waitFor();
    await page.getByRole("button", { name: "Edit and run" }).click();
    await expect.poll(() => page.getByLabel(/^path/).inputValue()).toBe("openid-configuration");
    expect(await page.getByLabel(/^apiKey/).inputValue()).toBe("");
    expect(await seriousFindings(page)).toEqual([]);
  });
});
