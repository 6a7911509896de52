import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adviseVersion, mostSerious } from "../../src/compare/change.ts";
import type { ChangeClass } from "../../src/compare/change-codes.ts";
import { comparePacks } from "../../src/compare/compare-packs.ts";

// biome-ignore lint/suspicious/noExplicitAny: mutations reach anywhere
type Definition = any;

const parameter = (name: string, more: object = {}) => ({
  name,
  description: "x",
  type: 0,
  ...more,
});
const schema = () => ({
  type: "object",
  idProperty: "Id",
  identity: { name: "Task" },
  properties: {
    Id: { type: "string", required: true },
    Name: { type: "string", mutable: true },
    When: { type: "string", codaType: "date" },
  },
});
const base = (): Definition => ({
  networkDomains: ["tasks.example"],
  defaultAuthentication: {
    type: "OAuth2",
    authorizationUrl: "https://a.example/a",
    tokenUrl: "https://a.example/t",
    scopes: ["read"],
  },
  formulas: [
    {
      name: "Get",
      description: "Gets.",
      resultType: 2,
      schema: schema(),
      connectionRequirement: "optional",
      parameters: [
        parameter("id"),
        parameter("count", { type: 1 }),
        parameter("filter", { optional: true }),
      ],
    },
    {
      name: "Add",
      resultType: 0,
      isAction: true,
      connectionRequirement: "none",
      parameters: [],
      varargParameters: [parameter("item")],
    },
  ],
  syncTables: [
    {
      name: "Tasks",
      identityName: "Task",
      connectionRequirement: "required",
      schema: schema(),
      getter: {
        name: "SyncTasks",
        supportsUpdates: true,
        parameters: [parameter("list", { optional: true })],
        schema: { type: "array", items: schema() },
      },
    },
  ],
  formats: [{ name: "Task", formulaName: "Get", matchers: ["/^https/"] }],
  skills: [],
  mcpServers: [],
});

