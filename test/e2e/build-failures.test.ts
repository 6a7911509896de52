import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.ts";
import type { CliRun } from "../support/cli-run.ts";
import { startLongCli } from "../support/long-cli.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const main = fileURLToPath(new URL("../../dist/bin/packsmith.cjs", import.meta.url));
const writePack = (
  description: string,
  head = "",
): string => `import { newPack } from "packsmith";${head}
export const pack = newPack();
pack.addFormula({ name: "A", description: ${description}, resultType: "string", parameters: [], execute: () => "a" });
`;
const GOOD = { "package.json": '{"name":"tasks"}', "pack.ts": writePack('"one"') };

/** Every file of a build by its name; throws when one is half-written or left over. */
function readOutput(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  expect(names).toEqual(["build.json", "bundle.js", "bundle.js.map", "manifest.json"]);
  const files = Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const facts = JSON.parse(files["build.json"] ?? "") as Record<
    "bundle" | "sourceMap" | "manifest",
    { sha256: string }
  >;
  const hash = (text = ""): string => createHash("sha256").update(text).digest("hex");
  const { bundle, sourceMap, manifest } = facts;
  const hashes = ["bundle.js", "bundle.js.map", "manifest.json"].map((name) => hash(files[name]));
  expect(hashes).toEqual([bundle, sourceMap, manifest].map(({ sha256 }) => sha256));
  return files;
}

interface Problem {
  code: string;
  file?: string;
  line?: number;
  column?: number;
  message: string;
  hint: string;
}

const findProblems = (run: CliRun): Problem[] =>
  run.json<{ issues: Problem[] }>().issues.filter(({ hint }) => hint !== "");

/** Builds, breaks, builds again: what the first build wrote is still whole. */
async function buildBroken(project: ProjectFolder, change: () => void): Promise<Problem> {
  expect(await runCli(["build", "pack.ts", "--json"], { cwd: project.path })).toMatchObject({
    code: 0,
  });
  const before = readOutput(join(project.path, "build/tasks"));
  change();
  const run = await runCli(["build", "pack.ts", "--json"], { cwd: project.path });
  expect(readOutput(join(project.path, "build/tasks"))).toEqual(before);
  const problems = findProblems(run);
  expect(problems).toHaveLength(1);
  return { ...(problems[0] as Problem), exit: run.code } as Problem;
}

describe("a build that fails says one thing for one cause, and leaves the build before it whole", () => {
  it.each<[cause: string, files: Record<string, string>, expected: Record<string, unknown>]>([
    [
      "a syntax error",
      { "pack.ts": writePack('"one" +') },
      { exit: 10, code: "PACK_BUILD_FAILED", file: "pack.ts", line: 3, hint: "Fix the line." },
    ],
    [
      "a syntax error in an imported file",
      {
        "pack.ts": writePack("text", 'import { text } from "./lib/text";'),
        "lib/text.ts": "export const text = \n  ;",
      },
      { exit: 10, code: "PACK_BUILD_FAILED", file: "lib/text.ts", line: 2, column: 3 },
    ],
    [
      "an import of a file that is missing",
      { "pack.ts": writePack("text", 'import { text } from "./lib/text";') },
      {
        exit: 10,
        code: "PACK_BUILD_FAILED",
        file: "pack.ts",
        line: 1,
        message: 'Could not resolve "./lib/text"',
      },
    ],
    [
      "a dependency that is not installed",
      { "pack.ts": writePack("text", 'import { text } from "@scope/text/deep";') },
      {
        exit: 10,
        code: "PACK_BUILD_FAILED",
        file: "pack.ts",
        line: 1,
        hint: "Run npm i @scope/text.",
      },
    ],
    [
      "files that import each other, one of which runs too early",
      {
        "pack.ts": `import { derived } from "./derived";\n${writePack("derived.text")}export class Base { text = "a"; }\n`,
        "derived.ts":
          'import { Base } from "./pack";\nclass Derived extends Base {}\nexport const derived = new Derived();\n',
      },
      {
        exit: 1,
        code: "PACK_LOAD_FAILED",
        file: "derived.ts",
        line: 2,
        hint: expect.stringMatching(
          /^These files import each other.*: pack\.ts → derived\.ts → pack\.ts\.$/,
        ),
      },
    ],
    [
      "an error in the definition",
      { "pack.ts": writePack('"one", colour: "red"') },
      { exit: 1, code: "KEY_UNKNOWN", file: "pack.ts", line: 3 },
    ],
  ])("%s", async (_, files, expected) => {
    using project = makeProject(GOOD);
    const problem = await buildBroken(project, () => {
      for (const [path, text] of Object.entries(files)) project.write(path, text);
    });
    expect(problem).toMatchObject(expected);
  });

  it("files that import each other, and wait until they are called, build", async () => {
    using project = makeProject({
      ...GOOD,
      "pack.ts": writePack(
        "text()",
        'import { text } from "./text"; export const name = () => "one";',
      ),
      "text.ts":
        'import { name } from "./pack"; export const text = () => "text"; export const later = () => name();',
    });
    expect(await runCli(["build", "pack.ts"], { cwd: project.path })).toMatchObject({ code: 0 });
  });

  it("a type error", async () => {
    using project = makeProject(GOOD, "typescript");
    const problem = await buildBroken(project, () =>
      project.write("pack.ts", `${writePack('"one"')}export const count: number = "text";\n`),
    );
    expect(problem).toMatchObject({
      exit: 1,
      code: "TYPE_ERROR",
      file: "pack.ts",
      line: 4,
      column: 14,
    });
  });

  it.each([
    ["missing.ts", "The Pack file missing.ts cannot be read: there is no such file."],
    [".", "cannot be read: it is a folder."],
    ["pack.ts/inner.ts", "cannot be read: a part of the path is a file, not a folder."],
  ])("an entry that is none: %s", async (entry, message) => {
    using project = makeProject(GOOD);
    const run = await runCli(["build", entry, "--json"], { cwd: project.path });
    expect(run.code).toBe(2);
    expect(findProblems(run)).toMatchObject([
      { code: "PACK_FILE_UNREADABLE", message: expect.stringContaining(message) },
    ]);
    expect(existsSync(join(project.path, "build"))).toBe(false);
  });

  it("a source of 50 MB", async () => {
    using project = makeProject(GOOD);
    const problem = await buildBroken(project, () =>
      project.write(
        "pack.ts",
        `${writePack('"one"')}const data = "${"x".repeat(50_000_000)}";\nexport const all = () => data;\nconsole.log(data);\n`,
      ),
    );
    expect(problem).toMatchObject({
      exit: 10,
      code: "BUNDLE_SIZE",
      hint: expect.stringContaining("request large data"),
    });
    expect(problem.message).toMatch(
      /^The bundle has 50\.\d MB; the limit is 5\.0 MB\. The largest parts are your code/,
    );
  });
});

