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
    expect(window.errors).toEqual([]);
  });
});
