import type { SyncRows } from "../../sandbox/host/isolate.ts";
import type { SyncData } from "../../sandbox/protocol.ts";
import type { Redactor } from "../../shared/redact.ts";
import {
  argumentsByName,
  type FormulaArguments,
  prepareArguments,
} from "../arguments/arguments.ts";
import type { ExecutionResult } from "../execution-result.ts";
import { tableNamed } from "../find-block.ts";
import { type PreparedCall, type RunOptions, run, toFailure, withoutAbsent } from "../run.ts";
import type { RunTrace } from "../run-document.ts";
import { readPageResult, type SyncPageResult } from "./sync-result.ts";

/** The parts of a call that are the same for all pages of a sync. */
interface SyncCall {
  args: readonly unknown[];
  /** Without the continuation. */
  sync: SyncData;
  schema: unknown;
}

/**
 * @param dynamic URL and schema of a dynamic table
 * @returns a function that checks the arguments when it is first called; it throws TABLE_UNKNOWN,
 *   ARGUMENT_COUNT, ARGUMENT_TYPE
 */
export function createSyncCall(
  options: ExecuteSyncTableOptions,
  dynamic: { schema: unknown; dynamicUrl: string | undefined },
): () => SyncCall {
  let known: SyncCall | undefined;
  const prepare = (): SyncCall => {
    const { table } = tableNamed(options.isolate.definition, options.table);
    const args = prepareArguments(table.getter, options.args, options);
    const { previousCompletion, executionId, permissionSyncMode } = options;
    const parameters = argumentsByName(table.getter, args);
    const sync = withoutAbsent({
      previousCompletion,
      ...dynamic,
      parameters,
      executionId,
      permissionSyncMode,
    });
    return { args, sync, schema: dynamic.schema ?? table.schema };
  };
  return () => {
    known ??= prepare();
    return known;
  };
}

interface PageOptions {
  syncCall: () => SyncCall;
  continuation: unknown;
  session: object;
}

/**
 * The result of a page before it is checked and its rows are read, which takes most of the time.
 */
interface UnreadPage {
  /** Without `result` when `rows` are separate. */
  value: unknown;
  rows: SyncRows | undefined;
  schema: unknown;
  /** Where the next page starts; known only when `rows` are separate. */
  continuation: unknown;
}

/**
 * A response that arrives this soon goes to the Pack before other work starts, so that both run at
 * the same time.
 */
const SOON_MS = 5;

/** A page that the Pack is working on. */
export interface StartedPage {
  answer: Promise<ExecutionResult<UnreadPage>>;
  /**
   * Resolves when there is time for other work: the Pack has its first response, waits long for it,
   * or is done.
   */
  pause: Promise<unknown>;
}

export function startPage(
  options: ExecuteSyncTableOptions,
  { syncCall, continuation, session }: PageOptions,
): StartedPage {
  let onRequest: PreparedCall["onRequest"];
  const requested = new Promise<void>((resolve) => {
    onRequest = (response) => {
      onRequest = undefined;
      const timer = setTimeout(resolve, SOON_MS);
      void response.then(() => {
        clearTimeout(timer);
        // The response must go into the sandbox first.
        setImmediate(resolve);
      });
    };
  });
  const answer = run(
    options,
    () => {
      const { args, sync } = syncCall();
      return {
        call: { kind: "sync", table: options.table, args },
        session,
        onRequest: (response) => onRequest?.(response),
        context: {
          ...(options.rowVersions === undefined ? {} : { rowVersions: options.rowVersions }),
          sync: withoutAbsent({ continuation, ...sync }),
        },
      };
    },
    (value, { rows }) => ({
      value,
      rows,
      schema: syncCall().schema,
      continuation:
        rows === undefined
          ? undefined
          : ((value as { continuation?: unknown }).continuation ?? undefined),
    }),
  );
  // A page that is started early may be dropped, so a rejection must not stay unhandled.
  const over = answer.catch(() => undefined);
  return { answer, pause: Promise.race([requested, over]) };
}

/**
 * Reads the rows and checks the result of a page.
 * @throws {ExecutionFailure} RESULT_INVALID, RUN_*
 */
export async function readPage(
  { value, rows, schema }: UnreadPage,
  trace: RunTrace,
  redactor: Redactor,
): Promise<SyncPageResult> {
  try {
    return readPageResult(
      rows === undefined ? value : { ...(value as object), result: await rows.read() },
      schema,
      (message) => trace.logs.push({ level: "warn", message }),
    );
  } catch (error) {
    throw toFailure(error, trace, redactor);
  }
}

/** Where a sync ends, unless it is complete before. */
export interface SyncLimits {
  /** A sync ends after this many rows; further rows are dropped. @default 1_000 */
  maxRows?: number | undefined;
  /** A sync ends after this many pages. @default 100 */
  maxPages?: number | undefined;
}

export interface ExecuteSyncTableOptions extends RunOptions, SyncLimits {
  table: string;
  args: FormulaArguments;
  /** URL of a dynamic table. */
  dynamicUrl?: string | undefined;
  /** The schema of a dynamic table. @default the result of the Pack's `getSchema` */
  schema?: unknown;
  /** Continuation of the page to begin with. @default the first page */
  continuation?: unknown;
  /** `completion` of the previous sync, for an incremental sync. @default all rows are synced */
  previousCompletion?: unknown;
  /** The result of `syncStateService.getLatestRowVersions`, by row id. */
  rowVersions?: Readonly<Record<string, string>> | undefined;
  /** `context.sync.permissionSyncMode`. */
  permissionSyncMode?: string | undefined;
  /**
   * Starts the next page while the current one is checked. A caller that stops early has requested
   * one page too many. Ignored
   * when requests are recorded, replayed or answered by a test. @default false
   */
  readsAhead?: boolean | undefined;
}
