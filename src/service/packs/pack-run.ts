import type { PackVersionDefinition } from "../../define/pack.ts";
import type { Pack } from "../../execute/open-pack.ts";
import { parseTarget } from "../../execute/parse-target.ts";
import type { RunResult } from "../../execute/run-target.ts";
import type { PackRun } from "../local/control/pack-runs.ts";

/**
 * A run as the analytics of a local service count it. Questions are metadata; their name is what
 * was asked.
 */
export function toPackRun(
  { bundle, definition }: Pick<Pack, "bundle" | "definition">,
  target: string,
  run: RunResult,
): PackRun {
  return {
    pack: { name: bundle.name },
    ...countedAs(definition, target),
    latencyMs: Math.max(0, run.durationMs),
    responseSizeBytes: run.ok ? Buffer.byteLength(JSON.stringify(run.result) ?? "") : 0,
    isError: !run.ok,
  };
}

function countedAs(
  definition: PackVersionDefinition,
  text: string,
): Pick<PackRun, "formula" | "type"> {
  const target = parseTarget(text);
  switch (target.kind) {
    case "incremental":
    case "update":
    case "syncThenPermissions":
      return { formula: target.table, type: "sync" };
    case "block": {
      const formula = definition.formulas.find(({ name }) => name === target.name);
      if (formula === undefined) return { formula: target.name, type: "sync" };
      return { formula: target.name, type: formula.isAction === true ? "action" : "formula" };
    }
    default:
      return { formula: text, type: "metadata" };
  }
}
