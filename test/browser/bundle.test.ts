import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFindings } from "../support/axe.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { collectPageErrors, type DevProject, startDevProject } from "../support/dev.ts";

const PACK = `import * as sdk from "packsmith";
import { greet } from "./greet.ts";
export const pack = sdk.newPack();
pack.addFormula({
  name: "Hello", description: "Greets somebody.", parameters: [], resultType: "string", execute: async () => greet("World"),
});
`;
const GREET = 'export const greet = (who: string) => "Hello " + who;\n';
const LONGER = `import { words } from "./words.ts";\nexport const greet = (who: string) => words.join(" ") + who;\n`;
const WORDS = `export const words = ${JSON.stringify(Array.from({ length: 300 }, (_, at) => `word number ${at}`))};\n`;

describe.runIf(hasChromium)("the view Bundle", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let dev: DevProject;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    browser = await launchChromium();
    dev = await startDevProject({ "pack.ts": PACK, "greet.ts": GREET });
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    errors = collectPageErrors(page);
    await page.goto(dev.server.createLink());
    await page.getByRole("link", { name: "Bundle" }).click();
  });
  afterAll(async () => {
    await browser?.close();
    await dev?.[Symbol.asyncDispose]();
  });
  const tiles = () => page.getByRole("listbox").getByRole("option");
  // A tile's title is its name.
  const tile = (path: string) =>
    page.getByRole("listbox").getByRole("option", { name: `${path}, ` });
  const findArea = (path: string) =>
    tile(path)
      .locator("rect")
      .evaluate((rect) => Number(rect.getAttribute("width")) * Number(rect.getAttribute("height")));

  it("shows every file as a tile and as a row", async () => {
    await tile("greet.ts").waitFor();
    const names = (await tiles().all()).map(
      async (each) => (await each.locator("title").textContent())?.split(",")[0],
    );
    const rows = await page.getByRole("table").getByRole("row").getByRole("button").allInnerTexts();
    expect((await Promise.all(names)).sort()).toEqual(rows.sort());
    await page.getByText("no changes").first().waitFor();
  });

  it("shows why a file is in the bundle, with the keyboard only", async () => {
    await page.getByRole("listbox").focus();
    await page.keyboard.press("Home");
    for (
      let step = 0;
      step < 20 && (await tile("greet.ts").getAttribute("aria-selected")) !== "true";
      step++
    )
      await page.keyboard.press(step % 2 === 0 ? "ArrowRight" : "ArrowDown");
    await page
      .getByRole("region", { name: "About greet.ts" })
      .getByRole("button", { name: "pack.ts" })
      .click();
    await page.getByText("This is the entry file of the Pack.").waitFor();
  });

  it("grows after an edit, and shows what grew", async () => {
    const before = await findArea("greet.ts");
    dev.project.write("words.ts", WORDS);
    dev.project.write("greet.ts", LONGER);
    await tile("words.ts").waitFor();
    expect(await findArea("words.ts")).toBeGreaterThan(100 * (await findArea("greet.ts")));
    expect(await findArea("greet.ts")).not.toBe(before);
    await page
      .getByRole("region", { name: /^Since the start/ })
      .getByText("words.ts")
      .waitFor();
    expect(await tile("words.ts").getAttribute("class")).toContain("grown");
    await page.getByLabel("Compare with").selectOption("save");
    await page
      .getByRole("region", { name: /^Since the previous save/ })
      .getByText("words.ts")
      .waitFor();
  });

  it("keeps the treemap while the Pack does not build", async () => {
    dev.project.write("greet.ts", "export const greet = (");
    await page.getByText("previous version, because the current version does not build").waitFor();
    expect(await tile("words.ts").count()).toBe(1);
    dev.project.write("greet.ts", LONGER);
    await expect
      .poll(() =>
        page.getByText("previous version, because the current version does not build").count(),
      )
      .toBe(0);
  });

  it("says by how much the bundle is over its budget, which the browser keeps", async () => {
    await page.getByLabel("Budget in kB").fill("2");
    await page.getByText(/kB over$/).waitFor();
    await page.reload();
    await page.getByText(/kB over$/).waitFor();
    await page.getByLabel("Budget in kB").fill("");
    await page.getByText("The limit for a Pack is 5.0 MB.").waitFor();
  });

  it.each(["light", "dark"] as const)(
    "has no serious finding of axe in %s",
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.getByRole("listbox").focus();
      await page.getByRole("region", { name: /^About / }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );
});
