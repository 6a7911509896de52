import { describe, expect, it } from "vitest";
import * as coda from "../../src/legacy.ts";
import * as testing from "../../src/legacy-testing.ts";
import { askPublished, hasPublishedPackage } from "./published-package.ts";

// One Pack with the helpers of `@codahq/packs-sdk/dist/development`, evaluated with both packages:
// each expression must give the same value, or fail in the same way.

const PACK = `const pack = coda.newPack();
pack.addNetworkDomain("a.example");
const p = (type, name, more) => coda.makeParameter({ type, name, description: "It.", ...more });
const show = (value) => value instanceof Date ? "date " + value.getTime() : typeof value === "object" && value ? JSON.stringify(value) : typeof value + " " + String(value);
const add = (name, parameters, execute, more) =>
  pack.addFormula({ name, description: "Tries.", parameters, resultType: "string", execute, ...more });
const asText = async (args) => args.map(show).join("; ");
add("One", [p("string", "text")], asText);
add("Two", [p("string", "text"), p("number", "n", { optional: true, suggestedValue: 7 })], asText);
add("Every", [p("string", "s"), p("number", "n"), p("boolean", "b"), p("date", "d"), p("stringArray", "l")], asText);
add("Many", [p("string", "first")], asText, { varargParameters: [p("string", "key"), p("number", "n")] });
add("None", [], asText);
add("User", [], async () => { throw new coda.UserVisibleError("You see this."); });
add("Plain", [], async () => { throw new TypeError("You do not."); });
add("Text", [], async () => { throw "text"; });
add("Status", [], async (_, context) => { await context.fetcher.fetch({ method: "GET", url: "https://a.example/" }); return ""; });
add("Admin", [], asText, { allowedAuthenticationNames: ["defaultUserAuthentication"] });
const Schema = coda.makeObjectSchema({
  properties: {
    due_date: { type: "string", codaType: "date" },
    "display name": { type: "string", fromKey: "name", required: true },
    alias: { type: "string", fromKey: "name" },
    tags: { type: "array", items: { type: "object", properties: { tag_name: { type: "string" } } } },
    grid: { type: "array", items: { type: "array", items: { type: "object", properties: { cell_value: { type: "string" } } } } },
    owner: { type: "object", properties: { full_name: { type: "string" } } },
  },
  idProperty: "display name",
  displayProperty: "display name",
});
const value = { due_date: "2024-01-02", name: "A", tags: [{ tag_name: "t", more: 1 }], grid: [[{ cell_value: "c" }]], owner: { full_name: "F", more: 1 }, more: 1 };
const get = (name, result, more) => pack.addFormula({ name, description: "Gets.", parameters: [], resultType: "object", schema: Schema, execute: async () => result, ...more });
get("Get", value);
get("GetNull", null);
get("GetWrong", { ...value, due_date: "soon", owner: 5 });
get("GetList", [value, null], { resultType: "array", items: Schema, schema: undefined });
get("GetOpen", value, { schema: coda.makeObjectSchema({ properties: { owner: { type: "object", properties: { full_name: { type: "string" } } } }, includeUnknownProperties: true }) });
get("GetDate", new Date(0), { resultType: "string", schema: { type: "string", codaType: "date" } });
get("GetNothing", undefined, { resultType: "string", schema: undefined });
const table = (name, execute, more) => pack.addSyncTable({
  name, description: "Rows.", identityName: name + "Row", schema: Schema,
  formula: { name: "Sync" + name, description: "Rows.", parameters: [p("string", "filter", { optional: true })], execute, ...more },
});
const pages = [
  { result: [value], continuation: { page: 1 }, deletedRowIds: ["x"] },
  { result: [{ name: "B" }], permissionsContext: [{ a: 1 }] },
];
table("Rows", async ([filter], context) => ({ ...pages[context.sync.continuation?.page ?? 0] }), {
  executeUpdate: async (args, updates, context) => ({ result: updates.map(({ newValue, updatedFields }) => newValue.name === "bad" ? new coda.UserVisibleError("Bad " + updatedFields) : newValue.name === "wrong" ? 5 : newValue) }),
  executeGetPermissions: async (args, { rows }, context) => ({ rowAccessDefinitions: rows.map(({ row }) => ({ rowId: row.name, permissions: [] })), args }),
});
table("Ends", async (_, context) => ({ result: [], continuation: "", completion: { incrementalContinuation: { since: 1 } } }));
table("Wrong", async () => ({ result: [{ due_date: 5 }] }));
table("Endless", async () => ({ result: [], continuation: { page: 1 } }));
table("Fails", async () => { throw new coda.UserVisibleError("No rows."); });
const choices = coda.makeMetadataFormula(async (context, search, formulaContext) => [search, show(formulaContext), context.timezone]);
const mock = testing.newMockExecutionContext();
const sync = testing.newMockSyncExecutionContext();
const run = testing.executeFormulaFromPackDef;
const rows = testing.executeSyncFormula;
`;

