import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { definitionForm } from "../../src/define/definition-form.ts";
import { decodeSnapshot, encodeSnapshot } from "../../src/define/snapshot.ts";
import { issuesOfUpload } from "../../src/execute/pack-issues.ts";
import * as coda from "../../src/legacy.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import { listDifferences, RECORDED } from "./intended-differences.ts";
import { askPublished, type Description, hasPublishedPackage } from "./published-package.ts";

const page = readFileSync(new URL("../../docs/migrating.md", import.meta.url), "utf8");
const differences = listDifferences(page);

const formula = (members = ""): string =>
  `pack.addFormula({ name: "Run", description: "Runs.", parameters: [], resultType: "string", execute: async () => "", ${members} });`;
const table = (members = "", property = "", name = "Rows"): string => `
pack.addSyncTable({ name: "${name}", identityName: "Row", ${members}
  schema: coda.makeObjectSchema({ properties: { id: { type: "string", ${property} }, title: { type: "string" } }, idProperty: "id", displayProperty: "title" }),
  formula: { name: "SyncRows", description: "Lists rows.", parameters: [], execute: async () => ({ result: [] }) } });`;
const oauth = (members: string): string =>
  `pack.setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://a.example/authorize", tokenUrl: "https://a.example/token", ${members} });`;

/** A Pack, whether the published validator accepts it, and what packsmith reports. */
interface Judged {
  pack: string;
  there: "accepted" | "refused";
  here: readonly string[];
}

/** By the beginning of the row of docs/migrating.md. */
const VALIDATION: Readonly<Record<string, readonly Judged[]>> = {
  "An `http:` token URL, a public suffix": [
    {
      pack: `pack.setSystemAuthentication({ type: "OAuth2ClientCredentials", tokenUrl: "http://a.example/token", scopes: ["all"] }); pack.addNetworkDomain("a.example");`,
      there: "accepted",
      here: ["error AUTH_TOKEN_URL_INSECURE"],
    },
    {
      pack: `pack.addNetworkDomain("com");`,
      there: "accepted",
      here: ["error NETWORK_DOMAIN_PUBLIC_SUFFIX"],
    },
    {
      pack: `${oauth(`scopes: ["all"], additionalParams: { state: "mine" }`)} pack.addNetworkDomain("a.example");`,
      there: "accepted",
      here: ["error AUTH_PARAM_RESERVED"],
    },
  ],
  "A formula and a table could have the same name": [
    { pack: formula(`name: "Rows"`) + table(), there: "accepted", here: ["warning NAME_SHARED"] },
  ],
  "Examples that do not match": [
    {
      pack: formula(`examples: [{ params: ["surplus"], result: "" }]`),
      there: "accepted",
      here: ["warning EXAMPLE_MISMATCH"],
    },
  ],
  "These settings had no effect: a `cacheTtlSecs`": [
    {
      pack: formula("cacheTtlSecs: 90000"),
      there: "accepted",
      here: ["warning FORMULA_CACHE_TTL"],
    },
    {
      pack: table(`desciption: "All rows.",`),
      there: "accepted",
      here: ["warning TABLE_KEY_UNKNOWN"],
    },
    {
      pack: formula(`items: { type: "string" }`),
      there: "accepted",
      here: ["warning FORMULA_SCHEMA_TYPE"],
    },
  ],
  "Deprecated keys, such as `id`": [
    {
      pack: formula(
        `resultType: "object", schema: { type: "object", properties: { a: { type: "string" } }, id: "a" }, execute: async () => ({ a: "" })`,
      ),
      there: "refused",
      here: ["error DEPRECATED_KEY"],
    },
    {
      pack: formula(
        `parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "a", description: "A.", optional: true, defaultValue: "b" })]`,
      ),
      there: "refused",
      here: ["error DEPRECATED_KEY"],
    },
  ],
  "A property could be `mutable`": [
    { pack: table("", "mutable: true"), there: "accepted", here: ["warning TABLE_MUTABLE"] },
  ],
  "A parameter of custom authentication": [
    {
      pack: `pack.setUserAuthentication({ type: "Custom", params: [{ name: "api key", description: "The key." }] }); pack.addNetworkDomain("a.example");`,
      there: "accepted",
      here: ["warning AUTH_PARAM_NAME"],
    },
  ],
  "OAuth without PKCE": [
    {
      pack: `${oauth(`scopes: ["all"]`)} pack.addNetworkDomain("a.example");`,
      there: "accepted",
      here: [],
    },
  ],
};

