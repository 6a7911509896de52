// Takes a picture of each view of packsmith dev, with the example of tasks, and writes them to docs/images.
// Options: --out FOLDER, --theme light|dark, --width PIXELS, --only VIEW
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { startDevServer } from "../dist/harness/dev/dev-server.js";
import { createRedactor } from "../dist/redact.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "docs/images") },
    theme: { type: "string", default: "light" },
    width: { type: "string", default: "1280" },
    only: { type: "string" },
  },
});
const HEIGHT = 800;
const MAX_BYTES = 150_000;
/** The present of every picture. */
const NOW_MS = Date.UTC(2026, 2, 2, 9, 30);

/** Views, and what makes each of them worth looking at. */
const VIEWS = {
  overview: async () => {},
  accounts: async () => {},
  run: async () => {},
  timeline: async () => {},
  service: async (page) => {
    const start = page.getByRole("button", { name: "Start the service" });
    const grid = page.getByRole("grid");
    await start.or(grid).first().waitFor();
    if (await start.isVisible()) await start.click();
    await page.getByRole("grid").getByText("Draft the welcome guide").first().waitFor();
  },
  bundle: async (page) => {
    await page.locator(".tile").first().waitFor();
    await page.getByRole("listbox").focus();
    await page.getByText("Why it is in the bundle").waitFor();
  },
};

const browserPath = [process.env["PACKSMITH_CHROMIUM"], "/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
const home = mkdtempSync(join(tmpdir(), "packsmith-screenshots-"));
const server = await startDevServer({
  file: "examples/tasks/pack.ts",
  cwd: root,
  home,
  redactor: createRedactor(),
  now: () => NOW_MS,
});
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
try {
  mkdirSync(options.out, { recursive: true });
  const page = await browser.newPage({
    viewport: { width: Number(options.width), height: HEIGHT },
    colorScheme: options.theme,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  await page.clock.setFixedTime(NOW_MS);
  await page.goto(server.url);
  for (const [view, prepare] of Object.entries(VIEWS)) {
    if (options.only !== undefined && options.only !== view) continue;
    await page.goto(`${server.origin}/#/${view}`);
    await page.getByRole("main").locator("> *").first().waitFor();
    await prepare(page);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && !document.activeElement.matches("[role=listbox]") && document.activeElement.blur());
    const path = join(options.out, `${view}.png`);
    await page.screenshot({ path });
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, and ${MAX_BYTES} are allowed.`);
    console.log(`${view.padEnd(10)} ${(size / 1_000).toFixed(0)} kB`);
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(home, { recursive: true, force: true });
}
