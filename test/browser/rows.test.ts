import { text } from "node:stream/consumers";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFindings } from "../support/axe.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { type DevProject, startDevProject } from "../support/dev.ts";
import { EVERY_PART } from "../support/dev-pack.ts";

describe.runIf(hasChromium)("rows of a table", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let dev: DevProject;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    dev = await startDevProject({ "pack.ts": EVERY_PART });
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(dev.server.createLink());
  });
  afterAll(async () => {
    await browser?.close();
    await dev?.[Symbol.asyncDispose]();
  });
  const grid = () => page.getByRole("grid", { name: "Rows of Books" });
  const sync = async (pages: number, size: number): Promise<void> => {
    await page.goto(`${dev.server.origin}/#/run/Books`);
    await page.getByLabel(/^pages/).fill(String(pages));
    await page.getByLabel(/^size/).fill(String(size));
    await page.getByRole("button", { name: "Sync", exact: true }).click();
  };

  it("come continuation by continuation, or all that are left", async () => {
    await sync(4, 250);
    await page.getByText("250 rows in 1 page", { exact: true }).waitFor();
    await page.getByText('{"page":1}').waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("500 rows in 2 pages", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Run to the end" }).click();
    await page.getByText("1,000 rows in 4 pages, complete").waitFor();
    expect(await grid().getAttribute("aria-rowcount")).toBe("1001");
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("can be reached with the keyboard, up to the last one, though only those in sight exist", async () => {
    await sync(20, 5_000);
    await page.getByRole("button", { name: "Run to the end" }).click();
    await page.getByText("100,000 rows in 20 pages, complete").waitFor();
    await grid().focus();
    await page.keyboard.press("Control+End");
    await grid().getByText("978-099999", { exact: true }).waitFor();
    expect(await grid().getByRole("row").count()).toBeLessThan(60);
    await page.keyboard.press("Control+Home");
    await grid().getByText("978-000000", { exact: true }).waitFor();
  });

  it("are sorted, filtered, chosen by column, copied and exported, all 100,000", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await sync(20, 5_000);
    await page.getByRole("button", { name: "Run to the end" }).click();
    await page.getByText("100,000 rows in 20 pages, complete").waitFor();
    const firstRow = () => grid().getByRole("row").nth(1);
    // The heads are the row above the first one.
    await grid().focus();
    for (const key of ["Control+Home", "ArrowUp", "ArrowRight", "ArrowRight", "Enter"])
      await page.keyboard.press(key);
    await grid().locator('[aria-sort="ascending"]').getByText("price").waitFor();
    await page.keyboard.press("Enter");
    await grid().locator('[aria-sort="descending"]').getByText("price").waitFor();
    await firstRow().getByText("€29.00").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const rows = page.getByRole("toolbar", { name: "Rows" });
    await rows.getByRole("searchbox", { name: "Filter rows" }).fill("978-09999");
    await rows.getByText("10 shown").waitFor();
    expect(await grid().getAttribute("aria-rowcount")).toBe("11");
    await rows.getByText("Columns", { exact: true }).click();
    for (const name of ["author", "price", "rating", "bought", "link", "isRead"])
      await rows.getByLabel(name).uncheck();
    expect(await seriousFindings(page)).toEqual([]);
    await rows.getByText("Columns", { exact: false }).first().click();
    await rows.getByRole("button", { name: "Copy rows" }).click();
    await rows.getByText("10 rows copied.").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied.split("\n").slice(0, 2)).toEqual([
      "title\tisbn",
      "The northern garden 99999\t978-099999",
    ]);
    await rows.getByRole("searchbox", { name: "Filter rows" }).fill("");
    await expect.poll(() => grid().getAttribute("aria-rowcount")).toBe("100001");
    const downloads = page.waitForEvent("download");
    await rows.getByRole("button", { name: "Export CSV" }).click();
    const download = await downloads;
    expect(download.suggestedFilename()).toBe("Books.csv");
    const lines = (await text(await download.createReadStream())).split("\r\n");
    expect([lines.length, lines[0]]).toEqual([100_002, "title,isbn"]);
    // The other tests look at all columns.
    await page.evaluate("localStorage.clear()");
    await page.reload();
  });

  it("stop after the page that is under way", async () => {
    await sync(100_000, 10);
    await page.getByRole("button", { name: "Run to the end" }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect.poll(() => page.getByRole("button", { name: "Next page" }).isEnabled()).toBe(true);
    expect(await page.getByRole("status").filter({ hasText: "rows in" }).innerText()).not.toContain(
      "complete",
    );
  });

  it("keep what is edited while other edits are written, and while more rows come", async () => {
    await sync(2, 20);
    await page.getByText("20 rows in 1 page", { exact: true }).waitFor();
    await grid().focus();
    const price = grid().getByRole("row").nth(1).getByRole("gridcell").nth(2);
    const edit = async (value: string): Promise<void> => {
      await page.keyboard.press("F2");
      await page.keyboard.type(value);
      await page.keyboard.press("Enter");
      await grid().locator(".cell.changed").getByText(value).waitFor();
    };
    await price.click();
    await edit("12.5");
    let written: Route | undefined;
    await page.route("**/edit", (route) => {
      written = route;
    });
    await page.getByRole("button", { name: "Write changes" }).click();
    await expect.poll(() => written !== undefined).toBe(true);
    await grid().focus();
    await edit("14.5");
    await written?.continue();
    await page.getByText("1 of 1 row written.").waitFor();
    await page.unroute("**/edit");
    await page.getByText("1 row edited").waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("40 rows in 2 pages, complete").waitFor();
    await grid().press("Control+End");
    await grid().getByText("978-000039", { exact: true }).waitFor();
    await grid().press("Control+Home");
    expect(await grid().locator(".cell.changed").allInnerTexts()).toEqual(["€14.50"]);
    await page.getByRole("button", { name: "Discard" }).click();
    await price.getByText("€12.50").waitFor();
  });

  it("are edited in cells and written together, each with its outcome", async () => {
    await sync(1, 20);
    await page.getByText("20 rows in 1 page, complete").waitFor();
    await grid().focus();
    const cell = (row: number, name: string) =>
      grid().getByRole("row").nth(row).getByRole("gridcell").filter({ hasText: name });
    await cell(1, "€9.50").click();
    await page.keyboard.press("Enter");
    await page.keyboard.type("12.5");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F2");
    await page.keyboard.type("-1");
    await page.keyboard.press("Enter");
    await page.getByText("2 rows edited").waitFor();
    await page.getByRole("button", { name: "Write changes" }).click();
    await page.getByText("1 of 2 rows written.").waitFor();
    await page.getByText("Row 2: A price is not negative.").waitFor();
    await cell(1, "edited").waitFor();
    await cell(1, "€12.50").waitFor();
    await page.getByText("1 row edited").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await cell(2, "€10.00").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });
});
