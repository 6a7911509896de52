import { describe, expect, it } from "vitest";
import { openPack } from "../../src/execute/open-pack.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject } from "../support/project.ts";
import { sarifSchema } from "../validate/formats/sarif-schema.ts";

const PACK = `import { newPack } from "packsmith";\nexport const pack = newPack();\n`;

/** A Pack whose helper throws in line 4, column 10, when it is called. */
const FILES = {
  "packs/tasks/pack.ts": `import { columns } from "./lib/columns.ts";\n${PACK}pack.setVersion(columns());\n`,
  "packs/tasks/lib/columns.ts":
    "interface Table { columns: string[] }\nexport function columns(): string {\n  const table = undefined as unknown as Table;\n  return table.columns.join();\n}\n",
};
const PLACE = { file: "packs/tasks/lib/columns.ts", line: 4, column: 16 };

describe("an error that a Pack throws while it loads is placed at the author's line", () => {
  const run = async (...flags: string[]) => {
    using project = makeProject(FILES);
    return await runCli(["validate", "packs/tasks/pack.ts", "--no-types", ...flags], {
      cwd: project.path,
    });
  };

  it("in text", async () => {
    const { code, stdout } = await run();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^packs\/tasks\/lib\/columns\.ts:4:16 {2}error {2}PACK_LOAD_FAILED {2}The Pack throws while it loads: .*columns.* {2}→ Fix the error on this line\. The line runs each time the Pack loads\.\n$/,
    );
  });

  it("in JSON", async () => {
    const { json } = await run("--json");
    expect(json()).toMatchObject({
      ok: false,
      issues: [{ code: "PACK_LOAD_FAILED", thrown: "TypeError", ...PLACE }],
      error: { code: "PACK_LOAD_FAILED", thrown: "TypeError" },
    });
  });

  it("in SARIF", async () => {
    const [result] =
      sarifSchema.parse((await run("--format", "sarif")).json()).runs[0]?.results ?? [];
    expect(result?.locations).toMatchObject([
      {
        physicalLocation: {
          artifactLocation: { uri: PLACE.file },
          region: { startLine: PLACE.line, startColumn: PLACE.column },
        },
      },
    ]);
  });

  it("in GitHub annotations", async () => {
    const { stdout } = await run("--format", "github");
    expect(stdout).toContain(
      `::error file=${PLACE.file},line=${PLACE.line},col=${PLACE.column},title=PACK_LOAD_FAILED::`,
    );
  });

  it("in GitLab's code quality report", async () => {
    const { json } = await run("--format", "gitlab");
    expect(json()).toMatchObject([
      {
        check_name: "PACK_LOAD_FAILED",
        location: { path: PLACE.file, lines: { begin: PLACE.line } },
      },
    ]);
  });

  it("when the Pack is run", async () => {
    using project = makeProject(FILES);
    const { stderr } = await runCli(["execute", "packs/tasks/pack.ts", "Hello"], {
      cwd: project.path,
    });
    expect(stderr).toMatch(
      /^error PACK_LOAD_FAILED .*\n.*Fix the error on this line.*\n.*lib\/columns\.ts:4:16\n$/,
    );
  });
});

describe("the place of an error while loading", () => {
  const findPlace = async (files: Record<string, string>) => {
    using project = makeProject(files);
    const error = await openPack("pack.ts", { cwd: project.path }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "PACK_LOAD_FAILED" });
    return error as {
      place?: { file: string; line: number; column: number };
      message: string;
      hint: string;
    };
  };

  it.each([
    ["ESM", { type: "module", main: "index.js" }, `import "./inner.js"; export const kit = 1;`],
    ["CommonJS", { main: "index.js" }, `require("./inner.js"); exports.kit = 1;`],
  ])("is the author's import, when a package throws (%s)", async (_, manifest, index) => {
    const error = await findPlace({
      "pack.ts": `import { use } from "./use.ts";\n${PACK}use();\n`,
      "use.ts": `export const name = "kitchen";\nimport { kit } from "kit";\nexport const use = () => kit;\n`,
      "node_modules/kit/package.json": JSON.stringify({ name: "kit", ...manifest }),
      "node_modules/kit/index.js": index,
      "node_modules/kit/inner.js": `const none = undefined;\nnone.value();\n`,
    });
    expect(error.place).toMatchObject({ file: "use.ts", line: 2 });
  });

  it("is the statement that calls a function of packsmith with something wrong", async () => {
    const { place } = await findPlace({
      "pack.ts": `${PACK}\npack.addFormula(undefined as never);\n`,
    });
    expect(place).toMatchObject({ file: "pack.ts", line: 4 });
  });

  it("is unknown when what is thrown is not an error, and the entry is reported", async () => {
    using project = makeProject({ "pack.ts": `${PACK}throw "text";\n` });
    const { json } = await runCli(["validate", "pack.ts", "--no-types", "--json"], {
      cwd: project.path,
    });
    expect(json()).toMatchObject({
      issues: [{ file: "pack.ts", line: 1, column: 1, hint: expect.stringContaining("top level") }],
    });
  });
});

