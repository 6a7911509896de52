import { parseRoutes, type Routes } from "../oauth/routes.ts";
import { toFailure } from "../shared/failures.ts";
import { uptimeMs } from "../shared/time.ts";
import { type OpenPackOptions, openValidPack, type Pack } from "./open-pack.ts";
import { type RunResult, type RunTargetOptions, runTarget, type Target } from "./run-target.ts";

export interface RunFormulaOptions
  extends RunTargetOptions,
    Omit<Target, "target">,
    Pick<OpenPackOptions, "timerStrategy" | "inspect"> {
  /**
   * A formula, a sync table, or a metadata formula such as `Tasks:getName` or
   * `Auth:getConnectionName`.
   */
  formula: string;
  /**
   * Receives a run that may have used the network, while its Pack is open. Errors that it throws
   * are ignored.
   */
  onNetworkRun?: ((pack: Pack, run: RunResult, routes: Routes) => Promise<void>) | undefined;
}

/**
 * Builds and validates a Pack, or opens a built `bundle.js`, and runs a formula, a table or a
 * metadata formula in its sandbox, with the connected account. Never rejects: a failure is part of
 * the result.
 */
export async function runFormula(options: RunFormulaOptions): Promise<RunResult> {
  const { file, cwd, timerStrategy, inspect, formula, args, dynamicUrl, schema, updates } = options;
  const started = uptimeMs();
  try {
    await using pack = await openValidPack(file, { cwd, timerStrategy, inspect });
    const target = { target: formula, args, dynamicUrl, schema, updates };
    await using run = runTarget(pack, target, options);
    const result = await run.finish();
    const isOffline =
      options.mock !== undefined || options.replay !== undefined || result.requests.length === 0;
    if (!isOffline)
      await options.onNetworkRun?.(pack, result, parseRoutes(options.routes ?? [])).catch(() => {});
    return result;
  } catch (error) {
    const durationMs = uptimeMs() - started;
    return { ok: false, failure: toFailure(error), logs: [], requests: [], durationMs };
  }
}
