import { isDeepStrictEqual } from "node:util";
import type { SyncTable } from "../../define/sync-table.ts";
import { PackError } from "../../errors.ts";
import { createDebugLog } from "../../shared/debug-log.ts";
import { createRedactor, type Redactor } from "../../shared/redact.ts";
import { argumentsByName, prepareArguments } from "../arguments/arguments.ts";
import {
  addTrace,
  createTrace,
  ExecutionFailure,
  type ExecutionResult,
  joinTraces,
} from "../execution-result.ts";
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

/**
 * All pages of a sync, as one. `completion` and `continuation` are those of the last page: there is a
 * continuation when the sync ended at a limit.
 */
export interface SyncTableResult extends SyncPageResult {
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
  const { maxRows = MAX_ROWS, maxPages = MAX_PAGES } = given;
  const { options, readsAhead, stop } = prepareSync(given);
  const session = {};
  const { schema, ...schemaRun } = await executeSchema(options, session);
  const syncCall = createSyncCall(options, { schema, dynamicUrl: given.dynamicUrl });
  const start = (continuation: unknown) => startPage(options, { syncCall, continuation, session });
  let before: RunTrace = schemaRun;
  let previous: SyncPageResult | undefined;
  let rowCount = 0;
  let upcoming: StartedPage | undefined;
  try {
    for (let page = 1; ; page++) {
      const started = upcoming ?? start((previous ?? options).continuation);
      upcoming = undefined;
      const { result: unread, ...trace } = await started.answer;
      // A page beyond the limits is never started.
      const isLast = page >= maxPages || rowCount + (unread.rows?.count ?? 0) >= maxRows;
      if (readsAhead && unread.continuation !== undefined && !isLast) {
        upcoming = start(unread.continuation);
        await upcoming.pause;
      }
      const result = await readPage(unread, trace, options.redactor);
      if (previous !== undefined && repeats(previous, result))
        throw new ExecutionFailure(createRepeatError(options.table, page), trace);
      const isCut = cut(result, maxRows - rowCount);
      rowCount += result.rows.length;
      const end = findEnd({
        hasMore: isCut || result.continuation !== undefined,
        hasEnoughRows: rowCount >= maxRows,
        hasEnoughPages: page >= maxPages,
      });
      logPage(options, { page, rows: result.rows.length, durationMs: trace.durationMs, end });
      yield {
        ...result,
        page,
        ...(page === 1 && schema !== undefined ? { schema } : {}),
        ...(end === undefined ? {} : { end }),
        ...joinTraces(before, trace),
      };
      if (end !== undefined) return;
      before = createTrace();
      previous = result;
    }
  } finally {
    if (upcoming !== undefined) stop();
  }
}

/** @returns the options of all pages, and how to end a page that was started ahead */
function prepareSync(given: ExecuteSyncTableOptions) {
  const redactor = given.redactor ?? createRedactor();
  const readsAhead =
    given.readsAhead === true && given.tape === undefined && given.answerRequest === undefined;
  const stopping = new AbortController();
  const options = {
    ...given,
    redactor,
    // Pages share a cache.
    cache:
      given.cache ?? createResponseCache({ now: given.now ?? Date.now, maxBytes: CACHE_BYTES }),
    signal: readsAhead
      ? AbortSignal.any([stopping.signal, ...(given.signal === undefined ? [] : [given.signal])])
      : given.signal,
  };
  return { options, readsAhead, stop: () => stopping.abort() };
}

function findEnd(sync: {
  hasMore: boolean;
  hasEnoughRows: boolean;
  hasEnoughPages: boolean;
}): SyncEnd | undefined {
  if (!sync.hasMore) return "complete";
  if (sync.hasEnoughRows) return "maxRows";
  return sync.hasEnoughPages ? "maxPages" : undefined;
}

function logPage(
  { table, redactor }: { table: string; redactor: Redactor },
  page: { page: number; rows: number; durationMs: number; end: SyncEnd | undefined },
): void {
  debug(
    () =>
      `page: ${page.page} of ${table}, ${page.rows} rows in ${page.durationMs} ms${page.end === undefined ? "" : `, ${page.end}`}`,
    redactor,
  );
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
  const run: ExecutionResult<SyncTableResult> = { result, ...createTrace() };
  for await (const page of executeSyncTable({ ...options, readsAhead: true })) {
    onPage?.(page);
    // Not `push(...rows)`: a page may have more rows than a call may have arguments.
    for (const row of page.rows) result.rows.push(row);
    for (const id of page.deletedRowIds) result.deletedRowIds.push(id);
    for (const entry of page.permissionsContext) result.permissionsContext.push(entry);
    addTrace(run, page);
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
  const none = createTrace();
  const table = options.isolate.definition.syncTables.find(({ name }) => name === options.table);
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

/** @returns whether there were more rows than `count` */
function cut(answer: SyncPageResult, count: number): boolean {
  if (answer.rows.length <= count) return false;
  answer.rows.length = count;
  if (answer.permissionsContext.length > count) answer.permissionsContext.length = count;
  return true;
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
