import { describe, expect, it } from "vitest";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import { processorMs } from "../support/processor-time.ts";
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
  systemConnectionAuthentication: clientCredentials({
    tokenUrl: "http://login.tasks.example/token",
    networkDomain: "tasks.example",
  }),
  formulas: [
    formula({ name: "First", parameters: [parameter({ name: "1st" })], cacheTtlSecs: -1 }),
    formula({
      name: "Second",
      resultType: "object",
      schema: { type: "object", properties: { due: { type: "number", codaType: "url" } } },
    }),
    formula({ name: "Third", examples: [{ params: [1], result: "x" }] }),
  ],
});

const places = (value: unknown, files = sources) =>
  validateDefinition(value, { sources: files }).map(
    ({ path, file, line, column }) => `${path} ${file}:${line}:${column}`,
  );

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
    expect(
      places(pack({ formulas: [{ name: "Run" }], version: "x" }), [{ path: "pack.ts", text }]),
    ).toMatchInlineSnapshot(`
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
    expect(
      places(pack({ formulas: [formula(), formula()], version: "x" }), [{ path: "pack.ts", text }]),
    ).toMatchInlineSnapshot(`
      [
        "version pack.ts:2:3",
        "formulas[1].name pack.ts:5:19",
      ]
    `);
  });

  it("lead from a schema that came of a value hint to the hint", () => {
    const text = `export const pack = newPack();\npack.addFormula({\n  name: "Run",\n  codaType: "slider",\n});\n`;
    const value = pack({ formulas: [formula({ schema: { type: "string", codaType: "slider" } })] });
    expect(places(value, [{ path: "pack.ts", text }])).toEqual([
      "formulas[0].schema.codaType pack.ts:4:3",
    ]);
  });

  it("count columns in characters of the editor, after text outside ASCII too", () => {
    const text = `/* 🙂é */ export const pack = newPack().setVersion("x");`;
    expect(places(pack({ version: "x" }), [{ path: "pack.ts", text }])).toEqual([
      `version pack.ts:1:${text.indexOf("setVersion") + 1}`,
    ]);
  });

  it("fall back to the beginning of the entry for sources that cannot be read", () => {
    const deep = `export const pack = ${"(".repeat(20_000)}1${")".repeat(20_000)};`;
    for (const text of [
      "",
      "{{{ not a program",
      deep,
      `const a = ${"b ? c : ".repeat(20_000)}d`,
      "const a = { ...a }; newPack(a)",
    ]) {
      expect(places(pack({ version: "x" }), [{ path: "pack.ts", text }])).toEqual([
        "version pack.ts:1:1",
      ]);
    }
  });

  it("lead into the Pack's other files: constants, namespaces, re-exports and default exports", () => {
    const files = [
      {
        path: "pack.ts",
        text: `import { schema as shape } from "./schemas/index.js";
import * as parts from "./parts";
import formula from "./formula";
export const pack = newPack();
pack.addFormula({ name: "One", schema: shape, parameters: [parts.title] });
pack.addFormula({ name: "Two", ...parts.shared });
pack.addFormula(formula);
`,
      },
      { path: "schemas/index.ts", text: `export * from "./task";\n` },
      {
        path: "schemas/task.ts",
        text: `import { due } from "../lib";\nconst task = makeObjectSchema({\n  properties: { due },\n});\nexport { task as schema };\n`,
      },
      {
        path: "parts.ts",
        text: `export { title } from "./lib";\nexport const shared = { description: 3 };\n`,
      },
      {
        path: "lib.ts",
        text: `export const title = makeParameter({ type: "string",\n  name: "1st" });\nexport const due = { type: "number", codaType: "url" };\n`,
      },
      { path: "formula.ts", text: `export default { name: "Three",\n  cacheTtlSecs: -1 };\n` },
    ];
    const value = pack({
      formulas: [
        formula({
          name: "One",
          resultType: "object",
          parameters: [parameter({ name: "1st" })],
          schema: { type: "object", properties: { due: { type: "number", codaType: "url" } } },
        }),
        formula({ name: "Two", description: 3 }),
        formula({ name: "Three", cacheTtlSecs: -1 }),
      ],
    });
    expect(places(value, files)).toMatchInlineSnapshot(`
      [
        "formulas[0].parameters[0].name lib.ts:2:3",
        "formulas[0].schema.properties.due.codaType lib.ts:3:38",
        "formulas[1].description parts.ts:2:25",
        "formulas[2].cacheTtlSecs formula.ts:2:3",
      ]
    `);
  });

  it("lead into functions that return an object, and back out to what they are called with", () => {
    const text = `export const pack = newPack();
const make = (name: string, seconds: number) => ({ name, description: "d", cacheTtlSecs: seconds, resultType: "strin" });
function withTitle(title) {
  return { name: title, isAction: 1 };
}
pack.addFormula(make("One", -1));
pack.addFormula(withTitle("Two"));
pack.addFormula(compose(something));
`;
    const value = pack({
      formulas: [
        formula({ name: "One", cacheTtlSecs: -1, resultType: "strin" }),
        formula({ name: "Two", isAction: 1 }),
        formula({ name: "Three", isAction: 1 }),
      ],
    });
    expect(places(value, [{ path: "pack.ts", text }])).toMatchInlineSnapshot(`
      [
        "formulas[0].resultType pack.ts:2:99",
        "formulas[0].cacheTtlSecs pack.ts:6:29",
        "formulas[1].isAction pack.ts:4:25",
        "formulas[2].isAction pack.ts:8:6",
      ]
    `);
  });

  it("are those of the nearest place for what only running the code shows", () => {
    const text = `export const pack = newPack();
const key = "1st";
for (const name of names) pack.addFormula({ name, description: "d", schema: { properties: { [key]: { type: "x" }, [\`a\`]: { type: "x" } } } });
pack.addNetworkDomain(...domains, "com");
`;
    const properties = { "1st": { type: "x" }, a: { type: "x" } };
    const value = pack({
      networkDomains: ["a.example", "com"],
      formulas: ["One", "Two"].map((name) =>
        formula({ name, resultType: "object", schema: { type: "object", properties } }),
      ),
    });
    expect(places(value, [{ path: "pack.ts", text }])).toMatchInlineSnapshot(`
      [
        "networkDomains[1] pack.ts:4:6",
        "formulas[0].schema.properties["1st"].type pack.ts:3:79",
        "formulas[0].schema.properties.a.type pack.ts:3:124",
        "formulas[1].schema.properties["1st"].type pack.ts:3:79",
      ]
    `);
  });

  it("are found in tables, formats and skills, whose members have other names than the author's", () => {
    const text = `export const pack = newPack();
pack.addColumnFormat({ name: "F", formulaName: 1 });
pack.addDynamicSyncTable({ name: "D", formula: { parameters: [{ defaultValue: 1 }] } });
pack.addSyncTable({
  name: "T",
  schema: { properties: { a: {} }, primary: "a" },
  formula: {
    parameters: [{ name: "p", defaultValue: 1 }],
  },
  dynamicOptions: { entityName: 1, shema: 2 },
});
pack.addDynamicSyncTable({ name: "E", formula: {}, placeholderSchema: { properties: {},
  primary: "a" } });
`;
    const getter = { parameters: [parameter({ defaultValue: 1 })] };
    const schema = { type: "object", properties: { a: { type: "string" } }, primary: "a" };
    const value = pack({
      syncTables: [
        { name: "T", schema, getter },
        { name: "D", getter },
        { name: "E", schema },
      ],
    });
    expect(
      places(value, [{ path: "pack.ts", text }]).filter((place) =>
        /defaultValue|primary/.test(place),
      ),
    ).toMatchInlineSnapshot(`
      [
        "syncTables[0].getter.parameters[0].defaultValue pack.ts:8:31",
        "syncTables[0].schema.primary pack.ts:6:36",
        "syncTables[1].getter.parameters[0].defaultValue pack.ts:3:65",
        "syncTables[2].schema.primary pack.ts:13:3",
      ]
    `);
  });

  it("tell a mistake once that several parts share, and each of two that are written apart", () => {
    const schema = { type: "object", properties: { due: { type: "number", codaType: "url" } } };
    const value = pack({
      formulas: ["A", "B"].map((name) => formula({ name, resultType: "object", schema })),
    });
    const literal = '{ properties: { due: { type: "number", codaType: "url" } } }';
    const calls = (text: string) =>
      ["A", "B"]
        .map(
          (name) =>
            `pack.addFormula({ name: "${name}", resultType: "object", schema: ${text} });\n`,
        )
        .join("");
    const shared = `export const pack = newPack();\nconst schema = ${literal};\n${calls("schema")}`;
    expect(places(value, [{ path: "pack.ts", text: shared }])).toEqual([
      "formulas[0].schema.properties.due.codaType pack.ts:2:55",
    ]);
    expect(
      places(value, [
        { path: "pack.ts", text: `export const pack = newPack();\n${calls(literal)}` },
      ]),
    ).toHaveLength(2);
    expect(places(value, [])).toHaveLength(2);
  });

  it("stay quick for a thousand formulas, each with a problem", () => {
    const names = Array.from({ length: 1000 }, (_, index) => `F${index}`);
    const text = `export const pack = newPack();\n${names.map((name) => `pack.addFormula({ name: "${name}", cacheTtlSecs: -1 });\n`).join("")}`;
    const value = pack({ formulas: names.map((name) => formula({ name, cacheTtlSecs: -1 })) });
    let found: string[] = [];
    const spentMs = processorMs(() => {
      found = places(value, [{ path: "pack.ts", text }]);
    });
    expect(found.at(-1)).toBe("formulas[999].cacheTtlSecs pack.ts:1001:33");
    expect(spentMs).toBeLessThan(2_000);
  });

  it("are absent without sources", () => {
    expect(validateDefinition(pack({ version: "x" }))[0]).not.toHaveProperty("line");
  });
});