const EXPRESSIONS = [
  // Arguments: only their number counts, and that what is not optional has a value.
  ...["run(pack, 'One', ['a'])", "run(pack, 'One', [])", "run(pack, 'One', ['a', 'b'])"],
  ...["run(pack, 'One', [5])", "run(pack, 'One', [null])", "run(pack, 'One', [undefined])"],
  ...["run(pack, 'Two', ['a'])", "run(pack, 'Two', ['a', null])", "run(pack, 'Two', ['a', 'b'])"],
  "run(pack, 'Every', [1, '2', 'yes', '2024-01-01', 'a,b'])",
  "run(pack, 'Every', ['a', NaN, true, new Date(0), ['a', undefined]])",
  ...["run(pack, 'Many', ['a'])", "run(pack, 'Many', ['a', 'b'])"],
  "run(pack, 'Many', ['a', 'k', 1, 'l', 2])",
  ...["run(pack, 'None', [])", "run(pack, 'None', ['a'])", "run(pack, 'ns::None', [])"],
  "run(pack, 'One', [], mock, { validateParams: false })",
  "run(pack, 'One', ['a', 'b'], mock, { validateParams: false })",
  // Errors of the Pack.
  ...["run(pack, 'User', [])", "run(pack, 'Plain', [])", "run(pack, 'Text', [])"],
  "run(pack, 'User', []).catch((error) => [error.cause.constructor === coda.UserVisibleError, error.cause.message, error.message])",
  ...["run(pack, 'Status', [])", "run(pack, 'Status', [], mock)", "run(pack, 'Absent', [])"],
  ...[
    "run(pack, 'Admin', [])",
    "run(pack, 'Admin', [], { ...mock, authenticationName: 'defaultUserAuthentication' })",
  ],
  "run(pack, 'Admin', [], { ...mock, authenticationName: 'other' })",
  // Results and their names.
  ...["run(pack, 'Get', [])", "run(pack, 'GetNull', [])", "run(pack, 'GetWrong', [])"],
  "run(pack, 'Get', [], mock, { useDeprecatedResultNormalization: false })",
  "run(pack, 'GetWrong', [], mock, { validateResult: false })",
  "run(pack, 'GetNull', [], mock, { validateResult: false })",
  "run(pack, 'GetList', [], mock, { validateResult: false })",
  ...["run(pack, 'GetList', [])", "run(pack, 'GetOpen', [])", "run(pack, 'GetNothing', [])"],
  "run(pack, 'GetOpen', [], mock, { useDeprecatedResultNormalization: false })",
  "run(pack, 'GetDate', [])",
  "run(pack, 'GetWrong', []).catch((error) => [error.errors.length, error.errors.every(({ message }) => typeof message === 'string')])",
  // Tables.
  ...["rows(pack, 'Rows', [])", "rows(pack, 'Rows', ['a', 'b'])", "rows(pack, 'Ends', [])"],
  ...["rows(pack, 'Wrong', [])", "rows(pack, 'Fails', [])", "rows(pack, 'Absent', [])"],
  "rows(pack, 'Wrong', [], undefined, { validateResult: false })",
  "rows(pack, 'Rows', [], undefined, { validateResult: false, useDeprecatedResultNormalization: false })",
  "rows(pack, 'Endless', [])",
  "rows(pack, 'Rows', [], sync).then(() => sync.sync)",
  "rows(pack, 'Rows', [], { ...sync, sync: { schema: { type: 'array', items: { type: 'object', properties: { Name: { type: 'string', fromKey: 'name' } } } } } }, { validateResult: false })",
  "testing.executeSyncFormulaFromPackDef(pack, 'Rows', [])",
  "testing.executeSyncFormulaFromPackDefSingleIteration(pack, 'Rows', [])",
  "testing.executeSyncFormulaFromPackDefSingleIteration(pack, 'Rows', [], { ...sync, sync: { continuation: { page: 1 } } })",
  "testing.executeSyncFormulaFromPackDefSingleIteration(pack, 'Ends', [])",
  "testing.executeSyncFormulaFromPackDefSingleIteration(pack, 'Wrong', [])",
  "testing.executeUpdateFormulaFromPackDef(pack, 'Rows', [], sync, ['a', 'bad', 'wrong'].map((name) => ({ previousValue: {}, newValue: { name, due_date: 5 }, updatedFields: ['name'] })))",
  "testing.executeUpdateFormulaFromPackDef(pack, 'Ends', [], sync, []).catch(() => 'fails')",
  "testing.executeGetPermissionsFormulaFromPackDef(pack, 'Rows', ['f'], { rows: [{ row: { name: 'a' } }] }, sync)",
  "testing.executeGetPermissionsFormulaFromPackDef(pack, 'Ends', [], { rows: [] }).catch(() => 'fails')",
  // Metadata formulas.
  "testing.executeMetadataFormula(choices)",
  "testing.executeMetadataFormula(choices, { search: 'a', formulaContext: { n: 1 } })",
  "testing.executeMetadataFormula(choices, { search: 'a' }, testing.newMockExecutionContext({ timezone: 'UTC' }))",
  "testing.executeMetadataFormula(coda.makeMetadataFormula(async () => { throw new coda.UserVisibleError('No.'); })).catch((error) => [error.message, error instanceof coda.UserVisibleError])",
  "testing.executeMetadataFormula(coda.makeSimpleAutocompleteMetadataFormula(['ab', { display: 'Bc', value: 2 }]), { search: 'b' })",
  // Contexts.
  "Object.keys(mock).sort()",
  "Object.keys(sync).sort()",
  "[mock.timezone, mock.invocationLocation, typeof mock.invocationToken, sync.sync]",
  "[mock.temporaryBlobStorage.storeUrl('u'), mock.temporaryBlobStorage.storeBlob('b'), sync.syncStateService.getLatestRowVersions([])]",
  "mock.fetcher.fetch({ method: 'PUT', url: 'https://a.example/b' })",
  "testing.newMockExecutionContext({ endpoint: 'https://e.example', timezone: 'UTC' }).endpoint",
  "testing.newMockSyncExecutionContext({ sync: { dynamicUrl: 'u' } }).sync",
  "[testing.newJsonFetchResponse({ a: 1 }), testing.newJsonFetchResponse([], 404, { a: 'b' })]",
];

