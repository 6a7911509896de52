import type { IssueCode } from "../codes.ts";
import { type Explanation, formula, oauth2, parameter, syncTable } from "./explanation.ts";

const lists = (own: Readonly<Record<string, string>> = {}): string =>
  syncTable({
    table: { name: '"Lists"', identityName: '"List"', ...own },
    formula: { name: '"SyncLists"' },
  });
const writeMany = (count: number): string =>
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
const writePushed = (change: string): string => `${syncTable()}\n${change}`;

/** Sync tables, and names that formulas share with them. */
export const tableExplanations = {
  FORMULA_NAMESPACE: {
    why: "In older documents, the namespace is before the formula name. Start the namespace with a letter, and use only letters, digits and underscores.",
    bad: 'pack.formulaNamespace = "My Pack";',
    good: 'pack.formulaNamespace = "MyPack";',
  },
  FORMULA_AUTHENTICATION_NAME: {
    why: "allowedAuthenticationNames contains a name, but the formula cannot use an account with this name. Correct the name, or remove the name from the list.",
    bad: `${oauth2()}\n${formula({ allowedAuthenticationNames: '["admin"]' })}`,
    good: `${oauth2()}\n${formula()}`,
  },
  NAME_SHARED: {
    why: "A formula and a table have the same name. Users see formulas and tables in the same list, and packsmith execute cannot distinguish two identical names. Rename the formula or the table.",
    bad: `${formula({ name: '"Tasks"' })}\n${syncTable()}`,
    good: `${formula({ name: '"Task"' })}\n${syncTable()}`,
  },
  TABLE_COUNT: {
    why: "The document service accepts at most 100 tables per Pack. Combine or remove some of the tables.",
    bad: writeMany(101),
    good: writeMany(2),
  },
  TABLE_KEY_UNKNOWN: {
    why: "packsmith does not know this key of the table, so the key has no effect. Correct the key's name, or remove the key.",
    bad: syncTable({ table: { desciption: '"All tasks."' } }),
    good: syncTable({ table: { description: '"All tasks."' } }),
  },
  TABLE_NAME_INVALID: {
    why: "Documents store the table name. Start the name with a letter, and use only letters, digits and underscores, up to 50 characters. Users see displayName instead of the name.",
    bad: syncTable({ table: { name: '"My tasks"' } }),
    good: syncTable({ table: { name: '"MyTasks"', displayName: '"My tasks"' } }),
  },
  TABLE_NAME_DUPLICATE: {
    why: "Users cannot distinguish two tables with the same name. Table names are not case-sensitive. Rename one of the tables.",
    bad: `${syncTable()}\n${lists({ name: '"tasks"' })}`,
    good: `${syncTable()}\n${lists()}`,
  },
  TABLE_TEXT_LENGTH: {
    why: "Users see display names and descriptions in menus and lists. A display name can have up to 50 characters. A description can have up to 1,000 characters.",
    bad: syncTable({ table: { displayName: '"All my tasks ".repeat(5)' } }),
    good: syncTable({ table: { displayName: '"All my tasks"' } }),
  },
  TABLE_IDENTITY_NAME: {
    why: "Each table has a column with the same name as the table's identity. The names id, value, synced and connection are reserved for the service's own columns. Choose another name of up to 50 characters.",
    bad: syncTable({ table: { identityName: '"Value"' } }),
    good: syncTable({ table: { identityName: '"Task"' } }),
  },
  TABLE_IDENTITY_MISMATCH: {
    why: "References find the table by its identity name, so the schema and the table need the same identity name. Remove the name from the schema, or correct one of the names.",
    bad: syncTable({ schema: { identity: '{ name: "Item" }' } }),
    good: syncTable({ schema: { identity: '{ name: "Task" }' } }),
  },
  TABLE_IDENTITY_DUPLICATE: {
    why: "If two tables have the same identity name, a reference to a row could refer to either table. Give each table a different identity name.",
    bad: `${syncTable()}\n${lists({ identityName: '"Task"' })}`,
    good: `${syncTable()}\n${lists()}`,
  },
  TABLE_SCHEMA_INCOMPLETE: {
    why: "A sync recognizes a row by its ID, and users see its display property. Set idProperty and displayProperty in the schema.",
    bad: syncTable({ schema: { displayProperty: "" } }),
    good: syncTable(),
  },
  TABLE_ROLE: {
    why: "A table of users or members determines which rows a person can see, so its schema must specify how to identify a person. The message lists the missing keys. Add the missing keys to the schema.",
    bad: syncTable({ table: { role: "TableRole.Users" } }),
    good: syncTable(),
  },
  TABLE_DYNAMIC_MEMBER: {
    why: "Only a dynamic table uses this function. Remove the function, or use addDynamicSyncTable.",
    bad: writePushed(
      'pack.syncTables[0] = { ...pack.syncTables[0], getName: async () => "Tasks" };',
    ),
    good: syncTable(),
  },
  TABLE_MUTABLE: {
    why: "Users can edit properties that have mutable: true, but only executeUpdate can save the edits. Add executeUpdate, or remove mutable.",
    bad: syncTable({
      schema: {
        properties:
          "{ id: { type: ValueType.String }, title: { type: ValueType.String, mutable: true } }",
      },
    }),
    good: syncTable(),
  },
  TABLE_GETTER: {
    why: "A plain formula returns one value. A sync formula returns pages of rows. Pass the formula to addSyncTable to create a sync formula.",
    bad: writePushed(
      "pack.syncTables[0] = { ...pack.syncTables[0], getter: { ...pack.syncTables[0].getter, isSyncFormula: false } };",
    ),
    good: syncTable(),
  },
  TABLE_VARARGS: {
    why: "Users enter a table's parameters in a form. The form does not support repeating parameters. Use one parameter that accepts a list.",
    bad: syncTable({ formula: { varargParameters: `[${parameter()}]` } }),
    good: syncTable({
      formula: { parameters: `[${parameter({ type: "ParameterType.StringArray" })}]` },
    }),
  },
  TABLE_BATCH_SIZE: {
    why: "The option sets the maximum number of rows in one call. An update can have up to 1,000 rows. A permission check can have up to 5,000 rows. The smallest value is 1.",
    bad: syncTable({ formula: { maxUpdateBatchSize: "2000" } }),
    good: syncTable({ formula: { maxUpdateBatchSize: "100" } }),
  },
  TABLE_OPTIONS_COUNT: {
    why: "A table can have up to 50 functions that list options. Use one propertyOptions function for all properties.",
    bad: optionFunctions(51),
    good: optionFunctions(2),
  },
  TABLE_PROPERTY_OPTIONS: {
    why: "The property sets options to OptionsType.Dynamic, but the table has no function that lists the options. Add propertyOptions to the table's formula.",
    bad: choice("OptionsType.Dynamic"),
    good: choice("OptionsType.Dynamic", { dynamicOptions: "{ propertyOptions: async () => [] }" }),
  },
  TABLE_CRAWL: {
    why: "crawlStrategy specifies the table and the property that supply the values. The table and the property must exist in this Pack, and two tables cannot depend on each other. Correct the names in crawlStrategy.",
    bad: crawl("Folders"),
    good: crawl("Lists"),
  },
  TABLE_PARENT: {
    why: "A row's parent determines who can see the row. It must be a row of a table in this Pack. Correct the parent's identity, or add the parent's table.",
    bad: parent("Folder"),
    good: parent("List"),
  },
  SCHEMA_PROPERTY_IDENTITY: {
    why: "Each table has a column that is named after its identity, so the property would be a second column with the same name. Rename the property or the identity.",
    bad: syncTable({ table: { identityName: '"Title"' } }),
    good: syncTable(),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
