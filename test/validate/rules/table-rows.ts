import { type Definition, formula, oauth2, pack, parameter } from "../definitions.ts";
import type { Row } from "./row.ts";

const at = "syncTables[0]";
const long = "a".repeat(51);
const rows = (members: Definition = {}): Definition => ({
  type: "object",
  properties: { id: { type: "string" }, title: { type: "string" } },
  idProperty: "id",
  displayProperty: "title",
  ...members,
});
const getter = (members: Definition = {}): Definition => ({
  name: "SyncTasks",
  description: "Syncs.",
  parameters: [],
  isSyncFormula: true,
  execute: () => ({ result: [] }),
  ...members,
});
const table = (members: Definition = {}): Definition => ({
  name: "Tasks",
  identityName: "Task",
  schema: rows(),
  getter: getter(),
  ...members,
});
const other = (members: Definition = {}): Definition =>
  table({ name: "Lists", identityName: "List", getter: getter({ name: "SyncLists" }), ...members });
const withTable = (members: Definition, whole: Definition = {}): Definition =>
  pack({ syncTables: [table(members)], ...whole });
const withRows = (members: Definition, more: Definition = {}): Definition =>
  withTable({ schema: rows(members), ...more });
const withGetter = (members: Definition, whole: Definition = {}): Definition =>
  withTable({ getter: getter(members) }, whole);
const dynamic = (members: Definition = {}): Definition =>
  withTable({
    isDynamic: true,
    getName: () => "",
    getSchema: () => rows(),
    getDisplayUrl: () => "",
    ...members,
  });
const crawl = (tableName: string, propertyKey = "id", members: Definition = {}): Definition =>
  parameter({ crawlStrategy: { parentTable: { tableName, propertyKey, ...members } } });
/** Tasks takes a value from Lists, and Lists from what is given. */
const crawling = (tasks: Definition[], lists: Definition[] = []): Definition =>
  pack({
    syncTables: [
      table({ getter: getter({ parameters: tasks }) }),
      other({ getter: getter({ name: "SyncLists", parameters: lists }) }),
    ],
  });
const options = (count: number): Definition =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `p${index}`,
      { type: "string", codaType: "selectList", options: () => [] },
    ]),
  );
const reference = (name: string): Definition => ({
  type: "object",
  codaType: "reference",
  properties: { id: { type: "string", required: true }, name: { type: "string", required: true } },
  idProperty: "id",
  displayProperty: "name",
  identity: { name },
});
const child = (identity: string): Definition =>
  withRows({
    properties: { id: { type: "string" }, title: { type: "string" }, list: reference(identity) },
    parent: { parentIdProperty: "list" },
  });
const user = { defaultAuthentication: oauth2() };
const admin = (...names: string[]): Definition => ({
  adminAuthentications: names.map((name) => ({
    name,
    displayName: name,
    description: name,
    authentication: { type: "HeaderBearerToken" },
  })),
  ...user,
});

/** Tables with one identity, each with an account of its own. */
const tablesOfAccounts = (...names: string[]): Definition[] =>
  names.map((name, index) =>
    other({
      name: `Tasks${index}`,
      identityName: "Task",
      getter: getter({ name: `SyncTasks${index}`, allowedAuthenticationNames: [name] }),
    }),
  );