describe("the hint of an error while loading", () => {
  const findHint = async (files: Record<string, string>): Promise<string> => {
    using project = makeProject(files);
    const error = await openPack("pack.ts", { cwd: project.path }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "PACK_LOAD_FAILED" });
    return (error as { hint: string }).hint;
  };
  const CIRCLE = {
    "one.ts": `import { two } from "./two.ts";\nexport const one = () => two;\n`,
    "two.ts": `import { one } from "./one.ts";\nexport const two = () => one;\n`,
  };

  it("names what has only a type", async () => {
    const hint = await findHint({
      ...CIRCLE,
      "pack.ts": `import { one } from "./one.ts";\n${PACK}declare const SOMETHING: string;\nexport const all = [one, SOMETHING];\n`,
    });
    expect(hint).toBe(
      "Define or import SOMETHING. A declaration of its type, such as declare const SOMETHING, does not create the value.",
    );
  });

  it("names files that import each other only if the error is in one of them", async () => {
    const elsewhere = await findHint({
      ...CIRCLE,
      "pack.ts": `import { one } from "./one.ts";\n${PACK}one();\n(undefined as unknown as { call(): void }).call();\n`,
    });
    expect(elsewhere).toMatch(/^Fix the error on this line\./);
    const there = await findHint({
      "pack.ts": `import { one } from "./one.ts";\n${PACK}one();\n`,
      "one.ts": `import { two } from "./two.ts";\nexport const one = () => two;\nexport const list = ["a"];\n`,
      "two.ts": `import { list } from "./one.ts";\nexport const two = list.length;\n`,
    });
    expect(there).toMatch(/^These files import each other.*: one\.ts → two\.ts → one\.ts\.$/);
  });
});

describe("a global that the Pack runtime does not have, used while the Pack loads", () => {
  const failure = async (files: Record<string, string>) => {
    using project = makeProject(files);
    const error = await openPack("pack.ts", { cwd: project.path }).catch(
      (thrown: unknown) => thrown,
    );
    return error as { message: string; hint: string; place: object };
  };
  /** `kit` imports `inner`, which has this line, and a file with another hazard. */
  const withKit = (line: string): Record<string, string> => ({
    "pack.ts": `import { kit } from "kit";\n${PACK}kit();\n`,
    "node_modules/kit/index.js": `require("./text.js");\nrequire("inner");\nexports.kit = () => 1;\n`,
    "node_modules/kit/text.js": `exports.run = (text) => new Function(text)();\n`,
    "node_modules/inner/index.js": `${line}\n`,
  });

  it.each([
    [
      "exports.decoder = new TextDecoder();",
      /globalThis\.TextDecoder in a separate file\. Import that file before kit/,
    ],
    ["exports.later = setTimeout;", /--timer-strategy fake/],
    [
      "exports.load = fetch.bind(globalThis);",
      /another package or version, because kit cannot load without fetch/,
    ],
  ])(
    "by a package: the message has the name and the file, and the hint what to do (%s)",
    async (line, hint) => {
      const { message, hint: found, place } = await failure(withKit(line));
      const [, name = ""] = /(TextDecoder|setTimeout|fetch)/.exec(line) ?? [];
      expect(message).toContain(`${name} is not defined (at node_modules/inner/index.js:1:`);
      expect(found).toMatch(hint);
      expect(place).toMatchObject({ file: "pack.ts", line: 1 });
    },
  );

  it("works when a file that is imported before the package defines it, as the hint says", async () => {
    const files = withKit("exports.decoder = new TextDecoder();");
    using project = makeProject({
      ...files,
      "pack.ts": `import "./text-decoder.ts";\n${files["pack.ts"]}`,
      "text-decoder.ts": `class Decoder { decode(bytes: Uint8Array) { return Buffer.from(bytes).toString(); } }\nObject.assign(globalThis, { TextDecoder: Decoder });\n`,
    });
    await using loaded = await openPack("pack.ts", { cwd: project.path });
    expect(loaded.issues.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("by the author: the hint is that of the warning about this global", async () => {
    const { hint } = await failure({
      "pack.ts": `${PACK}pack.setVersion(new TextDecoder().decode(Buffer.from("1")));\n`,
    });
    expect(hint).toBe("Use Buffer, which the Pack runtime has.");
  });
});
