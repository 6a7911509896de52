import { type Accounts, checkConnection } from "./connection-rules.ts";
import { checkCrawling } from "./crawl-rules.ts";
import { createUniqueIdentities } from "./identity-rules.ts";
import { checkLengths, checkName, checkTexts, createUniqueNames, MAX_NAME_LENGTH } from "./names.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, isMembers, listOf, type Members, short } from "./shape.ts";
import { checkSyncFormula } from "./sync-formula-rules.ts";
import { syncTableShape } from "./sync-table-shapes.ts";
import { checkTableSchema } from "./table-schema-rules.ts";

const MAX_SYNC_TABLES = 100;
const RESERVED_IDENTITIES: readonly unknown[] = ["id", "value", "synced", "connection"];
const DYNAMIC_FUNCTIONS = ["getName", "getDisplayUrl", "getSchema"] as const;

/** Rules 60, 118 to 149 and A10: the sync tables of a Pack, and everything inside them. */
export function checkSyncTables(pack: Members, accounts: Accounts, report: Report): void {
  const tables = listOf(pack["syncTables"]);
  if (tables.length > MAX_SYNC_TABLES) {
    const message = `The Pack has ${tables.length} sync tables; ${MAX_SYNC_TABLES} are allowed.`;
    report("SYNC_TABLE_COUNT", ["syncTables"], message, "Split it into several Packs.");
  }
  const identities = new Set(tables.map((table) => (isMembers(table) ? table["identityName"] : undefined)));
  const formulaNames = namesOf(pack["formulas"]);
  const checkUnique = createUniqueNames("SYNC_TABLE_NAME_DUPLICATE", "sync table", report);
  const checkUniqueIdentity = createUniqueIdentities(report);
  const getterNames = new Set<string>();
  tables.forEach((table, index) => {
    const path = ["syncTables", index];
    if (!checkShape(syncTableShape, table, path, { unknownKey: "SYNC_TABLE_KEY_UNKNOWN" }, report)) return;
    const { name } = table;
    const namePath = [...path, "name"];
    checkTable(table, path, report);
    checkSyncFormula(table, accounts, getterNames, path, report);
    checkConnection(table["connectionRequirement"], accounts, "table", path, report);
    checkTableSchema(table, identities, path, report);
    checkUnique(name, namePath);
    checkUniqueIdentity(table, [...path, "identityName"]);
    const formula = typeof name === "string" ? formulaNames.get(name.toLowerCase()) : undefined;
    if (formula === undefined) return;
    report("NAME_SHARED", namePath, `The formula ${short(formula)} has the same name.`, "Rename the table or the formula.");
  });
  checkCrawling(tables, report);
}

/** Rules 118 to 124 and 133. */
function checkTable(table: Members, path: Path, report: Report): void {
  const { name, identityName } = table;
  checkName("SYNC_TABLE_NAME_INVALID", name, [...path, "name"], report);
  checkLengths("SYNC_TABLE_TEXT_LENGTH", table, { displayName: MAX_NAME_LENGTH }, path, report);
  checkTexts("SYNC_TABLE_TEXT_LENGTH", table, path, report);
  checkLengths("SYNC_TABLE_IDENTITY_NAME", table, { identityName: MAX_NAME_LENGTH }, path, report, { isRequired: true });
  if (RESERVED_IDENTITIES.includes(identityName)) {
    const message = `The identity name ${short(identityName)} is reserved.`;
    report("SYNC_TABLE_IDENTITY_NAME", [...path, "identityName"], message, "Name the kind of row, such as Task.");
  }
  if (table["isDynamic"] !== true) return;
  for (const member of DYNAMIC_FUNCTIONS) {
    if (table[member] !== undefined) continue;
    report("MEMBER_MISSING", [...path, member], `${member} is missing.`, `Add ${member}: a function.`);
  }
}

function namesOf(blocks: unknown): ReadonlyMap<string, string> {
  const names = listOf(blocks).map((block) => (isMembers(block) ? block["name"] : undefined));
  return new Map(names.filter((name) => typeof name === "string").map((name) => [name.toLowerCase(), name]));
}
