import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDevServer } from "../../src/dev/dev-server.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { collectPageErrors } from "../support/dev.ts";
import { approveLocally } from "../support/dev-browser.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Walk {
  file: string;
  /** What its README runs. */
  target: string;
  inputs?: Readonly<Record<string, string>>;
  /** What the result shows. */
  result: string;
  /** @default it has an account, which the page connects to the local provider */
  hasAccount?: boolean;
}

const DOCUMENT = { docId: "demoDoc001" };
const WALKS: readonly Walk[] = [
  {
    file: "templates/blank",
    target: "Hello",
    inputs: { name: "World" },
    result: "Hello World!",
    hasAccount: false,
  },
  {
    file: "templates/api-key",
    target: "ListTasks",
    inputs: { status: "open" },
    result: "Sample title 1",
  },
  { file: "templates/client-credentials", target: "GrantedScopes", result: "profile" },
  { file: "templates/oauth2", target: "MyName", result: "Local user" },
  { file: "templates/monorepo/packs/people", target: "MyName", result: "Local user" },
  { file: "templates/monorepo/packs/tasks", target: "ListTasks", result: "Sample title 1" },
  {
    file: "templates/service",
    target: "TasksByStatus",
    inputs: { ...DOCUMENT, status: "Done" },
    result: "Done",
  },
  // The page starts its local provider for accounts: this API needs --route.
  {
    file: "templates/sync-table",
    target: "Tasks",
    result: "api.tasks.example could not be reached",
    hasAccount: false,
  },
  { file: "templates/two-way", target: "Tasks", result: "Sample title 1" },
  {
    file: "examples/hello-world",
    target: "Hello",
    inputs: { name: "World" },
    result: "Hello World!",
    hasAccount: false,
  },
  { file: "examples/migrated", target: "Book", inputs: { isbn: "978" }, result: "Sample title 1" },
  { file: "examples/per-account-endpoints", target: "Documents", result: "Demo document" },
  { file: "examples/reports", target: "HoursByStatus", inputs: DOCUMENT, result: "Done" },
  {
    file: "examples/tasks",
    target: "ListTasks",
    inputs: DOCUMENT,
    result: "Draft the welcome guide",
  },
  {
    file: "examples/two-way-sync",
    target: "Tasks",
    inputs: DOCUMENT,
    result: "Draft the welcome guide",
  },
];

describe.runIf(hasChromium)("on the page, a template or example", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each(WALKS)(
    "is connected, run, found in the history, and ready to publish: $file",
    async ({ file, target, inputs = {}, result, hasAccount = true }) => {
      using folder = makeTemporaryFolder();
      await using server = await startDevServer({
        file: "pack.ts",
        cwd: copyPack(file, folder.path),
        home: join(folder.path, ".home"),
        redactor: createRedactor(),
      });
      const context = await browser.newContext({ reducedMotion: "reduce" });
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      const errors = collectPageErrors(page);
      const show = (place: string) => page.goto(`${server.origin}/#/${place}`);
      await page.goto(server.createLink());
      await page.getByText("ready", { exact: true }).waitFor();
      if (hasAccount) {
        await show("accounts");
        await connect(page);
      }
      await show(`run/${target}`);
      for (const [name, text] of Object.entries(inputs))
        await page.getByLabel(new RegExp(`^${name}`)).fill(text);
      await page.getByRole("button", { name: /^(Run|Sync)$/ }).click();
      const shown = page.getByRole("region", { name: "Result" });
      await shown.getByText(result).first().waitFor();
      await show("history");
      await page
        .getByRole("list", { name: /^Runs/ })
        .getByText(target, { exact: true })
        .first()
        .waitFor();
      await page.getByRole("region", { name: "Result" }).getByText(result).first().waitFor();
      await show("publish");
      await page.getByRole("heading", { name: "Before the first upload" }).waitFor();
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});

/** A Pack of its own, or the monorepo that it belongs to. @returns the folder of the Pack */
function copyPack(file: string, folder: string): string {
  const [, inside] = /^templates\/monorepo\/(.+)$/.exec(file) ?? [];
  const source = inside === undefined ? file : "templates/monorepo";
  const copy = join(folder, basename(source));
  cpSync(join(root, source), copy, { recursive: true });
  if (inside === undefined) return copy;
  const packages = join(copy, "node_modules/@repo");
  mkdirSync(packages, { recursive: true });
  symlinkSync(join(dirname(dirname(packages)), "packages/api"), join(packages, "api"));
  return join(copy, inside);
}

/** Connects to the local provider; answers its pages and the choice of an endpoint. */
async function connect(page: Page): Promise<void> {
  page.context().on("page", (tab) => void approveLocally(tab).catch(() => {}));
  await page.getByRole("button", { name: "Connect to the local provider" }).click();
  const connected = page.getByRole("button", { name: "Disconnect… default" });
  const choice = page.getByRole("button", { name: "Use this endpoint" });
  await connected.or(choice).first().waitFor();
  if (await choice.isVisible()) await choice.click();
  await connected.waitFor();
}
