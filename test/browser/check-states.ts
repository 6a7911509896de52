import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OAUTH_PACK } from "../support/account-packs.ts";
import { allFindings } from "../support/axe.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { type DevProject, startDevProject } from "../support/dev.ts";
import { approveLocally } from "../support/dev-browser.ts";
import { EVERY_PART, LARGE_PACK } from "../support/dev-pack.ts";

const PACKS = {
  parts: EVERY_PART,
  oauth: OAUTH_PACK,
  large: LARGE_PACK,
  empty: `import * as sdk from "packsmith";\nexport const pack = sdk.newPack();\n`,
  broken: EVERY_PART.replace('name: "Greet"', 'name: "Greet", nam: "x"')
    .replace('description: "', 'descriptio: "')
    .replace("resultType: ", "resultTyp: "),
} as const;

export interface State {
  pack: keyof typeof PACKS;
  /** What follows `#/` in the address. */
  place: string;
  name: string;
  /** What to do there. Ends when the state is shown. */
  go?: (page: Page) => Promise<unknown>;
}

const run = (page: Page) => page.getByRole("button", { name: /^(Run|Sync)$/ }).click();
const result = (page: Page) => page.getByRole("region", { name: "Result" });
const wait = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

/** In this order: a state may begin with what an earlier one left. */
export const STATES: readonly State[] = [
  { pack: "empty", place: "overview", name: "an empty Pack" },
  { pack: "empty", place: "run", name: "nothing to run" },
  { pack: "empty", place: "accounts", name: "no accounts" },
  { pack: "empty", place: "history", name: "no runs" },
  { pack: "empty", place: "timeline", name: "no requests" },
  { pack: "empty", place: "bundle", name: "the smallest bundle" },
  { pack: "empty", place: "publish", name: "no registry" },
  { pack: "empty", place: "nowhere", name: "a page that is not there" },
  { pack: "broken", place: "overview", name: "problems" },
  { pack: "broken", place: "run", name: "a Pack that cannot run" },
  { pack: "broken", place: "bundle", name: "a bundle with problems" },
  { pack: "large", place: "overview", name: "60 formulas" },
  { pack: "large", place: "run", name: "a long list" },
  {
    pack: "large",
    place: "run",
    name: "a filtered list",
    go: (page) => page.getByRole("searchbox", { name: /^Filter/ }).fill("invoice"),
  },
  {
    pack: "large",
    place: "overview",
    name: "the palette",
    go: async (page) => {
      await page.keyboard.press("Control+K");
      await page.keyboard.type("list");
    },
  },
  {
    pack: "large",
    place: "overview",
    name: "the palette without a match",
    go: async (page) => {
      await page.keyboard.press("Control+K");
      await page.keyboard.type("zzzz");
      await wait(page, "No view, formula or table matches.");
    },
  },
  {
    pack: "large",
    place: "overview",
    name: "the shortcuts",
    go: (page) => page.getByRole("button", { name: "Keyboard shortcuts" }).click(),
  },
  { pack: "parts", place: "overview", name: "one of everything" },
  { pack: "parts", place: "run/Echo", name: "a form with every kind of field" },
  {
    pack: "parts",
    place: "run/Greet",
    name: "a form that lacks a value",
    go: async (page) => {
      await page.getByLabel(/^name/).fill("");
      await run(page);
      await wait(page, "Enter a value for name.");
    },
  },
  {
    pack: "parts",
    place: "run/Greet",
    name: "a value and a console",
    go: async (page) => {
      await page.getByLabel(/^name/).fill("Ada");
      await run(page);
      await wait(page, "Hello, Ada!");
    },
  },
  {
    pack: "parts",
    place: "run/Book",
    name: "a card",
    go: async (page) => {
      await run(page);
      await result(page).locator(".value-card").waitFor();
    },
  },
  {
    pack: "parts",
    place: "run/Book",
    name: "a result as data",
    go: async (page) => {
      await run(page);
      await page.getByRole("button", { name: "Show as data" }).click();
    },
  },
  {
    pack: "parts",
    place: "run/Fail",
    name: "a failed run",
    go: async (page) => {
      await run(page);
      await result(page).getByRole("alert").waitFor();
    },
  },
  { pack: "parts", place: "run/Books", name: "a table before its first page" },
  { pack: "parts", place: "run/Books", name: "rows", go: sync },
  {
    pack: "parts",
    place: "run/Books",
    name: "the columns of rows",
    go: async (page) => {
      await sync(page);
      await page.getByText("Columns", { exact: true }).click();
    },
  },
  {
    pack: "parts",
    place: "run/Books",
    name: "rows of which none match",
    go: async (page) => {
      await sync(page);
      await page.getByRole("searchbox", { name: "Filter rows" }).fill("zzzz");
      await wait(page, "0 shown");
    },
  },
  { pack: "parts", place: "run/Nothing", name: "a formula that is not there" },
  { pack: "parts", place: "history", name: "the history" },
  { pack: "parts", place: "history/1", name: "a run of the history" },
  {
    pack: "parts",
    place: "history/1",
    name: "a run that gets a name",
    go: (page) => page.getByRole("button", { name: "Name this run" }).click(),
  },
  {
    pack: "parts",
    place: "history/1",
    name: "a run that is saved",
    go: (page) => page.getByRole("button", { name: "Save as test" }).click(),
  },
  {
    pack: "parts",
    place: "history/1/2",
    name: "two runs side by side",
    go: async (page) => {
      await page.getByLabel("Show equal parts").check();
    },
  },
  { pack: "parts", place: "history/999", name: "a run that is no longer kept" },
  {
    pack: "parts",
    place: "bundle",
    name: "a file of a bundle",
    go: async (page) => {
      await page.getByRole("listbox").focus();
      await page.getByRole("region", { name: /^About / }).waitFor();
    },
  },
  { pack: "parts", place: "service", name: "no service" },
  {
    pack: "parts",
    place: "service",
    name: "a service with rows",
    go: async (page) => {
      await page.getByRole("button", { name: "Start service" }).click();
      await page.getByRole("grid").waitFor();
    },
  },
  { pack: "parts", place: "service", name: "requests to a service", go: pickTab(/^Requests/) },
  { pack: "parts", place: "service", name: "faults of a service", go: pickTab(/^Faults/) },
  { pack: "parts", place: "service", name: "limits of a service", go: pickTab("Limits") },
  { pack: "parts", place: "service", name: "the Pack of a service", go: pickTab("The Pack") },
  { pack: "oauth", place: "overview", name: "a Pack with accounts" },
  { pack: "oauth", place: "run/WhoAmI", name: "a run that needs an account", go: run },
  { pack: "oauth", place: "accounts", name: "an account that is missing" },
  {
    pack: "oauth",
    place: "accounts",
    name: "the form of a real provider",
    go: async (page) => {
      await page.getByRole("button", { name: "Connect to the real provider" }).click();
      await page.getByText("More options", { exact: true }).click();
    },
  },
  {
    pack: "oauth",
    place: "accounts",
    name: "a connected account",
    go: async (page) => {
      const opened = page.context().waitForEvent("page");
      await page.getByRole("button", { name: "Connect to the local provider" }).click();
      await approveLocally(await opened);
      await page.getByRole("button", { name: "Refresh now: default" }).waitFor();
    },
  },
  {
    pack: "oauth",
    place: "accounts",
    name: "the question before an account is removed",
    go: (page) => page.getByRole("button", { name: "Disconnect… default" }).click(),
  },
  {
    pack: "oauth",
    place: "timeline",
    name: "the requests of a connection",
    go: (page) =>
      page
        .getByRole("region", { name: /^Requests of/ })
        .first()
        .waitFor(),
  },
  { pack: "oauth", place: "timeline", name: "a request", go: openRequest },
  {
    pack: "oauth",
    place: "timeline",
    name: "a request next to a curl command",
    go: async (page) => {
      await openRequest(page);
      await page.getByRole("tab", { name: "Compare" }).click();
      await page.getByLabel("curl command").fill("curl https://tasks.example/me -H 'a: b'");
    },
  },
];

