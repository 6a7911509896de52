import { isDeepStrictEqual } from "node:util";
import type { SyncTable } from "../../define/sync-table.ts";
import { PackError } from "../../errors.ts";
import { createDebugLog } from "../../shared/debug-log.ts";
import { createRedactor } from "../../shared/redact.ts";
import { argumentsByName, prepareArguments } from "../arguments/arguments.ts";
import { ExecutionFailure, type ExecutionResult } from "../execution-result.ts";
import { createResponseCache } from "../fetch/fetch-cache.ts";
import { executeMetadata } from "../metadata/execute-metadata.ts";
import type { RunTrace } from "../run-document.ts";
import {
  createSyncCall,
  type ExecuteSyncTableOptions,
  readPage,
  type StartedPage,
  startPage,
} from "./sync-page.ts";
import type { SyncPageResult } from "./sync-result.ts";

const debug = createDebugLog("run");

/** One page of a sync: the result of one call of the table's formula. */
export interface SyncPage extends SyncPageResult, RunTrace {
  /** From 1. */
  page: number;
  /** The schema of a dynamic table, with its first page. */
  schema?: unknown;
  /** Why the sync ends with this page; absent when there are more pages. */
  end?: SyncEnd | undefined;
}

/** A sync ends when it is complete, or at a limit of the caller. */
export type SyncEnd = "complete" | "maxRows" | "maxPages";

/** All pages of a sync. */
export interface SyncTableResult {
  /** Checked against the schema. The members have the names that the author wrote. */
  rows: unknown[];
  deletedRowIds: string[];
  /** `completion` of the last page: where an incremental sync continues. */
  completion: unknown;
  /** One entry per row, for `executeGetPermissions`. */
  permissionsContext: unknown[];
  /** Where the next page would begin, when the sync ended at a limit. */
  continuation: unknown;
  pages: number;
  end: SyncEnd;
}

const MAX_ROWS = 1000;
const MAX_PAGES = 100;
/** Each page is fetched once, so a small cache is enough. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Syncs a table page by page, as the document service does. One page at a time is in memory.
 * @throws {ExecutionFailure} TABLE_UNKNOWN, ARGUMENT_COUNT, ARGUMENT_TYPE, FORMULA_FAILED,
 *   FORMULA_USER_ERROR, RESULT_INVALID,
 * SYNC_REPEATS, RUN_*, FETCH_*, ACCOUNT_*, OAUTH_*
 */
export async function* executeSyncTable(
  given: ExecuteSyncTableOptions,
): AsyncGenerator<SyncPage, void, undefined> {
  const { maxRows = MAX_ROWS, maxPages = MAX_PAGES, dynamicUrl } = given;
  const redactor = given.redactor ?? createRedactor();
  const readsAhead =
    given.readsAhead === true && given.tape === undefined && given.answerRequest === undefined;
  const stopping = readsAhead ? new AbortController() : undefined;
  const options = {
    ...given,
    redactor,
    // Pages share a cache.
    cache:
      given.cache ?? createResponseCache({ now: given.now ?? Date.now, maxBytes: CACHE_BYTES }),
    signal:
      stopping === undefined
        ? given.signal
        : AbortSignal.any([stopping.signal, ...(given.signal === undefined ? [] : [given.signal])]),
  };
  const session = {};
  const { schema, ...schemaRun } = await executeSchema(options, session);
  let before = {
    logs: schemaRun.logs,
    requests: schemaRun.requests,
    durationMs: schemaRun.durationMs,
  };
  let previous: SyncPageResult | undefined;
  let rowCount = 0;
  let upcoming: StartedPage | undefined;
  const syncCall = createSyncCall(options, { schema, dynamicUrl });
  const start = (continuation: unknown) => startPage(options, { syncCall, continuation, session });
  try {
    for (let page = 1; ; page++) {
      const started =
        upcoming ?? start(previous === undefined ? options.continuation : previous.continuation);
      upcoming = undefined;
      const { result: unread, ...trace } = await started.answer;
      // A page beyond the limits is never started.
      if (
        readsAhead &&
        unread.continuation !== undefined &&
        page < maxPages &&
        rowCount + (unread.rows?.count ?? 0) < maxRows
      ) {
        upcoming = start(unread.continuation);
        await upcoming.pause;
      }
      const result = await readPage(unread, trace, redactor);
      const hasMore = result.continuation !== undefined;
      if (hasMore && previous !== undefined && repeats(previous, result))
        throw new ExecutionFailure(createRepeatError(options.table, page), trace);
      const left = maxRows - rowCount;
      const isOverfull = result.rows.length > left;
      if (isOverfull) cut(result, left);
      rowCount += result.rows.length;
      const end =
        !hasMore && !isOverfull
          ? "complete"
          : rowCount >= maxRows
            ? "maxRows"
            : page >= maxPages
              ? "maxPages"
              : undefined;
      debug(
        () =>
          `page: ${page} of ${options.table}, ${result.rows.length} rows in ${trace.durationMs} ms${end === undefined ? "" : `, ${end}`}`,
        redactor,
      );
      yield {
        ...result,
        page,
        ...(page === 1 && schema !== undefined ? { schema } : {}),
        ...(end === undefined ? {} : { end }),
        logs: [...before.logs, ...trace.logs],
        requests: [...before.requests, ...trace.requests],
        durationMs: before.durationMs + trace.durationMs,
      };
      if (end !== undefined) return;
      before = { logs: [], requests: [], durationMs: 0 };
      previous = result;
    }
  } finally {
    if (upcoming !== undefined) stopping?.abort();
  }
}

