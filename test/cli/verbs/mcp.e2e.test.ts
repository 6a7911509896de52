import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { startProvider } from "../../../src/provider/provider.ts";
import { hello, packSource } from "../../publish/registry/registry.ts";
import { OAUTH_PACK } from "../../support/account-packs.ts";
import { isLong } from "../../support/breadth.ts";
import { startCliServer } from "../../support/cli.ts";
import { makeProject } from "../../support/project.ts";
import { startToolsClient } from "../../support/tools-client.ts";

/** An assistant reads all of this before its first call. */
const MAX_TOOLS = 13;
const MAX_INPUT_BYTES = 8_192;
const MAX_OUTPUT_BYTES = 36_864;

const THROWING = `import { MissingScopesError, newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addFormula({
  name: "Fail",
  description: "Fails.",
  parameters: [],
  resultType: ValueType.String,
  execute: async () => {
    throw new MissingScopesError();
  },
});
`;

const TARGETS_PACK = `import { makeParameter, newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
pack.addFormula({
  name: "Count",
  description: "Counts tasks.",
  parameters: [
    makeParameter({
      type: "string",
      name: "status",
      description: "Which tasks.",
      autocomplete: ["open", "done"],
    }),
  ],
  resultType: "number",
  execute: async ([status], context) => {
    const url = "https://tasks.example/count?status=" + status;
    const { body } = await context.fetcher.fetch({ method: "GET", url, headers: { "X-Team": "tea" } });
    return body.count;
  },
});
`;

