import type { IssueCode } from "../codes.ts";
import { formula, oauth2, parameter, syncTable } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

const lists = (own: Readonly<Record<string, string>> = {}): string =>
  syncTable({ table: { name: '"Lists"', identityName: '"List"', ...own }, formula: { name: '"SyncLists"' } });
const many = (count: number): string =>
  `for (let index = 1; index <= ${count}; index++) {\n  ${syncTable({
    table: { name: "`Tasks$" + "{index}`", identityName: "`Task$" + "{index}`" },
    formula: { name: "`SyncTasks$" + "{index}`" },
  }).replaceAll("\n", "\n  ")}\n}`;
const choice = (options: string, table: Readonly<Record<string, string>> = {}): string =>
  syncTable({
    table,
    schema: {
      properties: `{\n  id: { type: ValueType.String },\n  title: { type: ValueType.String, codaType: ValueHintType.SelectList, options: ${options} },\n}`,
    },
  });
const optionFunctions = (count: number): string =>
  `const properties = { id: { type: ValueType.String }, title: { type: ValueType.String } };\nfor (let index = 1; index <= ${count}; index++) {\n  properties[\`p\${index}\`] = { type: ValueType.String, codaType: ValueHintType.SelectList, options: async () => [] };\n}\n${syncTable({ schema: { properties: "properties" } })}`;
const crawl = (tableName: string): string =>
  `${lists()}\n${syncTable({
    formula: { parameters: `[${parameter({ crawlStrategy: `{ parentTable: { tableName: "${tableName}", propertyKey: "id" } }` })}]` },
  })}`;
const parent = (identity: string): string =>
  `${lists()}\n${syncTable({
    schema: {
      properties: `{\n  id: { type: ValueType.String },\n  title: { type: ValueType.String },\n  list: {\n    type: ValueType.Object,\n    codaType: ValueHintType.Reference,\n    properties: { id: { type: ValueType.String, required: true }, name: { type: ValueType.String, required: true } },\n    idProperty: "id",\n    displayProperty: "name",\n    identity: { name: "${identity}" },\n  },\n}`,
      parent: '{ parentIdProperty: "list" }',
    },
  })}`;
const pushed = (change: string): string => `${syncTable()}\n${change}`;

