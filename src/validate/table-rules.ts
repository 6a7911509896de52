import * as z from "zod/mini";
import { DataIndexing, OptionsType, TableRole } from "../define/enumerations.ts";
import { normalizePropertyName } from "../define/property-name.ts";
import type { IndexingOptions, SyncFormula, SyncTable } from "../define/sync-table.ts";
import { isRecord, type Members, toList, toMembers } from "../shared/values.ts";
import { checkExamples } from "./example-rules.ts";
import { checkConnection, commonFormulaShape } from "./formula-rules.ts";
import { checkName, checkTexts, MAX_NAME_LENGTH } from "./names.ts";
import { checkParameters } from "./parameter-rules.ts";
import { findItem } from "./property-rules.ts";
import type { Path, Report } from "./report.ts";
import { checkSchema, IDENTITY_FORM } from "./schema-rules.ts";
import {
  anything,
  checkShape,
  optionalFlag,
  optionalFunction,
  optionalNumber,
  optionalText,
  optionalTexts,
  type ShapeOf,
  shortenValue,
  text,
} from "./shape.ts";
import { checkCrawling } from "./table-crawling.ts";

const MAX_TABLES = 100;
const MAX_OPTION_FUNCTIONS = 50;
const MAX_DEPTH = 50;
const BATCH_LIMITS = { maxUpdateBatchSize: 1000, maxPermissionBatchSize: 5000 } as const;
/** Names that the service uses for rows. */
const RESERVED_IDENTITIES = ["id", "value", "synced", "connection"];

const getterShape = z.strictObject({
  ...commonFormulaShape,
  isSyncFormula: anything,
  execute: z.custom((value) => typeof value === "function", "a function"),
  executeUpdate: optionalFunction,
  executeGetPermissions: optionalFunction,
  validateParameters: optionalFunction,
  maxUpdateBatchSize: optionalNumber,
  maxPermissionBatchSize: optionalNumber,
  updateOptions: anything,
} satisfies ShapeOf<SyncFormula>);

const updateOptionsShape = z.strictObject({ extraOAuthScopes: optionalTexts });

const tableShape = z.strictObject({
  name: text,
  displayName: optionalText,
  description: optionalText,
  instructions: optionalText,
  identityName: text,
  schema: anything,
  getter: anything,
  connectionRequirement: commonFormulaShape.connectionRequirement,
  indexing: z.optional(
    z.strictObject({ default: z.enum(DataIndexing) } satisfies ShapeOf<IndexingOptions>),
  ),
  role: z.optional(z.enum(TableRole)),
  isDynamic: optionalFlag,
  getName: optionalFunction,
  getSchema: optionalFunction,
  getDisplayUrl: optionalFunction,
  listDynamicUrls: optionalFunction,
  searchDynamicUrls: optionalFunction,
  entityName: optionalText,
  defaultAddDynamicColumns: optionalFlag,
  propertyOptions: optionalFunction,
} satisfies ShapeOf<SyncTable>);

/** The sync tables of a Pack, and everything inside them. */
export function checkTables(pack: Members, report: Report): void {
  const tables = toList(pack["syncTables"]);
  if (tables.length > MAX_TABLES) {
    const message = `The Pack has ${tables.length} sync tables; the limit is ${MAX_TABLES}.`;
    report("TABLE_COUNT", ["syncTables"], message, "Split the Pack into several Packs.");
  }
  tables.forEach((table, index) => {
    const path = ["syncTables", index];
    const codes = { unknownKey: "TABLE_KEY_UNKNOWN", writtenAs: { getter: "formula" } } as const;
    if (checkShape(tableShape, table, path, codes, report)) checkTable(table, pack, path, report);
  });
  checkNames(tables, pack, report);
  checkIdentities(tables, report);
  checkCrawling(tables, report);
}

