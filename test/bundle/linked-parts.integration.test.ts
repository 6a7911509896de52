import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { ALL_PARTS, linkedParts } from "../../src/bundle/linked-parts.ts";
import { projectBoundary } from "../../src/shared/project-boundary.ts";
import { createProject } from "./project.ts";

const TABLE = `{ name: "Things", identityName: "Thing", schema: { type: "object", idProperty: "id", displayProperty: "id", properties: { id: { type: "string" } } }, formula: { name: "SyncThings", description: "", parameters: [], execute: async () => ({ result: [] }) } }`;
const IMPORT = `import { newPack, PackDefinitionBuilder } from "packsmith";`;
const NEW = `${IMPORT}\nexport const pack = newPack();`;

async function bundleFiles(files: Record<string, string>) {
  await using project = await createProject(files);
  const { code } = await bundlePack({ entry: "pack.ts", cwd: project.directory });
  const module = {
    exports: {} as {
      pack: {
        formulas: unknown[];
        syncTables: { getter: object }[];
        defaultAuthentication: object;
      };
    },
  };
  runInNewContext(code, { module, exports: module.exports });
  return { ...module.exports.pack, code };
}

it("a Hello World is a bundle of less than 6 kB", async () => {
  const { code } = await bundleFiles({
    "pack.ts": readFileSync(new URL("../../templates/blank/pack.ts", import.meta.url), "utf8"),
  });
  expect(code.length).toBeLessThan(6_000);
});

describe("a sync table works however the Pack's sources reach the method", () => {
  // A file that the entry imports has the table; where it matters, the word for it appears nowhere
  // else.
  const table = JSON.stringify(TABLE.replaceAll("Things", "Rows"));
  it.each<[string, Record<string, string>]>([
    ["by name", { "pack.ts": `${NEW}\npack.addSyncTable(${TABLE});` }],
    ["as a literal member", { "pack.ts": `${NEW}\npack["addSyncTable"](${TABLE});` }],
    [
      "destructured",
      {
        "pack.ts": `${NEW}\nconst { addSyncTable } = pack;\naddSyncTable.call(pack, ${TABLE} as never);`,
      },
    ],
    [
      "as a member of a subclass",
      {
        "pack.ts": `${IMPORT}\nclass Own extends PackDefinitionBuilder {}\nexport const pack = new Own().addSyncTable(${TABLE});`,
      },
    ],
    [
      "as a part of newPack",
      {
        "pack.ts": `${IMPORT}\nimport * as sdk from "packsmith";\nexport const pack = newPack({ syncTables: [sdk.makeSyncTable(${TABLE})] });`,
      },
    ],
    [
      "with a computed name",
      { "pack.ts": `${NEW}\nconst kind = "Table";\n(pack as any)["addSync" + kind](${TABLE});` },
    ],
    [
      "with a name in a template",
      { "pack.ts": `${NEW}\nconst kind = "Table";\n(pack as any)[\`addSync\${kind}\`](${TABLE});` },
    ],
    [
      "with a computed name across lines",
      {
        "pack.ts": `${NEW}\nconst name = "addSync".concat("Table");\n(pack as any)\n  [name](${TABLE});`,
      },
    ],
    [
      "with a computed name after a comment",
      {
        "pack.ts": `${NEW}\nconst name = "addSync".concat("Table");\n(pack as any) /* name */ [name](${TABLE});`,
      },
    ],
    [
      "with a computed name after a dot",
      {
        "pack.ts": `${NEW}\nconst name = "addSync".concat("Table");\n(pack as any)?.[name](${TABLE});`,
      },
    ],
    [
      "destructured with a computed name",
      {
        "pack.ts": `${NEW}\nconst name = "addSync".concat("Table");\nconst { [name]: add } = pack as any;\nadd.call(pack, ${TABLE});`,
      },
    ],
    [
      "by reflection",
      {
        "pack.ts": `${NEW}\nconst name = "addSync".concat("Table");\nReflect.get(pack, name).call(pack, ${TABLE});`,
      },
    ],
    [
      "through the prototype",
      {
        "pack.ts": `${NEW}\nconst all = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(pack));\nObject.entries(all).find(([name]) => name.length === 12 && name.startsWith("addS") && name.endsWith("e"))?.[1].value.call(pack, ${TABLE});`,
      },
    ],
    [
      "with a name that contains an escape",
      { "pack.ts": `${NEW}\npack.add\\u0053yncTable(${TABLE});` },
    ],
    [
      "in another file",
      {
        "pack.ts": `${NEW}\nimport { add } from "./parts/add.js";\nadd(pack);`,
        "parts/add.ts": `export const add = (pack: any) => pack.addSyncTable(${TABLE});`,
      },
    ],
    [
      "in the index of a folder",
      {
        "pack.ts": `${NEW}\nimport { add } from "./parts";\nadd(pack);`,
        "parts/index.ts": `export * from "./add";`,
        "parts/add.js": `export const add = (pack) => pack.addSyncTable(${TABLE});`,
      },
    ],
    [
      "in a file that is required",
      {
        "pack.ts": `${NEW}\nrequire("./add").add(pack);`,
        "add.cjs": "",
        "add.js": `exports.add = (pack) => pack.addSyncTable(${TABLE});`,
      },
    ],
    [
      "in a file whose name is joined, next to a file with the name of the folder",
      {
        "pack.ts": `${NEW}\nconst name = "add";\nrequire("./parts/" + name + ".ts").add(pack);`,
        "parts.ts": "",
        "parts/add.ts": `export const add = (pack: any) => pack.addSyncTable(${TABLE});`,
      },
    ],
    [
      "in the main file of a folder with a package.json",
      {
        "pack.ts": `${NEW}\nimport { add } from "./parts";\nadd(pack);`,
        "parts/package.json": `{"main":"lib/add.js"}`,
        "parts/lib/add.js": `exports.add = (pack) => pack.addSyncTable(${TABLE});`,
      },
    ],
    [
      "in a package",
      {
        "pack.ts": `${NEW}\nimport { add } from "tables";\nadd(pack);`,
        "node_modules/tables/index.js": `exports.add = (pack) => pack.addSyncTable(${TABLE});`,
      },
    ],
    [
      "in a file that tsconfig.json names",
      {
        "pack.ts": `${NEW}\nimport { add } from "@/add";\nadd(pack);`,
        "tsconfig.json": `{"compilerOptions":{"paths":{"@/*":["./lib/*"]}}}`,
        "lib/add.ts": `export const add = (pack: any) => pack.addSyncTable(${TABLE});`,
      },
    ],
    [
      "with a name from a JSON file",
      {
        "pack.ts": `${NEW}\nimport names from "./names.json";\nfor (const name of names) (pack as any)[name](eval("(" + ${table} + ")"));`,
        "names.json": `["addSyncTable"]`,
      },
    ],
  ])("%s", async (_, files) => {
    const { syncTables } = await bundleFiles(files);
    expect(syncTables).toEqual([
      expect.objectContaining({
        getter: expect.objectContaining({ isSyncFormula: true, resultType: 2 }),
      }),
    ]);
  });
});

