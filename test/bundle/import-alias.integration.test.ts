import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { isAlias } from "../../src/bundle/import-alias.ts";
import { createProject } from "./project.ts";

describe("an import by an alias that has no file", () => {
  const findProblem = async (files: Record<string, string>): Promise<unknown> => {
    await using project = await createProject({
      "package.json": "{}",
      "pack.ts": `import { text } from "@/lib/text";\nexport const pack = { text };\n`,
      ...files,
    });
    const error = await bundlePack({ entry: project.path("pack.ts") }).catch(
      (thrown: unknown) => thrown,
    );
    return (error as { details: { problems: unknown[] } }).details.problems[0];
  };

  it("names the tsconfig.json that does not map it", async () => {
    expect(await findProblem({ "tsconfig.json": "{}" })).toEqual({
      message:
        "No file was found for the alias @/lib/text: compilerOptions.paths of tsconfig.json does not map it.",
      hint: 'Import the file by its relative path, or add the alias to compilerOptions.paths of tsconfig.json: "@/*": ["./src/*"].',
      file: "pack.ts",
      line: 1,
      column: 22,
    });
  });

  it("names the file that a tsconfig.json maps it to", async () => {
    const paths = { "@/*": ["./source/*"] };
    const config = JSON.stringify({ compilerOptions: { paths } });
    expect(await findProblem({ "tsconfig.json": config })).toMatchObject({
      message:
        "No file was found for the alias @/lib/text: tsconfig.json maps it to source/lib/text, which does not exist.",
    });
  });

  it("says that there is no tsconfig.json", async () => {
    expect(await findProblem({})).toMatchObject({
      message: "No file was found for the alias @/lib/text: there is no tsconfig.json.",
    });
  });
});

describe("isAlias", () => {
  it.each(["@/lib/text", "~/text", "~text", "$lib/text"])("is true for %s", (specifier) => {
    expect(isAlias(specifier)).toBe(true);
  });

  it.each(["lodash", "lodash/fp.js", "@scope/text", "@scope/text/deep", "JSONStream", "a.b_c-d"])(
    "is false for the package in %s",
    (specifier) => {
      expect(isAlias(specifier)).toBe(false);
    },
  );
});
