import { describe, expect, it } from "vitest";
import { validateDefinition } from "../../../src/validate/validate-definition.ts";
import { type Definition, formula, oauth2, pack, parameter } from "../definitions.ts";

const rows = (members: Definition = {}): Definition => ({
  type: "object",
  properties: { id: { type: "string" }, title: { type: "string" } },
  idProperty: "id",
  displayProperty: "title",
  ...members,
});
const withTable = (members: Definition = {}, getter: Definition = {}): Definition =>
  pack({
    syncTables: [
      {
        name: "Tasks",
        identityName: "Task",
        schema: rows(),
        getter: {
          name: "SyncTasks",
          description: "Syncs.",
          parameters: [],
          isSyncFormula: true,
          execute: () => ({ result: [] }),
          ...getter,
        },
        ...members,
      },
    ],
  });
const withFormula = (members: Definition): Definition => pack({ formulas: [formula(members)] });
const withSkill = (tool: Definition): Definition =>
  pack({
    skills: [
      { name: "Help", displayName: "Help", description: "Helps.", prompt: "Help.", tools: [tool] },
    ],
  });
const service = (domain: string): Definition =>
  pack({ networkDomains: [domain], defaultAuthentication: { type: "CodaApiHeaderBearerToken" } });
const custom = (name: string): Definition =>
  pack({
    networkDomains: ["api.example"],
    defaultAuthentication: { type: "Custom", params: [{ name, description: "A key." }] },
  });
const index = (members: Definition): Definition =>
  withTable({ schema: rows({ index: { properties: ["title"], ...members } }) });

