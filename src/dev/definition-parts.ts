import type { Formula } from "../define/formula.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import type { SyncTable } from "../define/sync-table.ts";

/** The formula of this name, if the Pack has one. A definition is untrusted: what should be a list may be anything. */
export function formulaIn({ formulas }: PackVersionDefinition, name: string): Formula | undefined {
  return Array.isArray(formulas) ? formulas.find((formula) => formula?.name === name) : undefined;
}

/** The table of this name, unless a formula has it, too. */
export function tableIn(definition: PackVersionDefinition, name: string): SyncTable | undefined {
  if (formulaIn(definition, name) !== undefined) return undefined;
  const { syncTables } = definition;
  return Array.isArray(syncTables) ? syncTables.find((table) => table?.name === name) : undefined;
}
