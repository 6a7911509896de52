// Small Packs for `@codahq/packs-sdk`, each with one thing that its types accept or refuse. `coda`
// and `pack` are there already.

const formula = (members: string): string =>
  `pack.addFormula({ name: "Run", description: "Runs.", ${members} });`;
const text = (members: string): string =>
  formula(`parameters: [], resultType: coda.ValueType.String, execute: async () => "", ${members}`);
const parameter = (members: string): string =>
  `coda.makeParameter({ name: "value", description: "A value.", ${members} })`;
const table = (members: string, schema = "Row"): string => `
const Row = coda.makeObjectSchema({
  properties: { id: { type: coda.ValueType.String, required: true }, title: { type: coda.ValueType.String, fromKey: "name" }, count: { type: coda.ValueType.Number } },
  idProperty: "id", displayProperty: "title", featuredProperties: ["count"],
});
pack.addSyncTable({ name: "Rows", description: "Rows.", identityName: "Row", schema: ${schema}, formula: { name: "SyncRows", description: "Syncs.", parameters: [], ${members} } });`;

/** Both types accept these. */
export const ACCEPTED: Readonly<Record<string, string>> = {
  "rows of an interface, where the schema is any": `interface Row {
  id: string;
}
export function list<R extends Row>(result: R[]): coda.GenericSyncFormulaResult {
  return { result };
}
export const update = (row: Row): coda.GenericSyncUpdate["newValue"] => row;`,
  "a formula of each scalar type": ["String:''", "Number:1", "Boolean:true"]
    .map((each) => each.split(":"))
    .map(([type, value]) =>
      formula(`parameters: [], resultType: coda.ValueType.${type}, execute: () => ${value}`),
    )
    .join("\n"),
  "an unknown key in a parameter": formula(
    `parameters: [${parameter("type: coda.ParameterType.String, sugestedValue: 'a'")}], resultType: coda.ValueType.String, execute: async ([value]) => value.trim()`,
  ),
  "a featured property that does not exist": `coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.String } }, featuredProperties: ["a", "b"] });`,
  "an unknown key in the schema of a property": `coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.String, optional: true, anything: 1 } } });`,
  "a nested object with `optional`": `coda.makeObjectSchema({ properties: { a: coda.makeObjectSchema({ properties: { b: { type: coda.ValueType.Number, optional: true } } }) } });`,
  "an onError that returns nothing": text("onError: (error) => { console.log(error.message); }"),
  "an onError that throws": text(
    "onError(error) { throw new coda.UserVisibleError(error.message); }",
  ),
  "an optional parameter with a default": formula(
    `parameters: [${parameter("type: coda.ParameterType.Number, optional: true")}], resultType: coda.ValueType.Number, execute: async ([value = 1]) => value + 1`,
  ),
  "a list of each kind": formula(
    `parameters: [${parameter("type: coda.ParameterType.StringArray")}, ${parameter("type: coda.ParameterType.SparseNumberArray")}], resultType: coda.ValueType.Number, execute: async ([names, numbers]) => names[0].length + (numbers[0] ?? 0)`,
  ),
  "repeated parameters": formula(
    `parameters: [], varargParameters: [${parameter("type: coda.ParameterType.String")}], resultType: coda.ValueType.String, execute: async ([...words]) => words.join(" ")`,
  ),
  "a response body of any shape": formula(
    "parameters: [], resultType: coda.ValueType.String, execute: async (args, context) => (await context.fetcher.fetch({ method: 'GET', url: '/' })).body.items[0].name",
  ),
  "a response body with a type": formula(
    "parameters: [], resultType: coda.ValueType.Number, execute: async (args, context) => (await context.fetcher.fetch<{ n: number }>({ method: 'GET', url: '/' })).body!.n",
  ),
  "a variable that gets another member of an enumeration": `let type = coda.ValueType.String; if (Math.random() > 2) type = coda.ValueType.Number; export const found: coda.ValueType = type;`,
  "an enumeration as keys": `export const names: Record<coda.ConnectionRequirement, string> = { [coda.ConnectionRequirement.None]: "", [coda.ConnectionRequirement.Optional]: "", [coda.ConnectionRequirement.Required]: "" };`,
  "a schema that is built step by step": `const properties: coda.ObjectSchemaProperties = {}; properties["a"] = { type: coda.ValueType.String, codaType: coda.ValueHintType.Date, fromKey: "b" }; export const schema: coda.GenericObjectSchema = coda.makeObjectSchema({ properties, idProperty: "a" } as any);`,
  "the type arguments of ObjectSchemaProperties": `export const properties: coda.ObjectSchemaProperties<"a"> = { a: { type: coda.ValueType.Number } };`,
  "the type argument of SimpleAutocompleteOption": `export const choice: coda.SimpleAutocompleteOption<coda.ParameterType.String> = { display: "A", value: "a" };`,
  "types of the published files": `import type { UnionType, ParameterTypeMap } from "@codahq/packs-sdk/dist/api_types"; export const union: UnionType = coda.Type.string; export type Mapped = ParameterTypeMap[coda.ParameterType.String];`,
  "a parameter in a variable": `const id = ${parameter("type: coda.ParameterType.String")};\n${formula("parameters: [id], resultType: coda.ValueType.String, execute: async ([value]) => value.toUpperCase()")}`,
  "choices as a list and as a function": formula(
    `parameters: [${parameter("type: coda.ParameterType.String, autocomplete: ['a', { display: 'B', value: 'b' }]")}, ${parameter("type: coda.ParameterType.Number, autocomplete: async (context, search) => [1, 2]")}], resultType: coda.ValueType.String, execute: async ([value]) => value`,
  ),
  "a table with pages": table(
    "execute: async (args, context) => { let page = (context.sync.continuation?.page as number) || 1; return { result: [{ id: '1', name: 'A' }], continuation: { page: page + 1 } }; }",
  ),
  "a table whose continuation is sometimes missing": table(
    "execute: async (args, context) => { let continuation; if (context.timezone) continuation = { page: 2 }; return { result: [], continuation }; }",
  ),
  "a table whose rows come from a response": table(
    "execute: async (args, context) => ({ result: (await context.fetcher.fetch({ method: 'GET', url: '/' })).body })",
  ),
  "an editable table": table(
    "execute: async () => ({ result: [] }), maxUpdateBatchSize: 2, executeUpdate: async (args, updates) => ({ result: updates.map((update) => update.newValue) })",
  ),
  "errors as the outcome of updates": table(
    "execute: async () => ({ result: [] }), executeUpdate: async (args, updates) => ({ result: updates.map(() => new Error('no')) })",
  ),
  "a dynamic table": `pack.addDynamicSyncTable({ name: "Any", identityName: "Any", listDynamicUrls: async () => [{ display: "A", value: "a", hasChildren: true }], getName: async (context) => context.sync.dynamicUrl!, getDisplayUrl: async (context) => context.sync.dynamicUrl!, getSchema: async () => coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } } }), formula: { name: "SyncAny", description: "Syncs.", parameters: [], execute: async () => ({ result: [{ id: 1, other: true }] }) } });`,
  "authentication with functions": `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://a.example/a", tokenUrl: "https://a.example/t", scopes: ["a"], getConnectionName: async (context) => (await context.fetcher.fetch({ method: "GET", url: "/" })).body.name, defaultConnectionRequirement: coda.ConnectionRequirement.Optional });`,
  "an error of a response": `try { throw new Error(); } catch (error: any) { if (coda.StatusCodeError.isStatusCodeError(error) && error.statusCode === 404) console.log(error.body?.message, error.response.headers); }`,
  "an array of objects": formula(
    "parameters: [], resultType: coda.ValueType.Array, items: coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.Number } } }), execute: async () => [{ a: 1 }, {}]",
  ),
  "a reference": `const Row = coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String, required: true }, n: { type: coda.ValueType.String, required: true } }, idProperty: "id", displayProperty: "n" }); export const schema = coda.makeObjectSchema({ properties: { row: coda.makeReferenceSchemaFromObjectSchema(Row, "Row") } });`,
  "a column format": `pack.addColumnFormat({ name: "F", formulaName: "Run", matchers: [/a/i] });`,
  "a skill": `pack.addSkill({ name: "S", displayName: "S", description: "S.", prompt: "Do.", tools: [{ type: coda.ToolType.Pack }, { type: coda.ToolType.WebSearch, allowedDomains: ["a.example"] }] });`,
  "rows whose members have other names and types": table(
    "execute: async () => ({ result: [{ id: '1', name: 'A', count: 2 }] })",
  ),
  "nested members with other names and types": `const Row = coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number }, inner: { type: coda.ValueType.Object, properties: { size: { type: coda.ValueType.Number }, label: { type: coda.ValueType.String, fromKey: "the label" } } }, all: { type: coda.ValueType.Array, fromKey: "list", items: coda.makeObjectSchema({ properties: { on: { type: coda.ValueType.Boolean }, text: { type: coda.ValueType.String, fromKey: "t" } } }) } } }); export const row: coda.SchemaType<typeof Row> = { id: 1, inner: { size: 2, "the label": "a" }, list: [{ on: true, t: "b" }] };`,
  "two properties from one member": `const Row = coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number }, state: { type: coda.ValueType.String }, label: { type: coda.ValueType.String, fromKey: "state" } }, idProperty: "id", displayProperty: "label" }); export const rows: coda.SchemaType<typeof Row>[] = [{ id: 1, state: "open" }];`,
  "a class for the parameters of any type": `import type { UnionType } from "@codahq/packs-sdk/dist/api_types"; export class Param<T, C extends UnionType> { constructor(readonly definition: coda.ParamDef<C>, public value?: T) {} } export const box: Param<number[], coda.ArrayType<coda.Type.number>> = new Param(${parameter("type: coda.ParameterType.NumberArray, optional: true")}, [1]);`,
  "arguments with a type of their own": formula(
    `parameters: [${parameter("type: coda.ParameterType.String")}], resultType: coda.ValueType.String, execute: async function ([value]: [string], context) { return value + context.timezone; }`,
  ),
  "a Pack that is a plain object": `import type { GenericSyncTable, Formula, Format } from "@codahq/packs-sdk"; import { makeFormula, makeSyncTable } from "@codahq/packs-sdk/dist/api"; const formulas: Formula[] = [makeFormula({ name: "Run", description: "Runs.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" })]; const syncTables: GenericSyncTable[] = [makeSyncTable({ name: "Rows", identityName: "Row", schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }), formula: { name: "SyncRows", description: "Syncs.", parameters: [], execute: async (args: any[], context: coda.ExecutionContext) => ({ result: [], continuation: context.sync!.continuation }) } })]; const formats: Format[] = []; export const manifest: coda.PackVersionDefinition = { version: "1", formulaNamespace: "Any", formulas, syncTables, formats, networkDomains: ["a.example"], defaultAuthentication: { type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization", tokenPrefix: "Token" } };`,
  "helpers of published files": `import { normalizeSchema, normalizeObjectSchema, normalizeSchemaKey, NumberHintValueTypes, type ObjectSchemaDefinitionType } from "@codahq/packs-sdk/dist/schema"; import { untransformKeys } from "@codahq/packs-sdk/dist/handler_templates"; import { wrapMetadataFunction, type AutocompleteParameterTypes } from "@codahq/packs-sdk/dist/api"; const Row = coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.Number } } }); export const row: ObjectSchemaDefinitionType<string, string, typeof Row> = { a: 1 }; export const names: string[] = [normalizeSchemaKey("a"), ...untransformKeys(["A"], normalizeSchema(Row)), ...Object.keys(normalizeObjectSchema(Row).properties), ...NumberHintValueTypes]; export function valuesOf<T extends AutocompleteParameterTypes>(options: coda.SimpleAutocompleteOption<T>[]) { return options.map(({ value }) => value); } export const formula = wrapMetadataFunction(async (context: coda.ExecutionContext, search: string) => [search]);`,
  "choices of one function in several formulas": `const find = async (context: coda.ExecutionContext, search: string) => { const found: coda.MetadataFormulaObjectResultType[] = []; for (const item of (await context.fetcher.fetch({ method: "GET", url: "/" })).body) found.push({ display: item.name, value: item.id }); return coda.autocompleteSearchObjects(search, found as { display: string; value: string }[], "display", "value"); };\n${formula(`parameters: [${parameter("type: coda.ParameterType.String, autocomplete: find")}, ${parameter("type: coda.ParameterType.StringArray, autocomplete: find, optional: true")}], resultType: coda.ValueType.String, execute: async ([value]) => value`)}`,
  "a select list and its options": `coda.makeObjectSchema({ properties: { state: { type: coda.ValueType.String, codaType: coda.ValueHintType.SelectList, options: ["open", "done"], mutable: true, requireForUpdates: false }, tags: { type: coda.ValueType.Array, items: { type: coda.ValueType.String, codaType: coda.ValueHintType.SelectList, options: coda.OptionsType.Dynamic } } } });`,
  "a Pack of several modules that make parts": `const inputs = { id: ${parameter("type: coda.ParameterType.Number")} }; interface Make { name: string; id: typeof inputs.id; execute: (params: coda.ParamValues<coda.ParamDefs>, context: coda.ExecutionContext) => Promise<any>; schema?: coda.ObjectSchema<string, string> } function make({ name, id, execute }: Make) { return coda.makeFormula({ name, description: "Removes it.", connectionRequirement: coda.ConnectionRequirement.Required, parameters: [id, { ...id, name: "other", optional: true }], isAction: true, resultType: coda.ValueType.Boolean, execute }); } pack.formulas.push(make({ name: "Delete", id: inputs.id, execute: async ([id], context) => true }));`,
  "a body of bytes, also from types of Node that are older than the compiler": `interface OlderBuffer extends Omit<Uint8Array, "slice"> { slice(start?: number, end?: number): OlderBuffer; } export const send = (context: coda.ExecutionContext, bytes: OlderBuffer, array: Uint8Array, text: string | OlderBuffer) => Promise.all([bytes, array, text, "a"].map((body) => context.fetcher.fetch({ method: "POST", url: "/", body: body as typeof text | typeof array })));`,
  "functions that name the parts of a Pack": `export function add(pack: coda.PackDefinitionBuilder, params: coda.ParamDefs) { pack.addNetworkDomain("a.example", "b.example"); return params.length; } export async function run([a, b]: coda.ParamValues<coda.ParamDefs>, context: coda.ExecutionContext): Promise<coda.PackFormulaResult> { return a ?? context.timezone; }`,
};