// Root may read and write everything. Without these capabilities the permissions of a file hold for
// root, too, and the child still reaches a clone in a folder that only root may enter.
const OVERRIDES = "-dac_override,-dac_read_search";
const isRoot = process.getuid?.() === 0;
const restricted = isRoot
  ? ["setpriv", `--bounding-set=${OVERRIDES}`, `--inh-caps=${OVERRIDES}`]
  : [];
const canRestrict = !isRoot || isDone("setpriv", ...restricted.slice(1), "true");
if (!canRestrict)
  console.warn(
    "Tests of permissions are skipped: this is root, and setpriv cannot take root's privileges away.",
  );

/** Runs a program of the system. */
function isDone(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** Runs the command line so that the permissions of files hold for it. */
function runRestricted(
  args: string[],
  cwd: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [program = "", ...rest] = [...restricted, process.execPath, main, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env["PATH"], NO_COLOR: "1", CI: "1", HOME: cwd },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

describe.skipIf(!canRestrict)("a build without permission", () => {
  it("to write says so, and leaves the build before it whole", async () => {
    using project = makeProject(GOOD);
    expect(await runCli(["build", "pack.ts"], { cwd: project.path })).toMatchObject({ code: 0 });
    const before = readOutput(join(project.path, "build/tasks"));
    chmodSync(join(project.path, "build/tasks"), 0o555);
    project.write("pack.ts", writePack('"two"'));
    const run = await runRestricted(["build", "pack.ts"], project.path);
    expect(run.code).toBe(10);
    expect(run.stdout).toMatch(
      /OUTPUT_NOT_WRITABLE {2}The build cannot be written to .*build\/tasks: this user has no permission\. {2}→ Check the permissions of the folder/,
    );
    expect(readOutput(join(project.path, "build/tasks"))).toEqual(before);
    chmodSync(join(project.path, "build/tasks"), 0o755);
  });

  it("to make the folder says so", async () => {
    using project = makeProject(GOOD);
    chmodSync(project.path, 0o555);
    const run = await runRestricted(["build", "pack.ts", "--json"], project.path);
    expect({
      code: run.code,
      error: (JSON.parse(run.stdout) as { error: { code: string } }).error.code,
    }).toEqual({
      code: 10,
      error: "OUTPUT_NOT_WRITABLE",
    });
    chmodSync(project.path, 0o755);
  });

  it.each([
    [
      "the entry",
      "pack.ts",
      2,
      /PACK_FILE_UNREADABLE {2}The Pack file pack\.ts cannot be read: this user has no permission\./,
    ],
    [
      "an imported file",
      "text.ts",
      10,
      /pack\.ts:1:\d+ {2}error {2}PACK_BUILD_FAILED {2}Cannot read file "text\.ts": permission denied/,
    ],
  ])("to read %s says so", async (_, file, exit, message) => {
    using project = makeProject(GOOD);
    project.write("pack.ts", writePack("text", 'import { text } from "./text";'));
    project.write("text.ts", 'export const text = "one";');
    chmodSync(join(project.path, file), 0o000);
    const run = await runRestricted(["build", "pack.ts"], project.path);
    expect(run.code).toBe(exit);
    expect(run.stdout).toMatch(message);
  });
});

function mountTmpfs(folder: string): boolean {
  return isDone("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", folder);
}

const canMount = (() => {
  using project = makeProject({});
  return mountTmpfs(project.path) && isDone("umount", project.path);
})();
if (!canMount) console.warn("The test of a full disk is skipped: this user may mount no tmpfs.");

describe.skipIf(!canMount)("a build on a full disk", () => {
  it("says so, and leaves the build before it whole", async () => {
    using project = makeProject(GOOD);
    const disk = join(project.path, "disk");
    mkdirSync(disk);
    expect(mountTmpfs(disk)).toBe(true);
    try {
      const build = () =>
        runCli(["build", "pack.ts", "--out-dir", "disk", "--json"], { cwd: project.path });
      expect(await build()).toMatchObject({ code: 0 });
      const before = readOutput(join(disk, "tasks"));
      project.write("pack.ts", writePack('"two"'));
      let filled = 0;
      try {
        for (; ; filled++) writeFileSync(join(disk, `fill${filled}`), Buffer.alloc(4096));
      } catch {
        // It is full now.
      }
      const run = await build();
      expect(run.code).toBe(10);
      expect(findProblems(run)).toMatchObject([
        {
          code: "OUTPUT_NOT_WRITABLE",
          message: expect.stringMatching(/disk\/tasks: the disk is full\.$/),
        },
      ]);
      expect(readOutput(join(disk, "tasks"))).toEqual(before);
    } finally {
      isDone("umount", disk);
    }
  });
});

/** A process that is killed at the moment when it would rename a file. */
function killedBefore(file: string): string {
  return `data:text/javascript,${encodeURIComponent(`import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { renameSync } = fs;
fs.renameSync = (from, to) => (to.endsWith("/${file}") ? process.kill(process.pid, "SIGKILL") : renameSync(from, to));
syncBuiltinESMExports();`)}`;
}

describe("a build that is killed while it renames its files", () => {
  const read: [what: string, args: string[]][] = [
    ["execute", ["execute", "build/tasks/bundle.js", "A"]],
    ["diff, by the folder", ["diff", "build/tasks", "pack.ts"]],
    ["diff, by the manifest", ["diff", "pack.ts", "build/tasks/manifest.json"]],
    ["diff, by the bundle", ["diff", "build/tasks/bundle.js", "pack.ts"]],
    [
      "build --compare, of another",
      ["build", "pack.ts", "--out-dir", "other", "--compare", "build/tasks/manifest.json"],
    ],
  ];

  it.each([
    ["bundle.js", "bundle.js.map"],
    ["manifest.json", "bundle.js"],
    ["build.json", "bundle.js"],
  ])(
    "before %s: reading the build fails, and the next build fixes it",
    async (renamed, mismatch) => {
      using project = makeProject(GOOD);
      const folder = join(project.path, "build/tasks");
      expect(await runCli(["build", "pack.ts"], { cwd: project.path })).toMatchObject({ code: 0 });
      const before = readOutput(folder);
      project.write("pack.ts", writePack('"two"').replace('"a"', '"b"'));
      const killed = spawnSync(
        process.execPath,
        ["--import", killedBefore(renamed), main, "build", "pack.ts"],
        { cwd: project.path },
      );
      expect(killed.signal).toBe("SIGKILL");
      expect(readFileSync(join(folder, "build.json"), "utf8")).toBe(before["build.json"]);
      for (const [what, args] of read) {
        const run = await runCli([...args, "--json"], { cwd: project.path });
        const [problem] = run.json<{ issues?: Problem[]; error?: Problem }>().issues ?? [
          run.json<{ error: Problem }>().error,
        ];
        expect({ what, exit: run.code, ...problem }).toMatchObject({
          what,
          exit: 10,
          code: "BUILD_INCOMPLETE",
        });
        expect(problem?.message).toContain(`${mismatch} does not match the build.json`);
        expect(problem?.hint).toContain("Build the Pack again.");
      }
      const again = await runCli(["build", "pack.ts", "--compare", "last"], { cwd: project.path });
      expect(again).toMatchObject({ code: 0 });
      for (const name of readdirSync(folder).filter((name) => name.endsWith(".tmp")))
        rmSync(join(folder, name));
      expect(readOutput(folder)["bundle.js"]).not.toBe(before["bundle.js"]);
      expect(
        await runCli(["execute", "build/tasks/bundle.js", "A"], { cwd: project.path }),
      ).toMatchObject({ code: 0, stdout: "b\n" });
    },
  );

  it("a bundle without its facts runs as it is", async () => {
    using project = makeProject(GOOD);
    expect(await runCli(["build", "pack.ts"], { cwd: project.path })).toMatchObject({ code: 0 });
    rmSync(join(project.path, "build/tasks/build.json"));
    writeFileSync(
      join(project.path, "build/tasks/bundle.js"),
      `${readFileSync(join(project.path, "build/tasks/bundle.js"), "utf8")}\n`,
    );
    expect(
      await runCli(["execute", "build/tasks/bundle.js", "A"], { cwd: project.path }),
    ).toMatchObject({ code: 0 });
  });
});

describe("an interrupted build", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends with 130 by %s while a Pack loads, and what was built before is whole",
    async (signal) => {
      using project = makeProject({
        "package.json": '{"name":"many"}',
        "good.ts": writePack('"one"'),
        "slow.ts": writePack('"one"'),
      });
      expect(await runCli(["build", "good.ts", "slow.ts"], { cwd: project.path })).toMatchObject({
        code: 0,
      });
      const before = ["good", "slow"].map((name) => readOutput(join(project.path, "build", name)));
      project.write("good.ts", writePack('"the second"'));
      project.write("slow.ts", `${writePack('"two"')}for (;;) {}`);
      using folder = makeTemporaryFolder();
      const cache = folder.path;
      const isCached = () =>
        readdirSync(cache, { recursive: true, encoding: "utf8" }).some(
          (name) =>
            name.endsWith(".json") &&
            readFileSync(join(cache, name), "utf8").includes("the second"),
        );
      await using cli = startLongCli(["build", "good.ts", "slow.ts", "--cache-dir", cache], {
        cwd: project.path,
      });
      await expect.poll(isCached).toBe(true);
      expect(await cli.stop(signal)).toBe(130);
      expect(cli.text()).toContain("INTERRUPTED");
      expect(["good", "slow"].map((name) => readOutput(join(project.path, "build", name)))).toEqual(
        before,
      );
    },
  );

  it("ends with 130 while the compiler works, and ends the compiler", async () => {
    const compiler =
      'const { writeFileSync } = require("node:fs"); writeFileSync("marks/compiler", String(process.pid)); setInterval(() => {}, 1000);';
    using project = makeProject({
      ...GOOD,
      "node_modules/typescript/package.json":
        '{"name":"typescript","version":"5.9.0","bin":{"tsc":"tsc.js"}}',
      "node_modules/typescript/tsc.js": compiler,
    });
    const marks = join(project.path, "marks");
    mkdirSync(marks);
    await using cli = startLongCli(["build", "pack.ts", "--trust"], { cwd: project.path });
    await expect
      .poll(
        () =>
          existsSync(join(marks, "compiler")) &&
          readFileSync(join(marks, "compiler"), "utf8") !== "",
      )
      .toBe(true);
    const pid = Number(readFileSync(join(marks, "compiler"), "utf8"));
    expect(await cli.stop()).toBe(130);
    expect(existsSync(join(project.path, "build"))).toBe(false);
    // The signal was sent before the end; the system delivers it when it comes to it.
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("ends in order while it writes: each Pack is whole, the older or the newer one", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `pack${index}`);
    const files = (text: string) =>
      Object.fromEntries(names.map((name) => [`${name}.ts`, writePack(`"${text} ${name}"`)]));
    using project = makeProject({ "package.json": '{"name":"many"}', ...files("one") });
    const args = ["build", ...names.map((name) => `${name}.ts`), "--no-types"];
    expect(await runCli(args, { cwd: project.path })).toMatchObject({ code: 0 });
    for (const [path, text] of Object.entries(files("two"))) project.write(path, text);
    await using cli = startLongCli(args, { cwd: project.path });
    const first = join(project.path, "build/pack0");
    await expect
      .poll(() => readFileSync(join(first, "manifest.json"), "utf8"))
      .toContain("two pack0");
    // It may have been done before the signal came: null is a process that was ending by itself and
    // no longer listened.
    expect([0, 130, null]).toContain(await cli.stop());
    for (const name of names) {
      const { "manifest.json": manifest = "" } = readOutput(join(project.path, "build", name));
      expect(manifest).toMatch(new RegExp(`(one|two) ${name}"`));
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // What has ended and was not asked for yet answers, too.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
