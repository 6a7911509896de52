import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFixes } from "../../src/validate/fixes.ts";
import type { Fix, Issue } from "../../src/validate/issue.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import {
  type Definition,
  formula,
  oauth2,
  pack,
  parameter,
  withFormula,
  withUser,
} from "./definitions.ts";

const HEAD = "export const pack = newPack();\n";

function findIssues(definition: unknown, text: string): Issue[] {
  return validateDefinition(definition, { sources: [{ path: "pack.ts", text: HEAD + text }] });
}

/** The source after all of its fixes, and what they say of themselves. */
function fixed(definition: unknown, text: string) {
  const fixes = findIssues(definition, text).flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  return {
    text: applyFixes(HEAD + text, fixes).text.slice(HEAD.length),
    fixes: fixes.map(({ description }) => description),
  };
}

const misspelled = withFormula({ cacheTtlSec: 1 });
const call = (members: string) => `pack.addFormula({ name: "Run", ${members} });`;

describe("a fix", () => {
  it.each([
    ["a key", call("cacheTtlSec: 1"), call("cacheTtlSecs: 1")],
    ["a quoted key", call("'cacheTtlSec': 1"), call("'cacheTtlSecs': 1")],
    ["a key in brackets", call('["cacheTtlSec"]: 1'), call('["cacheTtlSecs"]: 1')],
    ["a shorthand", call("cacheTtlSec"), call("cacheTtlSecs: cacheTtlSec")],
    [
      "a key in a constant",
      `const definition = { name: "Run", cacheTtlSec: 1 } as const;\npack.addFormula(definition);`,
      `const definition = { name: "Run", cacheTtlSecs: 1 } as const;\npack.addFormula(definition);`,
    ],
    [
      "a key that others have, too",
      `${call("cacheTtlSec: 1")}\nuse(other.cacheTtlSec);`,
      `${call("cacheTtlSecs: 1")}\nuse(other.cacheTtlSec);`,
    ],
  ])("renames %s with one near candidate", (_, before, after) => {
    expect(fixed(misspelled, before)).toEqual({
      text: after,
      fixes: ["Rename cacheTtlSec to cacheTtlSecs."],
    });
  });

  it.each([
    ["comes through a spread", `const shared = { cacheTtlSec: 1 };\n${call("...shared")}`],
    [
      "is made by a function",
      `const make = () => ({ name: "Run", cacheTtlSec: 1 });\npack.addFormula(make());`,
    ],
    ["is computed", `const key = "cacheTtlSec";\n${call("[key]: 1")}`],
    ["has its right name next to it", call("cacheTtlSec: 1, cacheTtlSecs: 2")],
    [
      "is read of a constant",
      `const run = { name: "Run", cacheTtlSec: 1 };\npack.addFormula(run);\nuse(run.cacheTtlSec);`,
    ],
    [
      "is taken out of a constant",
      `const run = { name: "Run", cacheTtlSec: 1 };\nconst { cacheTtlSec } = run;\npack.addFormula(run);`,
    ],
    ["is nowhere in the source", "addAll(pack);"],
  ])("is not offered when the key %s", (_, text) => {
    expect(fixed(misspelled, text)).toEqual({ text, fixes: [] });
  });

  it("is not offered between two near candidates", () => {
    const renamed = (key: string) => {
      const schema = { type: "object", properties: {}, [key]: "a" };
      return fixed(withFormula({ resultType: "object", schema }), call(`schema: { ${key}: "a" }`))
        .fixes;
    };
    expect(renamed("createdXtProperty")).toEqual([]);
    expect(renamed("linkPropety")).toEqual(["Rename linkPropety to linkProperty."]);
  });

  const domains = (list: string[], text: string) =>
    fixed(pack({ networkDomains: list }), text).text;

  it("replaces a literal, in the quotation marks of the author", () => {
    expect(
      domains(
        ["https://api.tasks.example/v1"],
        "pack.addNetworkDomain('https://api.tasks.example/v1');",
      ),
    ).toBe("pack.addNetworkDomain('api.tasks.example');");
    expect(domains(["*.tasks.example"], "pack.addNetworkDomain(`*.tasks.example`);")).toBe(
      'pack.addNetworkDomain("tasks.example");',
    );
    expect(fixed(withFormula({ resultType: "strin" }), call('resultType: "strin"')).text).toBe(
      call('resultType: "string"'),
    );
  });

  it("invents no host, and suggests none that opens the hosts of others", () => {
    for (const domain of ["/v1", "*.com", "https://10.0.0.1/", "https://localhost/", "https://"]) {
      const text = `pack.addNetworkDomain("${domain}");`;
      expect(domains([domain], text)).toBe(text);
    }
  });

  it("does not touch a constant that the text may be needed in elsewhere", () => {
    const text = `const host = "https://tasks.example";\npack.addNetworkDomain(host);\nfetch(host);`;
    expect(domains(["https://tasks.example"], text)).toBe(text);
  });

  it.each([
    ['pack.addNetworkDomain("a.example", "a.example");', 'pack.addNetworkDomain("a.example");'],
    ['pack.addNetworkDomain("a.example", "a.example",);', 'pack.addNetworkDomain("a.example", );'],
    [
      'pack.addNetworkDomain(\n  "a.example",\n  "a.example",\n);',
      'pack.addNetworkDomain(\n  "a.example",\n);',
    ],
    [
      'pack.addNetworkDomain("a.example").addNetworkDomain("a.example");',
      'pack.addNetworkDomain("a.example").addNetworkDomain();',
    ],
  ])("removes an entry with its comma and its line: %j", (before, after) => {
    expect(domains(["a.example", "a.example"], before)).toBe(after);
  });

  it("removes a member, and leaves the comments next to it", () => {
    const before = `pack.setUserAuthentication({\n  additionalParams: {\n    // asks again\n    prompt: "consent",\n    state: "fixed",\n  },\n});`;
    const definition = withUser(
      oauth2({ additionalParams: { prompt: "consent", state: "fixed" } }),
    );
    expect(fixed(definition, before)).toEqual({
      text: before.replace('    state: "fixed",\n', ""),
      fixes: ["Remove state."],
    });
    const last = `pack.setUserAuthentication({ additionalParams: { prompt: "consent", state: "fixed" } });`;
    expect(fixed(definition, last).text).toBe(last.replace(', state: "fixed"', ""));
    const only = `pack.setUserAuthentication({ additionalParams: { state: "fixed" } });`;
    expect(fixed(withUser(oauth2({ additionalParams: { state: "fixed" } })), only).text).toBe(
      only.replace('state: "fixed"', ""),
    );
  });
});