async function sync(page: Page): Promise<void> {
  await page.getByLabel(/^pages/).fill("2");
  await page.getByLabel(/^size/).fill("20");
  await run(page);
  await page.getByRole("grid", { name: "Rows of Books" }).waitFor();
}

function pickTab(name: string | RegExp) {
  return async (page: Page) => await page.getByRole("tab", { name }).click();
}

async function openRequest(page: Page): Promise<void> {
  await page.getByRole("main").locator("button[aria-expanded=false]").first().click();
  await page.getByRole("button", { name: "Copy as curl" }).waitFor();
}

/** The width of the page at 200 % zoom on a window of 1280 pixels. */
const ZOOMED = { width: 640, height: 450 };
const USUAL = { width: 1_280, height: 900 };
/** The parts that are cut at the right edge although nothing there scrolls. */
const CUT = `[...document.querySelectorAll("main *")]
  .filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return width > 0 && right > innerWidth + 1 && !element.closest(".scroller, .grid, pre, .tabs, [role=listbox], .visually-hidden, .treemap");
  })
  .map(({ outerHTML }) => outerHTML.slice(0, 160))
  .slice(0, 3)`;

/** Remembers the elements that react to a pointer or to keys. Runs before the scripts of the page. */
const REMEMBER_LISTENERS = `(() => {
  const add = EventTarget.prototype.addEventListener;
  globalThis.reacting = { pointer: new Set(), keys: new Set() };
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (/^(click|dblclick|mousedown|pointerdown)$/.test(type)) reacting.pointer.add(this);
    if (/^key(down|up)$/.test(type)) reacting.keys.add(this);
    return add.call(this, type, ...rest);
  };
})()`;
/** What reacts to a pointer and can be seen now. Dialogs close when their surroundings are clicked. */
const REACTING = `[...document.querySelectorAll("body *")].filter(
  (element) => reacting.pointer.has(element) && element.getClientRects().length > 0 && !element.matches("dialog"),
)`;
/**
 * What no key can do: neither a control of HTML, nor an element with a tab stop and keys of its own, nor a
 * member of a group with one tab stop whose keys move in it.
 */