/** What a function body gives with the published package and with ours. */
interface Evaluated {
  source: string;
  there: object;
  here: object;
}

const HELPERS: Readonly<Record<string, readonly Evaluated[]>> = {
  "`withQueryParams` rewrote": [
    {
      source: `return coda.withQueryParams("https://a.example/?a=1&a=2", { b: 3 });`,
      there: { value: "https://a.example/?a%5B0%5D=1&a%5B1%5D=2&b=3" },
      here: { value: "https://a.example/?a=1&a=2&b=3" },
    },
  ],
  "Request templates encoded": [
    {
      source: `let sent;
const parameter = (name) => coda.makeParameter({ type: coda.ParameterType.String, name, description: "It." });
const { execute } = coda.makeEmptyFormula({ name: "A", description: "Does.", parameters: [parameter("a"), parameter("b")],
  request: { method: "POST", url: "https://a.example/{a}/{a}", queryParams: ["b"] } });
await execute(["one", "two words"], { fetcher: { fetch: async ({ url }) => { sent = url; return { body: {} }; } } });
return sent;`,
      there: { value: "https://a.example/one/{a}?b=two%2520words" },
      here: { value: "https://a.example/one/one?b=two%20words" },
    },
  ],
  "`InvocationErrorType` and `HttpStatusCode`": [
    {
      source: "return [typeof coda.InvocationErrorType, typeof coda.HttpStatusCode];",
      there: { value: ["undefined", "undefined"] },
      here: { value: ["object", "object"] },
    },
  ],
  "`makeSyncTable` and `makeObjectSchema` threw": [
    {
      source: `coda.makeObjectSchema({ codaType: "reference", properties: { a: { type: "string" } } }); return "no error";`,
      there: { error: expect.any(String) },
      here: { value: "no error" },
    },
  ],
};

describe("docs/migrating.md, intended differences", () => {
  it("each row about validation and helpers has a Pack that shows it, and each Pack belongs to a row", () => {
    const rows = differences
      .filter(({ section }) => section === "Validation" || section === "Helpers")
      .map(({ before }) => before);
    const shown = [
      ...Object.keys(VALIDATION),
      ...Object.keys(HELPERS),
      ...new Set(Object.values(RECORDED)),
    ];
    expect(rows.filter((row) => !shown.some((start) => row.startsWith(start)))).toEqual([]);
    expect(shown.filter((start) => !rows.some((row) => row.startsWith(start)))).toEqual([]);
  });
});

describe.skipIf(!hasPublishedPackage)("an intended difference", () => {
  it.each(Object.entries(VALIDATION))("%s", async (_, packs) => {
    const sources = packs.map(({ pack }) => `const pack = coda.newPack();\n${pack}\nreturn pack;`);
    const theirs = await askPublished<Description[]>({ kind: "judge", sources });
    const found = sources.map((source, index) => {
      const { error, problems = [] } = theirs[index] ?? {};
      const isRefused = error !== undefined || problems.length > 0;
      const pack: unknown = new Function("coda", source)(coda);
      const definition = definitionForm(decodeSnapshot(encodeSnapshot(pack as object)));
      const found = validateDefinition(definition, { plain: true, compatibility: true });
      const issues = issuesOfUpload(found, pack as object);
      return {
        there: isRefused ? "refused" : "accepted",
        here: issues.map(({ severity, code }) => `${severity} ${code}`),
        problems,
        error,
      };
    });
    expect(found).toMatchObject(packs.map(({ there, here }) => ({ there, here })));
  });

  it.each(Object.entries(HELPERS))("%s", async (_, cases) => {
    const bodies = cases.map(({ source }) => `return (async () => { ${source} })();`);
    expect(await askPublished({ kind: "evaluate", sources: bodies })).toEqual(
      cases.map(({ there }) => there),
    );
    for (const [index, body] of bodies.entries()) {
      const value: unknown = await new Function("coda", body)(coda);
      expect({ value }).toEqual(cases[index]?.here);
    }
  });
});