describe("old names of members", () => {
  const schema = (members: Definition) =>
    withFormula({
      resultType: "object",
      schema: { type: "object", properties: { a: { type: "string" } }, ...members },
    });

  // docs/rules.md: definition 192, 193, 194, 195, 196
  it.each<[string, Definition, string, string]>([
    [
      "defaultValue",
      withFormula({ parameters: [parameter({ defaultValue: "x" })] }),
      "parameters: [{ defaultValue: 1 }]",
      "parameters: [{ suggestedValue: 1 }]",
    ],
    ["id", schema({ id: "a" }), 'schema: { id: "a" }', 'schema: { idProperty: "a" }'],
    [
      "primary",
      schema({ primary: "a" }),
      'schema: { primary: "a" }',
      'schema: { displayProperty: "a" }',
    ],
    [
      "featured",
      schema({ featured: ["a"] }),
      'schema: { featured: ["a"] }',
      'schema: { featuredProperties: ["a"] }',
    ],
    [
      "attribution",
      schema({ identity: { name: "A", attribution: [] } }),
      'schema: { identity: { name: "A", attribution: [] } }',
      'schema: { attribution: [], identity: { name: "A" } }',
    ],
  ])("are reported as a warning, and renamed: %s", (_, definition, before, after) => {
    const issues = findIssues(definition, call(before));
    expect(issues.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning DEPRECATED_KEY",
    ]);
    expect(fixed(definition, call(before)).text).toBe(call(after));
  });

  // docs/rules.md: definition 197
  it("are reported as a warning, and renamed: getOptionsFormula", () => {
    const step = {
      type: "SetEndPoint",
      name: "site",
      description: "Site?",
      getOptionsFormula: () => [],
    };
    const text =
      'pack.setUserAuthentication({ postSetup: [{ name: "site", getOptionsFormula: list }] });';
    expect(fixed(withUser(oauth2({ postSetup: [step] })), text).text).toBe(
      text.replace("getOptionsFormula", "getOptions"),
    );
  });

  it("are removed when the current one is there too, and are found in tables and nested schemas", () => {
    const both = withFormula({
      parameters: [parameter({ defaultValue: "x", suggestedValue: "y" })],
    });
    expect(fixed(both, call("parameters: [{ defaultValue: 1, suggestedValue: 2 }]")).text).toBe(
      call("parameters: [{ suggestedValue: 2 }]"),
    );
    const inner = { type: "object", properties: { a: { type: "string" } }, id: "a" };
    const table = {
      name: "T",
      schema: { type: "object", properties: { rows: { type: "array", items: inner } } },
    };
    const paths = validateDefinition(pack({ syncTables: [table] })).map(({ path }) => path);
    expect(paths).toContain("syncTables[0].schema.properties.rows.items.id");
  });
});

