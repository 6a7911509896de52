import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCompiler } from "../../src/build/run-compiler.ts";
import { checkTypes } from "../../src/build/type-check.ts";
import { builtFile } from "../../src/shared/own-package.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { PACK, shown } from "./check-with-compiler.ts";

/** Says who it is, and computes for as long as it may. */
const ENDLESS = `require("node:fs").writeFileSync(require("node:path").join(__dirname, "pid"), String(process.pid)); for (;;);`;

const FILES = {
  "package.json": '{ "name": "greet" }',
  "pack.ts": PACK,
  "node_modules/typescript/package.json":
    '{ "name": "typescript", "version": "5.9.3", "bin": { "tsc": "lib/typescript.js" } }',
  "node_modules/typescript/lib/typescript.js": ENDLESS,
};
const COMPILER = "node_modules/typescript/lib/typescript.js";

const importBuilt = (path: string) => JSON.stringify(`file://${builtFile(path)}`);

/** What checks types with a compiler of the working folder. */
const PROGRAMS: readonly [name: string, program: string][] = [
  [
    "one for each check",
    `import { runCompiler } from ${importBuilt("build/run-compiler.js")};
    void runCompiler("${COMPILER}", [], { cwd: ".", timeoutMs: 100_000, isTrusted: true });`,
  ],
  [
    "one that stays",
    `import { keepCompiler } from ${importBuilt("build/resident-compiler.js")};
    const options = { cwd: ".", timeoutMs: 100_000, isTrusted: true };
    const asked = { compiler: "${COMPILER}", version: "5.9.3", configFile: "tsconfig.json" };
    void keepCompiler().check({ ...options, ...asked });`,
  ],
  [
    "one that a command of an assistant has started",
    `import { runVerb } from ${importBuilt("cli/mcp/run-verb.js")};
    const { signal } = new AbortController();
    const env = { ...process.env, PACKSMITH_TRUST: "1" };
    void runVerb(["validate", "--json"], { cwd: ".", env, signal });`,
  ],
];

const ENDINGS = [
  ["is killed", ""],
  ["exits", 'process.once("SIGTERM", () => process.exit());'],
] as const;

describe.skipIf(process.platform === "win32")("a compiler that computes without end", () => {
  it.each(
    PROGRAMS.flatMap((program) =>
      ENDINGS.map((ending) => [program[0], ending[0], program[1], ending[1]] as const),
    ),
  )("%s, ends when the program that started it %s", async (_, __, program, ending) => {
    using project = makeProject(FILES);
    const text = `${program}\n${ending}`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", text], {
      cwd: project.path,
      stdio: "ignore",
    });
    await expect.poll(() => readPid(project)).toBeGreaterThan(0);
    const pid = readPid(project);
    parent.kill(ending === "" ? "SIGKILL" : "SIGTERM");
    await once(parent, "exit");
    try {
      await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    } finally {
      if (isRunning(pid)) process.kill(pid, "SIGKILL");
    }
  });
});

const SWELLING = [
  ["its heap", "const all = []; for (;;) all.push(Array(1e5).fill({}));"],
  ["other memory", "const all = []; for (;;) all.push(Buffer.alloc(1e8, 1));"],
] as const;

describe.runIf(process.platform === "linux")("the memory of a compiler", () => {
  it.each(SWELLING)("has a limit in a folder that is not trusted: %s", async (_, script) => {
    using project = makeProject({ "tsc.js": script });
    const options = { cwd: project.path, timeoutMs: 100_000, isTrusted: false };
    const run = await runCompiler(join(project.path, "tsc.js"), [], options);
    expect(run).toMatchObject({ output: "", isTimeout: false });
    expect(run.code).not.toBe(0);
  });

  it("has no limit in a folder that is trusted", async () => {
    const script = `console.log(require("fs").readFileSync("/proc/self/limits", "utf8"), process.execArgv)`;
    using project = makeProject({ "tsc.js": script });
    const options = { cwd: project.path, timeoutMs: 100_000, isTrusted: true };
    const { output } = await runCompiler(join(project.path, "tsc.js"), [], options);
    expect(output).toMatch(/^Max data size +unlimited/m);
    expect(output).toContain("[]");
  });

  it("is enough for a Pack, and the check after one with a type of any size works", async () => {
    // Each text is twice as long as the one before.
    const lines = Array.from({ length: 30 }, (_, i) => `type S${i + 1} = \`\${S${i}}\${S${i}}\`;`);
    const bomb = `type S0 = "xxxxxxxx";\n${lines.join("\n")}\nexport const text: S30 = "";\n`;
    using project = makeProject({ "pack.ts": `${PACK}${bomb}` }, "typescript");
    const check = () => checkTypes(["pack.ts"], { cwd: project.path });
    expect(shown(await check())).toEqual([
      "TYPE_CHECK_FAILED pack.ts:1 TypeScript stopped while it was checking the types. It can use at most 768 MB of memory, because you do not trust this folder.",
    ]);
    project.write("pack.ts", PACK);
    expect(await check()).toEqual({ issues: [], unchecked: [] });
  });
});

it("a compiler has half a minute for a folder that is not trusted", async () => {
  const levels = `export const levels = ${"[".repeat(50_000)}${"]".repeat(50_000)};`;
  using project = makeProject({ "pack.ts": `${PACK}${levels}\n` }, "typescript");
  expect(shown(await checkTypes(["pack.ts"], { cwd: project.path }))).toEqual([
    "TYPE_CHECK_FAILED pack.ts:1 TypeScript did not finish within 30 seconds.",
  ]);
});

function readPid(project: ProjectFolder): number {
  try {
    return Number(project.read(join(COMPILER, "../pid")));
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  try {
    // Without a parent that asks for its exit code, a process that ended stays in the list.
    if (process.platform === "linux")
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
