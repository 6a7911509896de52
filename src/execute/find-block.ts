import type { ConnectionRequirement } from "../define/enumerations.ts";
import type { Formula } from "../define/formula.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import type { SyncTable } from "../define/sync-table.ts";
import { PackError } from "../errors.ts";
import { findNearest } from "../shared/text.ts";

/** @throws {PackError} FORMULA_UNKNOWN */
export function formulaNamed(definition: PackVersionDefinition, name: string): Formula {
  const formula = (definition.formulas ?? []).find((candidate) => candidate.name === name);
  if (formula !== undefined) return formula;
  const known = listNames(definition.formulas);
  throw new PackError("FORMULA_UNKNOWN", `The Pack has no formula named ${name}.`, {
    details: { name, known },
    hint: formatHint(name, known, "formulas"),
  });
}

/** @throws {PackError} TABLE_UNKNOWN */
export function tableNamed(
  definition: PackVersionDefinition,
  name: string,
): { table: SyncTable; index: number } {
  const tables = definition.syncTables ?? [];
  const index = tables.findIndex((candidate) => candidate.name === name);
  const table = tables[index];
  if (table !== undefined) return { table, index };
  const known = listNames(definition.syncTables);
  throw new PackError("TABLE_UNKNOWN", `The Pack has no sync table named ${name}.`, {
    details: { name, known },
    hint: formatHint(name, known, "sync tables"),
  });
}

/**
 * The formula of this name, otherwise the getter of the table of this name, and its path in the
 * definition.
 */
export function runnableNamed(
  definition: PackVersionDefinition,
  name: string,
): {
  runnable: Formula | SyncTable["getter"];
  at: readonly (string | number)[];
  table: SyncTable | undefined;
} {
  const { formulas, syncTables } = definition;
  const index = formulas.findIndex((candidate) => candidate.name === name);
  const formula = formulas[index];
  if (formula !== undefined)
    return { runnable: formula, at: ["formulas", index], table: undefined };
  const tableIndex = syncTables.findIndex((candidate) => candidate.name === name);
  const table = syncTables[tableIndex];
  if (table !== undefined)
    return { runnable: table.getter, at: ["syncTables", tableIndex, "getter"], table };
  const known = [...listNames(formulas), ...listNames(syncTables)];
  throw new PackError(
    "FORMULA_UNKNOWN",
    `The Pack has neither a formula nor a sync table named ${name}.`,
    {
      details: { name, known },
      hint: formatHint(name, known, "formulas and no sync tables"),
    },
  );
}

/**
 * Whether a target needs an account. A metadata formula of a formula or table needs what that
 * needs; one of an account needs
 * the account.
 */
export function getConnectionRequirement(
  definition: PackVersionDefinition,
  target: string,
): ConnectionRequirement {
  const subject = /::([^:>]+)$/.exec(target)?.[1] ?? target.split(/[:>]/, 1)[0] ?? "";
  if (/^(User|System)?Auth:/.test(target)) return "required";
  // Whether the server demands an account is known only after a request.
  if (/^Mcp:(?:tools$|call:)/.test(target)) return "optional";
  const formula = definition.formulas.find((candidate) => candidate.name === subject);
  if (formula !== undefined) return formula.connectionRequirement ?? "none";
  const table = definition.syncTables.find((candidate) => candidate.name === subject);
  return table?.connectionRequirement ?? table?.getter.connectionRequirement ?? "none";
}

/** More names are not compared with the wanted one. */
const MAX_COMPARED = 1_000;

function formatHint(name: string, known: readonly string[], what: string): string {
  if (known.length === 0) return `The Pack declares no ${what}.`;
  const guess = findNearest(name, known.slice(0, MAX_COMPARED));
  return `${guess === undefined ? "" : `Did you mean ${guess}? `}The Pack has: ${known.join(", ")}.`;
}

function listNames(list: readonly { name?: unknown }[] | undefined): string[] {
  return (list ?? []).map((candidate) => String(candidate.name));
}
