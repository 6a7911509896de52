import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { openPack } from "../../src/execute/open-pack.ts";
import { createProject } from "../bundle/project.ts";

const pack = (name: string): string => `import { newPack, ValueType } from "packsmith";
import { greeting } from "${name}";
export const pack = newPack();
pack.addFormula({ name: "Greet", description: greeting, parameters: [], resultType: ValueType.String, execute: async () => greeting });`;

/** A package whose files for browsers and whose main files begin with these lines. */
function createPackage(
  name: string,
  { browser, main }: { browser: string; main: string },
  manifest: object,
): Record<string, string> {
  const folder = `node_modules/${name}`;
  return {
    "pack.ts": pack(name),
    [`${folder}/package.json`]: JSON.stringify({ name, main: "index.js", ...manifest }),
    [`${folder}/index.js`]: `exports.greeting = require("./lib/node.js").greeting;`,
    [`${folder}/lib/node.js`]: `${main}\nexports.greeting = "of main";`,
    [`${folder}/lib/browser.js`]: `${browser}\nexports.greeting = "for browsers";`,
  };
}

const NEEDS_A_BROWSER = "exports.load = fetch.bind(globalThis);";

describe("a package whose files for browsers do not load", () => {
  it.each([
    ["a browser entry", "greeter", { browser: "lib/browser.js" }],
    ["a replaced file", "@scope/greeter", { browser: { "./lib/node.js": "./lib/browser.js" } }],
    [
      "a browser condition",
      "greeter",
      { exports: { ".": { browser: "./lib/browser.js", default: "./index.js" } } },
    ],
  ])(
    "is bundled with its main files (%s), and build.json and the result name it",
    async (_, name, manifest) => {
      await using project = await createProject(
        createPackage(name, { browser: NEEDS_A_BROWSER, main: "" }, manifest),
      );
      {
        await using loaded = await openPack("pack.ts", { cwd: project.directory });
        expect(loaded.definition.formulas).toMatchObject([{ description: "of main" }]);
        expect(loaded.bundle.mainEntries).toEqual([name]);
      }
      const { packs, issues } = await buildPacks(["pack.ts"], {
        cwd: project.directory,
        outDir: "build",
        types: false,
        cache: false,
      });
      expect({ packs, issues }).toMatchObject({ packs: [{ mainEntries: [name] }], issues: [] });
      expect(JSON.parse(readFileSync(packs[0]?.facts ?? "", "utf8"))).toMatchObject({
        mainEntries: [name],
      });
    },
  );

  it("is the reason that is reported, when its main files do not load either", async () => {
    const lines = { browser: NEEDS_A_BROWSER, main: `throw new Error("Not in Node.");` };
    await using project = await createProject(
      createPackage("greeter", lines, { browser: "lib/browser.js" }),
    );
    await expect(openPack("pack.ts", { cwd: project.directory })).rejects.toMatchObject({
      code: "PACK_LOAD_FAILED",
      message: expect.stringContaining("fetch is not defined"),
    });
  });

  it("is the reason that is reported, when its main files need a module of Node", async () => {
    const lines = { browser: NEEDS_A_BROWSER, main: `require("net");` };
    await using project = await createProject(
      createPackage("greeter", lines, { browser: "lib/browser.js" }),
    );
    await expect(openPack("pack.ts", { cwd: project.directory })).rejects.toMatchObject({
      code: "PACK_LOAD_FAILED",
      message: expect.stringContaining("fetch is not defined"),
    });
  });
});

describe("a package whose ES module lacks a name that its main files have", () => {
  const files = {
    "node_modules/rules/package.json": JSON.stringify({
      name: "rules",
      main: "main.js",
      module: "module.js",
    }),
    "node_modules/rules/main.js": `class Rule {}
exports.__esModule = true;
exports.default = Rule;
Rule.greeting = "by default";`,
    "node_modules/rules/module.js": `export class Rule {}`,
  };
  const packWith = (head: string, greeting: string) =>
    pack("rules").replace(/import \{ greeting \}.*/, `${head}\nconst greeting = ${greeting};`);

  it("is bundled with its main files for a default import", async () => {
    const text = packWith(`import Rule from "rules";`, "(Rule as any).greeting");
    await using project = await createProject({ ...files, "pack.ts": text });
    await using loaded = await openPack("pack.ts", { cwd: project.directory });
    expect(loaded.definition.formulas).toMatchObject([{ description: "by default" }]);
    expect(loaded.bundle.mainEntries).toEqual(["rules"]);
    const { packs, issues } = await buildPacks(["pack.ts"], {
      cwd: project.directory,
      outDir: "build",
      types: false,
      cache: false,
    });
    expect({ packs, issues }).toMatchObject({ packs: [{ mainEntries: ["rules"] }], issues: [] });
  });

  it("is reported with a hint that says what was tried, when the main files do not build either", async () => {
    const text = packWith(`import Rule from "rules";`, "(Rule as any).greeting");
    const main = `export class Rule {}`;
    await using project = await createProject({
      ...files,
      "pack.ts": text,
      "node_modules/rules/main.js": main,
    });
    await expect(openPack("pack.ts", { cwd: project.directory })).rejects.toMatchObject({
      code: "PACK_BUILD_FAILED",
      message: expect.stringContaining('for import "default"'),
      hint: `The Pack also does not build with the main files of rules. Import a name that the package exports, or import all names: import * as name from "rules".`,
    });
  });
});

