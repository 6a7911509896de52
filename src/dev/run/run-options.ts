import type { Formula } from "../../define/formula.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { SyncTable } from "../../define/sync-table.ts";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { RunTargetOptions } from "../../execute/run-target.ts";
import type { PackSession } from "../session/pack-session.ts";
import { requestOfExchange, type TrafficSource } from "../timeline/traffic.ts";

/**
 * What every run of the page has: the vault, redirects and clock of the session.
 * @param source what the timeline shows its requests under; without it they are not recorded
 */
export function createRunOptions(
  session: PackSession,
  source?: TrafficSource | undefined,
): RunTargetOptions {
  const { file, cwd, home, databaseUrl, keyStore, redactor, lookup } = session.options;
  const record = (detail: ExchangeDetail): void => {
    if (source !== undefined) session.traffic.record(source, detail);
  };
  return {
    file,
    cwd,
    home,
    databaseUrl,
    keyStore,
    redactor,
    lookup,
    routes: session.routes(),
    now: session.now,
    onExchange: record,
    onTokenExchange: (token) => record(requestOfExchange(token)),
  };
}

/** The formula with this name. */
export function formulaIn({ formulas }: PackVersionDefinition, name: string): Formula | undefined {
  return formulas.find((formula) => formula.name === name);
}

/** The table with this name, unless a formula has the same name. */
export function tableIn(definition: PackVersionDefinition, name: string): SyncTable | undefined {
  if (formulaIn(definition, name) !== undefined) return undefined;
  return definition.syncTables.find((table) => table.name === name);
}