interface Outcome {
  value?: unknown;
  /** The class of the check that failed, or the message of another error. */
  thrown?: string;
}

const RUN = `const read = async (make) => {
  try {
    const value = await make();
    return { value: value === undefined ? "__undefined" : JSON.parse(JSON.stringify(value, (key, each) => each === undefined ? "__undefined" : each instanceof Error ? { message: each.message } : each)) };
  } catch (error) {
    const isCheck = /^(?:Parameter|ResultValidation)Exception$/.test(error.constructor.name);
    return { thrown: isCheck ? error.constructor.name : /^(?:The Pack code|Unhandled)/.test(error.message) ? error.message : "Error" };
  }
};
const outcomes = [];
for (const make of [${EXPRESSIONS.map((each) => `() => ${each}`).join(",\n")}]) outcomes.push(await read(make));
return outcomes;`;

async function askHere(): Promise<Outcome[]> {
  const run = new Function("coda", "testing", `return (async () => { ${PACK}${RUN} })();`) as (
    ...modules: object[]
  ) => Promise<Outcome[]>;
  return await run(coda, testing);
}

async function askThere(): Promise<Outcome[]> {
  const source = `return (async () => { const testing = published("development.js"); ${PACK}${RUN} })();`;
  const [answer] = await askPublished<{ value?: Outcome[]; error?: string }[]>({
    kind: "evaluate",
    sources: [source],
  });
  if (answer?.value === undefined) throw new Error(answer?.error);
  return answer.value;
}

describe.skipIf(!hasPublishedPackage)("the helpers of `dist/development`", async () => {
  const [here, there] = hasPublishedPackage ? await Promise.all([askHere(), askThere()]) : [[], []];

  it.each(EXPRESSIONS.map((each, index) => [each, index] as const))("%s", (_, index) => {
    expect(here[index]).toEqual(there[index]);
  });
});
