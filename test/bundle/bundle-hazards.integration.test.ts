import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { isPackError } from "../../src/errors.ts";
import { openPack } from "../../src/execute/open-pack.ts";
import { ISSUE_EXPLANATIONS } from "../../src/validate/explanations/explain.ts";
import { chooseCases } from "../support/breadth.ts";
import { createProject } from "./project.ts";

const writePack = (
  statements: string,
  specifier = "packsmith",
): string => `import { newPack } from "${specifier}";
export const pack = newPack();
pack.addFormula({ name: "A", description: "A.", resultType: "string", parameters: [], execute: async ([name]) => { ${statements} } });
`;

/**
 * The hazards in a Pack as `code severity line:column`. A mark `/*!*\/` comes before each expected
 * position.
 */
async function findHazards(
  files: Record<string, string>,
  options: { minify?: boolean; timerStrategy?: "fake" } = {},
) {
  await using project = await createProject(files);
  const { issues } = await bundlePack({ entry: "pack.ts", cwd: project.directory, ...options });
  return issues.map(({ code, severity, file, line, column, message }) => ({
    code,
    severity,
    place: `${file}:${line}:${column}`,
    message,
  }));
}

const MARK = "/*!*/";

function marksIn(files: Record<string, string>): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    text.split("\n").flatMap((line, row) => {
      const columns: string[] = [];
      for (let at = line.indexOf(MARK); at >= 0; at = line.indexOf(MARK, at + 1))
        columns.push(`${file}:${row + 1}:${at + MARK.length + 1}`);
      return columns;
    }),
  );
}

const DEPENDENCY = "node_modules/dep/index.js";
const withDependency = (text: string): Record<string, string> => ({
  "pack.ts": writePack("return String(dep);").replace("\n", ' import dep from "dep";\n'),
  "node_modules/dep/package.json": '{"name":"dep","main":"index.js"}',
  [DEPENDENCY]: text,
});