describe("packsmith mcp", () => {
  it("offers few tools, each with a description that stands on its own, and schemas", async () => {
    await using test = await startToolsClient({});
    const { tools } = await test.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...["list_targets", "validate", "build", "execute", "explain_code", "diff_live"],
      ...["read_requests", "search_docs", "dev_run", "dev_requests", "dev_connection"],
    ]);
    expect(tools.length).toBeLessThanOrEqual(MAX_TOOLS);
    const measureSize = (part: (tool: Tool) => object) =>
      Buffer.byteLength(JSON.stringify(tools.map(part)));
    const inputs = measureSize(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    expect(inputs).toBeLessThan(MAX_INPUT_BYTES);
    expect(measureSize(({ outputSchema }) => ({ outputSchema }))).toBeLessThan(MAX_OUTPUT_BYTES);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([name, title, description]).toEqual([name, expect.any(String), expect.any(String)]);
      expect(JSON.stringify([description, inputSchema])).not.toMatch(/see below|--\w/);
      expect(outputSchema?.["type"]).toBe("object");
      expect(Object.keys(annotations ?? {}).sort()).toEqual([
        ...["destructiveHint", "openWorldHint", "readOnlyHint"],
      ]);
    }
    const { properties } = tools.find(({ name }) => name === "execute")?.inputSchema ?? {};
    expect(properties).toMatchObject({
      network: { enum: ["live", "blocked", "recorded"] },
      maxRows: { type: "integer" },
    });
  });

  it("validates, builds, executes and explains as the commands do", async () => {
    await using test = await startToolsClient({
      "pack.ts": packSource(hello()),
      "wrong.ts": packSource(hello("Greets.", "Not a name")),
      "throwing.ts": THROWING,
      "unloaded.ts": `${packSource(hello())}throw new RangeError("No.");\n`,
    });
    expect(await test.call("validate")).toEqual({ ok: true, issues: [] });
    expect(await test.call("validate", { files: ["wrong.ts"] })).toMatchObject({
      ok: false,
      issues: [{ file: "wrong.ts", line: 5 }],
    });
    expect(await test.call("build", { files: ["pack.ts", "wrong.ts"] })).toMatchObject({
      ok: false,
      packs: [{ name: "greetings" }],
    });
    expect(await test.call("execute", { file: "pack.ts", target: "Hello" })).toMatchObject({
      ok: true,
      result: "Hello!",
    });
    expect(await test.call("execute", { target: "Hallo" })).toMatchObject({
      error: { code: "FORMULA_UNKNOWN" },
    });
    expect(await test.call("execute", { target: "Hello", network: "recorded" })).toMatchObject({
      error: {
        code: "CASSETTE_INVALID",
        hint: "Record the run again with --record. A tool cannot pass --record: ask the user to run the command in a terminal.",
      },
    });
    const throwing = { file: "throwing.ts", target: "Fail" };
    expect((await test.call("execute", throwing)).error?.thrown).toBe("MissingScopesError");
    expect(await test.call("build", { files: ["unloaded.ts"] })).toMatchObject({
      ok: false,
      issues: [{ code: "PACK_LOAD_FAILED", thrown: "RangeError" }],
    });
    expect(await test.call("explain_code", { code: "PARAMETER_ORDER" })).toMatchObject({
      ok: true,
      code: "PARAMETER_ORDER",
    });
    const { sections } = await test.call("search_docs", { query: "refresh token rotation" });
    expect(sections).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ page: expect.stringMatching(/^docs\/.*\.md$/) }),
      ]),
    );
  }, 60_000);

  it("lists what can be run, with choices that need no request, and shows what a run sent", async () => {
    await using test = await startToolsClient({ "pack.ts": TARGETS_PACK });
    const { targets } = await test.call("list_targets");
    expect(targets).toEqual([
      {
        target: "Count",
        kind: "formula",
        description: "Counts tasks.",
        connection: "none",
        parameters: [
          expect.objectContaining({
            name: "status",
            type: "string",
            isOptional: false,
            isRepeated: false,
            choices: [
              { display: "open", value: "open" },
              { display: "done", value: "done" },
            ],
          }),
        ],
      },
    ]);
    expect(await test.call("read_requests")).toEqual({ ok: true, target: null, requests: [] });
    const count = { file: "pack.ts", target: "Count", args: ["open"], network: "blocked" };
    expect((await test.call("execute", count)).error).toMatchObject({
      code: "FETCH_FAILED",
      hint: 'To send requests, run the formula with network: "live".',
    });
    expect(await test.call("read_requests")).toMatchObject({
      target: "Count",
      requests: [{ id: 1, method: "GET", url: "https://tasks.example/count?status=open" }],
    });
    expect(await test.call("read_requests", { id: 1 })).toMatchObject({
      request: { requestHeaders: { "X-Team": "tea" } },
    });
  }, 60_000);

  it("reaches only files of the project, and reads nothing that it is given as an option", async () => {
    await using test = await startToolsClient({ "pack.ts": packSource(hello()) });
    using elsewhere = makeProject({ "pack.ts": packSource(hello()) });
    mkdirSync(join(test.project.path, "packs"));
    symlinkSync(elsewhere.path, join(test.project.path, "packs", "link"));
    // A name that looks like a pattern, and a pattern that does not look like a path from the root.
    symlinkSync(join(elsewhere.path, "pack.ts"), join(test.project.path, "link[1].ts"));
    symlinkSync(elsewhere.path, join(test.project.path, "link[2]"));
    const outside = [
      "/etc/hosts",
      "../pack.ts",
      join(elsewhere.path, "pack.ts"),
      "packs/link/pack.ts",
      "packs/../../*.ts",
      `${elsewhere.path}/*.ts`,
      `${elsewhere.path}/*.ts`.replaceAll("/", "\\"),
      "link[1].ts",
      "link[2]/pack.ts",
    ];
    for (const file of outside) {
      expect([file, (await test.call("validate", { files: [file] })).error?.code]).toEqual([
        file,
        "USAGE_INVALID",
      ]);
      expect([file, (await test.call("execute", { file, target: "Hello" })).error?.code]).toEqual([
        file,
        "USAGE_INVALID",
      ]);
      expect([file, (await test.call("dev_run", { file })).error?.code]).toEqual([
        file,
        "USAGE_INVALID",
      ]);
    }
    for (const text of ["nul \0", "x".repeat(3_000_000)])
      expect(
        (await test.call("execute", { file: "pack.ts", target: "Hello", args: [text] })).error
          ?.code,
      ).toBe("USAGE_INVALID");
    // A file of this name does not exist; an option of this name would.
    expect((await test.call("build", { files: ["--out-dir=elsewhere"] })).error?.code).toBe(
      "PACK_FILE_UNREADABLE",
    );
    const unknown = await test.client.callTool({
      name: "build",
      arguments: { outDir: "elsewhere" },
    });
    expect(unknown.isError).toBe(true);
  }, 60_000);

  it.runIf(isLong)(
    "shows what packsmith dev shows: the last run, the requests and why a connection failed, without secrets",
    async () => {
      await using provider = await startProvider({ profiles: ["pkce-plain"] });
      await using test = await startToolsClient({ "pack.ts": OAUTH_PACK });
      expect(await test.call("dev_run")).toMatchObject({
        ok: false,
        error: { code: "DEV_NOT_RUNNING" },
      });
      const { origin } = new URL(provider.tokenUrl);
      const routes = [
        "--route",
        `https://login.tasks.example=${origin}`,
        "--route",
        `https://tasks.example=${origin}`,
      ];
      await using dev = await startCliServer<{ url: string; origin: string }>(
        ["dev", "pack.ts", "--port", "0", ...routes],
        {
          cwd: test.project.path,
          env: test.env,
        },
      );
      expect(await test.call("dev_run")).toMatchObject({
        ok: true,
        run: null,
        pack: { status: "ready" },
      });
      const page = await openPage(dev.facts);
      await page.post("/api/runs", { target: "WhoAmI", args: [] });
      expect(await test.call("dev_run")).toMatchObject({
        ok: true,
        run: { target: "WhoAmI", failure: { code: "ACCOUNT_MISSING" } },
      });
      const flow = {
        slot: "user",
        account: "default",
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
      };
      const { startUrl } = (await page.post("/api/accounts/connect", flow)) as {
        startUrl?: string;
      };
      const shown = await test.call("dev_connection");
      expect(shown).toMatchObject({ ok: true, connection: { slot: "user", account: "default" } });
      expect(await test.call("dev_requests")).toMatchObject({
        ok: true,
        total: expect.any(Number),
      });
      const text = JSON.stringify([
        shown,
        await test.call("dev_requests"),
        await test.call("dev_run"),
      ]);
      const launchKey = new URL(dev.facts.url).searchParams.get("launch") ?? "";
      for (const secret of [provider.clientSecret, launchKey, startUrl ?? launchKey])
        expect(text).not.toContain(secret);
    },
    60_000,
  );

  it.runIf(process.platform === "linux")(
    "ends a command that its client cancels, with the process of the Pack",
    async () => {
      await using test = await startToolsClient({
        "pack.ts": packSource(hello().replace('async () => "Hello!"', "async () => { for (;;); }")),
      });
      const stop = new AbortController();
      const endless = test.client.callTool(
        { name: "execute", arguments: { file: "pack.ts", target: "Hello" } },
        { signal: stop.signal },
      );
      // The command, and the process of its Pack.
      while (listDescendants(test.pid).length < 2)
        await new Promise((resolve) => setImmediate(resolve));
      const started = listDescendants(test.pid);
      stop.abort();
      await expect(endless).rejects.toThrow();
      while (started.some(isAlive)) await new Promise((resolve) => setImmediate(resolve));
      expect(await test.call("explain_code", { code: "PARAMETER_ORDER" })).toMatchObject({
        ok: true,
      });
    },
    60_000,
  );
});

/** The processes that a process started, and those that they started. */
function listDescendants(pid: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), findParent(name)]));
  const below = (parent: number): number[] =>
    [...parents].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

function findParent(pid: string): number {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ")[1],
    );
  } catch {
    return -1;
  }
}

/** A process that has ended and was not waited for counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ .*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** The page of packsmith dev, as a browser that was opened with the link. */
async function openPage({ url, origin }: { url: string; origin: string }) {
  const launched = await fetch(url, { redirect: "manual" });
  const cookie = launched.headers.get("set-cookie")?.split(";")[0] ?? "";
  const html = await (await fetch(origin, { headers: { cookie } })).text();
  const [, token = ""] = /name="?packsmith-token"? content="([^"]+)"/.exec(html) ?? [];
  return {
    async post(path: string, body: object): Promise<unknown> {
      const headers = {
        cookie,
        origin,
        "content-type": "application/json",
        "x-packsmith-token": token,
      };
      const response = await fetch(new URL(path, origin), {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return await response.json();
    },
  };
}
