import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";

/** What was measured of the page of `packsmith dev`. */
export interface DevFigures {
  /** From the start of the process to the link, in milliseconds: median. */
  readyMs: number;
  /** A process that does nothing, started in turn with it: median. */
  bareMs: number;
  /** From the save to the new result on the page, in milliseconds: median and slowest. */
  save: { medianMs: number; slowestMs: number };
  /** What the page loads, compressed. */
  scriptBytes: number;
  styleBytes: number;
  /** In milliseconds: median. */
  firstPaintMs: number;
  /** The same of a page that is one word and needs no server. */
  barePaintMs: number;
  /**
   * While all rows of a sync are scrolled through: frames a second, and the longest time between
   * two frames.
   */
  scroll: { rows: number; framesPerSecond: number; longestMs: number };
}

const POLL_MS = 20;
const STARTS = 7;
const SAVES = 15;
const LOADS = 9;
const BARE_PAGE = "data:text/html,<!doctype html><title>bare</title><p>word";
const ROWS = 100_000;
/** How many frames the rows are scrolled through in. */
const FRAMES = 180;

const pack = (word: string): string => `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addFormula({
  name: "Greet", description: "Greets somebody.", resultType: "string",
  parameters: [sdk.makeParameter({ type: "string", name: "who", description: "Whom to greet." })],
  execute: async ([who]) => "${word} " + who,
});
pack.addSyncTable({
  name: "Books", identityName: "Book", description: "Books.",
  schema: sdk.makeObjectSchema({
    properties: {
      isbn: { type: sdk.ValueType.String }, title: { type: sdk.ValueType.String }, author: { type: sdk.ValueType.String },
      pages: { type: sdk.ValueType.Number }, price: { type: sdk.ValueType.Number }, lent: { type: sdk.ValueType.Boolean },
    },
    idProperty: "isbn", displayProperty: "title",
  }),
  formula: {
    name: "SyncBooks", description: "Lists books.", parameters: [],
    execute: async (_args, context) => {
      const from = Number(context.sync.continuation?.from ?? 0);
      const result = Array.from({ length: 10_000 }, (_, at) => ({
        isbn: "978-" + (from + at), title: "Title " + (from + at), author: "Author " + (at % 97), pages: at % 900, price: at % 50, lent: at % 3 === 0,
      }));
      return { result, continuation: from + 10_000 < ${ROWS} ? { from: from + 10_000 } : undefined };
    },
  },
});
`;

/** @param work a folder that is forgotten afterwards */
export async function measureDev(work: string): Promise<DevFigures> {
  const folder = join(work, "dev");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pack.ts"), pack("Hello"));
  const starts: number[] = [];
  const bareStarts: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const started = performance.now();
    execFileSync(process.execPath, ["-e", "0"]);
    bareStarts.push(performance.now() - started);
    const server = await startDev(folder);
    starts.push(server.readyMs);
    await server.stop();
  }
  const server = await startDev(folder);
  const browser = await launchChromium();
  try {
    const paints: number[] = [];
    const barePaints: number[] = [];
    for (let load = 0; load < LOADS; load++) {
      paints.push(await firstPaint(browser, server.url));
      barePaints.push(await firstPaint(browser, BARE_PAGE));
    }
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await page.goto(server.url);
    const save = await measureSaves(page, folder, server.origin);
    const scroll = await measureScroll(page, server.origin);
    const measureSize = (name: string) => gzipSync(readFileSync(join("dist/web", name))).byteLength;
    return {
      readyMs: median(starts),
      bareMs: median(bareStarts),
      save,
      scriptBytes: readdirSync("dist/web")
        .filter((name) => /^(?:page|chunk-\w+)\.js$/.test(name))
        .reduce((sum, name) => sum + measureSize(name), 0),
      styleBytes: measureSize("page.css"),
      firstPaintMs: median(paints),
      barePaintMs: median(barePaints),
      scroll,
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

interface DevProcess {
  url: string;
  origin: string;
  readyMs: number;
  stop(): Promise<void>;
}

/** The command as a person starts it. */
async function startDev(folder: string): Promise<DevProcess> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      join(process.cwd(), "dist/bin/packsmith.cjs"),
      "dev",
      "pack.ts",
      "--port",
      "0",
      "--no-open",
      "--json",
    ],
    {
      cwd: folder,
      env: { ...process.env, PACKSMITH_HOME: join(folder, ".home") },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const closed = once(child, "close");
  let text = "";
  child.stdout.setEncoding("utf8");
  for await (const part of child.stdout) {
    text += String(part);
    if (isJson(text)) break;
  }
  const readyMs = performance.now() - started;
  const { url, origin } = JSON.parse(text) as { url: string; origin: string };
  const stop = async (): Promise<void> => {
    child.kill("SIGINT");
    await closed;
  };
  return { url, origin, readyMs, stop };
}

async function firstPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
  const ms = await numberOnPage(page, paint);
  await context.close();
  return ms;
}

/** Saves another greeting again and again, and looks when the page shows it. */
async function measureSaves(
  page: Page,
  folder: string,
  origin: string,
): Promise<DevFigures["save"]> {
  await page.goto(`${origin}/#/run/Greet`);
  await page.getByLabel(/^who/).fill("Ada");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Hello Ada").waitFor();
  // The clock of the page is that of this machine.
  await page.evaluate(
    `globalThis.seen = {}; new MutationObserver(() => { const word = /(Hello\\d*) Ada/.exec(document.querySelector("main").innerText)?.[1];
    if (word && !(word in seen)) seen[word] = performance.timeOrigin + performance.now(); }).observe(document.body, { subtree: true, childList: true, characterData: true })`,
  );
  const times: number[] = [];
  for (let save = 0; save < SAVES; save++) {
    const word = `Hello${save}`;
    const savedMs = performance.timeOrigin + performance.now();
    writeFileSync(join(folder, "pack.ts"), pack(word));
    times.push((await numberOnPage(page, `seen["${word}"]`)) - savedMs);
  }
  return { medianMs: median(times), slowestMs: Math.max(...times) };
}

/** Syncs everything, and scrolls from the first row to the last one. */
async function measureScroll(page: Page, origin: string): Promise<DevFigures["scroll"]> {
  await page.goto(`${origin}/#/run/Books`);
  await page.getByRole("button", { name: "Sync", exact: true }).click();
  await page.getByRole("button", { name: "Run to the end" }).click();
  await page.getByText(/100,000 rows in \d+ pages, complete/).waitFor({ timeout: 60_000 });
  const times = (await page.evaluate(`new Promise((resolve) => {
    const grid = document.querySelector('[role="grid"]');
    const end = grid.scrollHeight - grid.clientHeight;
    const times = [];
    const frame = (now) => {
      times.push(now);
      grid.scrollTop = (end * times.length) / ${FRAMES};
      if (times.length < ${FRAMES}) requestAnimationFrame(frame); else resolve(times);
    };
    requestAnimationFrame(frame);
  })`)) as number[];
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return {
    rows: ROWS,
    framesPerSecond: (1_000 * gaps.length) / (last - first),
    longestMs: Math.max(...gaps),
  };
}

/** Asks the page until there is a number: it evaluates no text by itself. */
async function numberOnPage(page: Page, expression: string): Promise<number> {
  for (;;) {
    const value: unknown = await page.evaluate(expression);
    if (typeof value === "number") return value;
    await wait(POLL_MS);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
