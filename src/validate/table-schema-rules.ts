import { propertyAt } from "./property-paths.ts";
import type { Path, Report } from "./report.ts";
import { checkIdentityName, documentName } from "./schema-name-rules.ts";
import { checkSchema } from "./schema-rules.ts";
import { isMembers, type Members, short } from "./shape.ts";

const MAX_DEPTH = 50;
const MAX_OPTIONS_FUNCTIONS = 50;
const DYNAMIC = "__coda_dynamic__";

/**
 * Rules 125, 136, 140, 147 and 148, and sections 4 and 7.4: the schema of a table's rows.
 * @param identities the identities of all tables of the Pack
 */
export function checkTableSchema(table: Members, identities: ReadonlySet<unknown>, tablePath: Path, report: Report): void {
  const { schema, identityName } = table;
  const path = [...tablePath, "schema"];
  if (schema === undefined) {
    report("MEMBER_MISSING", path, "schema is missing.", "Add schema: makeObjectSchema({ properties: { … } }).");
    return;
  }
  checkIdentityName(identityName, [...tablePath, "identityName"], report);
  // The builder makes the schema's identity of the table's, where its name has its issues.
  const isOwn = isMembers(schema) && isMembers(schema["identity"]) && schema["identity"]["name"] !== identityName;
  const identityPath = JSON.stringify([...path, "identity", "name"]);
  checkSchema(schema, path, (code, at, ...rest) => {
    if (isOwn || JSON.stringify(at) !== identityPath) report(code, at, ...rest);
  });
  if (!isMembers(schema) || schema["type"] !== "object") {
    if (isMembers(schema) && schema["type"] !== undefined) {
      report("SYNC_TABLE_SCHEMA", path, "The schema of a table is that of one row: an object.", "Write makeObjectSchema({ … }).");
    }
    return;
  }
  checkRowProperties(schema, path, report);
  checkIdentity(schema, identityName, path, report);
  checkParent(schema, identities, path, report);
  checkOptions(table, schema, path, report);
}

/** Section 7.4: without them a row can neither be found again nor be shown. */
function checkRowProperties(schema: Members, path: Path, report: Report): void {
  for (const [member, older] of [
    ["idProperty", "id"],
    ["displayProperty", "primary"],
  ] as const) {
    if (schema[member] !== undefined || schema[older] !== undefined) continue;
    report("SYNC_TABLE_SCHEMA", [...path, member], `The schema of a table needs ${member}.`, `Add ${member}: the name of a property.`);
  }
}

/** Rules 136 and 140. */
function checkIdentity({ identity, properties }: Members, identityName: unknown, path: Path, report: Report): void {
  if (typeof identityName !== "string") return;
  const name = isMembers(identity) ? identity["name"] : undefined;
  if (typeof name === "string" && name !== identityName) {
    const message = `The schema has the identity ${short(name)}, but the table has ${short(identityName)}.`;
    report(
      "SYNC_TABLE_IDENTITY_MISMATCH",
      [...path, "identity", "name"],
      message,
      "Remove the schema's identity: the table's is used then.",
    );
  }
  for (const key of Object.keys(isMembers(properties) ? properties : {})) {
    if (key !== identityName && documentName(key) !== identityName) continue;
    const message = `The property ${short(key)} has the name of the table's identity.`;
    report(
      "SYNC_TABLE_PROPERTY_NAME",
      [...path, "properties", key],
      message,
      "Rename the property; fromKey can keep its name in the result.",
    );
  }
}

/** Rule 147. */
function checkParent({ parent, properties }: Members, identities: ReadonlySet<unknown>, path: Path, report: Report): void {
  if (!isMembers(parent) || !isMembers(properties)) return;
  const { parentIdProperty: identifier } = parent;
  const name = isMembers(identifier) ? identifier["property"] : identifier;
  const property = typeof name === "string" && name !== "" ? propertyAt(properties, name) : undefined;
  if (property === undefined) return;
  const at = [...path, "parent", "parentIdProperty"];
  const identity = isMembers(property) && property["codaType"] === "reference" ? property["identity"] : undefined;
  if (identity === undefined) {
    report(
      "SYNC_TABLE_PARENT",
      at,
      `The property ${short(name)} is no reference.`,
      "Name a property with codaType: ValueHintType.Reference.",
    );
  } else if (isMembers(identity) && !identities.has(identity["name"])) {
    const message = `The property ${short(name)} leads to ${short(identity["name"])}, which is no table of this Pack.`;
    report("SYNC_TABLE_PARENT", at, message, "Use the identityName of one of the Pack's tables.");
  }
}

/** Rules 125 and 148: what the values of properties are chosen from. */
function checkOptions({ isDynamic, propertyOptions }: Members, schema: Members, path: Path, report: Report): void {
  let count = 0;
  const visit = (at: unknown, place: Path, depth: number): void => {
    if (!isMembers(at) || depth > MAX_DEPTH) return;
    const { options, properties, items } = at;
    const here = [...place, "options"];
    if (typeof options === "function") {
      count += 1;
      if (isDynamic === true) {
        const hint = "Write OptionsType.Dynamic, and list the options in the table's propertyOptions.";
        report("SYNC_TABLE_OPTIONS", here, "In a dynamic table a property cannot have a function of its own.", hint);
      }
    } else if (options === DYNAMIC && propertyOptions === undefined) {
      const message = "The options come from the table's propertyOptions, which is not there.";
      report("SYNC_TABLE_OPTIONS", here, message, "Add propertyOptions to the table's dynamicOptions.");
    } else if (typeof options === "string" && options !== DYNAMIC) {
      const message = `No function is registered as ${short(options)}.`;
      report("SYNC_TABLE_OPTIONS", here, message, "Write a list, a function or OptionsType.Dynamic.");
    }
    if (items !== undefined) visit(items, [...place, "items"], depth + 1);
    for (const [name, property] of Object.entries(isMembers(properties) ? properties : {})) {
      visit(property, [...place, "properties", name], depth + 1);
    }
  };
  visit(schema, path, 0);
  if (count <= MAX_OPTIONS_FUNCTIONS) return;
  const message = `The table has ${count} functions that list options; ${MAX_OPTIONS_FUNCTIONS} are allowed.`;
  report("SYNC_TABLE_OPTIONS_COUNT", path, message, "Use OptionsType.Dynamic and one function, propertyOptions.");
}