const POINTER_ONLY = `(() => {
  const hasKeys = (element) => element !== null && (reacting.keys.has(element) || hasKeys(element.parentElement));
  const isControl = (element) => element.matches("button, a[href], input, select, textarea, summary, label, option");
  const isReached = (element) => {
    if (element.disabled) return true;
    if (isControl(element) && element.tabIndex >= 0) return true;
    if (element.tabIndex >= 0) return hasKeys(element);
    const group = element.parentElement.closest("[role=grid], [role=listbox], [role=tablist], [role=tree], [role=menu], [role=toolbar]");
    return group !== null && hasKeys(element) && (group.tabIndex >= 0 || group.querySelector("[tabindex='0'], button:not([tabindex])") !== null || document.activeElement?.getAttribute("aria-controls") === group.id);
  };
  return ${REACTING}.filter((element) => !isReached(element)).map(({ outerHTML }) => outerHTML.slice(0, 200));
})()`;

/** Checks the page of `packsmith dev` in some of its states. */
export function checkStates(states: readonly State[]): void {
  describe.runIf(hasChromium)("the page", () => checkPage(states));
}

function checkPage(states: readonly State[]): void {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  const devs = new Map<string, DevProject>();
  const pages = new Map<string, Page>();
  beforeAll(async () => {
    browser = await launchChromium();
    for (const name of new Set(states.map(({ pack }) => pack))) {
      const dev = await startDevProject({ "pack.ts": PACKS[name] });
      devs.set(name, dev);
      const context = await browser.newContext({ viewport: USUAL, reducedMotion: "reduce" });
      context.setDefaultTimeout(60_000);
      await context.addInitScript(REMEMBER_LISTENERS);
      const page = await context.newPage();
      await page.goto(dev.server.createLink());
      pages.set(name, page);
    }
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    for (const dev of devs.values()) await dev[Symbol.asyncDispose]();
  });

  it("is checked for elements that no key reaches", async () => {
    const page = pages.get("empty") as Page;
    await page.evaluate(`(() => {
      const box = document.querySelector("main").appendChild(document.createElement("div"));
      box.textContent = "Only for a pointer";
      box.addEventListener("click", () => {});
    })()`);
    expect(await page.evaluate(POINTER_ONLY)).toEqual(["<div>Only for a pointer</div>"]);
  });

  it.each(states)(
    "has no finding of axe, obeys the keyboard, and fits at 200 % zoom: $name",
    async (state) => {
      const { pack, place, go } = state;
      const page = pages.get(pack) as Page;
      const origin = devs.get(pack)?.server.origin ?? "";
      // A new address loads the page again, without what an earlier state opened.
      await page.goto(`${origin}/?state=${states.indexOf(state)}#/${place}`);
      await page.getByRole("main").locator("h2").first().waitFor();
      await go?.(page);
      expect(await page.locator(".pill:empty").count()).toBe(0);
      expect(await page.evaluate(`${REACTING}.length`)).toBeGreaterThan(0);
      expect(await page.evaluate(POINTER_ONLY)).toEqual([]);
      expect(await allFindings(page)).toEqual([]);
      const media = { colorScheme: "dark", forcedColors: "active" } as const;
      try {
        await page.emulateMedia(media);
        expect(await allFindings(page, "color-contrast")).toEqual([]);
        await page.emulateMedia({ ...media, forcedColors: "none" });
        expect(await allFindings(page, "color-contrast")).toEqual([]);
        await page.setViewportSize(ZOOMED);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect({ width, cut: await page.evaluate(CUT) }).toEqual({ width: ZOOMED.width, cut: [] });
      } finally {
        await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
        await page.setViewportSize(USUAL);
      }
    },
  );
}
