import { readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleBundle } from "../../src/bundle/assemble-bundle.ts";
import type { Bundle } from "../../src/bundle/bundle.ts";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { type BundlePlan, planBundle, planKey } from "../../src/bundle/bundle-plan.ts";
import { runEsbuildBatch } from "../../src/bundle/esbuild-batch.ts";
import type { EsbuildOutput, TimerStrategy } from "../../src/bundle/run-esbuild.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { createProject, type Project } from "./project.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * In the order of their members, too. Only the metafile of a separate build lists what was injected
 * into each module.
 */
function comparable(one: Bundle) {
  const { durationMs: _, metafile: __, made, imports, ...bundle } = one;
  return { ...bundle, sourceMaps: made?.sourceMaps, imports: [...imports] };
}

/**
 * Builds the Packs together, then each of the results separately. @returns the entries that were
 * built together
 */
async function expectSame(
  entries: readonly string[],
  timerStrategy: TimerStrategy = "none",
): Promise<string[]> {
  const plans = entries.map((entry) => planBundle({ entry, timerStrategy }));
  const outputs = new Map<string, EsbuildOutput>();
  for (const key of new Set(plans.map(planKey))) {
    const alike = plans.filter((plan) => planKey(plan) === key);
    const entriesAlike = alike.map(({ entry }) => entry);
    for (const [entry, output] of await runEsbuildBatch(entriesAlike, alike[0] as BundlePlan))
      outputs.set(entry, output);
  }
  for (const plan of plans) {
    const output = outputs.get(plan.entry);
    if (output === undefined) continue;
    const together = assembleBundle(output, plan, { startedAt: 0, readSinceMs: 0 });
    const alone = await bundlePack({ entry: plan.entry, timerStrategy });
    expect(comparable(together)).toEqual(comparable(alone));
  }
  return [...outputs.keys()];
}

function writePack(imports: string, uses: string): string {
  return `import { newPack, ValueType } from "packsmith";
${imports}
export const pack = newPack();
pack.addFormula({ name: "Use", description: "Uses.", parameters: [], resultType: ValueType.String, execute: async () => String(${uses}) });
`;
}

