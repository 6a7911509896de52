import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readListing } from "../../src/publish/listing/listing-file.ts";
import { readChangelogEntry } from "../../src/publish/write-changelog.ts";
import { readRegularFile } from "../../src/shared/files.ts";
import { startGit } from "../publish/registry/git.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const PACK = `import { newPack, ValueType } from "packsmith";
import { word } from "words";
export const pack = newPack({ version: "1.0.0" });
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [],
  resultType: ValueType.String,
  execute: async () => word,
});
`;

function makeFolder(): ProjectFolder {
  return makeProject({
    "package.json": '{ "name": "greet" }',
    "pack.ts": PACK,
    ".gitignore": "node_modules\n",
    "node_modules/words/package.json": '{ "name": "words", "main": "main.js" }',
    "node_modules/words/main.js": 'exports.word = "Hello!";',
  });
}

/** What never ends, at the place of a file of the project. */
const ENDLESS: readonly [what: string, put: (path: string) => void][] = [
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a device", (path) => symlinkSync("/dev/zero", path)],
];
const FILES = ["package.json", "node_modules/words/package.json", "CHANGELOG.md", ".gitattributes"];
const COMMANDS = [
  "init .",
  "build --no-types",
  "release --no-types --allow-dirty",
  "diff HEAD pack.ts",
];

describe.each(ENDLESS)("where a file of a folder is %s", (_, put) => {
  it.each(chooseCases(FILES, 8))("no command waits for it or reads it: %s", async (file) => {
    using project = makeFolder();
    startGit({ cwd: project.path });
    rmSync(join(project.path, file), { force: true });
    put(join(project.path, file));
    for (const command of COMMANDS)
      expect((await runCli(command.split(" "), { cwd: project.path })).stderr).not.toContain(
        "INTERNAL",
      );
    expect(process.memoryUsage.rss()).toBeLessThan(1_500_000_000);
  });

  it("the listing and the changelog are not read", async () => {
    using project = makeProject({});
    const path = join(project.path, "packsmith.config.json");
    put(path);
    await expect(readListing(path)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(await readChangelogEntry(path, "1.0.0")).toBeUndefined();
  });
});

it.each(["package.json", "base.json"])(
  "no command waits for a pipe in a package that a tsconfig.json extends: %s",
  async (name) => {
    using project = makeFolder();
    project.write("tsconfig.json", '{ "extends": "base" }');
    project.write("node_modules/base/package.json", '{ "tsconfig": "base.json" }');
    const pipe = join(project.path, "node_modules/base", name);
    rmSync(pipe, { force: true });
    execFileSync("mkfifo", [pipe]);
    const done = await runCli(["build", "--no-types"], { cwd: project.path });
    expect(done.stdout).toContain(`base/${name} is a pipe or a device`);
    expect(done.code).not.toBe(0);
  },
);

it.each([
  ["in too many ways", 40, 2, ".json"],
  ["in a chain", 1_200, 1, ".json"],
  ["with the names of manifests", 40, 2, "/package.json"],
])("no command waits for configurations that extend others %s", async (_, files, times, end) => {
  using project = makeFolder();
  const last = files - 1;
  for (let index = 0; index < files; index += 1) {
    const parents = Array.from({ length: times }, () => join(project.path, `${index + 1}${end}`));
    project.write(`${index}${end}`, JSON.stringify(index === last ? {} : { extends: parents }));
  }
  project.write("tsconfig.json", `{ "extends": "./0${end}" }`);
  const done = await runCli(["build", "--no-types"], { cwd: project.path });
  expect(done.stdout).toContain("more than 1000 configurations that extend others");
  expect(done.code).not.toBe(0);
});

it("does not wait for a configuration above that another Pack extends", async () => {
  using project = makeFolder();
  const chain = 40;
  for (let index = 0; index < chain; index += 1)
    project.write(
      `${index}.json`,
      index === chain - 1 ? "{}" : `{ "extends": ["./${index + 1}.json", "./${index + 1}.json"] }`,
    );
  project.write("tsconfig.json", '{ "extends": "./0.json" }');
  project.write("a/tsconfig.json", '{ "extends": "../tsconfig.json" }');
  for (const name of ["a", "b"]) {
    project.write(`${name}/package.json`, `{ "name": "${name}" }`);
    project.write(`${name}/pack.ts`, PACK.replace('word } from "words"', 'word } from "../word"'));
  }
  project.write("word.ts", 'export const word = "Hello!";');
  const done = await runCli(["build", "a/pack.ts", "b/pack.ts"], { cwd: project.path });
  expect(done.stdout).toContain("more than 1000 configurations that extend others");
  expect(done.code).not.toBe(0);
});

describe("a file of a folder", () => {
  it.each(chooseCases(["package.json", "tsconfig.json", "node_modules/words/package.json"], 3))(
    "that is too large is refused before esbuild reads it: %s",
    async (file) => {
      using project = makeFolder();
      // No other build has cached this one.
      project.write("pack.ts", PACK.replace("Greets", `Greets without ${file}`));
      project.write(file, "{");
      truncateSync(join(project.path, file), 1_100_000);
      const done = await runCli(["build", "--no-types"], { cwd: project.path });
      expect(done.code).not.toBe(0);
      expect(done.stdout + done.stderr).toContain("is larger than 1 MiB");
    },
  );

  it.each(["package.json", "tsconfig.json", "node_modules/words/package.json"])(
    "that has too many levels is refused before esbuild reads it: %s",
    async (file) => {
      using project = makeFolder();
      project.write("pack.ts", PACK.replace("Greets", `Greets with levels in ${file}`));
      project.write(file, `{ "a]": ${"[".repeat(30_000)}${"]".repeat(30_000)} }`);
      const done = await runCli(["build", "--no-types"], { cwd: project.path });
      expect(done.code).not.toBe(0);
      expect(done.stdout + done.stderr).toContain("is nested in more than 200 levels");
    },
  );

  it("that is long and flat is read", async () => {
    using project = makeFolder();
    const names = Array.from({ length: 5000 }, (_, index) => `"dependency[${index}": "[{"`);
    project.write("package.json", `{ "name": "greet", "a": { ${names.join(", ")} } }`);
    const done = await runCli(["build", "--no-types"], { cwd: project.path });
    expect(done.code).toBe(0);
  });

  it("is not read when it is larger than any source", () => {
    using project = makeProject({ "package.json": "" });
    const path = join(project.path, "package.json");
    truncateSync(path, 3_000_000_000);
    expect(() => readRegularFile(path)).toThrow(expect.objectContaining({ code: "EFBIG" }));
  });
});

describe("a source that esbuild has no memory for", () => {
  it("is refused when it has too many brackets in one another", async () => {
    using project = makeFolder();
    project.write("node_modules/words/main.js", `exports.word = ${"[(".repeat(20_000)}`);
    const done = await runCli(["build", "--no-types"], { cwd: project.path });
    expect(done.stdout + done.stderr).toContain("main.js has too many nested brackets.");
  });

  const sources: [what: string, source: string][] = [
    ["levels", `export const pack = ${"a=>".repeat(150_000)}1;`],
    ["texts", `export const pack = "${"x".repeat(900_000)}"${'+"a"'.repeat(4000)};`],
  ];
  it.runIf(isLong).each(sources)(
    "ends esbuild because of its %s, and the next build works",
    async (_, source) => {
      using project = makeFolder();
      project.write("pack.ts", source);
      const done = await runCli(["build", "--no-types"], { cwd: project.path });
      expect(done.stdout).toContain("esbuild stopped while it was reading the sources.");
      expect(done.code).toBe(10);
      project.write("pack.ts", PACK);
      expect((await runCli(["build", "--no-types"], { cwd: project.path })).code).toBe(0);
    },
  );
});

describe("a build", () => {
  it.each(["build", "build/greet"])("is not written through a link: %s", async (place) => {
    using project = makeFolder();
    using outside = makeTemporaryFolder();
    project.write("build/README.md", "");
    rmSync(join(project.path, place), { recursive: true, force: true });
    symlinkSync(outside.path, join(project.path, place));
    const done = await runCli(["build", "--no-types", "pack.ts"], { cwd: project.path });
    expect(`${done.stdout}${done.stderr}`).toContain("OUTSIDE_PROJECT");
    expect(done.code).not.toBe(0);
    expect(readdirSync(outside.path)).toEqual([]);
  });

  it("may be written anywhere that the user names", async () => {
    using project = makeFolder();
    using outside = makeTemporaryFolder();
    const args = ["build", "--no-types", "pack.ts", "--out-dir", outside.path];
    const done = await runCli(args, { cwd: project.path });
    expect(done.stdout).not.toContain("error");
    expect(done.code).toBe(0);
    expect(existsSync(join(outside.path, "greet"))).toBe(true);
  });
});