/** What can happen to a Pack between two versions, and how grave it is at least. */
const MUTATIONS: Record<string, [least: ChangeClass, mutate: (definition: Definition) => void]> = {
  "a formula is removed": ["breaking", (d) => d.formulas.pop()],
  "a formula is renamed": ["breaking", (d) => (d.formulas[0].name = "Fetch")],
  "a formula is added": ["safe", (d) => d.formulas.push({ ...d.formulas[1], name: "New" })],
  "a parameter is removed": ["breaking", (d) => d.formulas[0].parameters.pop()],
  "a parameter changes its type": ["breaking", (d) => (d.formulas[0].parameters[0].type = 1)],
  "a parameter becomes a list": [
    "breaking",
    (d) => (d.formulas[0].parameters[0].type = { type: "array", items: 0 }),
  ],
  "a parameter becomes required": ["breaking", (d) => delete d.formulas[0].parameters[2].optional],
  "a parameter becomes optional": ["safe", (d) => (d.formulas[0].parameters[1].optional = true)],
  "a required parameter is added": [
    "breaking",
    (d) => d.formulas[0].parameters.push(parameter("more")),
  ],
  "an optional parameter is added": [
    "safe",
    (d) => d.formulas[0].parameters.push(parameter("more", { optional: true })),
  ],
  "an optional parameter is put first": [
    "breaking",
    (d) => d.formulas[0].parameters.unshift(parameter("more", { optional: true })),
  ],
  "parameters change places": ["breaking", (d) => d.formulas[0].parameters.reverse()],
  "a parameter is renamed": ["review", (d) => (d.formulas[0].parameters[0].name = "key")],
  "an optional parameter is renamed": [
    "breaking",
    (d) => (d.formulas[0].parameters[2].name = "only"),
  ],
  "a description changes": ["safe", (d) => (d.formulas[0].description = "Other.")],
  "a result changes its type": ["breaking", (d) => (d.formulas[1].resultType = 1)],
  "a property is removed": ["breaking", (d) => delete d.formulas[0].schema.properties.Name],
  "a property changes its type": [
    "breaking",
    (d) => (d.formulas[0].schema.properties.Name.type = "number"),
  ],
  "a property changes its hint": [
    "breaking",
    (d) => (d.formulas[0].schema.properties.When.codaType = "time"),
  ],
  "a property is added": [
    "safe",
    (d) => (d.formulas[0].schema.properties.More = { type: "string" }),
  ],
  "a property may be missing": [
    "review",
    (d) => delete d.formulas[0].schema.properties.Id.required,
  ],
  "repeated parameters go": ["breaking", (d) => delete d.formulas[1].varargParameters],
  "an action becomes a formula": ["breaking", (d) => delete d.formulas[1].isAction],
  "a formula needs an account": [
    "breaking",
    (d) => (d.formulas[0].connectionRequirement = "required"),
  ],
  "a formula uses no account any more": [
    "breaking",
    (d) => (d.formulas[0].connectionRequirement = "none"),
  ],
  "a table may do without an account": [
    "breaking",
    (d) => (d.syncTables[0].connectionRequirement = "optional"),
  ],
  "a formula becomes experimental": ["safe", (d) => (d.formulas[0].isExperimental = true)],
  "a formula becomes an action": ["breaking", (d) => (d.formulas[0].isAction = true)],
  "an action is renamed": ["breaking", (d) => (d.formulas[1].name = "Insert")],
  "a repeated parameter changes its type": [
    "breaking",
    (d) => (d.formulas[1].varargParameters[0].type = 1),
  ],
  "a repeated group gets another parameter": [
    "breaking",
    (d) => d.formulas[1].varargParameters.push(parameter("place")),
  ],
  "repeated parameters are added": [
    "safe",
    (d) => (d.formulas[0].varargParameters = [parameter("others")]),
  ],
  "a parameter gets a suggestion": [
    "safe",
    (d) => (d.formulas[0].parameters[0].suggestedValue = "1"),
  ],
  "a parameter gets other suggestions": [
    "safe",
    (d) => (d.formulas[0].parameters[0].autocomplete = { name: "find", parameters: [] }),
  ],
  "a property is renamed": [
    "breaking",
    (d) => {
      const { properties } = d.formulas[0].schema;
      properties.Title = properties.Name;
      delete properties.Name;
    },
  ],
  "a property gets another name to show": [
    "safe",
    (d) => (d.formulas[0].schema.properties.Name.displayName = "The name"),
  ],
  "the result becomes a list": [
    "breaking",
    (d) => (d.formulas[0].schema = { type: "array", items: schema() }),
  ],
  "a table is renamed": ["breaking", (d) => (d.syncTables[0].name = "ToDos")],
  "a table gets another name to show": ["safe", (d) => (d.syncTables[0].displayName = "All tasks")],
  "a table is added": [
    "safe",
    (d) => d.syncTables.push({ ...d.syncTables[0], name: "Lists", identityName: "List" }),
  ],
  "a column format is added": [
    "safe",
    (d) => d.formats.push({ ...d.formats[0], name: "Item", formulaName: "Add" }),
  ],
  "a column format is renamed": ["safe", (d) => (d.formats[0].name = "ToDo")],
  "a column format calls another formula": ["breaking", (d) => (d.formats[0].formulaName = "Add")],
  "a column format has other instructions": [
    "safe",
    (d) => (d.formats[0].instructions = "Paste a link."),
  ],
  "a formula may use an account": [
    "breaking",
    (d) => (d.formulas[1].connectionRequirement = "optional"),
  ],
  "a formula needs a scope": ["safe", (d) => (d.formulas[0].extraOAuthScopes = ["write"])],
  "a result is cached longer": ["review", (d) => (d.formulas[0].cacheTtlSecs = 60)],
  "a table is removed": ["breaking", (d) => d.syncTables.pop()],
  "a table's identity changes": ["breaking", (d) => (d.syncTables[0].identityName = "Item")],
  "rows get another id": ["breaking", (d) => (d.syncTables[0].schema.idProperty = "Name")],
  "rows cannot be edited any more": [
    "breaking",
    (d) => (d.syncTables[0].getter.supportsUpdates = false),
  ],
  "a column cannot be edited any more": [
    "breaking",
    (d) => delete d.syncTables[0].schema.properties.Name.mutable,
  ],
  "a table gets a required parameter": [
    "breaking",
    (d) => d.syncTables[0].getter.parameters.push(parameter("owner")),
  ],
  "a table becomes dynamic": ["breaking", (d) => (d.syncTables[0].isDynamic = true)],
  "a column format is removed": ["breaking", (d) => d.formats.pop()],
  "a column format matches something else": ["review", (d) => (d.formats[0].matchers = ["/^ftp/"])],
  "a scope is added": ["safe", (d) => d.defaultAuthentication.scopes.push("write")],
  "a scope is removed": ["review", (d) => d.defaultAuthentication.scopes.pop()],
  "the authentication changes its type": [
    "breaking",
    (d) => (d.defaultAuthentication = { type: "HeaderBearerToken" }),
  ],
  "the authentication goes": ["breaking", (d) => delete d.defaultAuthentication],
  "the token endpoint moves": [
    "breaking",
    (d) => (d.defaultAuthentication.tokenUrl = "https://b.example/t"),
  ],
  "an unknown member changes": ["review", (d) => (d.defaultAuthentication.someday = true)],
  "a domain is added": ["review", (d) => d.networkDomains.push("more.example")],
  "a domain is removed": ["review", (d) => d.networkDomains.pop()],
};
const names = Object.keys(MUTATIONS);
const RANK: Record<ChangeClass, number> = { safe: 0, review: 1, breaking: 2 };

