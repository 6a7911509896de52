import { existsSync } from "node:fs";

const PLACES = [
  process.env["PACKSMITH_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The installed browser, or undefined where there is none. */
export const chromiumPath: string | undefined = PLACES.find(
  (path) => path !== undefined && existsSync(path),
);

/** Whether browser tests run. */
export const hasChromium: boolean = chromiumPath !== undefined;