function checkTable(table: Members, pack: Members, path: Path, report: Report): void {
  checkName("TABLE_NAME_INVALID", table["name"], [...path, "name"], report);
  checkTexts("TABLE_TEXT_LENGTH", table, path, report);
  const { displayName } = table;
  if (typeof displayName === "string" && displayName.length > MAX_NAME_LENGTH) {
    const message = `displayName has ${displayName.length} characters; the limit is ${MAX_NAME_LENGTH}.`;
    report("TABLE_TEXT_LENGTH", [...path, "displayName"], message, "Shorten the display name.");
  }
  checkIdentityName(table, path, report);
  if (table["isDynamic"] === true) {
    for (const member of ["getName", "getSchema", "getDisplayUrl"]) {
      if (table[member] !== undefined) continue;
      report(
        "MEMBER_MISSING",
        [...path, member],
        `${member} is missing.`,
        `Add ${member}: a function that reads the table that the user chose.`,
      );
    }
  } else {
    for (const member of ["getName", "getDisplayUrl", "listDynamicUrls", "searchDynamicUrls"]) {
      if (table[member] === undefined) continue;
      const message = `${member} is only for dynamic tables.`;
      report(
        "TABLE_DYNAMIC_MEMBER",
        [...path, member],
        message,
        "Add the table with addDynamicSyncTable, or remove this key.",
      );
    }
  }
  checkRows(table, pack, path, report);
  checkMutable(table, path, report);
  checkGetter(table, pack, [...path, "getter"], report);
}

function checkIdentityName({ identityName, schema }: Members, path: Path, report: Report): void {
  if (typeof identityName !== "string") return;
  const at = [...path, "identityName"];
  if (identityName === "" || identityName.length > MAX_NAME_LENGTH) {
    const message = `identityName has ${identityName.length} characters; 1 to ${MAX_NAME_LENGTH} are allowed.`;
    report("TABLE_IDENTITY_NAME", at, message, "Write the name for one row, such as Task.");
  } else if (RESERVED_IDENTITIES.includes(identityName.toLowerCase())) {
    report(
      "TABLE_IDENTITY_NAME",
      at,
      `${shortenValue(identityName)} is reserved by the service.`,
      "Write the name for one row, such as Task.",
    );
  } else if (!IDENTITY_FORM.test(identityName)) {
    const message = `identityName ${shortenValue(identityName)} has characters other than letters, digits, _ and -.`;
    report("TABLE_IDENTITY_NAME", at, message, "Write the name for one row, such as Task.");
  }
  const identity =
    isRecord(schema) && isRecord(schema["identity"]) ? schema["identity"]["name"] : undefined;
  if (typeof identity !== "string" || identity === identityName) return;
  const message = `The identity of the table is ${shortenValue(identityName)}, but the identity of the schema is ${shortenValue(identity)}.`;
  report(
    "TABLE_IDENTITY_MISMATCH",
    at,
    message,
    `Write ${shortenValue(identity)}, or remove identity from the schema.`,
  );
}

/** Users can only edit a property when the table saves what they wrote. */
function checkMutable({ schema, getter }: Members, path: Path, report: Report): void {
  const properties = toMembers(toMembers(schema)["properties"]);
  if (!isRecord(getter) || getter["executeUpdate"] !== undefined) return;
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property) || property["mutable"] !== true) continue;
    const at = [...path, "schema", "properties", name, "mutable"];
    report(
      "TABLE_MUTABLE",
      at,
      `Users cannot edit ${shortenValue(name)}: the table has no executeUpdate.`,
      "Add executeUpdate to the formula, or remove mutable.",
    );
  }
}

/** The schema of the rows, and what a table needs of it. */
function checkRows(
  { schema, identityName, role, propertyOptions, isDynamic }: Members,
  pack: Members,
  path: Path,
  report: Report,
): void {
  const at = [...path, "schema"];
  if (schema === undefined) {
    report(
      "MEMBER_MISSING",
      at,
      "schema is missing.",
      "Add schema: makeObjectSchema({ properties: { … } }).",
    );
    return;
  }
  checkSchema(withoutOwnIdentity(schema, identityName), at, report);
  if (!isRecord(schema)) return;
  for (const [member, oldName] of [
    ["idProperty", "id"],
    ["displayProperty", "primary"],
  ] as const) {
    if (schema[member] !== undefined || schema[oldName] !== undefined) continue;
    report(
      "TABLE_SCHEMA_INCOMPLETE",
      [...at, member],
      `A table's schema needs ${member}.`,
      `Add ${member}: the name of a property.`,
    );
  }
  checkRole(role, schema, at, report);
  checkParent(schema, pack, at, report);
  const properties = toMembers(schema["properties"]);
  for (const name of Object.keys(properties)) {
    if (
      typeof identityName !== "string" ||
      (name !== identityName && normalizePropertyName(name) !== identityName)
    )
      continue;
    const message = `The property ${shortenValue(name)} and the table's identity have the same name.`;
    report(
      "SCHEMA_PROPERTY_IDENTITY",
      [...at, "properties", name],
      message,
      "Rename the property, or the identity.",
    );
  }
  checkOptionFunctions(properties, { propertyOptions, isDynamic: isDynamic === true }, at, report);
}

