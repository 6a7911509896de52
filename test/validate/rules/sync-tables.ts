import {
  type Definition,
  dynamicTable,
  formula,
  oauth2,
  otherTable,
  pack,
  parameter,
  reference,
  rows,
  table,
  withRows,
  withTables,
  withUser,
} from "../definitions.ts";
import type { Row } from "./rows.ts";

const getter = "syncTables[0].getter";
const withTable = (members: Definition) => withTables(table(members));
const withGetter = (members: Definition) => withTables(table({}, members));
const many = (count: number) =>
  withTables(
    ...Array.from({ length: count }, (_, index) => table({ name: `T${index}`, identityName: `I${index}` }, { name: `T${index}` })),
  );
const options = (count: number) =>
  withRows(
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`P${index}`, { type: "string", codaType: "selectList", options: () => [] }]),
    ),
  );
const select = (value: unknown) => rows({ state: { type: "string", codaType: "selectList", options: value } });

/** A parameter that is filled from the column of a table. */
const crawl = (tableName: string, propertyKey = "taskId", members: Definition = {}) =>
  parameter({
    name: `from_${tableName}_${propertyKey.replace(".", "_")}`,
    crawlStrategy: { parentTable: { tableName, propertyKey, ...members } },
  });
const crawling = (name: string, ...parameters: Definition[]) => table({ name, identityName: `${name}Row` }, { name, parameters });
const parentPath = (index: number, parameterIndex = 0) =>
  `syncTables[${index}].getter.parameters[${parameterIndex}].crawlStrategy.parentTable`;

const withParent = (property: unknown) => withRows({ parentTask: property }, { parent: { parentIdProperty: "parentTask" } });

