// Takes the screens that are looked at after a change of the page: six Packs, three widths, both
// themes. They are written outside of the repository.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startDevServer } from "../dist/dev/dev-server.js";
import { listenOnLoopback } from "../dist/shared/loopback-server.js";
import { createRedactor } from "../dist/shared/redact.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const WIDTHS = [1_440, 820, 390];
const THEMES = ["light", "dark"];
const SETTLE_MS = 400;

/**
 * Each Pack: a folder to copy or its source, and the places to look at with what to do there first.
 */
const PACKS = {
  blank: {
    folder: "templates/blank",
    places: [
      ["overview"],
      ["run", runNow],
      ["timeline"],
      ["accounts"],
      ["bundle"],
      ["service"],
      ["publish"],
    ],
  },
  tasks: {
    folder: "examples/tasks",
    places: [
      ["overview"],
      ["accounts", connectLocally],
      ["run/ListTasks", listTasks],
      ["timeline", openFirstRequest],
      ["history"],
      ["history/1/2", waitForComparison],
      ["service"],
    ],
  },
  large: { source: writeLargePack(), places: [["overview"], ["run/GetInvoice"], ["bundle"]] },
  broken: {
    source: writeLargePack().replace("resultType:", "resultTyp:"),
    places: [["overview"], ["run"], ["bundle"], ["publish"]],
  },
  slow: {
    source: writeSlowPack(),
    places: [
      ["run/Slow", startSlowRun],
      ["run/Failing", runNow],
    ],
  },
  rtl: { source: writeRightToLeftPack(), places: [["overview"], ["run", runNow]] },
};

/** @param options.only name of one Pack */
export async function takeReviewScreens(browser, out, { only } = {}) {
  mkdirSync(out, { recursive: true });
  for (const [name, pack] of Object.entries(PACKS))
    if (only === undefined || only === name) await takePack(browser, join(out, name), pack);
}

async function takePack(browser, prefix, { folder, source, places }) {
  const home = mkdtempSync(join(tmpdir(), "packsmith-screens-"));
  const cwd = join(home, "pack");
  if (folder !== undefined) cpSync(join(root, folder), cwd, { recursive: true });
  else mkdirSync(cwd);
  if (source !== undefined) writeFileSync(join(cwd, "pack.ts"), source);
  const api = await startSlowApi();
  const server = await startDevServer({
    file: "pack.ts",
    cwd,
    home,
    redactor: createRedactor(),
    routes: [`https://api.example=http://127.0.0.1:${api.port}`],
  });
  try {
    const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-GB" });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    await page.goto(server.createLink());
    for (const [place, prepare] of places) {
      await page.setViewportSize({ width: WIDTHS[0], height: 900 });
      await page.goto(`${server.origin}/#/${place}`);
      await page.getByRole("main").locator("h2").first().waitFor();
      await prepare?.(page);
      await takeSizes(page, `${prefix}-${place.replaceAll("/", "-")}`);
    }
    await context.close();
  } finally {
    await server.close();
    await api.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function takeSizes(page, prefix) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await setTimeout(SETTLE_MS);
      await page.screenshot({ path: `${prefix}-${width}-${theme}.png` });
    }
  }
}

/** Answers `/slow` after a minute, `/missing` with 404. */
function startSlowApi() {
  return listenOnLoopback(async (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/missing") {
      response.statusCode = 404;
      return response.end('{"error":"There is no such record."}');
    }
    const timer = globalThis.setTimeout(() => response.end("{}"), 60_000);
    response.once("close", () => clearTimeout(timer));
  }, 0);
}

function writeLargePack() {
  const verbs = ["Get", "Create", "Update", "Archive", "Merge", "Compare"];
  const nouns = ["Invoice", "Customer", "Order", "Product", "Payment", "Shipment", "Supplier"];
  const names = [...nouns, "Warehouse", "Contract", "Employee"].flatMap((noun) =>
    verbs.map((verb) => `${verb}${noun}`),
  );
  const formulas = names.map(
    (name, index) => `pack.addFormula({
  name: "${name}", description: "Formula number ${index + 1} of the accounting system.",
  parameters: [sdk.makeParameter({ type: sdk.ParameterType.String, name: "id", description: "Number of the record." })],
  resultType: sdk.ValueType.String, execute: async ([id]) => \`${name} \${id}\`,
});`,
  );
  return `import * as sdk from "packsmith";\nexport const pack = sdk.newPack();\n${formulas.join("\n")}\n`;
}

function writeSlowPack() {
  const formula = (name, path) => `pack.addFormula({
  name: "${name}", description: "Calls an API at ${path}.", parameters: [], resultType: sdk.ValueType.String,
  execute: async (_, { fetcher }) => {
    const { body } = await fetcher.fetch({ method: "GET", url: "https://api.example${path}" });
    return String(body);
  },
});`;
  return `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("api.example");
${formula("Slow", "/slow")}
${formula("Failing", "/missing")}
`;
}

function writeRightToLeftPack() {
  return `import * as sdk from "packsmith";
export const pack = sdk.newPack();
const book = sdk.makeObjectSchema({
  properties: {
    title: { type: sdk.ValueType.String, required: true },
    author: { type: sdk.ValueType.String },
    pages: { type: sdk.ValueType.Number },
  },
  idProperty: "title", displayProperty: "title", featuredProperties: ["author", "pages"],
});
pack.addFormula({
  name: "Books", description: "قائمة الكتب الموجودة في المكتبة (مرتبة حسب العنوان).",
  parameters: [sdk.makeParameter({
    type: sdk.ParameterType.String, name: "search", description: "نص البحث في العنوان.", suggestedValue: "رحلة (1)",
  })],
  resultType: sdk.ValueType.Array, items: book,
  execute: async () => [
    { title: "رحلة إلى مركز الأرض (1)", author: "جول فيرن", pages: 312 },
    { title: "ספר המסעות, כרך 2", author: "דוד כהן", pages: 97 },
    { title: "The long way (3)", author: "A. Writer", pages: 1204 },
  ],
});
`;
}

async function runNow(page) {
  const inputs = page.getByRole("main").locator("form input[type=text], form textarea");
  for (const input of await inputs.all())
    if ((await input.inputValue()) === "") await input.fill("World");
  await page.getByRole("button", { name: /^(Run|Sync)$/ }).click();
  await page.getByRole("region", { name: "Result" }).getByText(/ms/).first().waitFor();
}

async function startSlowRun(page) {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Running…").waitFor();
}

async function connectLocally(page) {
  const opened = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "Connect to the local provider" }).click();
  const tab = await opened;
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.getByRole("button", { name: "Allow" }).click();
  await tab.getByText("You can close this tab").waitFor();
  await tab.close();
  await page.getByRole("button", { name: "Refresh now: default" }).waitFor();
}

async function listTasks(page) {
  await page.getByLabel(/^docId/).fill("demoDoc001");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Draft the welcome guide").first().waitFor();
  await page.getByLabel(/^limit/).fill("3");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("grid").and(page.locator("[aria-rowcount='4']")).waitFor();
}

/** The first and second run differ in an argument. */
async function waitForComparison(page) {
  await page.getByText(/^\d+ differences?$/).waitFor();
}

async function openFirstRequest(page) {
  const request = page.getByRole("main").locator("button[aria-expanded=false]").first();
  await request.click();
  await page.getByRole("button", { name: /curl/i }).first().waitFor();
}