/**
 * Syncs a table and collects its pages.
 * @param onPage receives every page as it arrives
 * @throws {ExecutionFailure} as `executeSyncTable`
 */
export async function collectSyncTable(
  options: ExecuteSyncTableOptions,
  onPage?: (page: SyncPage) => void,
): Promise<ExecutionResult<SyncTableResult>> {
  const result: SyncTableResult = {
    rows: [],
    deletedRowIds: [],
    completion: undefined,
    permissionsContext: [],
    continuation: undefined,
    pages: 0,
    end: "complete",
  };
  const run: ExecutionResult<SyncTableResult> = { result, logs: [], requests: [], durationMs: 0 };
  for await (const page of executeSyncTable({ ...options, readsAhead: true })) {
    onPage?.(page);
    // Not `push(...rows)`: a page may have more rows than a call may have arguments.
    for (const row of page.rows) result.rows.push(row);
    for (const id of page.deletedRowIds) result.deletedRowIds.push(id);
    for (const entry of page.permissionsContext) result.permissionsContext.push(entry);
    for (const log of page.logs) run.logs.push(log);
    for (const request of page.requests) run.requests.push(request);
    run.durationMs += page.durationMs;
    result.pages = page.page;
    result.completion = page.completion;
    result.continuation = page.continuation;
    result.end = page.end ?? result.end;
  }
  return run;
}

/** Gets the schema of a table with dynamic columns before the first page. */
async function executeSchema(
  options: ExecuteSyncTableOptions,
  session: object,
): Promise<RunTrace & { schema: unknown }> {
  const none = { logs: [], requests: [], durationMs: 0 };
  const table = options.isolate.definition.syncTables?.find?.(
    (candidate) => candidate?.name === options.table,
  );
  if (options.schema !== undefined) return { schema: options.schema, ...none };
  if (table?.getSchema === undefined) return { schema: undefined, ...none };
  const values = findValues(options, table);
  if (values === undefined) return { schema: undefined, ...none };
  const target = { kind: "getSchema", table: options.table, values } as const;
  const { result, ...trace } = await executeMetadata({ ...options, target, session });
  return { schema: result, ...trace };
}

/** @returns `undefined` when the arguments are wrong, which the first page reports */
function findValues(
  options: ExecuteSyncTableOptions,
  { getter }: SyncTable,
): Record<string, unknown> | undefined {
  try {
    return argumentsByName(getter, prepareArguments(getter, options.args, options));
  } catch {
    return undefined;
  }
}

function cut(answer: SyncPageResult, count: number): void {
  answer.rows.length = count;
  if (answer.permissionsContext.length > count) answer.permissionsContext.length = count;
}

/**
 * Compares the rows too: a server that remembers the position may return the same token for all its
 * pages.
 */
function repeats(previous: SyncPageResult, next: SyncPageResult): boolean {
  return (
    isDeepStrictEqual(previous.continuation, next.continuation) &&
    isDeepStrictEqual(previous.rows, next.rows)
  );
}

function createRepeatError(table: string, page: number): PackError {
  return new PackError(
    "SYNC_REPEATS",
    `Page ${page} of ${table} has the same rows and the same continuation as the previous page.`,
    {
      details: { page },
      hint: "Read context.sync.continuation, and return the continuation of the next page. After the last page, return no continuation.",
    },
  );
}
