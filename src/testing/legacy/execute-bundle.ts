import type { ExecutionContext, SyncExecutionContext } from "../../define/schema.ts";
import type { Untyped } from "../../define/untyped.ts";
import { executeTarget } from "../../execute/execute-target.ts";
import { openPack } from "../../execute/open-pack.ts";
import { newPlainContext } from "./mock-context.ts";

export interface ExecuteWithVMOptions {
  formulaName: string;
  params: readonly unknown[];
  /** A built bundle, or the entry file of a Pack. */
  bundlePath: string;
  /** Its `fetcher` answers the requests. */
  executionContext?: ExecutionContext | SyncExecutionContext | undefined;
}

/**
 * Runs a formula or a sync table of a bundle in the sandbox.
 * @returns the value, or the rows
 */
export async function executeFormulaOrSyncWithVM(options: ExecuteWithVMOptions): Promise<Untyped> {
  const { formulaName, params, bundlePath, executionContext = newPlainContext() } = options;
  const { invocationLocation, invocationToken, timezone, fetcher } = executionContext;
  await using pack = await openPack(bundlePath, { cwd: process.cwd() });
  const run = await executeTarget({
    isolate: pack.isolate,
    target: formulaName,
    args: params,
    answerRequest: (request) => fetcher.fetch(request as never),
    invocationLocation,
    invocationToken,
    timezone,
  });
  return run.kind === "sync" ? run.result.rows : run.result;
}
