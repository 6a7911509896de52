import { type Accounts, checkAuthenticationNames, checkConnection } from "./connection-rules.ts";
import { checkExamples } from "./example-rules.ts";
import { checkName, checkTexts } from "./names.ts";
import { checkParameters } from "./parameter-rules.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, isMembers, kindOf, listOf, type Members, short } from "./shape.ts";
import { syncFormulaShape, updateOptionsShape } from "./sync-table-shapes.ts";

/** Largest batches (rules 128 and 129). */
const MAX_BATCH_SIZES = { maxUpdateBatchSize: 1000, maxPermissionBatchSize: 5000 } as const;

/**
 * The rules of a table's formula: 32 to 50, 60 to 62, 128 to 132, 138, 141. The builder names and describes it like its table
 * when its author does not; such texts are the table's.
 * @param names the names of the formulas of other tables; this one's is added
 */
export function checkSyncFormula(table: Members, accounts: Accounts, names: Set<string>, tablePath: Path, report: Report): void {
  const { getter } = table;
  const path = [...tablePath, "getter"];
  if (!isMembers(getter)) {
    if (getter === undefined) report("MEMBER_MISSING", path, "formula is missing.", "Add formula: { parameters, execute }.");
    else report("MEMBER_TYPE", path, `formula must be an object, not ${kindOf(getter)}.`, "Write { parameters, execute }.");
    return;
  }
  if (getter["isSyncFormula"] !== true) {
    report("SYNC_TABLE_FORMULA", path, "The formula is none that gives rows.", "Give the table's formula as { parameters, execute }.");
    return;
  }
  const own = ownTexts(getter, table);
  checkShape(syncFormulaShape, getter, path, { unknownKey: "KEY_UNKNOWN" }, withoutNames(own, path, report));
  checkName("SYNC_TABLE_FORMULA_NAME", own["name"], [...path, "name"], report);
  checkUniqueName(own["name"] ?? table["name"], own["name"] !== undefined, names, path, report);
  checkTexts("FORMULA_TEXT_LENGTH", own, path, report);
  checkParameters(getter, path, report);
  checkExamples(getter, path, report);
  checkAuthenticationNames(getter, accounts, path, report);
  // The builder gives a formula the requirement of its table.
  if (table["connectionRequirement"] === undefined) checkConnection(getter["connectionRequirement"], accounts, "table", path, report);
  if (listOf(getter["varargParameters"]).length > 0) {
    const message = "The formula of a table cannot have repeated parameters.";
    report("SYNC_TABLE_VARARGS", [...path, "varargParameters"], message, "Make it one parameter that takes a list.");
  }
  const { updateOptions } = getter;
  if (updateOptions !== undefined) {
    checkShape(updateOptionsShape, updateOptions, [...path, "updateOptions"], { unknownKey: "SYNC_TABLE_KEY_UNKNOWN" }, report);
  }
  checkBatchSizes(getter, path, report);
}

/** What the author wrote about the formula, and not about its table. */
function ownTexts(getter: Members, table: Members): Members {
  const { name, description, instructions } = getter;
  return {
    instructions,
    ...(name === table["name"] ? {} : { name }),
    ...(description === table["description"] || description === "" ? {} : { description }),
  };
}

/** A name or a description that came from the table has its issue there. */
function withoutNames(own: Members, path: Path, report: Report): Report {
  return (code, at, ...rest) => {
    const member = at.length === path.length + 1 ? at.at(-1) : undefined;
    if ((member === "name" || member === "description") && own[member] === undefined) return;
    report(code, at, ...rest);
  };
}

/** Rule 138. Tables with the same name are rule 139. */
function checkUniqueName(name: unknown, isOwn: boolean, names: Set<string>, path: Path, report: Report): void {
  if (typeof name !== "string") return;
  if (isOwn && names.has(name)) {
    const message = `The formula of another table is named ${short(name)}.`;
    report("SYNC_TABLE_FORMULA_DUPLICATE", [...path, "name"], message, "Remove the name: the table's is used then.");
  }
  names.add(name);
}

/** Rules 128 and 129. */
function checkBatchSizes(getter: Members, path: Path, report: Report): void {
  for (const [member, limit] of Object.entries(MAX_BATCH_SIZES)) {
    const size = getter[member];
    if (typeof size !== "number" || (Number.isInteger(size) && size >= 1 && size <= limit)) continue;
    report("SYNC_TABLE_BATCH_SIZE", [...path, member], `${member} is ${size}.`, `Write a whole number from 1 to ${limit}.`);
  }
}
