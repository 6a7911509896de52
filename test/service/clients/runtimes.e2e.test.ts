import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { builtFile } from "../../../src/shared/own-package.ts";
import { hasChromium, launchChromium } from "../../support/chromium.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTestService } from "../support.ts";

/** A folder in which Deno and Bun are installed. */
const folder = process.env["PACKSMITH_RUNTIMES"];
const run = promisify(execFile);

/** What a program does with the client: it reads, writes, waits, exports, and is refused. */
const PROGRAM = `
  import { createServiceClient } from ${JSON.stringify(builtFile("service.js"))};

  export async function exercise(baseUrl, token, docId) {
    const client = createServiceClient({ baseUrl, token, userAgent: "runtime-test/1" });
    const doc = client.doc(docId);
    const tasks = doc.table("Tasks");
    const list = tasks.records.list({ limit: 10 });
    let rows = 0;
    for await (const row of list) rows += row.values.Due instanceof Date ? 1 : 0;
    const added = { Title: "Added", Due: new Date("2026-05-06T00:00:00Z"), Budget: 5 };
    await client.waitFor(await tasks.records.insert({ rows: [added] }));
    const [found] = await tasks.records.list({ where: { Title: "Added" } }).all();
    const many = Array.from({ length: 150 }, (_, at) => ({ Title: "Many " + at }));
    const { counts } = await tasks.writeRows({ rows: many });
    const text = await doc.page("Start").exportPage({ format: "markdown" });
    const refusal = await client.doc("none").get().catch((error) => error);
    const late = await client.whoami({ signal: AbortSignal.abort("late") }).catch((error) => error);
    return {
      rows,
      syncToken: typeof list.nextSyncToken,
      due: found.values.Due.toISOString(),
      budget: found.values.Budget,
      applied: counts.applied,
      title: text.split("\\n")[0],
      refusal: [refusal.name, refusal.status],
      late,
    };
  }
`;

const EXPECTED = {
  rows: 24,
  syncToken: "string",
  due: "2026-05-06T00:00:00.000Z",
  budget: { amount: 5, currency: "USD" },
  applied: 150,
  title: "# Welcome",
  refusal: ["NotFoundError", 404],
  late: "late",
};

const MAIN = `
  const words = typeof Deno === "undefined" ? process.argv.slice(2) : Deno.args;
  console.log(JSON.stringify(await exercise(...words)));
`;

/** The program of a package for this machine: `@deno/linux-x64-glibc/deno`. */
function findProgram(scope: string, path: string): string {
  const scoped = join(folder ?? "", "node_modules", scope);
  return join(scoped, readdirSync(scoped)[0] ?? "", path);
}

describe("the client runs in", () => {
  let code = "";
  beforeAll(async () => {
    const bundled = await build({
      stdin: { contents: PROGRAM, resolveDir: "/", loader: "js" },
      bundle: true,
      format: "esm",
      platform: "neutral",
      write: false,
    });
    code = bundled.outputFiles[0]?.text ?? "";
  });

  async function runProgram(program: string, ...args: string[]): Promise<unknown> {
    using temporary = makeTemporaryFolder();
    await using test = await startTestService();
    const { url, token, docId } = test.service;
    const file = join(temporary.path, "program.mjs");
    await writeFile(file, code + MAIN);
    const { stdout } = await run(program, [...args, file, url, token, docId], {
      timeout: 120_000,
      env: { PATH: process.env["PATH"], HOME: temporary.path, DENO_NO_UPDATE_CHECK: "1" },
    });
    return JSON.parse(stdout);
  }

  it("Node", async () => {
    expect(await runProgram(process.execPath)).toEqual(EXPECTED);
  });

  it.skipIf(folder === undefined)("Deno", async () => {
    const deno = findProgram("@deno", "deno");
    expect(await runProgram(deno, "run", "--no-config", "--allow-net=127.0.0.1")).toEqual(EXPECTED);
  });

  it.skipIf(folder === undefined)("Bun", async () => {
    expect(await runProgram(findProgram("@oven", "bin/bun"))).toEqual(EXPECTED);
  });

  it.runIf(hasChromium)("a browser, on a page of another origin", async () => {
    await using test = await startTestService();
    const server = createServer((request, response) => {
      const isCode = request.url === "/program.js";
      response.setHeader("Content-Type", isCode ? "text/javascript" : "text/html");
      response.end(isCode ? code : "<!doctype html><title>Program</title>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    try {
      await using browser = await launchChromium();
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      const words = [test.service.url, test.service.token, test.service.docId];
      const result = await page.evaluate(
        `import("/program.js").then(({ exercise }) => exercise(...${JSON.stringify(words)}))`,
      );
      expect(result).toEqual(EXPECTED);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