/** Problems of an identity that comes from the table's identityName are reported there. */
function withoutOwnIdentity(schema: unknown, identityName: unknown): unknown {
  if (
    !isRecord(schema) ||
    !isRecord(schema["identity"]) ||
    schema["identity"]["name"] !== identityName
  )
    return schema;
  return { ...schema, identity: undefined };
}

function checkRole(role: unknown, schema: Members, path: Path, report: Report): void {
  const needs =
    role === "users"
      ? [["userEmailProperty"], ["userIdProperty"]]
      : role === "groupMembers"
        ? [["groupIdProperty"], ["userIdProperty", "memberGroupIdProperty"]]
        : [];
  for (const members of needs) {
    if (members.some((member) => schema[member] !== undefined)) continue;
    const words = members.join(" or ");
    report(
      "TABLE_ROLE",
      path,
      `A table with the role ${shortenValue(role)} needs ${words}.`,
      `Add ${words} to the schema.`,
    );
  }
}

function checkParent(schema: Members, pack: Members, path: Path, report: Report): void {
  const { parent, properties } = schema;
  const name = isRecord(parent) ? parent["parentIdProperty"] : undefined;
  const property =
    typeof name === "string" && isRecord(properties) ? findItem(properties[name]) : undefined;
  if (!isRecord(property)) return;
  const identity = isRecord(property["identity"]) ? property["identity"]["name"] : undefined;
  const isTable = toList(pack["syncTables"]).some(
    (table) => isRecord(table) && table["identityName"] === identity,
  );
  if (property["codaType"] === "reference" && isTable) return;
  const hint = "Use a reference property whose identity is the identity of a table in this Pack.";
  report(
    "TABLE_PARENT",
    [...path, "parent", "parentIdProperty"],
    `${shortenValue(name)} must be a reference to a table of this Pack.`,
    hint,
  );
}

/** Options that a function lists, also in nested objects. */
function checkOptionFunctions(
  properties: Members,
  { propertyOptions, isDynamic }: { propertyOptions: unknown; isDynamic: boolean },
  path: Path,
  report: Report,
): void {
  let functions = 0;
  const visit = (members: Members, at: Path, depth: number): void => {
    for (const [name, property] of Object.entries(members)) {
      const item = findItem(property);
      if (!isRecord(item)) continue;
      const here = [...at, "properties", name];
      const { options } = item;
      if (typeof options === "function") functions += 1;
      if (typeof options === "function" && isDynamic) {
        const hint =
          "Write options: OptionsType.Dynamic, and list the options in the table's propertyOptions.";
        report(
          "TABLE_PROPERTY_OPTIONS",
          [...here, "options"],
          "In a dynamic table, one function must list the options of all properties.",
          hint,
        );
      }
      if (options === OptionsType.Dynamic && propertyOptions === undefined) {
        const hint =
          "Add dynamicOptions: { propertyOptions: a function }, or give the property its own function.";
        report(
          "TABLE_PROPERTY_OPTIONS",
          [...here, "options"],
          "The table has no function that lists these options.",
          hint,
        );
      }
      if (isRecord(item["properties"]) && depth < MAX_DEPTH)
        visit(item["properties"], here, depth + 1);
    }
  };
  visit(properties, path, 0);
  if (functions <= MAX_OPTION_FUNCTIONS) return;
  const message = `The table has ${functions} functions that list options; the limit is ${MAX_OPTION_FUNCTIONS}.`;
  report(
    "TABLE_OPTIONS_COUNT",
    [...path, "properties"],
    message,
    "Use OptionsType.Dynamic, and one function that lists the options of all properties.",
  );
}

