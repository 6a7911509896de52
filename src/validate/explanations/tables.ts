import type { IssueCode } from "../codes.ts";
import { type Explanation, formula, oauth2, parameter, syncTable } from "./explanation.ts";

const lists = (own: Readonly<Record<string, string>> = {}): string =>
  syncTable({
    table: { name: '"Lists"', identityName: '"List"', ...own },
    formula: { name: '"SyncLists"' },
  });
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
    formula: {
      parameters: `[${parameter({ crawlStrategy: `{ parentTable: { tableName: "${tableName}", propertyKey: "id" } }` })}]`,
    },
  })}`;
const parent = (identity: string): string =>
  `${lists()}\n${syncTable({
    schema: {
      properties: `{\n  id: { type: ValueType.String },\n  title: { type: ValueType.String },\n  list: {\n    type: ValueType.Object,\n    codaType: ValueHintType.Reference,\n    properties: { id: { type: ValueType.String, required: true }, name: { type: ValueType.String, required: true } },\n    idProperty: "id",\n    displayProperty: "name",\n    identity: { name: "${identity}" },\n  },\n}`,
      parent: '{ parentIdProperty: "list" }',
    },
  })}`;
const pushed = (change: string): string => `${syncTable()}\n${change}`;

/** Sync tables, and names that formulas share with them. */
export const tableExplanations = {
  FORMULA_NAMESPACE: {
    why: "Older documents write it before the name of a formula, so it is one word.",
    bad: 'pack.formulaNamespace = "My Pack";',
    good: 'pack.formulaNamespace = "MyPack";',
  },
  FORMULA_AUTHENTICATION_NAME: {
    why: "The formula names an account that does not exist, or one that it does not use. Correct the name, or remove it.",
    bad: `${oauth2()}\n${formula({ allowedAuthenticationNames: '["admin"]' })}`,
    good: `${oauth2()}\n${formula()}`,
  },
  NAME_SHARED: {
    why: "packsmith execute finds formulas and tables by name, and users see both in one list. Rename one.",
    bad: `${formula({ name: '"Tasks"' })}\n${syncTable()}`,
    good: `${formula({ name: '"Task"' })}\n${syncTable()}`,
  },
  TABLE_COUNT: {
    why: "The document service accepts at most 100 tables per Pack. Combine or remove some.",
    bad: many(101),
    good: many(2),
  },
  TABLE_KEY_UNKNOWN: {
    why: "No code reads this key of the table, so it has no effect.",
    bad: syncTable({ table: { desciption: '"All tasks."' } }),
    good: syncTable({ table: { description: '"All tasks."' } }),
  },
  TABLE_NAME_INVALID: {
    why: "Documents store the name, so it is one word: a letter, then letters, digits or underscores, at most 50. Users see displayName.",
    bad: syncTable({ table: { name: '"My tasks"' } }),
    good: syncTable({ table: { name: '"MyTasks"', displayName: '"My tasks"' } }),
  },
  TABLE_NAME_DUPLICATE: {
    why: "A table in a document could be either of them. Names ignore case.",
    bad: `${syncTable()}\n${lists({ name: '"tasks"' })}`,
    good: `${syncTable()}\n${lists()}`,
  },
  TABLE_TEXT_LENGTH: {
    why: "Names are shown in menus and descriptions in lists: at most 50 and 1,000 characters.",
    bad: syncTable({ table: { displayName: '"All my tasks ".repeat(5)' } }),
    good: syncTable({ table: { displayName: '"All my tasks"' } }),
  },
  TABLE_IDENTITY_NAME: {
    why: "It becomes the name of the column that holds a row. The service has its own columns named id, value, synced and connection.",
    bad: syncTable({ table: { identityName: '"Value"' } }),
    good: syncTable({ table: { identityName: '"Task"' } }),
  },
  TABLE_IDENTITY_MISMATCH: {
    why: "References find the table by its identity. With two different names, half of the references find nothing.",
    bad: syncTable({ schema: { identity: '{ name: "Item" }' } }),
    good: syncTable({ schema: { identity: '{ name: "Task" }' } }),
  },
  TABLE_IDENTITY_DUPLICATE: {
    why: "A reference to a row could mean either table. Give each table its own identity name.",
    bad: `${syncTable()}\n${lists({ identityName: '"Task"' })}`,
    good: `${syncTable()}\n${lists()}`,
  },
  TABLE_SCHEMA_INCOMPLETE: {
    why: "The id tells rows apart between syncs, and users see the display property. Set idProperty and displayProperty.",
    bad: syncTable({ schema: { displayProperty: "" } }),
    good: syncTable(),
  },
  TABLE_ROLE: {
    why: "A table of users decides who may see what, so its schema must name the properties that identify a person.",
    bad: syncTable({ table: { role: "TableRole.Users" } }),
    good: syncTable(),
  },
  TABLE_DYNAMIC_MEMBER: {
    why: "Only a dynamic table has functions for the tables that users choose from. On another table they are never called.",
    bad: pushed('pack.syncTables[0] = { ...pack.syncTables[0], getName: async () => "Tasks" };'),
    good: syncTable(),
  },
  TABLE_MUTABLE: {
    why: "Users can edit the properties that are mutable, and executeUpdate saves what they wrote. Without it, their edits are lost.",
    bad: syncTable({
      schema: {
        properties:
          "{ id: { type: ValueType.String }, title: { type: ValueType.String, mutable: true } }",
      },
    }),
    good: syncTable(),
  },
  TABLE_GETTER: {
    why: "A plain formula returns one value; a sync formula returns pages of rows. Pass the formula to addSyncTable, which creates a sync formula.",
    bad: pushed(
      "pack.syncTables[0] = { ...pack.syncTables[0], getter: { ...pack.syncTables[0].getter, isSyncFormula: false } };",
    ),
    good: syncTable(),
  },
  TABLE_VARARGS: {
    why: "Users fill in a table's parameters in a fixed form, which cannot repeat them. Use a list parameter.",
    bad: syncTable({ formula: { varargParameters: `[${parameter()}]` } }),
    good: syncTable({
      formula: { parameters: `[${parameter({ type: "ParameterType.StringArray" })}]` },
    }),
  },
  TABLE_BATCH_SIZE: {
    why: "A batch has at least one row, and an update has at most 1,000 rows.",
    bad: syncTable({ formula: { maxUpdateBatchSize: "2000" } }),
    good: syncTable({ formula: { maxUpdateBatchSize: "100" } }),
  },
  TABLE_OPTIONS_COUNT: {
    why: "Each function is stored and called separately. One propertyOptions function can answer for all properties.",
    bad: optionFunctions(51),
    good: optionFunctions(2),
  },
  TABLE_PROPERTY_OPTIONS: {
    why: "The property says that its choices are looked up, but no function looks them up. Add propertyOptions.",
    bad: choice("OptionsType.Dynamic"),
    good: choice("OptionsType.Dynamic", { dynamicOptions: "{ propertyOptions: async () => [] }" }),
  },
  TABLE_CRAWL: {
    why: "The parameter gets its values from a column of another table of this Pack. That table must exist, and tables must not depend on each other in a circle.",
    bad: crawl("Folders"),
    good: crawl("Lists"),
  },
  TABLE_PARENT: {
    why: "A row gets its permissions from its parent, so the parent must be a row of a table in this Pack.",
    bad: parent("Folder"),
    good: parent("List"),
  },
  SCHEMA_PROPERTY_IDENTITY: {
    why: "The identity becomes a column of the table, and the property would be a second column with the same name. Rename one.",
    bad: syncTable({ table: { identityName: '"Title"' } }),
    good: syncTable(),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
