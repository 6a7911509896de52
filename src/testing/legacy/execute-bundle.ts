import type { FetchRequest } from "../../define/fetch.ts";
import type { ExecutionContext, SyncExecutionContext } from "../../define/schema.ts";
import type { Untyped } from "../../define/untyped.ts";
import { openValidPack } from "../../execute/open-pack.ts";
import { type RunTargetOptions, runTarget } from "../../execute/run-target.ts";
import type { SyncTableResult } from "../../execute/tables/execute-sync-table.ts";
import { createRedactor } from "../../shared/redact.ts";
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
  await using pack = await openValidPack(bundlePath, { cwd: process.cwd() });
  const runOptions: RunTargetOptions = {
    file: bundlePath,
    cwd: process.cwd(),
    redactor: createRedactor(),
    answerRequest: (request) => fetcher.fetch(request as FetchRequest),
    invocationLocation,
    invocationToken,
    timezone,
  };
  await using run = runTarget(pack, { target: formulaName, args: params }, runOptions);
  const outcome = await run.finish();
  if (!outcome.ok) throw outcome.failure.cause;
  return outcome.kind === "sync" ? (outcome.result as SyncTableResult).rows : outcome.result;
}