export const tableRows: Row[] = [
  [
    "118",
    withTable({ name: "a".repeat(50) }),
    withTable({ name: long }),
    `TABLE_NAME_INVALID ${at}.name`,
  ],
  [
    "119",
    withTable({ name: "Größe_1" }),
    withTable({ name: "My tasks" }),
    `TABLE_NAME_INVALID ${at}.name`,
  ],
  [
    "120",
    withTable({ displayName: "a".repeat(50) }),
    withTable({ displayName: long }),
    `TABLE_TEXT_LENGTH ${at}.displayName`,
  ],
  [
    "121",
    withTable({ description: "a".repeat(1000) }),
    withTable({ description: "a".repeat(1001) }),
    `TABLE_TEXT_LENGTH ${at}.description`,
  ],
  [
    "122",
    withTable({ instructions: "a".repeat(20_000) }),
    withTable({ instructions: "a".repeat(20_001) }),
    `TABLE_TEXT_LENGTH ${at}.instructions`,
  ],
  [
    "123",
    withTable({ identityName: "a".repeat(50) }),
    withTable({ identityName: long }),
    `TABLE_IDENTITY_NAME ${at}.identityName`,
  ],
  [
    "124",
    withTable({ identityName: "Value1" }),
    withTable({ identityName: "value" }),
    `TABLE_IDENTITY_NAME ${at}.identityName`,
  ],
  [
    "125",
    withRows({ properties: { id: { type: "string" }, title: { type: "string" }, ...options(50) } }),
    withRows({ properties: { id: { type: "string" }, title: { type: "string" }, ...options(51) } }),
    `TABLE_OPTIONS_COUNT ${at}.schema.properties`,
  ],
  [
    "126",
    withRows(
      {
        userEmailProperty: "mail",
        userIdProperty: "id",
        properties: {
          id: { type: "string" },
          title: { type: "string" },
          mail: { type: "string", codaType: "email" },
        },
      },
      { role: "users" },
    ),
    withTable({ role: "admins" }),
    `VALUE_UNKNOWN ${at}.role`,
  ],
  [
    "A table of group members has the properties of its role",
    withRows({ groupIdProperty: "id", userIdProperty: "title" }, { role: "groupMembers" }),
    withTable({ role: "groupMembers" }),
    `TABLE_ROLE ${at}.schema`,
  ],
  [
    "127",
    withTable({ indexing: { default: "exclude" } }),
    withTable({ indexing: { default: "no" } }),
    `VALUE_UNKNOWN ${at}.indexing.default`,
  ],
  [
    "128",
    withGetter({ executeUpdate: () => ({}), maxUpdateBatchSize: 1000 }),
    withGetter({ maxUpdateBatchSize: 1001 }),
    `TABLE_BATCH_SIZE ${at}.getter.maxUpdateBatchSize`,
  ],
  [
    "128",
    withGetter({ maxUpdateBatchSize: 1 }),
    withGetter({ maxUpdateBatchSize: 1.5 }),
    `TABLE_BATCH_SIZE ${at}.getter.maxUpdateBatchSize`,
  ],
  [
    "129",
    withGetter({ maxPermissionBatchSize: 5000 }),
    withGetter({ maxPermissionBatchSize: 0 }),
    `TABLE_BATCH_SIZE ${at}.getter.maxPermissionBatchSize`,
  ],
  ["130", withGetter({}), withGetter({ isSyncFormula: undefined }), `TABLE_GETTER ${at}.getter`],
  [
    "54",
    withGetter({ validateParameters: () => ({ isValid: true }) }),
    withGetter({ validateParameters: true }),
    `MEMBER_TYPE ${at}.getter.validateParameters`,
  ],
  [
    "131",
    withGetter({ varargParameters: [] }),
    withGetter({ varargParameters: [parameter()] }),
    `TABLE_VARARGS ${at}.getter.varargParameters`,
  ],
  [
    "132",
    withGetter({ updateOptions: { extraOAuthScopes: ["a"] } }),
    withGetter({ updateOptions: { scopes: ["a"] } }),
    `TABLE_KEY_UNKNOWN ${at}.getter.updateOptions.scopes`,
  ],
  [
    "133",
    dynamic(),
    dynamic({ getName: undefined, getSchema: undefined, getDisplayUrl: undefined }),
    `MEMBER_MISSING ${at}.getName`,
    `MEMBER_MISSING ${at}.getSchema`,
    `MEMBER_MISSING ${at}.getDisplayUrl`,
  ],
  [
    "134",
    withTable({ entityName: "Task" }),
    withTable({ entityNam: "Task" }),
    `TABLE_KEY_UNKNOWN ${at}.entityNam`,
  ],
  [
    "136",
    withRows({ identity: { name: "Task" } }),
    withRows({ identity: { name: "Todo" } }),
    `TABLE_IDENTITY_MISMATCH ${at}.identityName`,
  ],
  [
    "137",
    pack({ syncTables: [table(), other()] }),
    pack({ syncTables: [table(), other({ identityName: "Task" })] }),
    "TABLE_IDENTITY_DUPLICATE syncTables[1].identityName",
  ],
  [
    "137",
    pack({
      syncTables: [
        table({ getter: getter({ allowedAuthenticationNames: ["one"] }) }),
        other({
          identityName: "Task",
          getter: getter({ name: "SyncLists", allowedAuthenticationNames: ["two"] }),
        }),
      ],
      ...admin("one", "two"),
    }),
    pack({
      syncTables: [
        table({ getter: getter({ allowedAuthenticationNames: ["one"] }) }),
        other({
          identityName: "Task",
          getter: getter({ name: "SyncLists", allowedAuthenticationNames: ["one"] }),
        }),
      ],
      ...admin("one", "two"),
    }),
    "TABLE_IDENTITY_DUPLICATE syncTables[1].identityName",
  ],
  [
    "137",
    pack({ syncTables: tablesOfAccounts("one", "two", "three"), ...admin("one", "two", "three") }),
    pack({ syncTables: tablesOfAccounts("one", "two", "two"), ...admin("one", "two", "three") }),
    "TABLE_IDENTITY_DUPLICATE syncTables[2].identityName",
  ],
  [
    "138",
    pack({ syncTables: [table(), other()] }),
    pack({ syncTables: [table(), other({ getter: getter({ name: "synctasks" }) })] }),
    "TABLE_NAME_DUPLICATE syncTables[1].getter.name",
  ],
  [
    "139",
    pack({ syncTables: [table(), other()] }),
    pack({ syncTables: [table(), other({ name: "TASKS" })] }),
    "TABLE_NAME_DUPLICATE syncTables[1].name",
  ],
  [
    "140",
    withTable({}),
    withRows({
      properties: { id: { type: "string" }, title: { type: "string" }, task: { type: "string" } },
    }),
    `SCHEMA_PROPERTY_IDENTITY ${at}.schema.properties.task`,
  ],
  [
    "141",
    withGetter({ name: "Sync_1" }),
    withGetter({ name: "Sync tasks" }),
    `TABLE_NAME_INVALID ${at}.getter.name`,
  ],
  [
    "142",
    crawling([crawl("Lists")]),
    crawling([crawl("Boards")]),
    `TABLE_CRAWL ${at}.getter.parameters[0].crawlStrategy.parentTable.tableName`,
  ],
  [
    "143",
    crawling([crawl("Lists", "title")]),
    crawling([crawl("Lists", "key")]),
    `TABLE_CRAWL ${at}.getter.parameters[0].crawlStrategy.parentTable.propertyKey`,
  ],
  [
    "144",
    crawling([crawl("Lists", "id", { inheritPermissions: true })]),
    crawling([crawl("Lists", "title", { inheritPermissions: true })]),
    `TABLE_CRAWL ${at}.getter.parameters[0].crawlStrategy.parentTable.inheritPermissions`,
  ],
  [
    "145",
    crawling([crawl("Lists"), { ...crawl("Lists", "title"), name: "b" }]),
    crawling([crawl("Lists"), { ...crawl("Tasks"), name: "b" }]),
    `TABLE_CRAWL ${at}.getter.parameters[1].crawlStrategy.parentTable.tableName`,
  ],
  [
    "146",
    crawling([crawl("Lists")]),
    crawling([crawl("Lists")], [crawl("Tasks")]),
    `TABLE_CRAWL ${at}.getter.parameters[0].crawlStrategy.parentTable`,
  ],
  [
    "146",
    crawling([crawl("Lists")]),
    crawling([crawl("Tasks")]),
    `TABLE_CRAWL ${at}.getter.parameters[0].crawlStrategy.parentTable`,
  ],
  ["147", child("Task"), child("Board"), `TABLE_PARENT ${at}.schema.parent.parentIdProperty`],
  [
    "148",
    withRows(
      {
        properties: {
          id: { type: "string" },
          title: { type: "string", codaType: "selectList", options: "__coda_dynamic__" },
        },
      },
      { propertyOptions: () => [] },
    ),
    withRows({
      properties: {
        id: { type: "string" },
        title: { type: "string", codaType: "selectList", options: "__coda_dynamic__" },
      },
    }),
    `TABLE_PROPERTY_OPTIONS ${at}.schema.properties.title.options`,
  ],
  [
    "149",
    withTable({}),
    withTable({ identityName: undefined }),
    `MEMBER_MISSING ${at}.identityName`,
  ],
  [
    "The schema of a table has an id and a display property",
    withTable({}),
    withRows({ idProperty: undefined, displayProperty: undefined }),
    `TABLE_SCHEMA_INCOMPLETE ${at}.schema.idProperty`,
    `TABLE_SCHEMA_INCOMPLETE ${at}.schema.displayProperty`,
  ],
  [
    "The schema of a table is an object, which is said once",
    withTable({}),
    withTable({ schema: "rows" }),
    `MEMBER_TYPE ${at}.schema`,
  ],
  [
    "A table has a getter",
    withRows({ idProperty: undefined, id: "id", displayProperty: undefined, primary: "title" }),
    withTable({ getter: undefined }),
    `MEMBER_MISSING ${at}.getter`,
  ],
  [
    "135",
    pack({ syncTables: [table()] }),
    pack({
      syncTables: Array.from({ length: 101 }, (_, index) =>
        table({
          name: `T${index}`,
          identityName: `I${index}`,
          getter: getter({ name: `S${index}` }),
        }),
      ),
    }),
    "TABLE_COUNT syncTables",
  ],
  [
    "A10",
    pack({ formulas: [formula()], syncTables: [table()] }),
    pack({ formulas: [formula({ name: "tasks" })], syncTables: [table()] }),
    `NAME_SHARED ${at}.name`,
  ],

  // Formulas and parameters.
  [
    "38",
    pack({
      formulas: [
        formula({ parameters: [parameter({ type: "date", allowedPresetValues: ["today"] })] }),
      ],
    }),
    pack({ formulas: [formula({ parameters: [parameter({ allowedPresetValues: ["today"] })] })] }),
    "PARAMETER_PRESETS formulas[0].parameters[0].allowedPresetValues",
  ],
  [
    "39",
    pack({
      formulas: [
        formula({ parameters: [parameter({ type: "date", allowedPresetValues: ["7_days_ago"] })] }),
      ],
    }),
    pack({
      formulas: [
        formula({
          parameters: [parameter({ type: "date", allowedPresetValues: ["last_7_days"] })],
        }),
      ],
    }),
    "PARAMETER_PRESETS formulas[0].parameters[0].allowedPresetValues[0]",
  ],
  [
    "40",
    pack({
      formulas: [
        formula({
          parameters: [parameter({ type: "dateArray", allowedPresetValues: ["last_7_days"] })],
        }),
      ],
    }),
    pack({
      formulas: [
        formula({
          parameters: [parameter({ type: "dateArray", allowedPresetValues: ["7_days_ago"] })],
        }),
      ],
    }),
    "PARAMETER_PRESETS formulas[0].parameters[0].allowedPresetValues[0]",
  ],
  [
    "49 50",
    pack({ formulas: [formula({ network: { connection: "none" } })] }),
    pack({ formulas: [formula({ network: { connection: "maybe" } })] }),
    "VALUE_UNKNOWN formulas[0].network.connection",
  ],
  [
    "51",
    pack({ formulas: [formula({ purpose: "search" })] }),
    pack({ formulas: [formula({ purpose: "find" })] }),
    "VALUE_UNKNOWN formulas[0].purpose",
  ],
  [
    "57 58",
    pack({ formulaNamespace: "Deprecated" }),
    pack({ formulaNamespace: "My Pack" }),
    "FORMULA_NAMESPACE formulaNamespace",
  ],
  [
    "60",
    withGetter({ connectionRequirement: "required" }, user),
    withGetter({ connectionRequirement: "required" }),
    `FORMULA_CONNECTION ${at}.getter.connectionRequirement`,
  ],
  [
    "61",
    pack({
      formulas: [formula({ allowedAuthenticationNames: ["systemAuthentication"] })],
      ...user,
    }),
    pack({
      formulas: [
        formula({
          connectionRequirement: "none",
          allowedAuthenticationNames: ["systemAuthentication"],
        }),
      ],
      ...user,
    }),
    "FORMULA_AUTHENTICATION_NAME formulas[0].allowedAuthenticationNames",
  ],
  [
    "62",
    pack({ formulas: [formula({ allowedAuthenticationNames: ["one"] })], ...admin("one") }),
    pack({ formulas: [formula({ allowedAuthenticationNames: ["two"] })], ...admin("one") }),
    "FORMULA_AUTHENTICATION_NAME formulas[0].allowedAuthenticationNames[0]",
  ],
];
