// Takes a screenshot of each view of packsmith dev with the examples, and writes it to docs/images.
// Options: --out FOLDER, --theme light|dark, --width PIXELS, --only VIEW, --registry-port PORT
// --review FOLDER: instead, the screens of six Packs at three widths in both themes; --only PACK
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { startDevServer } from "../dist/dev/dev-server.js";
import { createPack } from "../dist/publish/registry/create-pack.js";
import { registryAddress } from "../dist/publish/registry/registry-address.js";
import { createRegistryClient } from "../dist/publish/registry/registry-client.js";
import { releaseVersion } from "../dist/publish/registry/registry-versions.js";
import { uploadPacks } from "../dist/publish/registry/upload-pack.js";
import { startService as startRegistry } from "../dist/service/packs/start-service.js";
import { listenOnLoopback } from "../dist/shared/loopback-server.js";
import { createRedactor } from "../dist/shared/redact.js";
import { takeReviewScreens } from "./review-screens.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "docs/images") },
    theme: { type: "string", default: "light" },
    width: { type: "string", default: "1280" },
    only: { type: "string" },
    // The picture of Publish shows it.
    "registry-port": { type: "string", default: "4100" },
    review: { type: "string" },
  },
});
const HEIGHT = 800;
const MAX_BYTES = 175_000;
/** The time in every screenshot, and how far it advances each time the server reads its clock. */
const NOW_MS = Date.UTC(2026, 2, 2, 9, 30);
const TICK_MS = 3;

/** The example for each view, and what to do before the screenshot. */
const PICTURES = [
  ["tasks", "overview", async () => {}],
  ["tasks", "accounts", connectLocally],
  ["tasks", "bundle", lookAtFile],
  ["tasks", "history", compareRuns],
  ["two-way-sync", "service", startService],
  ["two-way-sync", "run/Tasks", syncTasks],
  ["two-way-sync", "timeline", lookAtRequest],
  ["hello-world", "publish", waitForDifference],
  ["mcp", "mcp", callTool],
];
/** What a picture needs besides an example: a folder with a Pack, and a server. */
const STARTED = { "hello-world": publishVersions, mcp: startMcpServer };

const browserPath = [
  process.env["PACKSMITH_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
try {
  if (options.review !== undefined) {
    await takeReviewScreens(browser, options.review, options);
    await browser.close();
    process.exit();
  }
  mkdirSync(options.out, { recursive: true });
  for (const example of ["tasks", "two-way-sync", "hello-world", "mcp"]) {
    const wanted = PICTURES.filter(
      ([of, place]) => of === example && (options.only ?? place).startsWith(place.split("/")[0]),
    );
    if (wanted.length > 0) await takePictures(example, wanted);
  }
} finally {
  await browser.close();
}

async function takePictures(example, pictures) {
  const home = mkdtempSync(join(tmpdir(), "packsmith-screenshots-"));
  const started = await STARTED[example]?.(join(home, example));
  let nowMs = NOW_MS;
  const now = () => {
    nowMs += TICK_MS;
    return nowMs;
  };
  const server = await startDevServer({
    file: "pack.ts",
    cwd: started?.cwd ?? join(root, "examples", example),
    env: started?.env,
    routes: started?.routes,
    home,
    redactor: createRedactor(),
    now,
  });
  try {
    const context = await browser.newContext({
      viewport: { width: Number(options.width), height: HEIGHT },
      colorScheme: options.theme,
      locale: "en-GB",
      timezoneId: "UTC",
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW_MS);
    await page.goto(server.createLink());
    for (const [, place, prepare] of pictures) {
      await page.goto(`${server.origin}/#/${place}`);
      await page.getByRole("main").locator("h2").first().waitFor();
      await prepare(page);
      await page.mouse.move(0, 0);
      const view = place.split("/")[0];
      const path = join(options.out, `${view}.png`);
      await page.screenshot({ path });
      const { size } = statSync(path);
      if (size > MAX_BYTES)
        throw new Error(`${path} is ${size} bytes. The limit is ${MAX_BYTES} bytes.`);
      console.log(`${view.padEnd(10)} ${(size / 1_000).toFixed(0)} kB`);
    }
    await context.close();
  } finally {
    await server.close();
    await started?.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * A copy of the example whose Pack has two versions in a registry of its own, and a change that is
 * not uploaded.
 */
async function publishVersions(cwd) {
  cpSync(join(root, "examples/hello-world"), cwd, { recursive: true });
  let nowMs = NOW_MS - 3 * 24 * 3_600_000;
  const now = () => nowMs;
  const seed = { users: [{ name: "Ada", email: "ada@hello.example" }], docs: [] };
  const service = await startRegistry({ port: Number(options["registry-port"]), seed, now });
  const registry = registryAddress(new URL(service.url).origin, {}, undefined);
  const client = createRegistryClient({ registry, token: service.token });
  const { packId } = await createPack(client, cwd, { name: "Hello World" });
  const upload = (notes) =>
    uploadPacks(["pack.ts"], { cwd, notes, types: false, getClient: async () => client });
  await upload("The first version");
  await releaseVersion(client, packId, { version: "1", notes: "Greets people" });
  nowMs = NOW_MS - 24 * 3_600_000;
  addFormula(cwd, "Goodbye", "Says goodbye to somebody.");
  await upload("Says goodbye, too");
  addFormula(cwd, "Thanks", "Thanks somebody.");
  return {
    cwd,
    close: () => service.close(),
    env: { PACKSMITH_REGISTRY: registry.origin, PACKSMITH_REGISTRY_TOKEN: service.token },
  };
}

/** A Pack with an MCP server, whose host is routed to a server with a few tools. */
async function startMcpServer(folder) {
  const { tools, results } = JSON.parse(
    readFileSync(join(root, "test/browser/fixtures/mcp-tasks.json"), "utf8"),
  );
  const answers = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "tasks", version: "1" },
    }),
    "tools/list": () => ({ tools }),
    "tools/call": ({ name }) => results[name],
  };
  const server = await listenOnLoopback(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request));
    if (id === undefined) return response.writeHead(202).end();
    const result = answers[method]?.(params);
    const error = { code: -32601, message: "There is no such method." };
    const outcome = result === undefined ? { error } : { result };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  }, 0);
  const cwd = join(folder, "tasks");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(
    join(cwd, "pack.ts"),
    `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("mcp.tasks.example");
pack.addMCPServer({ name: "Tasks", endpointUrl: "https://mcp.tasks.example/mcp" });
`,
  );
  return {
    cwd,
    close: () => server.close(),
    routes: [`https://mcp.tasks.example=http://127.0.0.1:${server.port}`],
  };
}

