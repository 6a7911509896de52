import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { listDeclarations } from "../../src/build/declaration-files.ts";
import { makeProject } from "../support/project.ts";

/** The compiler, which decides what a configuration covers. */
const ts = createRequire(import.meta.url)("typescript-5.9") as typeof import("typescript-5.9");

const EMPTY = "export {};\n";
const FILES = Object.fromEntries(
  [
    ...["package.json", "pack.ts", "amb.d.ts", "amb.d.mts", "amb.d.cts", "made.ts", "made.d.ts"],
    ...["page.tsx", "page.d.ts", ".hidden.d.ts", "[id]/a.d.ts", "{a,b}/a.d.ts", "i/a.d.ts"],
    ...["src/a.d.ts", "src/deep/er/b.d.ts", "src/deep/b.d.ts", "src/.dot/c.d.ts", "src/one.ts"],
    ...["build/a.d.ts", "dist/a.d.ts", "types/global.d.ts", "types/skip/x.d.ts", "lib.dom/a.d.ts"],
    ...["node_modules/dep/index.d.ts", "src/node_modules/dep/index.d.ts", "src/x.d.json.ts"],
    ...["bower_components/a.d.ts", "src/min.min.d.ts", "config/inner.d.ts", "config/a/inner.d.ts"],
  ].map((path) => [path, path === "package.json" ? "{}" : EMPTY]),
);

const CONFIGURATIONS: readonly [name: string, files: Record<string, object>][] = [
  ["none of the lists", { "tsconfig.json": {} }],
  ["an output folder", { "tsconfig.json": { compilerOptions: { outDir: "dist" } } }],
  ["a folder", { "tsconfig.json": { include: ["src"] } }],
  ["a folder by its path", { "tsconfig.json": { include: ["./src/"] } }],
  ["a folder with a dot in its name", { "tsconfig.json": { include: ["lib.dom"] } }],
  ["sources at the top", { "tsconfig.json": { include: ["*.ts"] } }],
  ["sources anywhere", { "tsconfig.json": { include: ["**/*.ts"] } }],
  ["everything in a folder", { "tsconfig.json": { include: ["src/*"] } }],
  ["one level", { "tsconfig.json": { include: ["src/*/*.ts"] } }],
  ["one character", { "tsconfig.json": { include: ["?/a.d.ts", "types/globa?.d.ts"] } }],
  ["brackets", { "tsconfig.json": { include: ["[id]/*"] } }],
  ["braces", { "tsconfig.json": { include: ["{a,b}/*"] } }],
  ["one declaration file", { "tsconfig.json": { include: ["types/global.d.ts", "src/one.ts"] } }],
  ["a hidden file", { "tsconfig.json": { include: [".hidden.d.ts"] } }],
  ["a hidden folder", { "tsconfig.json": { include: ["src/.dot"] } }],
  ["a package", { "tsconfig.json": { include: ["node_modules/dep/*.d.ts"] } }],
  ["files", { "tsconfig.json": { files: ["amb.d.ts", "pack.ts"] } }],
  ["files and a folder", { "tsconfig.json": { files: ["amb.d.ts"], include: ["types"] } }],
  ["excluded folders", { "tsconfig.json": { exclude: ["src/deep", "types/skip/**", "build"] } }],
  ["excluded files", { "tsconfig.json": { exclude: ["**/a.d.ts", "types/*.d.ts"] } }],
  ["excluded, but named", { "tsconfig.json": { files: ["amb.d.ts"], exclude: ["*.d.ts"] } }],
  ["an excluded hidden folder", { "tsconfig.json": { include: ["src/.dot"], exclude: [".*"] } }],
  [
    "an inherited list",
    { "tsconfig.json": { extends: "./config/base.json" }, "config/base.json": { include: ["*"] } },
  ],
  [
    "the folder of the configuration in an inherited list",
    {
      "tsconfig.json": { extends: "./config/base.json" },
      "config/base.json": { include: [`\${configDir}/types`] },
    },
  ],
  [
    "a list that replaces an inherited one",
    {
      "tsconfig.json": { extends: ["./config/base.json"], include: ["types"] },
      "config/base.json": { include: ["*"], exclude: ["../types/skip"] },
    },
  ],
];

describe("the declaration files that a configuration covers", () => {
  it.each(CONFIGURATIONS)("are those that the compiler finds: %s", (_name, configurations) => {
    const texts = Object.entries(configurations).map(([path, content]) => [
      path,
      JSON.stringify(content),
    ]);
    using project = makeProject({ ...FILES, ...Object.fromEntries(texts) });
    const config = join(project.path, "tsconfig.json");
    const { config: content } = ts.readConfigFile(config, ts.sys.readFile);
    const { fileNames } = ts.parseJsonConfigFileContent(
      content,
      ts.sys,
      project.path,
      undefined,
      config,
    );
    const shown = (paths: readonly string[]): string[] =>
      paths.map((path) => relative(project.path, path)).sort();
    expect(shown(listDeclarations(config))).toEqual(
      shown(fileNames.filter((path) => /\.d\.[cm]?ts$/.test(path))),
    );
  });

  it.runIf(process.platform !== "win32")("are regular files of a project", () => {
    using other = makeProject({ "b.d.ts": EMPTY });
    using project = makeProject({
      "p/package.json": "{}",
      "p/tsconfig.json": "{}",
      "a.d.ts": EMPTY,
    });
    const config = join(project.path, "p/tsconfig.json");
    mkdirSync(join(project.path, "p/folder.d.ts"));
    execFileSync("mkfifo", [join(project.path, "p/pipe.d.ts")]);
    symlinkSync("/dev/zero", join(project.path, "p/device.d.ts"));
    symlinkSync(join(other.path, "b.d.ts"), join(project.path, "p/private.d.ts"));
    symlinkSync(project.path, join(project.path, "p/circle"));
    expect(listDeclarations(config)).toEqual([]);
    project.write("p/tsconfig.json", '{ "include": ["../a.d.ts", "/", "../../**/*"] }');
    expect(listDeclarations(config)).toEqual([]);
  });
});