/** Of sync tables, and of formulas beside them. */
export const tableExplanations = {
  FORMULA_NAMESPACE: {
    why: "Older documents write it before the name of a formula, so it has to be one word.",
    bad: 'pack.formulaNamespace = "My Pack";',
    good: 'pack.formulaNamespace = "MyPack";',
  },
  FORMULA_AUTHENTICATION_NAME: {
    why: "The formula would be allowed for an account that does not exist, or that it says it does not need.",
    bad: `${oauth2()}\n${formula({ allowedAuthenticationNames: '["admin"]' })}`,
    good: `${oauth2()}\n${formula()}`,
  },
  NAME_SHARED: {
    why: "packsmith execute takes a formula or a table by name, and users see both in one list.",
    bad: `${formula({ name: '"Tasks"' })}\n${syncTable()}`,
    good: `${formula({ name: '"Task"' })}\n${syncTable()}`,
  },
  TABLE_COUNT: {
    why: "The document service takes at most 100 tables of one Pack, and users have to find theirs among them.",
    bad: many(101),
    good: many(2),
  },
  TABLE_KEY_UNKNOWN: {
    why: "Nothing reads this key of a table, so what it says has no effect.",
    bad: syncTable({ table: { desciption: '"All tasks."' } }),
    good: syncTable({ table: { description: '"All tasks."' } }),
  },
  TABLE_NAME_INVALID: {
    why: "Documents keep the name, so it has to be one word: a letter, then letters, digits or underscores, at most 50. Users see displayName.",
    bad: syncTable({ table: { name: '"My tasks"' } }),
    good: syncTable({ table: { name: '"MyTasks"', displayName: '"My tasks"' } }),
  },
  TABLE_NAME_DUPLICATE: {
    why: "A table in a document could be either of them. Case does not tell names apart.",
    bad: `${syncTable()}\n${lists({ name: '"tasks"' })}`,
    good: `${syncTable()}\n${lists()}`,
  },
  TABLE_TEXT_LENGTH: {
    why: "Names are shown in menus and descriptions in lists: 50 and 1,000 characters are the most.",
    bad: syncTable({ table: { displayName: '"All my tasks ".repeat(5)' } }),
    good: syncTable({ table: { displayName: '"All my tasks"' } }),
  },
  TABLE_IDENTITY_NAME: {
    why: "It becomes the name of the column that holds a row; the service has columns of its own named id, value, synced and connection.",
    bad: syncTable({ table: { identityName: '"Value"' } }),
    good: syncTable({ table: { identityName: '"Task"' } }),
  },
  TABLE_IDENTITY_MISMATCH: {
    why: "References find the table by its identity; with two of them, half of the references lead nowhere.",
    bad: syncTable({ schema: { identity: '{ name: "Item" }' } }),
    good: syncTable({ schema: { identity: '{ name: "Task" }' } }),
  },
  TABLE_IDENTITY_DUPLICATE: {
    why: "A reference to a row could mean either table.",
    bad: `${syncTable()}\n${lists({ identityName: '"Task"' })}`,
    good: `${syncTable()}\n${lists()}`,
  },
  TABLE_SCHEMA_INCOMPLETE: {
    why: "The id tells rows apart from one sync to the next, and the display property is what users see of a row.",
    bad: syncTable({ schema: { displayProperty: "" } }),
    good: syncTable(),
  },
  TABLE_ROLE: {
    why: "A table of users decides who may see what, so its schema has to name the properties that say who somebody is.",
    bad: syncTable({ table: { role: "TableRole.Users" } }),
    good: syncTable(),
  },
  TABLE_GETTER: {
    why: "A plain formula gives one value; a sync formula gives pages of rows. addSyncTable makes one of what you give it.",
    bad: pushed("pack.syncTables[0] = { ...pack.syncTables[0], getter: { ...pack.syncTables[0].getter, isSyncFormula: false } };"),
    good: syncTable(),
  },
  TABLE_VARARGS: {
    why: "Users fill in a table's parameters once, in a form; a form cannot grow.",
    bad: syncTable({ formula: { varargParameters: `[${parameter()}]` } }),
    good: syncTable({ formula: { parameters: `[${parameter({ type: "ParameterType.StringArray" })}]` } }),
  },
  TABLE_BATCH_SIZE: {
    why: "A batch has at least one row; an update at most 1,000 of them.",
    bad: syncTable({ formula: { maxUpdateBatchSize: "2000" } }),
    good: syncTable({ formula: { maxUpdateBatchSize: "100" } }),
  },
  TABLE_OPTIONS_COUNT: {
    why: "Each function is kept and called on its own. One propertyOptions can answer for all properties.",
    bad: optionFunctions(51),
    good: optionFunctions(2),
  },
  TABLE_PROPERTY_OPTIONS: {
    why: "The property says that its choices are looked up, and nothing looks them up.",
    bad: choice("OptionsType.Dynamic"),
    good: choice("OptionsType.Dynamic", { dynamicOptions: "{ propertyOptions: async () => [] }" }),
  },
  TABLE_CRAWL: {
    why: "The values of the parameter are taken from a column of another table of this Pack, which has to exist, without going in circles.",
    bad: crawl("Folders"),
    good: crawl("Lists"),
  },
  TABLE_PARENT: {
    why: "The permissions of a row come from its parent, so the parent has to be a row of a table of this Pack.",
    bad: parent("Folder"),
    good: parent("List"),
  },
  SCHEMA_PROPERTY_IDENTITY: {
    why: "The identity becomes a column of the table, and a property of the same name another one.",
    bad: syncTable({ table: { identityName: '"Title"' } }),
    good: syncTable(),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
