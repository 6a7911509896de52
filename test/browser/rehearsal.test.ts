import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { startDevProject } from "../support/dev.ts";
import { approveLocally, openDevWindow } from "../support/dev-browser.ts";

const TASKS_PACK = readFileSync(
  fileURLToPath(new URL("../../examples/tasks/pack.ts", import.meta.url)),
  "utf8",
);

/** Notes each thing that the result shows, at each change of the page. */
const RECORD_SCREENS = `globalThis.screens = [];
new MutationObserver(() => {
  const { screen } = document.querySelector("[data-screen]")?.dataset ?? {};
  if (screen !== undefined && screens.at(-1) !== screen) screens.push(screen);
}).observe(document.body, { subtree: true, childList: true, attributes: true });`;

describe.runIf(hasChromium)("a Pack that calls the document service", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it("is connected locally and runs, without a set-up of its API", async () => {
    await using dev = await startDevProject({ "pack.ts": TASKS_PACK });
    await using window = await openDevWindow(browser, dev, "run");
    const { page } = window;
    const here = page.getByRole("region", { name: "Account for this run" });
    await page.evaluate(RECORD_SCREENS);
    await page.getByLabel("docId").fill("demoDoc001");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await here.getByText("The run starts when the account is connected.").waitFor();
    await approveLocally(
      await window.tabAfter(() =>
        here.getByRole("button", { name: "Connect to the local provider" }).click(),
      ),
    );
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText("Draft the welcome guide").first().waitFor();
    expect(await result.getByText("ACCOUNT_MISSING").count()).toBe(0);
    // It never said that something failed, and never went back.
    expect(await page.evaluate("screens")).toEqual(["empty", "running", "done"]);
    expect(window.errors).toEqual([]);
  });
});