/** A definition, and what is reported for a Pack for `@codahq/packs-sdk` and for a new Pack. */
const ROWS: readonly (readonly [
  what: string,
  definition: Definition,
  existing: readonly string[],
  created: readonly string[],
])[] = [
  // What the validator of `@codahq/packs-sdk` accepts
  [
    "a reference in compiled spelling",
    withTable({ schema: rows({ idProperty: "Id" }) }),
    [],
    ["error SCHEMA_PROPERTY_UNKNOWN"],
  ],
  [
    "a path in compiled spelling",
    withTable({ schema: rows({ titleProperty: "Title" }) }),
    [],
    ["error SCHEMA_PROPERTY_UNKNOWN"],
  ],
  ["the first domain of the service", service("coda.io"), [], []],
  ["the second domain of the service", service("superhuman.com"), [], []],
  ["a subdomain of the service", service("api.superhuman.com"), [], []],
  [
    "this machine as the service",
    service("localhost"),
    ["warning NETWORK_DOMAIN_LOOPBACK"],
    ["warning NETWORK_DOMAIN_LOOPBACK"],
  ],
  [
    "a domain of someone else",
    service("api.example"),
    ["error AUTH_SERVICE_DOMAIN"],
    ["error AUTH_SERVICE_DOMAIN"],
  ],
  [
    "an object formula without a schema",
    withFormula({ resultType: "object" }),
    ["warning MEMBER_MISSING"],
    ["error MEMBER_MISSING"],
  ],
  [
    "options on a formula's object schema",
    withFormula({ resultType: "object", schema: rows({ options: ["a"] }) }),
    ["warning SCHEMA_OPTIONS"],
    ["error SCHEMA_OPTIONS"],
  ],
  ["a tool of another Pack's MCP server", withSkill({ type: "MCP", packId: 1 }), [], []],
  [
    "a tool without an MCP server",
    withSkill({ type: "MCP" }),
    ["error TOOL_MCP_SERVER"],
    ["error TOOL_MCP_SERVER"],
  ],
  [
    "an array schema under an object result",
    withFormula({ resultType: "object", schema: { type: "array", items: { type: "string" } } }),
    [],
    [],
  ],
  [
    "an unknown member of a table",
    withTable({ desciption: "All." }),
    ["warning TABLE_KEY_UNKNOWN"],
    ["error TABLE_KEY_UNKNOWN"],
  ],
  [
    "items on a text formula",
    withFormula({ items: { type: "string" } }),
    ["warning FORMULA_SCHEMA_TYPE"],
    ["error FORMULA_SCHEMA_TYPE"],
  ],
  [
    "a cacheTtlSecs above a day",
    withFormula({ cacheTtlSecs: 90_000 }),
    ["warning FORMULA_CACHE_TTL"],
    ["error FORMULA_CACHE_TTL"],
  ],
  [
    "a negative cacheTtlSecs",
    withFormula({ cacheTtlSecs: -1 }),
    ["error FORMULA_CACHE_TTL"],
    ["error FORMULA_CACHE_TTL"],
  ],
  [
    "OAuth that does not mention PKCE",
    pack({ defaultAuthentication: oauth2({ useProofKeyForCodeExchange: undefined }) }),
    [],
    ["warning AUTH_PKCE_MISSING"],
  ],

  // What it refuses
  [
    "an unknown key of an agent",
    { agent: { instructions: "Help.", tools: [], name: "A" } },
    ["error AGENT_KEY_UNKNOWN"],
    ["error AGENT_KEY_UNKNOWN"],
  ],
  [
    "an unknown key of a trigger",
    {
      agent: { instructions: "Help.", tools: [] },
      defaultTriggers: [{ kind: "schedule", rruleString: "FREQ=DAILY", often: true }],
    },
    ["error AGENT_KEY_UNKNOWN"],
    ["error AGENT_KEY_UNKNOWN"],
  ],
  ...both(
    "an example of a sync formula with too many arguments",
    withTable({}, { examples: [{ params: ["a"], result: [] }] }),
    "EXAMPLE_MISMATCH",
    true,
  ),
  ...both(
    "an example of a sync formula with an argument of another type",
    withTable(
      {},
      { parameters: [parameter({ type: "number" })], examples: [{ params: ["a"], result: [] }] },
    ),
    "EXAMPLE_MISMATCH",
    true,
  ),
  ...both(
    "filterableProperties that are text",
    index({ filterableProperties: "title" }),
    "MEMBER_TYPE",
  ),
  ...both(
    "an indexed property that is only a strategy",
    index({ properties: [{ strategy: "raw" }] }),
    "MEMBER_MISSING",
  ),
  ...both("an empty parent", withTable({ schema: rows({ parent: {} }) }), "MEMBER_MISSING"),
  ...both(
    "an empty value hint",
    withFormula({ schema: { type: "string", codaType: "" } }),
    "SCHEMA_HINT",
  ),
  ...both("an empty indexing", withTable({ indexing: {} }), "MEMBER_MISSING"),
  ...both(
    "a member of dynamic tables on a static table",
    withTable({ getName: () => "" }),
    "TABLE_DYNAMIC_MEMBER",
  ),

  // What is useful, and was not reported
  [
    "a name of a custom credential with a space",
    custom("Api Key"),
    ["warning AUTH_PARAM_NAME"],
    ["error AUTH_PARAM_NAME"],
  ],
  [
    "a mutable property without executeUpdate",
    withTable({
      schema: rows({
        properties: { id: { type: "string" }, title: { type: "string", mutable: true } },
      }),
    }),
    ["warning TABLE_MUTABLE"],
    ["warning TABLE_MUTABLE"],
  ],
];

function both(what: string, definition: Definition, code: string, isLenient = false): typeof ROWS {
  return [[what, definition, [`${isLenient ? "warning" : "error"} ${code}`], [`error ${code}`]]];
}

const found = (definition: Definition, compatibility: boolean): string[] => [
  ...new Set(
    validateDefinition(definition, { compatibility }).map(
      ({ code, severity }) => `${severity} ${code}`,
    ),
  ),
];

describe.each(ROWS)("%s", (_what, definition, existing, created) => {
  it("is judged in a Pack for `@codahq/packs-sdk` as there", () => {
    expect(found(definition, true)).toEqual(existing);
  });

  it("is judged in a new Pack as its rule says", () => {
    expect(found(definition, false)).toEqual(created);
  });
});