export const syncTableRules: Row[] = [
  [
    "60",
    withUser(oauth2(), { syncTables: [table({ connectionRequirement: "required" }, { connectionRequirement: "required" })] }),
    withTables(table({ connectionRequirement: "required" }, { connectionRequirement: "required" })),
    "FORMULA_CONNECTION syncTables[0].connectionRequirement",
  ],
  [
    "60 on the formula",
    withGetter({ connectionRequirement: "none" }),
    withGetter({ connectionRequirement: "optional" }),
    `FORMULA_CONNECTION ${getter}.connectionRequirement`,
  ],
  ["118", withTable({ name: "T" }), withTable({ name: "" }), "SYNC_TABLE_NAME_INVALID syncTables[0].name"],
  [
    "119",
    withTables(table({ name: "Aufgaben_für_heute" }, { name: "Aufgaben_für_heute" })),
    withTables(table({ name: "My tasks" }, { name: "My tasks" })),
    "SYNC_TABLE_NAME_INVALID syncTables[0].name",
  ],
  [
    "120",
    withTable({ displayName: "d".repeat(50) }),
    withTable({ displayName: "d".repeat(51) }),
    "SYNC_TABLE_TEXT_LENGTH syncTables[0].displayName",
  ],
  [
    "121",
    withTable({ description: "d".repeat(1000) }),
    withTables(table({ description: "d".repeat(1001) }, { description: "d".repeat(1001) })),
    "SYNC_TABLE_TEXT_LENGTH syncTables[0].description",
  ],
  [
    "122",
    withTable({ instructions: "d".repeat(20_000) }),
    withTable({ instructions: "d".repeat(20_001) }),
    "SYNC_TABLE_TEXT_LENGTH syncTables[0].instructions",
  ],
  [
    "123",
    withTable({ identityName: "T".repeat(50) }),
    withTable({ identityName: "T".repeat(51) }),
    "SYNC_TABLE_IDENTITY_NAME syncTables[0].identityName",
  ],
  [
    "124",
    withTable({ identityName: "Connections" }),
    withTable({ identityName: "connection" }),
    "SYNC_TABLE_IDENTITY_NAME syncTables[0].identityName",
  ],
  ["125", options(50), options(51), "SYNC_TABLE_OPTIONS_COUNT syncTables[0].schema"],
  ["126", withTable({ role: "users" }), withTable({ role: "user" }), "VALUE_UNKNOWN syncTables[0].role"],
  [
    "127",
    withTable({ indexing: { default: "exclude" } }),
    withTable({ indexing: { default: "no" } }),
    "VALUE_UNKNOWN syncTables[0].indexing.default",
  ],
  [
    "128",
    withGetter({ maxUpdateBatchSize: 1000, executeUpdate: () => ({ result: [] }) }),
    withGetter({ maxUpdateBatchSize: 1001 }),
    `SYNC_TABLE_BATCH_SIZE ${getter}.maxUpdateBatchSize`,
  ],
  [
    "129",
    withGetter({ maxPermissionBatchSize: 5000 }),
    withGetter({ maxPermissionBatchSize: 0.5 }),
    `SYNC_TABLE_BATCH_SIZE ${getter}.maxPermissionBatchSize`,
  ],
  ["130", withTables(table()), withGetter({ isSyncFormula: undefined }), `SYNC_TABLE_FORMULA ${getter}`],
  ["shape of a table's formula", withTables(table()), withTable({ getter: undefined }), `MEMBER_MISSING ${getter}`],
  [
    "131",
    withGetter({ varargParameters: [] }),
    withGetter({ varargParameters: [parameter()] }),
    `SYNC_TABLE_VARARGS ${getter}.varargParameters`,
  ],
  [
    "132",
    withGetter({ updateOptions: { extraOAuthScopes: ["write"] } }),
    withGetter({ updateOptions: { extraScopes: ["write"] } }),
    `SYNC_TABLE_KEY_UNKNOWN ${getter}.updateOptions.extraScopes`,
  ],
  [
    "133",
    withTables(dynamicTable()),
    withTables(dynamicTable({ getName: undefined, getDisplayUrl: undefined, getSchema: undefined })),
    ...["getName", "getDisplayUrl", "getSchema"].map((member) => `MEMBER_MISSING syncTables[0].${member}`),
  ],
  ["134", withTable({ entityName: "Task" }), withTable({ entity: "Task" }), "SYNC_TABLE_KEY_UNKNOWN syncTables[0].entity"],
  ["135", many(100), many(101), "SYNC_TABLE_COUNT syncTables"],
  [
    "136",
    withTable({ schema: rows({}, { identity: { name: "Task" } }) }),
    withTable({ schema: rows({}, { identity: { name: "Job" } }) }),
    "SYNC_TABLE_IDENTITY_MISMATCH syncTables[0].schema.identity.name",
  ],
  [
    "137",
    withTables(table(), otherTable()),
    withTables(table(), otherTable({ identityName: "Task" })),
    "SYNC_TABLE_IDENTITY_DUPLICATE syncTables[1].identityName",
  ],
  [
    "137 for accounts apart",
    withTables(
      table({}, { allowedAuthenticationNames: ["defaultUserAuthentication"] }),
      otherTable({ identityName: "Task" }, { allowedAuthenticationNames: ["systemAuthentication"] }),
    ),
    withTables(
      table({}, { allowedAuthenticationNames: ["defaultUserAuthentication", "systemAuthentication"] }),
      otherTable({ identityName: "Task" }, { allowedAuthenticationNames: ["systemAuthentication"] }),
    ),
    "SYNC_TABLE_IDENTITY_DUPLICATE syncTables[1].identityName",
  ],
  [
    "138",
    withTables(table({}, { name: "GetTasks" }), otherTable({}, { name: "GetPeople" })),
    withTables(table({}, { name: "Get" }), otherTable({}, { name: "Get" })),
    "SYNC_TABLE_FORMULA_DUPLICATE syncTables[1].getter.name",
  ],
  [
    "139",
    withTables(table(), otherTable()),
    withTables(table(), otherTable({ name: "TASKS" }, { name: "TASKS" })),
    "SYNC_TABLE_NAME_DUPLICATE syncTables[1].name",
  ],
  [
    "140",
    withRows({ tasks: { type: "string" } }),
    withRows({ task: { type: "string" } }),
    "SYNC_TABLE_PROPERTY_NAME syncTables[0].schema.properties.task",
  ],
  ["141", withGetter({ name: "GetTasks" }), withGetter({ name: "Get tasks" }), `SYNC_TABLE_FORMULA_NAME ${getter}.name`],
  [
    "142",
    withTables(table(), crawling("Steps", crawl("Tasks"))),
    withTables(table(), crawling("Steps", crawl("Task"))),
    `SYNC_TABLE_CRAWL ${parentPath(1)}.tableName`,
  ],
  [
    "143",
    withTables(table({ schema: rows({ owner: reference() }) }), crawling("Steps", crawl("Tasks", "owner.title"))),
    withTables(table(), crawling("Steps", crawl("Tasks", "id"))),
    `SYNC_TABLE_CRAWL ${parentPath(1)}.propertyKey`,
  ],
  [
    "144",
    withTables(table(), crawling("Steps", crawl("Tasks", "taskId", { inheritPermissions: true }))),
    withTables(table(), crawling("Steps", crawl("Tasks", "title", { inheritPermissions: true }))),
    `SYNC_TABLE_CRAWL_PERMISSIONS ${parentPath(1)}.inheritPermissions`,
  ],
  [
    "145",
    withTables(table(), crawling("Steps", crawl("Tasks"), crawl("Tasks", "title"))),
    withTables(table(), otherTable(), crawling("Steps", crawl("Tasks"), crawl("People"))),
    `SYNC_TABLE_CRAWL_PARENTS ${parentPath(2, 1)}.tableName`,
  ],
  [
    "146",
    withTables(crawling("A"), crawling("B", crawl("A")), crawling("C", crawl("A"))),
    withTables(crawling("A", crawl("C")), crawling("B", crawl("A")), crawling("C", crawl("B"))),
    `SYNC_TABLE_CRAWL_CYCLE ${parentPath(1)}.tableName`,
  ],
  ["146 itself", withTables(crawling("A")), withTables(crawling("A", crawl("A"))), `SYNC_TABLE_CRAWL_CYCLE ${parentPath(0)}.tableName`],
  ["147", withParent(reference()), withParent({ type: "string" }), "SYNC_TABLE_PARENT syncTables[0].schema.parent.parentIdProperty"],
  [
    "147 of this Pack",
    withParent(reference()),
    withParent(reference({ identity: { name: "Job" } })),
    "SYNC_TABLE_PARENT syncTables[0].schema.parent.parentIdProperty",
  ],
  [
    "148",
    withTable({ schema: select("__coda_dynamic__"), propertyOptions: () => [] }),
    withTable({ schema: select("__coda_dynamic__") }),
    "SYNC_TABLE_OPTIONS syncTables[0].schema.properties.state.options",
  ],
  [
    "148 registered",
    withTable({ schema: select(["open", "done"]) }),
    withTable({ schema: select("states") }),
    "SYNC_TABLE_OPTIONS syncTables[0].schema.properties.state.options",
  ],
  [
    "148 in dynamic tables",
    withTables(dynamicTable({ schema: select("__coda_dynamic__"), propertyOptions: () => [] })),
    withTables(dynamicTable({ schema: select(() => []) })),
    "SYNC_TABLE_OPTIONS syncTables[0].schema.properties.state.options",
  ],
  ["149", withTables(table()), withTable({ identityName: undefined }), "MEMBER_MISSING syncTables[0].identityName"],
  [
    "A12 the formula of a table, which may have validateParameters (rule 54)",
    withGetter({ validateParameters: () => ({ isValid: true }) }),
    withGetter({ validateParameter: () => ({ isValid: true }) }),
    `KEY_UNKNOWN ${getter}.validateParameter`,
  ],
  [
    "7.4 tables",
    withTable({ schema: { ...rows(), idProperty: undefined, displayProperty: undefined, id: "taskId", primary: "title" } }),
    withTable({ schema: { ...rows(), idProperty: undefined, displayProperty: undefined } }),
    "SYNC_TABLE_SCHEMA syncTables[0].schema.idProperty",
    "SYNC_TABLE_SCHEMA syncTables[0].schema.displayProperty",
  ],
  ["7.4 rows", withTables(table()), withTable({ schema: { type: "array", items: rows() } }), "SYNC_TABLE_SCHEMA syncTables[0].schema"],
  [
    "A10",
    pack({ formulas: [formula({ name: "Task" })], syncTables: [table()] }),
    pack({ formulas: [formula({ name: "tasks" })], syncTables: [table()] }),
    "NAME_SHARED syncTables[0].name",
  ],
];