describe("runEsbuildBatch", () => {
  const entriesIn = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      // Those of the monorepo need its packages to be linked.
      .filter((path) => /(^|\/)pack\.ts$/.test(path) && !/node_modules|^_|^monorepo/.test(path))
      .map((path) => join(root, folder, path));

  it.runIf(isLong)("leaves each Pack its own parts of a module of Node", async () => {
    const imports = ["{ createHash }", "{ createSign }", "crypto", "* as crypto", "{ randomUUID }"];
    const uses = ["createHash", "createSign", "crypto", "crypto.randomBytes", "randomUUID"];
    const files = imports.map((names, index) => [
      `${index}.ts`,
      writePack(`import ${names} from "crypto";`, uses[index] ?? ""),
    ]);
    await using project = await createProject({
      ...Object.fromEntries(files),
      "required.ts": writePack("", `require("crypto")`),
    });
    const entries = [
      ...imports.map((_, index) => project.path(`${index}.ts`)),
      project.path("required.ts"),
    ];
    expect(await expectSame(entries)).toHaveLength(entries.length);
  });

  it.each(chooseCases(["templates", "examples"], 2))(
    "gives for each of the %s the same as a separate build",
    async (folder) => {
      const entries = entriesIn(folder);
      expect(entries.length).toBeGreaterThan(4);
      expect((await expectSame(entries)).length).toBeGreaterThan(entries.length / 2);
    },
  );

  it.each(["none", "error", "fake"] as const)(
    "gives the same with timers of strategy %s",
    async (strategy) => {
      await using project = await createProject({
        "a/pack.ts": writePack(
          `const wait = () => new Promise((done) => setTimeout(done, 5));`,
          "await wait()",
        ),
        "b/pack.ts": writePack("", "1"),
      });
      await expectSame([project.path("a/pack.ts"), project.path("b/pack.ts")], strategy);
    },
  );

  it("links a module by itself for each Pack, however another one imports it", async () => {
    await using project = await createProject({
      "lib/shared.js":
        "export const shared = 1; export const unused = 2; export default function main() { return shared; }\n",
      "lib/common.cjs": "exports.one = 1; exports.two = require('./shared.js').shared;\n",
      "lib/data.json": `{ "name": "data", "count": 2 }`,
      "a/pack.ts": writePack(`import { shared } from "../lib/shared.js";`, "shared"),
      "b/pack.ts": writePack(`const all = require("../lib/shared.js");`, "all.unused"),
      "c/pack.ts": writePack(`import * as all from "../lib/shared.js";`, "Object.keys(all)"),
      "d/pack.ts": writePack(
        `import main, { unused } from "../lib/shared.js"; import { two } from "../lib/common.cjs";`,
        "main() + unused + two",
      ),
      "e/pack.ts": writePack(`import data from "../lib/data.json";`, "data.count"),
      "f/pack.tsx": writePack(
        `import { name } from "../lib/data.json"; import type { shared } from "../lib/shared.js";`,
        "name",
      ),
    });
    const entries = ["a", "b", "c", "d", "e"].map((name) => project.path(`${name}/pack.ts`));
    const all = [...entries, project.path("f/pack.tsx")];
    expect((await expectSame(all)).sort()).toEqual(all.sort());
  });

  it("names the inputs of a Pack as its own folder sees them, with dependencies above it and next to it", async () => {
    await using project = await createProject({
      "node_modules/above/index.js": "module.exports = 'above';\n",
      "packs/a/node_modules/beside/index.js": "export default 'beside';\n",
      "packs/a/pack.ts": writePack(
        `import above from "above"; import beside from "beside";`,
        "above + beside",
      ),
      "packs/deeper/b/pack.ts": writePack(`import above from "above";`, "above"),
    });
    const entries = [project.path("packs/a/pack.ts"), project.path("packs/deeper/b/pack.ts")];
    expect(await expectSame(entries)).toEqual(entries);
  });

  it("leaves out a Pack with a warning, and one whose file is somewhere else", async () => {
    await using project = await createProject({
      "a/pack.ts": writePack("", "1"),
      "b/pack.ts": writePack("", "Object.keys({ a: 1, a: 2 })"),
      "c/real.ts": writePack("", "3"),
      "d/pack.ts": writePack("", "4"),
    });
    symlinkSync(project.path("c/real.ts"), project.path("c/pack.ts"));
    const entries = ["a", "b", "c", "d"].map((name) => project.path(`${name}/pack.ts`));
    expect(await expectSame(entries)).toEqual([
      project.path("a/pack.ts"),
      project.path("d/pack.ts"),
    ]);
  });

  it("fails when one of the Packs does", async () => {
    await using project = await createProject({
      "a/pack.ts": writePack("", "1"),
      "b/pack.ts": `import "./absent.ts";`,
    });
    const plan = planBundle({ entry: project.path("a/pack.ts") });
    await expect(
      runEsbuildBatch([project.path("a/pack.ts"), project.path("b/pack.ts")], plan),
    ).rejects.toThrow("absent.ts");
  });

  it("gives the same for any graph of modules", async () => {
    const modules = 6;
    const edge = fc.record({
      to: fc.nat({ max: modules - 1 }),
      how: fc.constantFrom("named", "all", "effect", "require", "reexport", "type"),
    });
    const module = fc.record({ isCommon: fc.boolean(), edges: fc.array(edge, { maxLength: 3 }) });
    const packs = fc.array(fc.array(edge, { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(module, { minLength: modules, maxLength: modules }),
        packs,
        async (graph, entries) => {
          await using project = await writeProject(graph, entries);
          await expectSame(entries.map((_, index) => project.path(`p${index}/pack.ts`)));
        },
      ),
      { numRuns: isLong ? 25 : 6 },
    );
  });
});

interface Edge {
  to: number;
  how: "named" | "all" | "effect" | "require" | "reexport" | "type";
}

function writeProject(
  graph: readonly { isCommon: boolean; edges: readonly Edge[] }[],
  packs: readonly (readonly Edge[])[],
): Promise<Project> {
  const locateFile = (index: number): string =>
    `m${index}.${graph[index]?.isCommon === true ? "cjs" : "ts"}`;
  const writeImport = ({ to, how }: Edge, at: number, from: string): string => {
    const path = JSON.stringify(`${from}${locateFile(to)}`);
    if (how === "named") return `import { value as v${at} } from ${path}; total.push(v${at});`;
    if (how === "all") return `import * as v${at} from ${path}; total.push(Object.keys(v${at}));`;
    if (how === "require") return `total.push(require(${path}).value);`;
    if (how === "reexport") return `export { value as again${at} } from ${path};`;
    return how === "type" ? `import type { value as T${at} } from ${path};` : `import ${path};`;
  };
  const files = graph.map(({ isCommon, edges }, index): [string, string] => {
    if (isCommon) {
      const requires = edges.map(({ to }) => `total.push(require("./${locateFile(to)}").value);`);
      return [
        `lib/${locateFile(index)}`,
        `const total = []; ${requires.join(" ")} exports.value = "m${index}"; exports.all = total;\n`,
      ];
    }
    const imports = edges.map((edge, at) => writeImport(edge, at, "./"));
    return [
      `lib/${locateFile(index)}`,
      `const total: unknown[] = [];\n${imports.join("\n")}\nexport const value = "m${index}";\nexport const all = total;\n`,
    ];
  });
  const entries = packs.map((edges, index): [string, string] => {
    const imports = edges.map((edge, at) => writeImport(edge, at, "../lib/"));
    return [
      `p${index}/pack.ts`,
      writePack(`const total: unknown[] = [];\n${imports.join("\n")}`, "total.length"),
    ];
  });
  return createProject(
    Object.fromEntries([...files, ...entries]),
    resolve("/", "project").slice(1),
  );
}