function checkGetter(table: Members, pack: Members, path: Path, report: Report): void {
  const { getter } = table;
  if (getter === undefined) {
    report(
      "MEMBER_MISSING",
      path,
      "The table has no formula.",
      "Add formula: { name, description, parameters, execute }.",
    );
    return;
  }
  if (!checkShape(getterShape, getter, path, { unknownKey: "KEY_UNKNOWN" }, report)) return;
  checkUpdateOptions(getter["updateOptions"], [...path, "updateOptions"], report);
  if (getter["isSyncFormula"] !== true) {
    report(
      "TABLE_GETTER",
      path,
      "The getter must be a sync formula.",
      "Create the table with makeSyncTable or makeDynamicSyncTable.",
    );
  }
  // What the formula took over from its table is reported there.
  if (getter["name"] !== table["name"])
    checkName("TABLE_NAME_INVALID", getter["name"], [...path, "name"], report);
  const { description, instructions } = getter;
  checkTexts(
    "TABLE_TEXT_LENGTH",
    description === table["description"] ? { instructions } : { description, instructions },
    path,
    report,
  );
  checkParameters(getter, path, report);
  checkExamples(getter, path, report);
  checkConnection(getter, pack, path, report);
  if (toList(getter["varargParameters"]).length > 0) {
    report(
      "TABLE_VARARGS",
      [...path, "varargParameters"],
      "A sync formula cannot have repeating parameters.",
      "Use one parameter that accepts a list.",
    );
  }
  for (const [member, limit] of Object.entries(BATCH_LIMITS)) {
    const size = getter[member];
    if (typeof size !== "number" || (Number.isInteger(size) && size >= 1 && size <= limit))
      continue;
    report(
      "TABLE_BATCH_SIZE",
      [...path, member],
      `${member} is ${size}.`,
      `Write a whole number from 1 to ${limit}.`,
    );
  }
}

function checkUpdateOptions(updateOptions: unknown, path: Path, report: Report): void {
  if (updateOptions === undefined) return;
  checkShape(updateOptionsShape, updateOptions, path, { unknownKey: "TABLE_KEY_UNKNOWN" }, report);
}

function checkNames(tables: readonly unknown[], pack: Members, report: Report): void {
  const formulas = new Map(
    toList(pack["formulas"]).flatMap((formula) =>
      isRecord(formula) && typeof formula["name"] === "string"
        ? [[formula["name"].toLowerCase(), formula["name"]] as const]
        : [],
    ),
  );
  const names = new Map<string, string>();
  const getters = new Map<string, string>();
  const check = (seen: Map<string, string>, name: unknown, path: Path, word: string): void => {
    if (typeof name !== "string") return;
    const other = seen.get(name.toLowerCase());
    if (other === undefined) seen.set(name.toLowerCase(), name);
    else
      report(
        "TABLE_NAME_DUPLICATE",
        path,
        `Another ${word} is named ${shortenValue(other)}.`,
        `Rename this ${word}, or the other ${word}.`,
      );
  };
  tables.forEach((table, index) => {
    if (!isRecord(table)) return;
    const { name, getter } = table;
    const path = ["syncTables", index];
    check(names, name, [...path, "name"], "sync table");
    if (isRecord(getter) && getter["name"] !== name)
      check(getters, getter["name"], [...path, "getter", "name"], "table's formula");
    const formula = typeof name === "string" ? formulas.get(name.toLowerCase()) : undefined;
    if (formula === undefined) return;
    report(
      "NAME_SHARED",
      [...path, "name"],
      `A formula has the same name: ${shortenValue(formula)}.`,
      "Rename the table or the formula.",
    );
  });
}

/** Tables may have the same identity only when they allow different authentications. */
function checkIdentities(tables: readonly unknown[], report: Report): void {
  const seen = new Map<string, Set<string>>();
  tables.forEach((table, index) => {
    if (!isRecord(table) || typeof table["identityName"] !== "string") return;
    const { identityName, getter } = table;
    const allowed =
      isRecord(getter) && Array.isArray(getter["allowedAuthenticationNames"])
        ? getter["allowedAuthenticationNames"].map(String)
        : [""];
    const used = seen.get(identityName);
    if (used === undefined) seen.set(identityName, new Set(allowed));
    else if (used.has("") || allowed.some((name) => name === "" || used.has(name))) {
      const message = `Another sync table has the identity ${shortenValue(identityName)}.`;
      report(
        "TABLE_IDENTITY_DUPLICATE",
        ["syncTables", index, "identityName"],
        message,
        "Give each table its own identity.",
      );
    } else for (const name of allowed) used.add(name);
  });
}
