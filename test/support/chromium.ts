import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "./find-chromium.ts";

export { hasChromium } from "./find-chromium.ts";

/** Starts the installed browser without a window. `await using` ends it. */
export async function launchChromium(): Promise<Browser & AsyncDisposable> {
  if (chromiumPath === undefined)
    throw new Error("Browser tests need Chromium in CI: install it, or set PACKSMITH_CHROMIUM.");
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  return browser as Browser & AsyncDisposable;
}