describe("hazards in the author's own code", () => {
  it.each<[code: string, severity: string, statements: string]>(
    chooseCases(
      [
        ["DYNAMIC_IMPORT", "error", "return /*!*/require(name);"],
        ["DYNAMIC_IMPORT", "error", "return (await /*!*/import(name)).text;"],
        ["DYNAMIC_IMPORT", "error", `return /*!*/require(\`\${name}.js\`);`],
        ["DYNAMIC_IMPORT", "warning", "try { return /*!*/require(name); } catch { return name; }"],
        ["CODE_FROM_TEXT", "warning", "return /*!*/eval(name);"],
        ["CODE_FROM_TEXT", "warning", "return /*!*/(0, eval)(name);"],
        ["CODE_FROM_TEXT", "warning", 'return /*!*/new Function("a", "return a")(name);'],
        ["CODE_FROM_TEXT", "warning", 'return /*!*/Function("return this")().name;'],
        ["WEBASSEMBLY_ABSENT", "error", "return new /*!*/WebAssembly.Module(name);"],
        ["PROCESS_ABSENT", "warning", "return /*!*/process.env.API_KEY;"],
        ["PROCESS_ABSENT", "warning", "return /*!*/process.cwd();"],
        ["PROCESS_ABSENT", "warning", "/*!*/process.exit(1);"],
        ["FILE_PATH_ABSENT", "warning", "return /*!*/__dirname + name;"],
        ["FILE_PATH_ABSENT", "warning", "return [name, /*!*/__filename];"],
        ["TIMER_ABSENT", "warning", "await new Promise((done) => /*!*/setTimeout(done, 10));"],
        ["GLOBAL_ABSENT", "error", 'return await /*!*/fetch("https://tasks.example/");'],
        ["GLOBAL_ABSENT", "error", "return new /*!*/TextDecoder().decode(Buffer.from(name));"],
        ["GLOBAL_ABSENT", "error", "return /*!*/window.name;"],
      ],
      3,
    ),
  )("%s is an %s: %s", async (code, severity, statements) => {
    const files = { "pack.ts": writePack(statements) };
    for (const minify of [true, false]) {
      const found = await findHazards(files, { minify });
      expect(found.map((hazard) => [hazard.code, hazard.severity, hazard.place])).toEqual([
        [code, severity, marksIn(files)[0]],
      ]);
    }
  });

  it.each<[why: string, statements: string]>([
    ["the module is known", 'return require("./text").text + (await import("./text")).text;'],
    [
      "the path has a beginning",
      `return require(\`./texts/\${name}.ts\`).text + require("./texts/" + name).text;`,
    ],
    ["either module is known", 'return require(name ? "./text" : "./texts/a").text;'],
    [
      "it is in a branch that the bundler leaves out",
      'if (process.env.NODE_ENV === "development") eval(name);',
    ],
    [
      "it is only asked for",
      "return typeof fetch + typeof process + typeof __dirname + typeof setTimeout;",
    ],
    [
      "it is asked for before",
      'return typeof WebAssembly === "object" && WebAssembly.Module && typeof fetch === "function" ? fetch(name) : name;',
    ],
    [
      "the name is a variable",
      "const fetch = (x) => x; const process = { cwd: () => name }; return fetch(process.cwd());",
    ],
    [
      "the Pack runtime has it",
      "return new URL(name).host + new URLSearchParams(name) + new TextEncoder().encode(name).length;",
    ],
    [
      "the name is a member",
      "return name.fetch + name.eval + { fetch: 1, URL: 2 }.URL + name.process.env.X;",
    ],
    [
      "what libraries ask process for is there",
      "process.nextTick(() => name); return process.platform + process.version;",
    ],
    [
      "it is the usual way to the global object",
      'const all = globalThis || Function("return this")(); return all.name;',
    ],
    [
      "it is in a comment or a text",
      'return "eval(name)"; // eval(name), process.env.KEY, __dirname\n',
    ],
  ])("nothing is said when %s: %s", async (_, statements) => {
    const files = {
      "pack.ts": writePack(statements),
      "text.ts": 'export const text = "one";',
      "texts/a.ts": 'export const text = "a";',
    };
    expect(await findHazards(files)).toEqual([]);
  });

  it("nothing is said of what no formula uses", async () => {
    const files = {
      "pack.ts": `${writePack("return name;")}\nfunction unused() { return eval("1") + fetch("x"); }\n`,
    };
    expect(await findHazards(files)).toEqual([]);
  });

  it("a timer strategy takes care of timers", async () => {
    const files = { "pack.ts": writePack("setTimeout(() => name, 1);") };
    expect(await findHazards(files, { timerStrategy: "fake" })).toEqual([]);
  });

  it("all of it is a warning in a Pack that was written for another toolchain", async () => {
    const files = {
      "pack.ts": writePack("return eval(name) + fetch(name);", "@codahq/packs-sdk"),
      "tsconfig.json": "{}",
    };
    const found = (await findHazards(files)).filter(({ code }) => code !== "BUILD_WARNING");
    expect(found.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      "CODE_FROM_TEXT warning",
      "GLOBAL_ABSENT warning",
    ]);
  });

  it("types, keys and labels with such names are no hazards", async () => {
    const files = {
      "pack.ts": `${writePack("URL: for (const x of name) { if (x.fetch) continue URL; } return String(get(name));")}
interface Response { fetch: URL; document(): void }
type URL = string;
class Store { fetch = 1; document() { return this.fetch; } }
const get = (x: any): Response => new Store() as unknown as Response;
`,
    };
    expect(await findHazards(files)).toEqual([]);
  });
});

describe("hazards in a dependency", () => {
  it.each<[code: string, text: string]>([
    ["DYNAMIC_IMPORT", "module.exports = (name) => /*!*/require(name);"],
    ["CODE_FROM_TEXT", 'module.exports = (name) => /*!*/new Function("return " + name);'],
    ["WEBASSEMBLY_ABSENT", "module.exports = (bytes) => /*!*/WebAssembly.compile(bytes);"],
  ])("%s is a warning, with the imports that lead to it: %s", async (code, text) => {
    const files = withDependency(text);
    const [found, ...others] = await findHazards(files);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code, severity: "warning", place: marksIn(files)[0] });
    expect(found?.message).toContain(`These files import it: pack.ts → ${DEPENDENCY}.`);
  });

  it("each kind is reported once for a package", async () => {
    const found = await findHazards(
      withDependency("module.exports = (a) => { eval(a); eval(a + 1); WebAssembly.compile(a); };"),
    );
    expect(found.map(({ code }) => code)).toEqual(["CODE_FROM_TEXT", "WEBASSEMBLY_ABSENT"]);
  });

  it.each([
    'module.exports = typeof globalThis === "object" ? globalThis : Function("return this")();',
    'let all; try { all = Function("return this")(); } catch {} module.exports = all;',
    "module.exports = () => process.env.HOME + process.cwd() + __dirname + setTimeout;",
    "(function (require) { module.exports = (name) => require(name); })((x) => x);",
    'if (process.env.NODE_ENV !== "production") module.exports = eval; else module.exports = 1;',
  ])("nothing is said of what dependencies mostly do: %s", async (text) => {
    expect(await findHazards(withDependency(text))).toEqual([]);
  });

  it("the error of a Pack that throws while it loads names the hazard", async () => {
    await using project = await createProject(
      withDependency("module.exports = new WebAssembly.Module(1);"),
    );
    const error = await openPack("pack.ts", { cwd: project.directory }).catch(
      (thrown: unknown) => thrown,
    );
    expect(isPackError(error, "PACK_LOAD_FAILED") && error.hint).toContain(
      `Look at ${DEPENDENCY}:1:22 (WEBASSEMBLY_ABSENT)`,
    );
  });
});

