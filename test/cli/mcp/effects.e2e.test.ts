import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { startToolsClient } from "../../support/tools-client.ts";

const spy = fileURLToPath(new URL("fixtures/effect-spy.cjs", import.meta.url));

const PACK = `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.invalid");
pack.addFormula({
  name: "Count",
  description: "Counts the tasks.",
  parameters: [],
  resultType: "number",
  cacheTtlSecs: 0,
  execute: async (_args, context) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://tasks.invalid/count" });
    return body.count;
  },
});
pack.addFormula({
  name: "Clear",
  description: "Removes all tasks.",
  parameters: [],
  resultType: "string",
  isAction: true,
  execute: async (_args, context) => {
    await context.fetcher.fetch({ method: "DELETE", url: "https://tasks.invalid/tasks" });
    return "done";
  },
});
`;

/** A call of each tool, and what it does if its annotations are true. */
const CALLS: readonly [tool: string, args: Record<string, unknown>][] = [
  ["list_targets", {}],
  ["validate", {}],
  ["build", {}],
  ["execute", { file: "pack.ts", target: "Count" }],
  ["explain_code", { code: "PARAMETER_ORDER" }],
  ["diff_live", {}],
  ["read_requests", {}],
  ["search_docs", { query: "refresh token" }],
  ["dev_run", {}],
  ["dev_requests", {}],
  ["dev_connection", {}],
  ["run_tests", {}],
];

type Effect = [kind: "write" | "process" | "network", subject: string];

/** The tools, with a spy on files, processes and network. */
async function startSpiedTools(options: readonly string[] = []) {
  const folder = makeTemporaryFolder();
  const log = join(folder.path, "effects");
  const cache = join(folder.path, "cache");
  writeFileSync(log, "");
  const tools = await startToolsClient(
    {
      "pack.ts": PACK,
      "package.json":
        '{ "name": "tasks", "type": "module", "scripts": { "test": "node tests.js" } }',
      "tests.js": 'import { writeFileSync } from "node:fs"; writeFileSync("result.txt", "ran");',
      ".coda-pack.json": '{ "packId": 7, "environmentPackIds": { "tasks.invalid": 7 } }',
    },
    {
      PACKSMITH_REGISTRY_TOKEN: "token-of-this-test",
      PACKSMITH_REGISTRY: "https://tasks.invalid",
      NODE_OPTIONS: `--require ${spy}`,
      EFFECT_LOG: log,
      PACKSMITH_CACHE: cache,
      TMPDIR: cache,
    },
    options,
  );
  const readEffects = (): Effect[] =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Effect);
  return {
    ...tools,
    /** What a call did, apart from the caches and the processes of packsmith itself. */
    async effectsOf(tool: string, args: Record<string, unknown>) {
      const before = readEffects().length;
      const files = readContents(tools.project.path);
      const answer = await tools.call(tool, args);
      const effects = readEffects().slice(before);
      const subjects = (kind: Effect[0]) =>
        effects.filter(([each]) => each === kind).map(([, subject]) => subject);
      return {
        answer,
        changed: changesBetween(files, readContents(tools.project.path)),
        written: subjects("write").filter(
          (path) => !path.startsWith(folder.path) && !path.includes(".compiled"),
        ),
        processes: subjects("process").filter((program) => !isOwnProcess(program)),
        hosts: subjects("network"),
      };
    },
    async [Symbol.asyncDispose]() {
      await tools[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Node runs the commands and the sandbox, which programs of the system may limit and confine. */
function isOwnProcess(words: string): boolean {
  return words.includes(process.execPath) || /[\\/]esbuild(\.exe)? /.test(words);
}

function readContents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => [relative(folder, path), readFileSync(path, "utf8")]),
  );
}

function changesBetween(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => before[name] !== after[name]).sort();
}

describe("the annotations of the tools", () => {
  it("a tool that is read-only writes no file, starts no program and asks for no host", async () => {
    await using test = await startSpiedTools(["--allow-tests"]);
    const { tools } = await test.client.listTools();
    expect(CALLS.map(([name]) => name)).toEqual(tools.map(({ name }) => name));
    for (const [name, args] of CALLS) {
      const { readOnlyHint, openWorldHint } =
        tools.find((tool) => tool.name === name)?.annotations ?? {};
      const { changed, written, processes, hosts } = await test.effectsOf(name, args);
      // Its programs are those of the project, which may ask for any host.
      if (name === "run_tests") {
        expect([processes.length > 0, readOnlyHint, openWorldHint]).toEqual([true, false, true]);
        expect(changed).toContain("result.txt");
        continue;
      }
      expect([name, processes]).toEqual([name, []]);
      if (openWorldHint !== true) expect([name, hosts]).toEqual([name, []]);
      else expect([name, hosts]).toEqual([name, expect.arrayContaining(["tasks.invalid"])]);
      if (readOnlyHint === true) expect([name, changed, written]).toEqual([name, [], []]);
    }
  }, 120_000);

  it("build changes only the folder build, and replaces what it had", async () => {
    await using test = await startSpiedTools();
    const { changed, answer } = await test.effectsOf("build", {});
    expect(answer).toMatchObject({ ok: true });
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.filter((name) => !name.startsWith("build"))).toEqual([]);
  }, 60_000);

  it("an action sends nothing unless the caller asks for it", async () => {
    await using test = await startSpiedTools();
    const clear = { file: "pack.ts", target: "Clear" };
    const rehearsed = await test.effectsOf("execute", clear);
    expect(rehearsed.hosts).toEqual([]);
    expect(rehearsed.answer.error).toMatchObject({
      code: "FETCH_FAILED",
      message: "The requests of this run are blocked.",
    });
    const blocked = await test.effectsOf("execute", { ...clear, network: "blocked" });
    expect(blocked.hosts).toEqual([]);
    const live = await test.effectsOf("execute", { ...clear, network: "live" });
    expect(live.hosts).toContain("tasks.invalid");
    const recorded = await test.effectsOf("execute", { ...clear, network: "recorded" });
    expect(recorded.hosts).toEqual([]);
    expect(recorded.answer.error?.code).toMatch(/^CASSETTE_/);
  }, 120_000);
});
