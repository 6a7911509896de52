import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFixes } from "../../src/validate/fixes.ts";
import { findLegacyCalls } from "../../src/validate/legacy-calls.ts";
import { isProgram } from "../../src/validate/source-module.ts";

/** Applies fixes until none is left, as --fix does. */
function rewritten(text: string): { text: string; left: string[] } {
  let at = text;
  for (let round = 0; round < 10; round++) {
    const issues = findLegacyCalls([{ path: "pack.ts", text: at }]);
    const { text: next, applied } = applyFixes(
      at,
      issues.flatMap(({ fix }) => (fix === undefined ? [] : [fix])),
    );
    if (applied.length === 0)
      return {
        text: at,
        left: issues.map(({ line, column, message }) => `${line}:${column} ${message}`),
      };
    at = next;
  }
  throw new Error("The fixes do not end.");
}

const inline = (code: string) =>
  rewritten(`import * as coda from "@codahq/packs-sdk";\n${code}`)
    .text.split("\n")
    .slice(1)
    .join("\n");

describe("findLegacyCalls", () => {
  it.each([
    [
      'coda.makeStringParameter("title", "The title.")',
      'coda.makeParameter({ type: coda.ParameterType.String, name: "title", description: "The title." })',
    ],
    [
      "coda.makeNumericArrayParameter(NAME, describe(1), { optional: true, defaultValue: [1] })",
      "coda.makeParameter({ type: coda.ParameterType.NumberArray, name: NAME, description: describe(1), optional: true, defaultValue: [1] })",
    ],
    [
      'coda.makeDateParameter(\n  "due",\n  "Due date.",\n  {\n    optional: true,\n  },\n)',
      'coda.makeParameter({ type: coda.ParameterType.Date, name: "due", description: "Due date.", optional: true })',
    ],
    [
      'coda.makeHtmlParameter("a", "b", {})',
      'coda.makeParameter({ type: coda.ParameterType.Html, name: "a", description: "b" })',
    ],
    [
      'coda.makeStringFormula({\n  name: "A",\n  response: { schema: hint },\n})',
      'coda.makeFormula({\n  resultType: coda.ValueType.String,\n  name: "A",\n  schema: hint,\n})',
    ],
    [
      'coda.makeNumericFormula({ name: "A" })',
      'coda.makeFormula({ resultType: coda.ValueType.Number, name: "A" })',
    ],
    [
      "coda.makeObjectFormula({ response: { schema: coda.makeObjectSchema({ properties: {} }), onError() {} } })",
      "coda.makeFormula({ resultType: coda.ValueType.Object, schema: coda.makeObjectSchema({ properties: {} }), onError() {} })",
    ],
    [
      "coda.makeObjectFormula({ response: { schema: { type: coda.ValueType.Array, items: task } } })",
      "coda.makeFormula({ resultType: coda.ValueType.Array, items: task })",
    ],
    [
      'const tasks = coda.makeSchema({ type: "array", items: task });\ncoda.makeObjectFormula({ name: "A", response: { schema: tasks } })',
      'const tasks = coda.makeSchema({ type: "array", items: task });\ncoda.makeFormula({ resultType: coda.ValueType.Array, name: "A", items: tasks.items })',
    ],
    [
      'const task = coda.makeObjectSchema({ properties: {}, identity: { name: "Task" } });\ncoda.makeSyncTableLegacy("Tasks", task, { name: "S" }, undefined, { entityName: "Task" }, "All tasks")',
      'const task = coda.makeObjectSchema({ properties: {}, identity: { name: "Task" } });\ncoda.makeSyncTable({ name: "Tasks", identityName: "Task", schema: task, formula: { name: "S" }, dynamicOptions: { entityName: "Task" }, displayName: "All tasks" })',
    ],
    ['throw coda.makeUserVisibleError("No.");', 'throw new coda.UserVisibleError("No.");'],
    [
      "if (!coda.isUserVisibleError(error)) throw error;",
      "if (!(error instanceof coda.UserVisibleError)) throw error;",
    ],
  ])("rewrites %s", (before, after) => {
    expect(inline(before)).toBe(after);
  });

  it.each([
    "coda.makeStringParameter(...args)",
    'coda.makeStringParameter("a", "b", options)',
    'coda.makeStringParameter("a", "b", { ...options })',
    'coda.makeStringParameter("a" /* the first */, "b")',
    "coda.makeStringFormula(definition)",
    "coda.makeStringFormula({ ...definition })",
    "coda.makeObjectFormula({ response })",
    "coda.makeObjectFormula({ response: { schema: unknown } })",
    'coda.makeObjectFormula({ response: { schema: coda.makeObjectSchema({ properties: {} }), projectKey: "a" } })',
    "coda.makeObjectFormula({ name })",
    'coda.makeSyncTableLegacy("Tasks", schema, formula)',
    "coda.isUserVisibleError(a ?? b)",
    "list.map(coda.makeUserVisibleError)",
  ])("only reports %s, which cannot be rewritten for certain", (code) => {
    const result = rewritten(`import * as coda from "packsmith";\n${code}`);
    expect(result.text).toBe(`import * as coda from "packsmith";\n${code}`);
    expect(result.left).toHaveLength(1);
  });

  it("imports the current names and drops the deprecated ones, one by one", () => {
    const before = `import { makeNumericParameter, makeStringParameter, newPack } from "packsmith";
import { other } from "./other";
export const pack = newPack();
pack.addFormula({ parameters: [makeStringParameter("a", "b"), makeNumericParameter("c", "d")] });
`;
    expect(rewritten(before)).toEqual({
      left: [],
      text: `import { newPack, makeParameter, ParameterType } from "packsmith";
import { other } from "./other";
export const pack = newPack();
pack.addFormula({ parameters: [makeParameter({ type: ParameterType.String, name: "a", description: "b" }), makeParameter({ type: ParameterType.Number, name: "c", description: "d" })] });
`,
    });
  });

  it("keeps aliases, and leaves an old entry for the current one", () => {
    const before = `import { makeStringParameter as text } from "@codahq/packs-sdk/dist/legacy_exports";\nimport { ParameterType as Kind } from "@codahq/packs-sdk";\ntext("a", "b");\n`;
    expect(rewritten(before).text).toBe(
      `import { ParameterType as Kind, makeParameter } from "@codahq/packs-sdk";\nmakeParameter({ type: Kind.String, name: "a", description: "b" });\n`,
    );
    const alone = `import { makeStringParameter } from "@codahq/packs-sdk/dist/legacy_exports";\nmakeStringParameter("a", "b");\n`;
    expect(rewritten(alone).text).toBe(
      `import { makeParameter, ParameterType } from "@codahq/packs-sdk";\nmakeParameter({ type: ParameterType.String, name: "a", description: "b" });\n`,
    );
  });

  it("does not take a name that the file uses for something else", () => {
    const text = `import { makeStringParameter } from "packsmith";\nconst ParameterType = 1;\nmakeStringParameter("a", "b");\n`;
    expect(rewritten(text)).toEqual({
      text,
      left: ["3:1 makeStringParameter is deprecated; makeParameter replaces it."],
    });
  });

  it("rewrites a factory inside another one", () => {
    expect(
      inline('coda.makeStringFormula({ parameters: [coda.makeStringParameter("a", "b")] })'),
    ).toBe(
      'coda.makeFormula({ resultType: coda.ValueType.String, parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "a", description: "b" })] })',
    );
  });

  it("ignores functions of the same name that are not of this package", () => {
    const text = `import { makeStringParameter } from "./own";\nimport type { newPack } from "packsmith";\nmakeStringParameter("a", "b");\nfoo.makeStringParameter("a", "b");\n`;
    expect(findLegacyCalls([{ path: "pack.ts", text }])).toEqual([]);
  });

  it("gives programs whatever the program was, and never throws", () => {
    const names = [
      "makeStringParameter",
      "makeObjectFormula",
      "makeSyncTableLegacy",
      "isUserVisibleError",
    ];
    const pieces = fc.constantFrom(
      ...names.map((name) => `coda.${name}`),
      "(",
      ")",
      "{",
      "}",
      "[",
      "]",
      ",",
      '"a"',
      "x",
      "...",
      ":",
      "schema",
      "response",
      "=>",
      "//",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        const text = `import * as coda from "packsmith";\nconst result = ${parts.join(" ")};\n`;
        const isFine = isProgram({ path: "pack.ts", text });
        const fixes = findLegacyCalls([{ path: "pack.ts", text }]).flatMap(({ fix }) => fix ?? []);
        if (isFine)
          expect(isProgram({ path: "pack.ts", text: applyFixes(text, fixes).text })).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("reports the place, and survives sources that cannot be read", () => {
    const text = `import * as coda from "packsmith";\n  coda.makeStringParameter("a", "b");\n`;
    expect(findLegacyCalls([{ path: "pack.ts", text }])).toMatchInlineSnapshot(`
      [
        {
          "code": "DEPRECATED_FACTORY",
          "column": 3,
          "file": "pack.ts",
          "fix": {
            "description": "Replace makeStringParameter with makeParameter.",
            "edits": [
              {
                "end": 61,
                "file": "pack.ts",
                "start": 37,
                "text": "coda.makeParameter",
              },
              {
                "end": 62,
                "file": "pack.ts",
                "start": 62,
                "text": "{ type: coda.ParameterType.String, name: ",
              },
              {
                "end": 67,
                "file": "pack.ts",
                "start": 65,
                "text": ", description: ",
              },
              {
                "end": 71,
                "file": "pack.ts",
                "start": 70,
                "text": " })",
              },
            ],
          },
          "hint": "Write makeParameter({ type: ParameterType.String, name, description }).",
          "line": 2,
          "message": "makeStringParameter is deprecated; makeParameter replaces it.",
          "path": "",
          "severity": "warning",
        },
      ]
    `);
    expect(
      findLegacyCalls([{ path: "pack.ts", text: `makeStringParameter ${"(".repeat(20_000)}` }]),
    ).toEqual([]);
  });
});