it("an attribution moves to a line of its own, when identity has one", () => {
  const before =
    'pack.addFormula({\n  name: "Run",\n  schema: {\n    identity: { name: "A", attribution: [] },\n  },\n});';
  const schema = { type: "object", properties: {}, identity: { name: "A", attribution: [] } };
  expect(fixed(withFormula({ resultType: "object", schema }), before).text).toBe(
    'pack.addFormula({\n  name: "Run",\n  schema: {\n    attribution: [],\n    identity: { name: "A" },\n  },\n});',
  );
  expect(
    fixed(withFormula({ resultType: "object", schema }), before.replaceAll("\n", "\r\n")).text,
  ).toContain('{\r\n    attribution: [],\r\n    identity: { name: "A" },\r\n  },');
});

describe("applyFixes", () => {
  const edit = (start: number, end: number, text: string) => ({ file: "a.ts", start, end, text });
  const fix = (...edits: ReturnType<typeof edit>[]): Fix => ({ description: "", edits });

  it("applies a fix completely or not at all, the first of those that overlap", () => {
    const first = fix(edit(0, 1, "A"), edit(4, 5, "E"));
    const second = fix(edit(2, 3, "C"), edit(4, 6, "X"));
    expect(applyFixes("abcdef", [first, second])).toEqual({ text: "AbcdEf", applied: [first] });
  });

  it("makes an edit that several fixes share once", () => {
    const insertion = edit(0, 0, "import; ");
    expect(
      applyFixes("ab", [fix(insertion, edit(0, 1, "A")), fix(insertion, edit(1, 2, "B"))]).text,
    ).toBe("import; AB");
  });

  it("gives what replacing from the end gives, for any edits", () => {
    const edits = fc.array(fc.tuple(fc.nat(20), fc.nat(5), fc.string({ maxLength: 3 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.string({ minLength: 25, maxLength: 40 }), edits, (text, list) => {
        const { applied, text: result } = applyFixes(
          text,
          list.map(([start, length, replacement]) => fix(edit(start, start + length, replacement))),
        );
        const accepted = applied.flatMap(({ edits: [only] }) => (only === undefined ? [] : [only]));
        const growth = accepted.reduce(
          (sum, { start, end, text: replacement }) => sum + replacement.length - (end - start),
          0,
        );
        expect(result).toHaveLength(text.length + growth);
      }),
    );
  });
});

describe("fixes of one definition", () => {
  it("converge: what is fixed has no fix left", () => {
    const text = call("cacheTtlSec: 1, resultTyp: 1");
    const after = fixed(withFormula({ cacheTtlSec: 1, resultTyp: 1 }), text).text;
    expect(fixed(pack({ formulas: [formula({ cacheTtlSecs: 1 })] }), after).fixes).toEqual([]);
  });
});