describe("a part is in the bundle of a Pack that may need it, and in no other", () => {
  const formula = (rest: string): string =>
    `pack.addFormula({ name: "F", description: "", parameters: [], execute: async () => [], ${rest} } as never);`;

  it("only formulas with plain results: nothing of tables, authentication and schemas, in any file", async () => {
    await using project = await createProject({
      "pack.ts": `${NEW}\nimport { add } from "./formulas";\nadd(pack);`,
      "formulas.ts": `export const add = (pack: any) => { ${formula('resultType: "string"')} return [pack][0]; };`,
    });
    const { code, inputs } = await bundlePack({ entry: "pack.ts", cwd: project.directory });
    expect(
      inputs
        .map(({ path }) => path)
        .filter((path) => ALL_PARTS.some((part) => path.endsWith(`${part}.js`))),
    ).toEqual([]);
    expect(code).not.toContain("deletedRowIds");
  });

  it("a schema is normalized", async () => {
    const { formulas, code } = await bundleFiles({
      "pack.ts": `${NEW}\n${formula('resultType: "array", items: { type: "object", properties: { "due-date": { type: "string" } } }')}`,
    });
    expect(formulas).toEqual([
      expect.objectContaining({
        schema: expect.objectContaining({
          items: expect.objectContaining({
            properties: expect.objectContaining({ DueDate: expect.anything() }),
          }),
        }),
      }),
    ]);
    expect(code).not.toContain("deletedRowIds");
  });

  it("a list without items compiles", async () => {
    const { formulas } = await bundleFiles({
      "pack.ts": `${NEW}\n${formula('resultType: "array"')}`,
    });
    expect(formulas).toEqual([
      expect.objectContaining({ resultType: 2, schema: { type: "array" } }),
    ]);
  });

  it("authentication asks its metadata formulas", async () => {
    const { defaultAuthentication } = await bundleFiles({
      "pack.ts": `${NEW}\npack.setUserAuthentication({ type: "HeaderBearerToken", getConnectionName: async () => "Me" } as never);`,
    });
    expect(defaultAuthentication).toMatchObject({ getConnectionName: { name: "getMetadata" } });
  });

  it.each([
    "const first = names[0];",
    "const [first] = names;",
    "type First = string[];",
    "return [first];",
    'const { a: [first] } = { a: ["b"] };',
  ])("%s computes no name", (line) =>
    expect(linkedParts("/pack.ts", line, projectBoundary("/pack.ts"))).toEqual([]),
  );

  it("a Pack of many files has all parts", async () => {
    const files = Array.from(
      { length: 40 },
      (_, index) => [`f${index}.ts`, `import "./f${index + 1}";`] as const,
    );
    await using project = await createProject({ ...Object.fromEntries(files), "f40.ts": "" });
    expect(
      linkedParts(project.path("f0.ts"), `import "./f1";`, projectBoundary(project.path("f0.ts"))),
    ).toEqual(ALL_PARTS);
  });
});
