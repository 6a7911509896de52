import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { collectPageErrors, startDevProject } from "../support/dev.ts";

const PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addFormula({
  name: "Hello", description: "Greets somebody.",
  parameters: [sdk.makeParameter({ type: "string", name: "who", description: "Whom to greet." })],
  resultType: "string",
  execute: async ([who]) => "Hello " + who,
});
`;

describe.runIf(hasChromium)("the view Overview", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it("opens from the link of the terminal and names the Pack's formulas", async () => {
    await using dev = await startDevProject({ "pack.ts": PACK });
    const page = await browser.newPage();
    const errors = collectPageErrors(page);
    await page.goto(dev.server.url);
    await page.getByText("Greets somebody.").waitFor();
    expect(page.url()).toBe(`${dev.server.origin}/`);
    expect(errors).toEqual([]);
    await page.close();
  });
});