it("a package whose files for browsers load keeps them, and nothing is recorded", async () => {
  await using project = await createProject(
    createPackage("greeter", { browser: "", main: "" }, { browser: "lib/browser.js" }),
  );
  const { packs } = await buildPacks(["pack.ts"], {
    cwd: project.directory,
    outDir: "build",
    types: false,
    cache: false,
  });
  expect(JSON.parse(readFileSync(packs[0]?.manifest ?? "", "utf8"))).toMatchObject({
    formulas: [{ description: "for browsers" }],
  });
  expect(packs[0]).not.toHaveProperty("mainEntries");
  expect(JSON.parse(readFileSync(packs[0]?.facts ?? "", "utf8"))).not.toHaveProperty("mainEntries");
});

it("a Pack that throws keeps its own error, whatever its packages have for browsers", async () => {
  const files = createPackage("greeter", { browser: "", main: "" }, { browser: "lib/browser.js" });
  await using project = await createProject({
    ...files,
    "pack.ts": `${pack("greeter")}\nthrow new Error("Mine: " + greeting);`,
  });
  await expect(openPack("pack.ts", { cwd: project.directory })).rejects.toMatchObject({
    message: expect.stringContaining("Mine: for browsers"),
  });
});

describe("a package that leaves out another one for browsers", () => {
  const NEEDS_A_DOCUMENT = "exports.toText = () => document.title;";
  const manifest = { browser: { "./lib/node.js": "./lib/browser.js", "tiny-document": false } };
  const PARSER = { "node_modules/tiny-document/index.js": "exports.title = 1;" };

  it("is bundled with its main files, because only its functions fail without a browser", async () => {
    const files = createPackage(
      "greeter",
      { browser: NEEDS_A_DOCUMENT, main: `require("tiny-document");` },
      manifest,
    );
    await using project = await createProject({ ...files, ...PARSER });
    const { packs, issues } = await buildPacks(["pack.ts"], {
      cwd: project.directory,
      outDir: "build",
      types: false,
      cache: false,
    });
    expect({ packs, issues }).toMatchObject({ packs: [{ mainEntries: ["greeter"] }], issues: [] });
    expect(JSON.parse(readFileSync(packs[0]?.manifest ?? "", "utf8"))).toMatchObject({
      formulas: [{ description: "of main" }],
    });
  });

  it("keeps its files for browsers when the main ones fail, with a warning that names the reason and the option that helps", async () => {
    const main = `require("tiny-document");\nexports.later = setTimeout;`;
    const files = {
      ...createPackage("greeter", { browser: NEEDS_A_DOCUMENT, main }, manifest),
      ...PARSER,
    };
    await using project = await createProject(files);
    const build = async (timerStrategy: "none" | "fake") =>
      await buildPacks(["pack.ts"], {
        cwd: project.directory,
        outDir: timerStrategy,
        types: false,
        cache: false,
        timerStrategy,
      });
    const { packs, issues } = await build("none");
    expect(issues).toMatchObject([
      {
        code: "BUILD_WARNING",
        file: "pack.ts",
        line: 2,
        message: expect.stringMatching(
          /^greeter needs a browser, .* setTimeout is not defined \(at node_modules\/greeter\/lib\/node\.js:2:/,
        ),
        hint: expect.stringContaining("--timer-strategy fake"),
      },
    ]);
    expect(packs[0]).not.toHaveProperty("mainEntries");
    expect(await build("fake")).toMatchObject({
      packs: [{ mainEntries: ["greeter"] }],
      issues: [],
    });
  });

  it("keeps its files for browsers when it only leaves out modules of Node", async () => {
    const files = createPackage(
      "greeter",
      { browser: "", main: "" },
      { browser: { "./lib/node.js": "./lib/browser.js", fs: false } },
    );
    await using project = await createProject(files);
    await using loaded = await openPack("pack.ts", { cwd: project.directory });
    expect(loaded.bundle.mainEntries).toEqual([]);
  });

  it("is not blamed for an error of the Pack", async () => {
    const files = { ...createPackage("greeter", { browser: "", main: "" }, manifest), ...PARSER };
    await using project = await createProject({
      ...files,
      "pack.ts": `${pack("greeter")}\nthrow new Error("Mine.");`,
    });
    await expect(openPack("pack.ts", { cwd: project.directory })).rejects.toMatchObject({
      message: expect.stringContaining("Mine."),
    });
  });
});
