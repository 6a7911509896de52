import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { makeAccount } from "../support/accounts.ts";
import { seriousFindings } from "../support/axe.ts";
import { isLong } from "../support/breadth.ts";
import { createCanary, findCanaries } from "../support/canaries.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { collectPageErrors, type DevProject, startDevProject } from "../support/dev.ts";
import { EVERY_PART } from "../support/dev-pack.ts";

const ECHOES = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("api.example");
pack.setUserAuthentication({ type: sdk.AuthenticationType.HeaderBearerToken });
for (const name of ["Echo", "Throw"]) pack.addFormula({
  name, description: "Gives back what the API was sent.",
  parameters: [], resultType: sdk.ValueType.String,
  execute: async (_, context) => {
    const { body, headers } = await context.fetcher.fetch({ method: "GET", url: "https://api.example/me" });
    const text = JSON.stringify(body) + JSON.stringify(headers);
    console.log("told", text);
    if (name === "Throw") throw new sdk.UserVisibleError(text);
    return text;
  },
});
`;

describe.runIf(hasChromium)("the view Run", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let dev: DevProject;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    browser = await launchChromium();
    dev = await startDevProject({ "pack.ts": EVERY_PART });
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    errors = collectPageErrors(page);
    await page.goto(dev.server.createLink());
  });
  afterAll(async () => {
    await browser?.close();
    await dev?.[Symbol.asyncDispose]();
  });

  const result = () => page.getByRole("region", { name: "Result" });
  const open = (name: string) => page.goto(`${dev.server.origin}/#/run/${name}`);
  const run = () => page.getByRole("button", { name: "Run", exact: true }).click();

  it("gives every type of parameter to the Pack as its own type", async () => {
    await open("Echo");
    await page.getByLabel("text", { exact: false }).first().fill('with "quotes", and commas');
    await page.getByLabel(/^number number/).fill("4.5");
    await page.getByLabel(/^flag/).check();
    await page.getByLabel(/^day/).fill("2026-02-03T04:05");
    await page.getByLabel(/^html html/).fill("<b>bold</b>");
    await page.getByLabel(/^image image/).fill("https://pictures.example/a.png");
    await page
      .locator('input[type="file"]')
      .nth(1)
      .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("kept") });
    await expect
      .poll(() => page.getByLabel(/^file file/).inputValue())
      .toMatch(/^http:\/\/127\.0\.0\.1:\d+\/blobs\//);
    const file = await page.getByLabel(/^file file/).inputValue();
    for (const text of ["a,b", "c"]) {
      await page.getByRole("button", { name: "Add to texts" }).click();
      await page.locator('[aria-label^="texts"]').last().fill(text);
    }
    for (const text of ["1", "", "3"]) {
      await page.getByRole("button", { name: "Add to numbers" }).click();
      await page.locator('[aria-label^="numbers"]').last().fill(text);
    }
    await page.getByLabel("Remove span 1").click();
    await page.getByRole("button", { name: "Add key and weight" }).click();
    await page.getByLabel(/^key/).fill("first");
    await page.getByLabel(/^weight/).fill("2");
    await run();
    const shown = await result().locator(".value").innerText();
    expect(JSON.parse(shown)).toEqual([
      'with "quotes", and commas',
      4.5,
      true,
      "2026-02-03T04:05:00.000Z",
      "<b>bold</b>",
      "https://pictures.example/a.png",
      file,
      ["a,b", "c"],
      [1, "left out", 3].map((value) => (value === "left out" ? null : value)),
      "left out",
      "left out",
      "first",
      2,
    ]);
    expect(await (await fetch(file)).text()).toBe("kept");
  });

  it("copies the command that runs the same", async () => {
    await open("Echo");
    await page.getByRole("button", { name: "Copy as command" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(command).toMatch(
      /^packsmith execute pack\.ts Echo 'with "quotes", and commas' 4\.5 true 2026-02-03T04:05 '<b>bold<\/b>' /,
    );
    expect(command).toContain(`'["a,b","c"]' '[1,null,3]' - - first 2`);
  });

  it("marks the field whose value the parameter does not take", async () => {
    await open("Echo");
    await page.getByLabel(/^number number/).fill("four");
    await run();
    await page.getByText('The argument number must be a number, not "four".').first().waitFor();
    expect(await page.getByLabel(/^number number/).getAttribute("aria-invalid")).toBe("true");
  });

  it("offers what the Pack offers, runs with Enter, and shows the console", async () => {
    await open("Greet");
    const name = page.getByRole("combobox", { name: /^name/ });
    await name.fill("gr");
    await page.getByRole("option", { name: "Grace" }).waitFor();
    await name.press("ArrowDown");
    await name.press("Enter");
    expect(await name.inputValue()).toBe("Grace");
    await name.press("Enter");
    await result().getByText("Hello, Grace!").waitFor();
    const console = page.getByRole("region", { name: "Console" });
    await console.getByText("greeting Grace").waitFor();
    await console.getByText("politely").waitFor();
  });

  it("shows results as their schema asks for", async () => {
    await open("Book");
    await run();
    await result().getByRole("link", { name: "The northern winter 7" }).waitFor();
    await result().getByText("M. Okafor · €13.00").waitFor();
    await result().getByRole("button", { name: "Show as data" }).click();
    await result().getByText('"978-000007"').waitFor();
    await open("Price");
    await run();
    await result().getByText("€1,234.50").waitFor();
    await open("Notes");
    await run();
    await result().getByRole("link", { name: "The quiet harbour" }).waitFor();
    await result().getByRole("listitem").getByText("978-000001").waitFor();
    await result().getByText("<b>raw</b> [bad](javascript:alert)").waitFor();
    expect(await result().getByRole("link").count()).toBe(1);
    await open("Cover");
    await run();
    await expect
      .poll(() =>
        result()
          .locator("img")
          .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBe(1);
  });

  it("shows where the Pack threw, and opens the place", async () => {
    await open("Fail");
    await run();
    await result().getByText("Cannot read properties of undefined").waitFor();
    await result()
      .getByRole("region", { name: /Source at pack\.ts:/ })
      .waitFor();
    await result().getByText("return (missing[0] as { name: string }).name;").waitFor();
  });

  it("stops what never ends, outlives what takes all memory, and runs on", async () => {
    await open("Loop");
    await run();
    await page.getByRole("button", { name: "Stop" }).click();
    await result().getByText("The run was stopped.").waitFor();
    await open("Bomb");
    await run();
    await result().getByText("RUN_OUT_OF_MEMORY").waitFor();
    await open("Price");
    await run();
    await result().getByText("€1,234.50").waitFor();
  });

  it("keeps inputs over a reload of the page", async () => {
    await open("Greet");
    await page.getByRole("combobox", { name: /^name/ }).fill("Katherine");
    await page.reload();
    expect(await page.getByRole("combobox", { name: /^name/ }).inputValue()).toBe("Katherine");
  });

  it("works with the keyboard only, and shows where the focus is", async () => {
    await page.goto(`${dev.server.origin}/#/overview`);
    await page.reload();
    await page.getByRole("heading", { level: 2 }).waitFor();
    const focused = () =>
      page.evaluate<{ text: string; outline: string }>(
        "(({ innerText, ariaLabel }, { outlineStyle }) => ({ text: innerText.trim() || ariaLabel, outline: outlineStyle }))(document.activeElement, getComputedStyle(document.activeElement))",
      );
    const isNothingFocused = () =>
      page.evaluate<boolean>("document.activeElement === document.body");
    const tabTo = async (text: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press("Tab");
        const { text: here, outline } = await focused();
        // Just after a reload, a Tab can end on the document itself, which is no stop.
        if (!(await isNothingFocused())) expect(outline).not.toBe("none");
        if (here === text) return;
      }
      throw new Error(`The focus never came to ${text}.`);
    };
    await tabTo("Run");
    await page.keyboard.press("Enter");
    // The list is one stop; the arrow keys move in it.
    await tabTo("Filter formulas and tables");
    for (let presses = 0; (await focused()).text !== "Price" && presses < 40; presses++)
      await page.keyboard.press("ArrowDown");
    expect(await focused()).toMatchObject({ text: "Price", outline: "solid" });
    await page.keyboard.press("Enter");
    await tabTo("Run");
    await page.keyboard.press("Enter");
    await result().getByText("€1,234.50").waitFor();
  });

  it.runIf(isLong)("has no serious accessibility problem, in light and dark", async () => {
    for (const place of ["overview", "run/Echo", "run/Book", "run/Fail"]) {
      await page.goto(`${dev.server.origin}/#/${place}`);
      await page.getByRole("heading", { level: 2 }).waitFor();
      if (place !== "overview") await run();
      if (place !== "overview")
        await expect.poll(() => result().getAttribute("aria-busy")).toBe("false");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFindings(page)).toEqual([]);
      }
    }
  });

  it("shows nothing of a secret that the API gives back: not on the page, not in its storage, not on its network", async () => {
    const secret = "canary+of/the=vault&ok";
    const api = createServer((request, response) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "x-echo": encodeURIComponent(secret),
      });
      response.end(
        JSON.stringify({
          seen: request.headers.authorization,
          form: encodeURIComponent(secret),
          at: request.url,
        }),
      );
    });
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    const { port } = api.address() as AddressInfo;
    const seen: string[] = [];
    const context = await browser.newContext();
    try {
      await using project = await startDevProject(
        { "pack.ts": ECHOES },
        { routes: [`https://api.example=http://127.0.0.1:${port}`] },
      );
      const directory = `${project.project.path}/.home`;
      const key = {
        pack: `${project.project.path}/pack.ts`,
        slot: "user",
        name: "default",
      } as const;
      {
        await using vault = await openVault({ directory });
        await vault.save(
          makeAccount({
            key,
            type: "HeaderBearerToken",
            tokenSet: undefined,
            secrets: { token: secret },
            endpoint: undefined,
            hosts: { credentialDomains: ["api.example"], tokenOrigins: [] },
          }),
        );
      }
      const tab = await context.newPage();
      tab.on("response", async (response) =>
        seen.push(
          response.url(),
          JSON.stringify(response.headers()),
          await response.text().catch(() => ""),
        ),
      );
      tab.on("console", (message) => seen.push(message.text()));
      await tab.goto(project.server.createLink());
      for (const name of ["Echo", "Throw"]) {
        await tab.goto(`${project.server.origin}/#/run/${name}`);
        await tab.getByRole("button", { name: "Run", exact: true }).click();
        await tab.getByRole("region", { name: "Result" }).getByText("Bearer").first().waitFor();
        await tab.getByRole("region", { name: "Console" }).getByText("told").waitFor();
        seen.push(
          await tab.content(),
          await tab.evaluate<string>(
            "JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])",
          ),
        );
      }
      expect(seen.some((text) => text.includes("Bearer ****"))).toBe(true);
      expect(findCanaries(seen.join("\n"), [createCanary("token", secret)])).toEqual([]);
    } finally {
      await context.close();
      api.close();
    }
  });

  it("causes no error of the page, such as a refused script or style", () => {
    expect(errors.filter((text) => !text.includes("400 (Bad Request)"))).toEqual([]);
  });
});