/** Both types refuse these. */
export const REFUSED: Readonly<Record<string, string>> = {
  "a result of another type": text("execute: async () => 1"),
  "a number where true or false belongs": formula(
    "parameters: [], resultType: coda.ValueType.Boolean, execute: async () => 1",
  ),
  "a formula without a name": `pack.addFormula({ description: "Runs.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });`,
  "a formula without a description": `pack.addFormula({ name: "Run", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });`,
  "a formula without parameters": `pack.addFormula({ name: "Run", description: "Runs.", resultType: coda.ValueType.String, execute: async () => "" });`,
  "a formula without execute": `pack.addFormula({ name: "Run", description: "Runs.", parameters: [], resultType: coda.ValueType.String });`,
  "a misspelt enumeration value": text("resultType: coda.ValueType.Nummber"),
  "a misspelt function": `coda.makeParam({});`,
  "an array without items": formula(
    "parameters: [], resultType: coda.ValueType.Array, execute: async () => []",
  ),
  "an object without a schema": formula(
    "parameters: [], resultType: coda.ValueType.Object, execute: async () => ({})",
  ),
  "a member of another type": formula(
    "parameters: [], resultType: coda.ValueType.Object, schema: coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.Number, required: true } } }), execute: async () => ({ a: 'x' })",
  ),
  "a required member that is missing": formula(
    "parameters: [], resultType: coda.ValueType.Object, schema: coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.Number, required: true } } }), execute: async () => ({})",
  ),
  "an unknown key of an object schema": `coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.String } }, displayPropertty: "a" });`,
  "an object schema without properties": `coda.makeObjectSchema({ idProperty: "a" });`,
  "a parameter without a type": parameter("optional: true"),
  "a parameter without a name": `coda.makeParameter({ type: coda.ParameterType.String, description: "A." });`,
  "text as a number": formula(
    `parameters: [${parameter("type: coda.ParameterType.String")}], resultType: coda.ValueType.Number, execute: async ([value]) => value * 2`,
  ),
  "an optional value as if it were there": formula(
    `parameters: [${parameter("type: coda.ParameterType.String, optional: true")}], resultType: coda.ValueType.Number, execute: async ([value]) => value.length`,
  ),
  "a request without a method": formula(
    "parameters: [], resultType: coda.ValueType.String, execute: async (args, context) => (await context.fetcher.fetch({ url: '/' })).body",
  ),
  "a request with an unknown method": formula(
    "parameters: [], resultType: coda.ValueType.String, execute: async (args, context) => (await context.fetcher.fetch({ method: 'FETCH', url: '/' })).body",
  ),
  "a member that the context does not have": text(
    "execute: async (args, context) => context.logger.info('a')",
  ),
  "a table without a schema": `pack.addSyncTable({ name: "Rows", identityName: "Row", formula: { name: "SyncRows", description: "Syncs.", parameters: [], execute: async () => ({ result: [] }) } });`,
  "a table without an identity": table("execute: async () => ({ result: [] })").replace(
    'identityName: "Row", ',
    "",
  ),
  "rows that are not a list": table("execute: async () => ({ result: { id: '1' } })"),
  "rows with a member of another type": table(
    "execute: async () => ({ result: [{ id: '1', count: 'x' }] })",
  ),
  "a header authentication without its header": `pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken });`,
  "an authentication that only users have, for the Pack": `pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://a.example", tokenUrl: "https://a.example" });`,
  "a type that does not exist": "export const schema: coda.ObjectSkema | undefined = undefined;",
  "a table whose formula has no parameters": table("execute: async () => ({ result: [] })").replace(
    "parameters: [], ",
    "",
  ),
  "a column format without a formula": `pack.addColumnFormat({ name: "F", matchers: [/a/] });`,
  "a skill without a prompt": `pack.addSkill({ name: "S", displayName: "S", description: "S.", tools: [] });`,
  "a dynamic table without a schema": `pack.addDynamicSyncTable({ name: "Any", identityName: "Any", getName: async () => "A", getDisplayUrl: async () => "a", formula: { name: "SyncAny", description: "Syncs.", parameters: [], execute: async () => ({ result: [] }) } });`,
  "a connection requirement that does not exist": text(
    "connectionRequirement: coda.ConnectionRequirement.Always",
  ),
  "a post-setup step of an unknown type": `pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: "Other", name: "A", description: "A.", getOptions: async () => [] }] });`,
  "a column format whose pattern is text": `pack.addColumnFormat({ name: "F", formulaName: "Run", matchers: ["^https:"] });`,
  "a fetch of text": text(
    "execute: async (args, context) => (await context.fetcher.fetch('https://a.example')).body",
  ),
  "a search by a member that does not exist": `export const found = coda.autocompleteSearchObjects("a", [{ name: "a", id: "1" }], "title", "id");`,
  "a token in the query without its name":
    "pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken });",
  "scopes that are one text": `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://a.example/a", tokenUrl: "https://a.example/t", scopes: "read write" });`,
  "a value hint of another type of value": `coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.Boolean, codaType: coda.ValueHintType.Date } } });`,
  "a table whose formula has no execute": table("maxUpdateBatchSize: 1"),
  "updated rows that are not in a result": table(
    "execute: async () => ({ result: [] }), executeUpdate: async (args, updates) => updates.map(({ newValue }) => newValue)",
  ),
  "a network domain that is not text": "pack.addNetworkDomain(1);",
  "an index without properties": `coda.makeObjectSchema({ properties: { a: { type: coda.ValueType.String } }, index: {} });`,
};
