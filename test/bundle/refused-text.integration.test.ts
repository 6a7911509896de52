import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { findRefusedText } from "../../src/bundle/refused-text.ts";
import { createProject } from "./project.ts";

const writePack = (body: string, head = "") => `import { newPack } from "packsmith";
${head}
export const pack = newPack();
pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: "number", execute: () => ${body} });
`;

async function refused(files: Record<string, string>) {
  await using project = await createProject(files, "tasks");
  const bundle = await bundlePack({ entry: project.path("pack.ts") });
  return { bundle, refused: findRefusedText(bundle) };
}

describe("text that the document service refuses in a bundle", () => {
  it.each([["a constructor of functions", 'Number(new Function("return 1")())', 4, 109]])(
    "%s in the Pack is an error at its place; the build has it as a warning",
    async (_, body, line, column) => {
      const found = await refused({ "pack.ts": writePack(body) });
      expect(found.bundle.issues).toMatchObject([
        { code: "CODE_FROM_TEXT", severity: "warning", file: "pack.ts", line, column },
      ]);
      expect(found.refused).toEqual(
        found.bundle.issues.map((issue) => ({ ...issue, severity: "error" })),
      );
    },
  );

  it("in a package it names the imports that lead to it", async () => {
    const found = await refused({
      "pack.ts": writePack("run()", 'import { run } from "./lib";'),
      "lib.ts": 'export { default as run } from "templates";',
      "node_modules/templates/package.json": '{ "name": "templates", "main": "index.js" }',
      "node_modules/templates/index.js": 'module.exports = () => new Function("return 1")();',
    });
    expect(found.refused).toMatchObject([
      {
        severity: "error",
        file: "node_modules/templates/index.js",
        message: expect.stringContaining("pack.ts → lib.ts → node_modules/templates/index.js"),
        hint: "Choose another package or version, or import only the files of templates that you need.",
      },
    ]);
  });

  it("in a string is found, too, because the service reads only the text", async () => {
    const found = await refused({ "pack.ts": writePack('"eval(1)".indexOf(pack.version ?? "x")') });
    expect(found.bundle.issues).toEqual([]);
    expect(found.refused).toMatchObject([
      { code: "CODE_FROM_TEXT", severity: "error", file: "pack.ts", line: 1, column: 1 },
    ]);
  });

  // esbuild writes a call of eval as one of a member, without that text.
  it.each(["medieval(1)", "(0, eval)('1')", "eval('1')"])("%s is not that text", async (body) => {
    const found = await refused({
      "pack.ts": writePack(body, "const medieval = (x: number) => x; void medieval;"),
    });
    expect(found.refused).toEqual([]);
  });
});
