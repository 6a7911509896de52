import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = [
  process.env["PACKSMITH_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The installed browser, or undefined where there is none. */
export const chromiumPath: string | undefined = PLACES.find((path) => path !== undefined && existsSync(path));

/** Whether browser tests can run. Without a browser they are skipped with one line; in CI that is a failure. */
export const hasChromium: boolean = chromiumPath !== undefined || process.env["CI"] !== undefined;

if (!hasChromium) process.stderr.write("browser tests are skipped: no Chromium was found; set PACKSMITH_CHROMIUM to one\n");

/** Starts the installed browser without a window. `await using` ends it. */
export async function launchChromium(): Promise<Browser & AsyncDisposable> {
  if (chromiumPath === undefined) throw new Error("Browser tests need Chromium in CI: install it, or set PACKSMITH_CHROMIUM.");
  const browser = await chromium.launch({ executablePath: chromiumPath, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
  return browser as Browser & AsyncDisposable;
}
