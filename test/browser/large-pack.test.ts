import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFindings } from "../support/axe.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { collectPageErrors, type DevProject, startDevProject } from "../support/dev.ts";
import { LARGE_PACK } from "../support/dev-pack.ts";

const DESKTOP = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };
const PHONE = { width: 390, height: 844 };
const LAST = "AllOfDeleteRecords";
const LONGEST = "CompareWithPreviousWarehouseInventoryAdjustment";

describe.runIf(hasChromium)("the page of a Pack with 60 formulas and 10 tables", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let api: Server;
  let dev: DevProject;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    browser = await launchChromium();
    api = createServer((request, response) => {
      response.writeHead(request.url?.includes("Merge") ? 404 : 200, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify({ name: "From the API" }));
    });
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    const { port } = api.address() as AddressInfo;
    dev = await startDevProject(
      { "pack.ts": LARGE_PACK },
      { routes: [`https://api.example=http://127.0.0.1:${port}`] },
    );
    context = await browser.newContext({ viewport: DESKTOP, reducedMotion: "reduce" });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    errors = collectPageErrors(page);
    await page.goto(dev.server.createLink());
    await page.getByRole("heading", { level: 2 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await dev?.[Symbol.asyncDispose]();
    api?.close();
  });

  const open = async (place: string, size = DESKTOP): Promise<void> => {
    await page.setViewportSize(size);
    await page.goto(`${dev.server.origin}/#/${place}`);
    await page.getByRole("heading", { level: 2 }).waitFor();
  };
  const nav = () => page.getByRole("navigation", { name: "Formulas and tables" });
  const filter = () => page.getByRole("searchbox", { name: "Filter formulas and tables" });
  const picker = () => page.getByRole("combobox", { name: "Formulas and tables" });
  const form = (name: string) => page.getByRole("form", { name, exact: true });
  const focusedName = () =>
    page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.textContent");
  /** By how much the page is wider than its window. */
  const overflow = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");

  /** Waits until the view has its data: nothing says that it is loading, and no button is busy. */
  const settled = () =>
    expect
      .poll(() =>
        page
          .locator("main")
          .getByText(/^(Loading.*)?…$/)
          .count(),
      )
      .toBe(0);

  describe("Run, on a desktop", () => {
    it("fits the window: only the list scrolls", async () => {
      await open("run/GetInvoice");
      await form("GetInvoice").waitFor();
      expect(
        await page.evaluate("document.documentElement.scrollHeight - innerHeight"),
      ).toBeLessThanOrEqual(0);
    });

    it("has the selected entry in view, in a list that scrolls separately from the page", async () => {
      await open(`run/${LAST}`);
      const entry = nav().getByRole("link", { name: LAST });
      await entry.waitFor();
      await expect
        .poll(async () => (await entry.boundingBox())?.y ?? 1e6)
        .toBeLessThan(DESKTOP.height - 20);
      expect(await page.evaluate("scrollY")).toBe(0);
      expect(await nav().getByRole("link").count()).toBe(70);
    });

    it("filters the list by names and descriptions after the key /, and opens the first match with Enter", async () => {
      await open("run/GetInvoice");
      await form("GetInvoice").waitFor();
      await page.keyboard.press("/");
      expect(await focusedName()).toBe("Filter formulas and tables");
      await page.keyboard.type("delete invoice");
      await nav().getByText("1 of 70").waitFor();
      await page.keyboard.press("ArrowDown");
      expect(await focusedName()).toContain("DeleteInvoice");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await form("DeleteInvoice").waitFor();
      await filter().fill("nothing is called this");
      await nav().getByText("No name or description matches.").waitFor();
      await filter().fill("number 7");
      expect(await nav().getByRole("link").allInnerTexts()).toEqual(["AllOfMergeRecords"]);
      await filter().fill("");
    });

    it("is one stop of the Tab key, which is the selected entry", async () => {
      await open("run/GetInvoice");
      await form("GetInvoice").waitFor();
      await filter().focus();
      await page.keyboard.press("Tab");
      expect(await focusedName()).toContain("GetInvoice");
      await page.keyboard.press("End");
      expect(await focusedName()).toContain(LAST);
      await page.keyboard.press("Home");
      await page.keyboard.press("Tab");
      expect(
        await page.evaluate(
          "document.activeElement.closest('nav, form, [role=separator]').tagName",
        ),
      ).not.toBe("NAV");
    });

    it("breaks long names between their words", async () => {
      await open(`run/${LONGEST}`);
      const lines = await nav()
        .locator("[aria-current] span")
        .first()
        .evaluate((name) => {
          const { document } = globalThis as unknown as {
            document: { createRange(): BrowserRange };
          };
          const texts = [
            ...(name as unknown as { childNodes: Iterable<BrowserNode> }).childNodes,
          ].filter(({ nodeType }) => nodeType === 3);
          // A word on two lines has two boxes.
          return texts.map((text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            return {
              word: text.data,
              boxes: range.getClientRects().length,
              top: range.getClientRects()[0]?.top,
            };
          });
        });
      expect(lines.map(({ word }) => word)).toEqual(LONGEST.match(/[A-Z][a-z]+/g));
      expect(lines.every(({ boxes }) => boxes === 1)).toBe(true);
      expect(new Set(lines.map(({ top }) => top)).size).toBeGreaterThan(1);
    });
  });

  describe("the form", () => {
    it("marks required fields and refuses them empty: with a message, with the focus on the first, and without a run", async () => {
      await open("run/GetTask");
      const field = form("GetTask").getByLabel(/^customerReference/);
      expect(await field.getAttribute("aria-required")).toBe("true");
      expect(
        await form("GetTask")
          .getByLabel(/^maximum/)
          .getAttribute("aria-required"),
      ).toBeNull();
      await form("GetTask").getByRole("button", { name: "Add tag" }).click();
      await form("GetTask").getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("Enter a value for customerReference.").waitFor();
      await page.getByText("Enter a value for tag.").waitFor();
      expect(await field.evaluate((element) => element.matches(":focus"))).toBe(true);
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      await page.getByText("Nothing has run yet").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await field.fill("C-1");
      expect(await page.getByText("Enter a value for customerReference.").count()).toBe(0);
      await form("GetTask").getByLabel(/^tag/).fill("red");
      await field.press("Enter");
      await page.getByRole("region", { name: "Result" }).getByText("From the API").waitFor();
    });
  });

  describe("Run, on a phone", () => {
    it("is a combobox: it shows the name, lists all with the selected one in view, finds by letters, and opens with Enter", async () => {
      await open(`run/${LONGEST}`, PHONE);
      expect(await picker().inputValue()).toBe(LONGEST);
      expect(await nav().count()).toBe(0);
      await picker().click();
      const selected = page.getByRole("option", { selected: true });
      expect(await selected.innerText()).toContain(LONGEST);
      expect(await page.getByRole("option").count()).toBe(70);
      const list = await page
        .getByRole("listbox", { name: "Formulas and tables" })
        .locator("..")
        .boundingBox();
      const box = await selected.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual((list?.y ?? 1e6) - 1);
      expect((box?.y ?? 1e6) + (box?.height ?? 0)).toBeLessThanOrEqual(
        (list?.y ?? 0) + (list?.height ?? 0) + 1,
      );
      await page.keyboard.type("validate in");
      await page.getByRole("option", { name: "ValidateInvoice" }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await picker().inputValue()).toBe(LONGEST);
      await page.keyboard.type("records");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await form("AllOfListRecentlyChangedRecords").waitFor();
      expect(await picker().inputValue()).toBe("AllOfListRecentlyChangedRecords");
      await picker().click();
      await page.getByRole("option", { name: "MergeInvoice" }).click();
      await form("MergeInvoice").waitFor();
      expect(await overflow()).toBeLessThanOrEqual(0);
    });
  });

  describe("a tablet", () => {
    it("has the views below the name, the state and the tools, and a list without a separator", async () => {
      await open(`run/${LONGEST}`, TABLET);
      const box = async (name: string) =>
        await page.getByRole("banner").getByRole("link", { name }).boundingBox();
      const tool = await page.getByRole("button", { name: "Search" }).boundingBox();
      const state = await page.getByRole("banner").getByText("ready").boundingBox();
      const views = await Promise.all(
        ["Overview", "Accounts", "Run", "Timeline", "Service", "Bundle"].map(box),
      );
      expect(new Set(views.map((view) => Math.round(view?.y ?? -1))).size).toBe(1);
      expect(views[0]?.y).toBeGreaterThanOrEqual((tool?.y ?? 1e6) + (tool?.height ?? 0));
      const middle = (of: { y: number; height: number } | null) =>
        (of?.y ?? -1e6) + (of?.height ?? 0) / 2;
      expect(Math.abs(middle(tool) - middle(state))).toBeLessThan(2);
      expect(await picker().count()).toBe(0);
      await nav().getByRole("link", { name: "GetTask", exact: true }).click();
      await form("GetTask").waitFor();
      expect(await page.getByRole("separator").count()).toBe(0);
    });
  });

  describe("the panes of Run", () => {
    const separator = (name = "Width of the list") => page.getByRole("separator", { name });
    const valueNow = async () => Number(await separator().getAttribute("aria-valuenow"));
    const listWidth = async () => Math.round((await nav().boundingBox())?.width ?? 0);

    it("are resized with the keyboard, and keep their width in a new tab", async () => {
      await open("run/GetTask");
      const before = await valueNow();
      expect(await listWidth()).toBe(before);
      await separator().focus();
      await page.keyboard.press("ArrowRight");
      expect(await valueNow()).toBeGreaterThan(before);
      expect(await listWidth()).toBe(await valueNow());
      await page.keyboard.press("Home");
      expect(await valueNow()).toBe(Number(await separator().getAttribute("aria-valuemin")));
      await page.keyboard.press("End");
      const most = Number(await separator().getAttribute("aria-valuemax"));
      expect(await valueNow()).toBe(most);
      expect(await overflow()).toBeLessThanOrEqual(0);
      expect(await seriousFindings(page)).toEqual([]);
      const second = await context.newPage();
      await second.goto(`${dev.server.origin}/#/run/GetTask`);
      await second.getByRole("separator", { name: "Width of the list" }).waitFor();
      expect(
        await second
          .getByRole("separator", { name: "Width of the list" })
          .getAttribute("aria-valuenow"),
      ).toBe(String(most));
      await second.close();
      await page.keyboard.press("Enter");
      expect(await valueNow()).toBe(before);
    });

    it("are resized with the pointer, also the form on a wide screen, and a double click resets them", async () => {
      await open("run/GetTask", { width: 2000, height: 1000 });
      for (const [name, pane] of [
        ["Width of the list", nav()],
        ["Width of the form", form("GetTask")],
      ] as const) {
        const width = async () => Math.round((await pane.boundingBox())?.width ?? 0);
        const before = await width();
        const box = await separator(name).boundingBox();
        const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + 50 };
        await page.mouse.move(at.x, at.y);
        await page.mouse.down();
        await page.mouse.move(at.x + 30, at.y);
        await page.mouse.move(at.x + 120, at.y);
        await page.mouse.up();
        await expect
          .poll(async () => Math.abs((await width()) - before - 120))
          .toBeLessThanOrEqual(2);
        const after = await width();
        await page.mouse.move(at.x + 300, at.y);
        await page.mouse.move(at.x + 310, at.y);
        expect(await width()).toBe(after);
        await separator(name).dblclick();
        await expect.poll(width).toBe(before);
      }
    });
  });

  describe("the command palette", () => {
    it("opens with Ctrl+K, also from a field, finds views, formulas and tables, and goes there", async () => {
      await open("run/GetTask");
      await form("GetTask")
        .getByLabel(/^customerReference/)
        .focus();
      await page.keyboard.press("Control+k");
      const dialog = page.getByRole("dialog", { name: "Go to" });
      const search = dialog.getByRole("combobox");
      expect(await search.evaluate((element) => element.matches(":focus"))).toBe(true);
      await page.keyboard.type("timel");
      expect(await dialog.getByRole("option").first().innerText()).toContain("Timeline");
      expect(await search.getAttribute("aria-activedescendant")).toBe(
        await dialog.getByRole("option").first().getAttribute("id"),
      );
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 2, name: "Timeline" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("invoice");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await form("ListRecentlyChangedInvoice").waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("no such thing");
      await dialog.getByText("No view, formula or table matches.").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await form("ListRecentlyChangedInvoice").waitFor();
    });

    it("opens from a button on a phone", async () => {
      await open("overview", PHONE);
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("dialog").getByRole("option", { name: LAST }).click();
      await form(LAST).waitFor();
    });
  });

  describe("the keyboard shortcuts", () => {
    it("are listed under ?, and single keys can be turned off", async () => {
      await open("timeline");
      await page.keyboard.press("?");
      const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await dialog.waitFor();
      expect(await dialog.locator("kbd").allInnerTexts()).toEqual(
        expect.arrayContaining(["Ctrl+K", "/", "?"]),
      );
      await dialog.getByLabel("Use the shortcuts / and ?").uncheck();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Go to" }).waitFor();
      expect(await dialog.count()).toBe(0);
      await page.keyboard.type("shortcuts");
      await page.keyboard.press("Enter");
      await dialog.getByLabel("Use the shortcuts / and ?").check();
      await page.keyboard.press("Escape");
    });

    it("open one dialog right after another was closed with Escape, and it stays open", async () => {
      await open("timeline");
      for (let times = 0; times < 5; times++) {
        await page.keyboard.press("?");
        await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
        await page.keyboard.press("Escape");
        await page.keyboard.press("Control+k");
        await page.keyboard.type("bundle");
        expect(
          await page.getByRole("dialog", { name: "Go to" }).getByRole("combobox").inputValue(),
        ).toBe("bundle");
        await page.keyboard.press("Escape");
      }
    });

    it("leave / and ? to the text that is being typed", async () => {
      await open("run/GetTask");
      const field = form("GetTask").getByLabel(/^customerReference/);
      await field.fill("");
      await field.pressSequentially("a/b?");
      expect(await field.inputValue()).toBe("a/b?");
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
  });

  describe("an unknown address", () => {
    it.each(["nowhere", "overview/more", "run/GetTask/more"])(
      "is called that: %s",
      async (place) => {
        await open(place);
        await page.getByRole("heading", { level: 2, name: "Page not found" }).waitFor();
        await page.getByText(`#/${place}`).waitFor();
        expect(
          await page.getByRole("navigation", { name: "Views" }).locator("[aria-current]").count(),
        ).toBe(0);
        await page.getByRole("link", { name: "overview", exact: true }).click();
        await page.getByRole("region", { name: "Formulas" }).waitFor();
      },
    );

    it("names the formula that does not exist", async () => {
      await open("run/NoSuchFormula");
      await page.getByText("There is no formula or table named NoSuchFormula").waitFor();
    });
  });

  describe("Overview", () => {
    it("shows signatures with dimmed parameters", async () => {
      await open("overview");
      const signature = page
        .getByRole("region", { name: "Formulas" })
        .getByRole("link", { name: /^GetTask/ });
      expect(await signature.innerText()).toBe(
        "GetTask(customerReference, maximumNumberOfResults?, …tag)",
      );
      const colour = "getComputedStyle(element).color";
      const [name, parameters] = await signature.evaluate(
        (element, read) =>
          // The types of the DOM are not those of the tests.
          new Function(
            "link",
            `return [link, link.querySelector(".parameters")].map((element) => ${read})`,
          )(element) as string[],
        colour,
      );
      expect(parameters).not.toBe(name);
    });
  });

  describe("Timeline, on a phone", () => {
    it("shows method, path and status, and the request and the response in tabs", async () => {
      for (const verb of ["Get", "Merge"])
        await dev.post("/api/runs", { target: `${verb}${"Invoice"}`, args: ["C-7"] });
      await open("timeline", PHONE);
      const group = page.getByRole("region", { name: "Requests of GetInvoice" });
      const row = group.getByRole("row").filter({ hasText: "Get/Invoice" });
      await row.waitFor();
      expect(
        (await row.getByRole("cell").allInnerTexts()).map((text) =>
          text.replace(/\s+/g, " ").trim(),
        ),
      ).toEqual([
        "GET",
        expect.stringMatching(/\/v1\/organizations\/Get\/Invoice\?customer=C-7$/),
        "200",
      ]);
      expect(await row.innerText()).not.toContain("api.example");
      await row.getByRole("button").click();
      await group.getByRole("tabpanel", { name: "Response" }).waitFor();
      expect(await group.getByRole("tab").allInnerTexts()).toEqual([
        "Response",
        "Request",
        "curl",
        "Compare",
      ]);
      await group.getByRole("tabpanel", { name: "Response" }).getByText("From the API").waitFor();
      await group.getByRole("tab", { name: "Response" }).press("ArrowRight");
      await group
        .getByRole("tabpanel", { name: "Request" })
        .getByText("https://api.example/v1/organizations/Get/Invoice")
        .waitFor();
      expect(await overflow()).toBeLessThanOrEqual(0);
      await row.first().getByRole("button").click();
      await open("timeline");
      await row.getByText("https://api.example").waitFor();
      expect(await row.getByRole("cell").count()).toBe(5);
    });
  });

  describe("the tab Compare of a request", () => {
    it("shows what a pasted curl command does differently, with secrets masked, on a desktop and on a phone", async () => {
      await dev.post("/api/runs", { target: "GetTask", args: ["C-8"] });
      await open("timeline");
      // Other runs of the formula are listed, too, and this one may come after them.
      const group = page
        .getByRole("region", { name: "Requests of GetTask" })
        .filter({ hasText: "customer=C-8" });
      await group.getByRole("button", { name: "Get/Task" }).click();
      await group.getByRole("tab", { name: "Compare" }).click();
      const panel = group.getByRole("tabpanel", { name: "Compare" });
      await panel.getByLabel("curl command").fill("wget https://api.example");
      await panel.getByText("This is not a curl command").waitFor();
      await panel
        .getByLabel("curl command")
        .fill(
          `curl 'https://api.example/v1/organizations/Get/Task?customer=C-9' \\\n  -H 'Authorization: Bearer planted-secret' --json '{}'`,
        );
      await panel.getByText("6 differences").waitFor();
      const rows = async () =>
        (await panel.getByRole("row").allInnerTexts())
          .slice(1)
          .map((text) => text.replace(/\s+/g, " ").trim());
      expect(await rows()).toEqual([
        "Method GET POST different",
        "Query customer C-8 C-9 different",
        "Header content-type nothing application/json only in the command",
        "Header accept nothing application/json only in the command",
        "Header authorization nothing Bearer •••• only in the command",
        "Body nothing {} only in the command",
      ]);
      expect(await panel.getByRole("table").innerText()).not.toContain("planted");
      await panel.getByLabel("Show equal parts").check();
      expect((await rows())[1]).toBe(
        "URL https://api.example/v1/organizations/Get/Task https://api.example/v1/organizations/Get/Task same",
      );
      for (const size of [DESKTOP, TABLET, PHONE]) {
        await page.setViewportSize(size);
        expect(await overflow()).toBeLessThanOrEqual(0);
        expect(await seriousFindings(page)).toEqual([]);
      }
      await page.setViewportSize(DESKTOP);
      await panel
        .getByLabel("curl command")
        .fill("curl https://api.example/v1/organizations/Get/Task?customer=C-8");
      await panel.getByText("The requests do not differ.").waitFor();
    });
  });

  it("uses the width of a wide screen", async () => {
    await open("overview", { width: 2200, height: 1200 });
    const box = await page.getByRole("region", { name: "Formulas" }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(2100);
    await open("run/GetTask", { width: 2200, height: 1200 });
    const entry = await form("GetTask").boundingBox();
    const result = await page.getByRole("region", { name: "Result" }).boundingBox();
    expect(result?.x).toBeGreaterThan((entry?.x ?? 1e6) + (entry?.width ?? 0));
  });

  it.each([
    ["a desktop", DESKTOP, "light"],
    ["a desktop", DESKTOP, "dark"],
    ["a tablet", TABLET, "light"],
    ["a tablet", TABLET, "dark"],
    ["a phone", PHONE, "light"],
    ["a phone", PHONE, "dark"],
  ] as const)(
    "has no serious finding of axe, and no overflow, on %s %o in %s",
    async (_name, size, colorScheme) => {
      await page.emulateMedia({ colorScheme });
      for (const place of [
        "overview",
        `run/${LONGEST}`,
        `run/${LAST}`,
        "accounts",
        "timeline",
        "service",
        "bundle",
        "nowhere",
      ]) {
        await open(place, size);
        await settled();
        expect(await seriousFindings(page)).toEqual([]);
        expect(await overflow()).toBeLessThanOrEqual(0);
      }
      for (const key of ["Control+k", "?"]) {
        await page.keyboard.press(key);
        await page.getByRole("dialog").waitFor();
        expect(await seriousFindings(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
    },
  );

  it("shows the problems of a failed build by file, closes and opens them, and never says that it was built", async () => {
    await page.emulateMedia({ colorScheme: "light" });
    await open("overview");
    await page.getByText(/60 formulas, 10 tables · built in \d+ ms/).waitFor();
    dev.project.write("helper.ts", "export const broken = (\n");
    dev.project.write("other.ts", "const other = ;\n");
    dev.project.write("pack.ts", `import "./helper.ts";\nimport "./other.ts";\n${LARGE_PACK}`);
    const problems = page.getByRole("group").filter({ hasText: "helper.ts" });
    await problems.first().waitFor();
    await page.getByText("60 formulas, 10 tables · does not load").waitFor();
    expect(await page.locator("body").innerText()).not.toMatch(/built in/);
    const summary = page.locator("summary").filter({ hasText: "helper.ts" });
    expect(await summary.innerText()).toContain("1 error");
    const source = page.getByRole("region", { name: /^Source at helper\.ts/ });
    expect(await source.isVisible()).toBe(true);
    await summary.click();
    await expect.poll(() => source.isVisible()).toBe(false);
    expect(await page.getByRole("region", { name: /^Source at other\.ts/ }).isVisible()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("causes no error of the page", () => {
    expect(errors).toEqual([]);
  });
});

interface BrowserNode {
  nodeType: number;
  data: string;
}

interface BrowserRange {
  selectNodeContents(node: BrowserNode): void;
  getClientRects(): { length: number; [index: number]: { top: number } };
}
