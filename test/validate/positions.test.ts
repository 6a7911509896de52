import { describe, expect, it } from "vitest";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import { clientCredentials, formula, pack, parameter } from "./definitions.ts";

const SOURCE = `import { makeParameter, newPack, ParameterType } from "packsmith";
import { addMore } from "./more.ts";

export const pack = newPack().addNetworkDomain("tasks.example", "com");

const title = makeParameter({ type: ParameterType.String, name: "1st", description: "The title." });
const shared = { description: "Lists.", cacheTtlSecs: -1 };
const schema = { type: "object", properties: { due: { type: "number", codaType: "url" } } } as const;

pack.setSystemAuthentication({
  type: "OAuth2ClientCredentials",
  tokenUrl: "http://login.tasks.example/token",
});
pack
  .addFormula({ name: "First", parameters: [title], ...shared, resultType: "string", execute: () => "" })
  .addFormula({ name: "Second", description: "d", parameters: [], resultType: "object", schema, execute: () => ({}) });
addMore(pack);
`;
const MORE = `export function addMore(pack) {
  pack.addFormula({
    name: "Third",
    examples: [{ params: [1], result: "x" }],
  });
}
`;
const sources = [
  { path: "pack.ts", text: SOURCE },
  { path: "more.ts", text: MORE },
];

const definition = pack({
  version: "x",
  networkDomains: ["tasks.example", "com"],
  systemConnectionAuthentication: clientCredentials({ tokenUrl: "http://login.tasks.example/token", networkDomain: "tasks.example" }),
  formulas: [
    formula({ name: "First", parameters: [parameter({ name: "1st" })], cacheTtlSecs: -1 }),
    formula({ name: "Second", resultType: "object", schema: { type: "object", properties: { due: { type: "number", codaType: "url" } } } }),
    formula({ name: "Third", examples: [{ params: [1], result: "x" }] }),
  ],
});

const places = (value: unknown, files = sources) =>
  validateDefinition(value, { sources: files }).map(({ path, file, line, column }) => `${path} ${file}:${line}:${column}`);

describe("positions", () => {
  it("lead to the member that is wrong, through constants, spreads, chains and other files", () => {
    expect(places(definition)).toMatchInlineSnapshot(`
      [
        "version pack.ts:4:14",
        "systemConnectionAuthentication.tokenUrl pack.ts:12:3",
        "networkDomains[1] pack.ts:4:65",
        "formulas[0].cacheTtlSecs pack.ts:7:41",
        "formulas[0].parameters[0].name pack.ts:6:59",
        "formulas[1].schema.properties.due.codaType pack.ts:8:71",
        "formulas[2].examples[0].params more.ts:4:18",
      ]
    `);
  });

  it("are those of the object when a member is absent, and of the export when there is no call", () => {
    const text = `export const pack = newPack();\n  pack.addFormula({ name: "Run" });\n`;
    expect(places(pack({ formulas: [{ name: "Run" }], version: "x" }), [{ path: "pack.ts", text }])).toMatchInlineSnapshot(`
      [
        "version pack.ts:1:14",
        "formulas[0].description pack.ts:2:8",
        "formulas[0].parameters pack.ts:2:8",
        "formulas[0].resultType pack.ts:2:8",
        "formulas[0].execute pack.ts:2:8",
      ]
    `);
  });

  it("find members of newPack({…}) and tell formulas of one name apart", () => {
    const text = `export const pack = newPack({\n  version: "x",\n});\npack.addFormula({ name: "Run" });\npack.addFormula({ name: "Run" });\n`;
    expect(places(pack({ formulas: [formula(), formula()], version: "x" }), [{ path: "pack.ts", text }])).toMatchInlineSnapshot(`
      [
        "version pack.ts:2:3",
        "formulas[1].name pack.ts:5:19",
      ]
    `);
  });

  it("lead from a schema that came of a value hint to the hint", () => {
    const text = `export const pack = newPack();\npack.addFormula({\n  name: "Run",\n  codaType: "slider",\n});\n`;
    const value = pack({ formulas: [formula({ schema: { type: "string", codaType: "slider" } })] });
    expect(places(value, [{ path: "pack.ts", text }])).toEqual(["formulas[0].schema.codaType pack.ts:4:3"]);
  });

  it("count columns in characters of the editor, after text outside ASCII too", () => {
    const text = `/* 🙂é */ export const pack = newPack().setVersion("x");`;
    expect(places(pack({ version: "x" }), [{ path: "pack.ts", text }])).toEqual([`version pack.ts:1:${text.indexOf("setVersion") + 1}`]);
  });

  it("fall back to the beginning of the entry for sources that cannot be read", () => {
    const deep = `export const pack = ${"(".repeat(20_000)}1${")".repeat(20_000)};`;
    for (const text of ["", "{{{ not a program", deep, `const a = ${"b ? c : ".repeat(20_000)}d`, "const a = { ...a }; newPack(a)"]) {
      expect(places(pack({ version: "x" }), [{ path: "pack.ts", text }])).toEqual(["version pack.ts:1:1"]);
    }
  });

  it("are absent without sources", () => {
    expect(validateDefinition(pack({ version: "x" }))[0]).not.toHaveProperty("line");
  });
});
