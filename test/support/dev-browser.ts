import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { type Canary, findCanaries } from "./canaries.ts";
import { collectPageErrors, type DevProject } from "./dev.ts";

/**
 * A window of the browser that shows one view of packsmith dev, and remembers everything that it
 * was sent.
 */
export interface DevWindow extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** What the page logged as errors. */
  errors: string[];
  show(view: string): Promise<void>;
  /** Clicks, and gives back the tab that opens. */
  tabAfter(click: () => Promise<void>): Promise<Page>;
  /** Searches everything that the page received, shows and keeps. */
  findSecrets(canaries: readonly Canary[]): Promise<string[]>;
}

export async function openDevWindow(
  browser: Browser,
  dev: DevProject,
  view: string,
): Promise<DevWindow> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const errors = collectPageErrors(page);
  const received: string[] = [];
  const reading: Promise<void>[] = [];
  // The stream of events has no end that one could wait for; what is sent is heard at its source.
  const deaf = dev.server.session.events.listen(
    (event) => void received.push(JSON.stringify(event)),
  );
  page.on("response", (response) => {
    if (response.url().endsWith("/api/events")) return;
    const headers = JSON.stringify(response.headers());
    reading.push(
      response.text().then(
        (text) => void received.push(response.url(), headers, text),
        () => void received.push(response.url(), headers),
      ),
    );
  });
  await page.goto(dev.server.createLink());
  const show = async (name: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${name}`)}`);
    await page
      .locator("main h2")
      .filter({ hasText: new RegExp(name, "i") })
      .waitFor();
  };
  await show(view);
  return {
    context,
    page,
    errors,
    show,
    async tabAfter(click) {
      const opened = context.waitForEvent("page");
      await click();
      return await opened;
    },
    async findSecrets(canaries) {
      await Promise.all(reading);
      const kept = await page.evaluate<string>(KEPT);
      const values = await page.evaluate<string[]>(
        '[...document.querySelectorAll("input, textarea")].map(({ value }) => value)',
      );
      return findCanaries(
        [...received, kept, ...values, await page.content()].join("\n"),
        canaries,
      );
    },
    async [Symbol.asyncDispose]() {
      deaf();
      await context.close();
    },
  };
}

const KEPT =
  "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.title, history.state])";

/** Opens everything below a place that can be opened. */
export async function openAll(place: Locator): Promise<void> {
  const closed = place.locator("button[aria-expanded=false]");
  for (let left = await closed.count(); left > 0; left--) await closed.first().click();
}

/** Takes a person through the pages of the local provider. */
export async function approveLocally(
  tab: Page,
  decision: "Allow" | "Deny" = "Allow",
): Promise<void> {
  await tab.getByRole("heading", { name: /^Sign in$|^Allow / }).waitFor();
  // Who has signed in before is known to the provider.
  const signIn = tab.getByRole("button", { name: "Sign in" });
  if (await signIn.isVisible()) await signIn.click();
  await tab.getByRole("button", { name: decision }).click();
  await tab
    .getByText(decision === "Allow" ? "You can close this tab" : "Access was not granted")
    .waitFor();
  await tab.close();
}
