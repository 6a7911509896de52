import { createBlobStore } from "../execute/blob-store.ts";
import { executeFormula } from "../execute/execute-formula.ts";
import { ExecutionFailure, type LogEntry, type RequestRecord } from "../execute/execution-result.ts";
import { parseRoutes } from "../oauth/routes.ts";
import type { Redactor } from "../redact.ts";
import { loadValidPack } from "./load-pack.ts";
import { connectionNeeds, openConnections } from "./open-connections.ts";
import { type Failure, toFailure } from "./outcome.ts";

export interface RunFormulaOptions {
  file: string;
  formula: string;
  /** As text, coerced by the parameters' types; or as values. */
  args: { text: readonly string[] } | readonly unknown[];
  /** Which connected account of the Pack's user authentication to use. @default "default" */
  account?: string | undefined;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  /** IANA time zone of the document. */
  timezone?: string | undefined;
  cwd: string;
  /** Folder of the vault. Without one no account is connected. */
  home?: string | undefined;
  /** A `postgres://` URL that keeps the vault's records on a server. @default the folder holds them */
  databaseUrl?: string | undefined;
  redactor: Redactor;
  now?: (() => number) | undefined;
}

interface RunTrace {
  logs: readonly LogEntry[];
  requests: readonly RequestRecord[];
  durationMs: number;
}

export type RunFormulaResult = RunTrace & ({ ok: true; result: unknown } | { ok: false; failure: Failure });

/** Builds, validates and runs a Pack's formula in its sandbox, with the account's credentials when the Pack declares any. */
export async function runFormula(options: RunFormulaOptions): Promise<RunFormulaResult> {
  const started = performance.now();
  try {
    await using pack = await loadValidPack(options.file, { cwd: options.cwd });
    const routes = parseRoutes(options.routes ?? []);
    const needs = connectionNeeds(pack.definition, options.formula);
    await using connections = await openConnections(options, pack.definition, needs, routes);
    await using blobs = createBlobStore({ now: options.now });
    const { result, logs, requests, durationMs } = await executeFormula({
      isolate: pack.isolate,
      formula: options.formula,
      args: options.args,
      account: connections.account,
      systemAccount: connections.systemAccount,
      blobs,
      routes,
      timezone: options.timezone,
      now: options.now,
      redactor: options.redactor,
    });
    return { ok: true, result, logs, requests, durationMs };
  } catch (error) {
    const trace: RunTrace = error instanceof ExecutionFailure ? error : { logs: [], requests: [], durationMs: performance.now() - started };
    const { logs, requests, durationMs } = trace;
    return { ok: false, failure: toFailure(error), logs, requests, durationMs };
  }
}
