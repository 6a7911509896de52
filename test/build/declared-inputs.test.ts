import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { declaredInputs } from "../../src/build/declared-inputs.ts";
import { samplePath } from "../support/sample-path.ts";

const template = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../templates/monorepo/${name}`, import.meta.url), "utf8"));
const nx = template("nx.json") as {
  namedInputs: Record<string, string[]>;
  targetDefaults: Record<
    string,
    { inputs?: string[]; outputs?: string[]; dependsOn: string[]; cache: boolean }
  >;
};

/** The patterns that an input of Nx stands for. */
function listPatterns(input: string): string[] {
  const named = nx.namedInputs[input];
  return named === undefined ? [input] : named.flatMap(listPatterns);
}

/** Whether one pattern fits a file, and none that begins with "!". */
function fitsPatterns(file: string, patterns: readonly string[]): boolean {
  const fits = (pattern: string): boolean => createExpression(pattern).test(file);
  return (
    patterns.some((pattern) => !pattern.startsWith("!") && fits(pattern)) &&
    !patterns.some((pattern) => pattern.startsWith("!") && fits(pattern.slice(1)))
  );
}

/** Whether Nx counts a file as an input of a target of the Pack in `packs/tasks`. */
function isInput(file: string, target: string): boolean {
  const inputs = nx.targetDefaults[target]?.inputs ?? ["default", "^default"];
  const patterns = inputs.filter((input) => !input.startsWith("^")).flatMap(listPatterns);
  return fitsPatterns(
    file,
    patterns.map((pattern) =>
      pattern.replace("{projectRoot}", "packs/tasks").replace("{workspaceRoot}/", ""),
    ),
  );
}

function createExpression(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*\*|\*|\{[^}]*\})/);
  const text = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*" } as Record<string, string>;
  const escaped = (part: string) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const expression = (part: string) =>
    part.startsWith("{")
      ? `(?:${part.slice(1, -1).split(",").map(escaped).join("|")})`
      : (text[part] ?? escaped(part));
  return new RegExp(`^${parts.map(expression).join("")}$`);
}

describe("the settings of Nx in the monorepo template", () => {
  const { root, ignored, outputs } = declaredInputs();
  const inPack = (file: string): string => `packs/tasks/${file}`;
  const sources = [
    "pack.ts",
    "package.json",
    "lib/api.ts",
    "data.json",
    "tsconfig.json",
    "build/mark.ts",
    "build/lib/data.json",
  ].map(inPack);

  it.each([...root.map(samplePath), ...sources])("count %s as an input of every task", (file) => {
    expect(Object.keys(nx.targetDefaults).map((target) => [target, isInput(file, target)])).toEqual(
      [
        ["build", true],
        ["validate", true],
        ["test", true],
      ],
    );
  });

  it.each(ignored.map(samplePath).map(inPack))("count %s as an input of tests only", (file) => {
    expect(["build", "validate", "test"].map((target) => isInput(file, target))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each(
    [...outputs.map(samplePath), ".turbo/build.log", "node_modules/.vite/results.json"].map(inPack),
  )("do not count %s", (file) => {
    expect(["build", "validate", "test"].map((target) => isInput(file, target))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("store what a build writes, count the workspaces that a Pack depends on, and have the tasks of Turborepo", () => {
    expect(nx.targetDefaults["build"]?.outputs).toEqual(
      outputs.map((pattern) => `{projectRoot}/${pattern}`),
    );
    expect([nx.targetDefaults["build"]?.inputs, nx.targetDefaults["validate"]?.inputs]).toEqual([
      ["pack", "^pack"],
      ["pack", "^pack"],
    ]);
    const tasks = (settings: Record<string, { dependsOn: string[] }>) =>
      Object.entries(settings).map(([name, { dependsOn }]) => [name, dependsOn]);
    const { "//#types": types, ...perPack } = template("turbo.json").tasks;
    expect(types).toBeDefined();
    expect(tasks(nx.targetDefaults)).toEqual(tasks(perPack));
  });
});

describe("the type check of Turborepo in the monorepo template", () => {
  const { inputs } = template("turbo.json").tasks["//#types"] as { inputs: string[] };

  it.each([
    "packs/tasks/pack.ts",
    "packs/tasks/helper.js",
    "packs/tasks/view.jsx",
    "packs/tasks/view.tsx",
    "packs/tasks/helper.mjs",
    "packs/tasks/helper.cjs",
    "packs/build/pack.ts",
    "packages/format/build/mark.ts",
    "packages/format/build/lib/mark.js",
    "config/base.json",
    "tsconfig.json",
  ])("counts %s", (file) => {
    expect(fitsPatterns(file, inputs)).toBe(true);
  });

  it.each([
    "LICENSE",
    "README.md",
    "build/tasks/bundle.js",
    "packs/tasks/build/tasks/bundle.js",
    "packs/tasks/build/tasks/manifest.json",
    "packs/tasks/.turbo/runs/1.json",
    "node_modules/zod/index.js",
  ])("does not count %s", (file) => {
    expect(fitsPatterns(file, inputs)).toBe(false);
  });
});

describe("the monorepo template", () => {
  const readLines = (file: string): string[] =>
    readFileSync(new URL(`../../templates/${file}`, import.meta.url), "utf8")
      .trim()
      .split("\n");

  it("lets the variables of packsmith reach the tasks of Turborepo, which hides all others", () => {
    expect(template("turbo.json").globalPassThroughEnv).toEqual([
      "PACKSMITH_CACHE",
      "PACKSMITH_HOME",
      "PACKSMITH_TRUST",
      "GOGC",
    ]);
  });

  it("has the scripts that docs/pipelines.md shows", () => {
    const shown = JSON.parse(
      readFileSync(new URL("../../docs/pipelines/package.json", import.meta.url), "utf8"),
    );
    for (const name of ["tasks", "people"])
      expect(template(`packs/${name}/package.json`).scripts).toMatchObject(shown.scripts);
  });

  it("hides secrets, reports and builds from git, but not each folder of their names", () => {
    const lines = readLines("monorepo/_gitignore");
    expect(lines).toEqual(
      expect.arrayContaining([".env", "/packs/*/build/", "/packs/*/coverage/"]),
    );
    for (const name of ["build/", "coverage/"]) expect(lines).not.toContain(name);
  });
});
