import { isRecord, type Members, toList } from "../shared/values.ts";
import type { FixIntent, Path, Report } from "./report.ts";

const MAX_DEPTH = 50;

/** Old names of a schema's members, and the current ones. */
const SCHEMA_KEYS: Readonly<Record<string, string>> = {
  id: "idProperty",
  primary: "displayProperty",
  featured: "featuredProperties",
};

/** Old names of members: they still work, but have a current name. */
export function checkDeprecatedKeys(pack: Members, report: Report): void {
  for (const slot of ["defaultAuthentication", "systemConnectionAuthentication"])
    checkAuthentication(pack[slot], [slot], report);
  toList(pack["adminAuthentications"]).forEach((entry, index) => {
    if (isRecord(entry))
      checkAuthentication(
        entry["authentication"],
        ["adminAuthentications", index, "authentication"],
        report,
      );
  });
  toList(pack["formulas"]).forEach((formula, index) => {
    checkFormula(formula, ["formulas", index], report);
  });
  toList(pack["syncTables"]).forEach((table, index) => {
    if (!isRecord(table)) return;
    checkFormula(table["getter"], ["syncTables", index, "getter"], report);
    checkSchema(table["schema"], ["syncTables", index, "schema"], report);
  });
}

/** Whether a Pack has a member with an old name. @param pack also without its functions */
export function hasDeprecatedKeys(pack: Members): boolean {
  let isFound = false;
  const find = (): void => {
    isFound = true;
  };
  checkDeprecatedKeys(pack, Object.assign(find, { lenient: find, isLegacy: false }));
  return isFound;
}

function checkAuthentication(authentication: unknown, path: Path, report: Report): void {
  if (!isRecord(authentication)) return;
  toList(authentication["postSetup"]).forEach((step, index) => {
    checkKey(step, "getOptionsFormula", "getOptions", [...path, "postSetup", index], report);
  });
}

function checkFormula(formula: unknown, path: Path, report: Report): void {
  if (!isRecord(formula)) return;
  for (const list of ["parameters", "varargParameters"]) {
    toList(formula[list]).forEach((parameter, index) => {
      checkKey(parameter, "defaultValue", "suggestedValue", [...path, list, index], report);
    });
  }
  for (const member of ["schema", "items"]) checkSchema(formula[member], [...path, member], report);
}

function checkSchema(schema: unknown, path: Path, report: Report, depth = 0): void {
  if (!isRecord(schema) || depth > MAX_DEPTH) return;
  checkSchema(schema["items"], [...path, "items"], report, depth + 1);
  const { properties, identity } = schema;
  if (!isRecord(properties)) return;
  for (const [from, to] of Object.entries(SCHEMA_KEYS)) checkKey(schema, from, to, path, report);
  if (isRecord(identity) && identity["attribution"] !== undefined) {
    const at = [...path, "identity", "attribution"];
    reportKey(
      at,
      "identity.attribution",
      "attribution",
      "Move the key out of identity, into the schema.",
      { kind: "hoist" },
      report,
    );
  }
  for (const [name, property] of Object.entries(properties))
    checkSchema(property, [...path, "properties", name], report, depth + 1);
}

function checkKey(members: unknown, from: string, to: string, path: Path, report: Report): void {
  if (!isRecord(members) || members[from] === undefined) return;
  if (members[to] === undefined)
    reportKey(
      [...path, from],
      from,
      to,
      `Rename the key to ${to}.`,
      { kind: "rename", to },
      report,
    );
  else
    reportKey(
      [...path, from],
      from,
      to,
      `Remove the key: the schema also sets ${to}.`,
      { kind: "remove" },
      report,
    );
}

function reportKey(
  path: Path,
  from: string,
  to: string,
  hint: string,
  fix: FixIntent,
  report: Report,
): void {
  report("DEPRECATED_KEY", path, `${from} is the old name of ${to}.`, hint, fix);
}