const createState = (metadata: Definition, sha256 = "") => ({ metadata, bundle: { sha256 } });
const compare = (before: Definition, after: Definition) =>
  comparePacks(createState(before), createState(after));
const mutated = (...chosen: readonly string[]) => {
  const definition = base();
  for (const name of chosen) MUTATIONS[name]?.[1](definition);
  return definition;
};

describe("comparePacks", () => {
  it.each(names)("%s", (name) => {
    expect(mostSerious(compare(base(), mutated(name)))).toBe(MUTATIONS[name]?.[0]);
  });

  it("finds nothing between a Pack and itself", () => {
    expect(compare(base(), base())).toEqual([]);
  });

  it("classes any two changes at least as grave as the graver of them", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.constantFrom(...names), (first, second) => {
        const definition = mutated(first);
        try {
          MUTATIONS[second]?.[1](definition);
        } catch {
          // What the second would change is gone with the first.
          return;
        }
        const after = JSON.stringify(definition);
        // Two changes may undo each other.
        if (after === JSON.stringify(base())) return;
        const least = Math.max(
          ...[first, second].map((name) =>
            after === JSON.stringify(mutated(name === first ? second : first))
              ? 0
              : RANK[MUTATIONS[name]?.[0] ?? "safe"],
          ),
        );
        const found = mostSerious(compare(base(), definition));
        expect(RANK[found ?? "safe"]).toBeGreaterThanOrEqual(least);
      }),
      { numRuns: 500 },
    );
  });

  it("never calls it safe when something that was there is gone or another", () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom("removed", "changed"), (at, what) => {
        const definition = base();
        const places: (() => void)[] = [];
        const walk = (value: Definition) => {
          for (const key of Object.keys(value)) {
            // What says the same as nothing.
            if (key === "description" || ["[]", `"none"`].includes(JSON.stringify(value[key])))
              continue;
            // A table's getter repeats the schema of the table; its name is shown nowhere.
            if ("supportsUpdates" in value && ["schema", "name"].includes(key)) continue;
            places.push(() => {
              if (what === "changed") value[key] = { some: "other" };
              else if (Array.isArray(value)) value.splice(Number(key), 1);
              else delete value[key];
            });
            if (typeof value[key] === "object") walk(value[key]);
          }
        };
        walk(definition);
        places[at % places.length]?.();
        if (JSON.stringify(definition) === JSON.stringify(base())) return;
        const changes = compare(base(), definition);
        expect(changes.length).toBeGreaterThan(0);
        const isRelaxed = changes.some(({ code }) =>
          ["PARAMETER_OPTIONAL", "FORMAT_RENAMED"].includes(code),
        );
        if (!isRelaxed) expect(mostSerious(changes)).not.toBe("safe");
      }),
      { numRuns: 500 },
    );
  });

  it("calls it safe when only the code changed", () => {
    const changes = comparePacks(createState(base(), "one"), createState(base(), "two"));
    expect(changes).toMatchObject([{ class: "safe", code: "CODE_CHANGED" }]);
  });

  it("knows a renamed property by its fixedId, which was there before", () => {
    const [before, after] = [base(), base()];
    before.formulas[0].schema.properties.Name.fixedId = "name";
    const { Name, ...others } = before.formulas[0].schema.properties;
    after.formulas[0].schema.properties = { ...others, Title: Name };
    expect(compare(before, after)).toMatchObject([{ class: "review", code: "PROPERTY_RENAMED" }]);
  });

  it("says of whom and what, the mostSerious first", () => {
    const after = mutated("a property is added", "a scope is added", "a domain is added");
    expect(
      compare(base(), after).map(
        ({ class: kind, subject, message }) => `${kind} ${subject} ${message}`,
      ),
    ).toEqual([
      "review network +more.example, which needs approval",
      'safe formula Get: result: property "More" added',
      "safe user authentication +write",
    ]);
  });
});

describe("adviseVersion", () => {
  const changes = (name: string) => compare(base(), mutated(name));
  it.each([
    ["1.4.2", "a formula is removed", "2.0.0"],
    ["1.4.2", "a formula is added", "1.5.0"],
    ["1.4.2", "a description changes", "1.4.3"],
    ["7", "a description changes", "7.0.1"],
    [undefined, "a formula is removed", undefined],
    ["latest", "a formula is removed", undefined],
  ])("%s, %s → %s", (version, name, advised) => {
    expect(adviseVersion(version, changes(name))).toBe(advised);
  });

  it("advises nothing when nothing changed", () => {
    expect(adviseVersion("1.0.0", [])).toBeUndefined();
  });
});