async function callTool(page) {
  await page.getByLabel(/^query/).fill("welcome");
  await page.getByLabel(/^status/).selectOption("open");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("Found 2 tasks.").waitFor();
  await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
}

function addFormula(cwd, name, description) {
  const path = join(cwd, "pack.ts");
  const formula = `pack.addFormula({ name: "${name}", description: "${description}", parameters: [], resultType: "string", execute: async () => "${name}!" });\n`;
  writeFileSync(path, readFileSync(path, "utf8") + formula);
}

async function waitForDifference(page) {
  await page.getByRole("region", { name: "Versions" }).getByText("Says goodbye, too").waitFor();
  await page.getByText("formula Thanks: added").waitFor();
}

/** Connects to the local provider, whose pages open in a new tab. */
async function connectLocally(page) {
  const opened = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "Connect to the local provider" }).click();
  const tab = await opened;
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.getByRole("button", { name: "Allow" }).click();
  await tab.getByText("You can close this tab").or(tab.getByRole("heading")).first().waitFor();
  await page
    .getByRole("region", { name: "Connection for default" })
    .getByText("POST /token")
    .first()
    .waitFor();
  await tab.close();
  await page
    .getByRole("button", { name: "Refresh now: default" })
    .or(page.getByRole("alert"))
    .first()
    .waitFor();
}

/** Two runs that differ in an argument. */
async function compareRuns(page) {
  await page.evaluate('location.hash = "#/run/ListTasks"');
  await page.getByLabel(/^docId/).fill("demoDoc001");
  for (const [limit, rows] of [
    ["2", "3"],
    ["3", "4"],
  ]) {
    await page.getByLabel(/^limit/).fill(limit);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page
      .getByRole("grid")
      .and(page.locator(`[aria-rowcount="${rows}"]`))
      .waitFor();
  }
  await page.evaluate('location.hash = "#/history/1/2"');
  await page.getByText(/^\d+ differences?$/).waitFor();
  await page.getByLabel("Show equal parts").focus();
}

async function lookAtFile(page) {
  await page.locator(".tile").first().waitFor();
  await page.getByRole("listbox").focus();
  await page.getByText("Why it is in the bundle").waitFor();
}

async function startService(page) {
  await page.getByRole("button", { name: "Start service" }).click();
  const grid = page.getByRole("grid", { name: "Tasks" });
  await grid.getByText("Draft the welcome guide").waitFor();
  await page.getByRole("tab", { name: "The Pack" }).click();
  await page.getByRole("button", { name: "Create an account with the service's token" }).click();
  await page.getByRole("button", { name: "Update the account" }).waitFor();
  await page.getByRole("tab", { name: "Edits" }).click();
  await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
}

async function syncTasks(page) {
  await page.getByLabel(/^docId/).fill("demoDoc001");
  await page.getByRole("button", { name: "Sync", exact: true }).click();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText("20 rows in 2 pages").waitFor();
}

async function lookAtRequest(page) {
  await page.getByRole("main").getByRole("button", { name: "limit=10" }).click();
  await page.getByRole("button", { name: /curl/i }).first().waitFor();
}