describe("native addons", () => {
  const files = {
    "node_modules/bcrypt/package.json": '{"name":"bcrypt","main":"bcrypt.js"}',
    "node_modules/bcrypt/bcrypt.js":
      'const binding = require("./lib/bcrypt_lib.node"); exports.hash = (x) => binding.hash(x);',
    "node_modules/bcrypt/lib/bcrypt_lib.node": "\0machine code",
    "node_modules/loaded/package.json": '{"name":"loaded","main":"index.js"}',
    "node_modules/loaded/index.js": 'exports.run = require("node-gyp-build")(__dirname).run;',
    "node_modules/loaded2/package.json": '{"name":"loaded2","main":"index.js"}',
    "node_modules/loaded2/index.js": 'exports.run = require("bindings")("loaded2").run;',
    "node_modules/bindings/package.json": '{"name":"bindings","main":"bindings.js"}',
    "node_modules/bindings/bindings.js": 'const fs = require("fs"); module.exports = () => fs;',
  };
  const importing = (name: string, specifier?: string): string =>
    `import * as native from "${name}";\n${writePack("return String(native.run());", specifier)}`;

  it.each([
    ["bcrypt", "./lib/bcrypt_lib.node is a native addon", "node_modules/bcrypt/bcrypt.js", "1:25"],
    ["loaded", "node-gyp-build loads a native addon", "node_modules/loaded/index.js", "1:23"],
    ["loaded2", "bindings loads a native addon", "node_modules/loaded2/index.js", "1:23"],
  ])(
    "%s is an error with its place and the imports that lead to it",
    async (name, text, file, place) => {
      await using project = await createProject({ ...files, "pack.ts": importing(name) });
      const error = await bundlePack({ entry: join(project.directory, "pack.ts") }).catch(
        (thrown: unknown) => thrown,
      );
      if (!isPackError(error, "PACK_BUILD_FAILED")) throw error;
      const [problem, ...others] = error.details.problems;
      expect(others).toEqual([]);
      expect(problem).toMatchObject({ code: "NATIVE_ADDON", file });
      expect(`${problem?.line}:${problem?.column}`).toBe(place);
      expect(problem?.message).toContain(text);
      expect(problem?.message).toContain(`: pack.ts → ${file} → `);
      expect(error.hint).toContain("plain JavaScript");
    },
  );

  it("one is a warning and a stub in a Pack that was written for another toolchain", async () => {
    const found = await findHazards({
      ...files,
      "pack.ts": importing("bcrypt", "@codahq/packs-sdk"),
    });
    expect(found.filter(({ code }) => code === "NATIVE_ADDON")).toMatchObject([
      { severity: "warning", place: "node_modules/bcrypt/bcrypt.js:1:25" },
    ]);
  });
});

describe("the examples of explanations", () => {
  const codes = [
    "DYNAMIC_IMPORT",
    "CODE_FROM_TEXT",
    "WEBASSEMBLY_ABSENT",
    "PROCESS_ABSENT",
    "FILE_PATH_ABSENT",
    "TIMER_ABSENT",
    "GLOBAL_ABSENT",
  ] as const;
  it.each(codes)(
    "%s: the bad one is reported with exactly this code, the good one with none",
    async (code) => {
      const { bad = "", good = "" } = ISSUE_EXPLANATIONS[code] ?? {};
      const reported = async (text: string) => {
        const declared = text
          .replace(/^const (\w+) =/, "globalThis.$1 =")
          .replace(/^import .*$/m, "");
        const rest = "async function retry() {} ";
        return (
          await findHazards({
            "pack.ts": writePack(
              `const bytes = name, url = name, context = name; ${rest}\n${declared}\nreturn url + bytes + context + retry;`,
            ),
          })
        ).map((hazard) => hazard.code);
      };
      expect(await reported(bad)).toEqual([code]);
      expect(await reported(good)).toEqual([]);
    },
  );
});
