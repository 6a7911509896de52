import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { declaredInputs } from "../../src/build/declared-inputs.ts";

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

/**
 * Whether Nx counts a file as an input of a target: one pattern fits it, and none that begins with
 * "!".
 */
function isInput(file: string, target: string): boolean {
  const inputs = nx.targetDefaults[target]?.inputs ?? ["default", "^default"];
  const patterns = inputs.filter((input) => !input.startsWith("^")).flatMap(listPatterns);
  const fits = (pattern: string): boolean =>
    createExpression(
      pattern.replace("{projectRoot}", "packs/tasks").replace("{workspaceRoot}/", ""),
    ).test(file);
  return (
    patterns.some((pattern) => !pattern.startsWith("!") && fits(pattern)) &&
    !patterns.some((pattern) => pattern.startsWith("!") && fits(pattern.slice(1)))
  );
}

function createExpression(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*\*|\*)/);
  const text = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*" } as Record<string, string>;
  return new RegExp(
    `^${parts.map((part) => text[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join("")}$`,
  );
}

/** A file for a pattern of the declared inputs. */
const sample = (pattern: string): string =>
  pattern.replaceAll("**/", "sub/").replace("/**", "/Any.json").replaceAll("*", "any");

describe("the settings of Nx in the monorepo template", () => {
  const { root, ignored, outputs } = declaredInputs();
  const inPack = (file: string): string => `packs/tasks/${file}`;
  const sources = ["pack.ts", "package.json", "lib/api.ts", "data.json", "tsconfig.json"].map(
    inPack,
  );

  it.each([...root.map(sample), ...sources])("count %s as an input of every task", (file) => {
    expect(Object.keys(nx.targetDefaults).map((target) => [target, isInput(file, target)])).toEqual(
      [
        ["build", true],
        ["validate", true],
        ["test", true],
      ],
    );
  });

  it.each(ignored.map(sample).map(inPack))("count %s as an input of tests only", (file) => {
    expect(["build", "validate", "test"].map((target) => isInput(file, target))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each(
    [...outputs.map(sample), ".turbo/build.log", "node_modules/.vite/results.json"].map(inPack),
  )("do not count %s", (file) => {
    expect(["build", "validate", "test"].map((target) => isInput(file, target))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("store what a build writes, count the workspaces that a Pack depends on, and have the tasks of Turborepo", () => {
    expect(nx.targetDefaults["build"]?.outputs).toEqual(["{projectRoot}/build/**"]);
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
