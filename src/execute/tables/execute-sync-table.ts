import { isDeepStrictEqual } from "node:util";
import type { SyncTable } from "../../define/sync-table.ts";
import { PackError } from "../../errors.ts";
import type { LogEntry } from "../../sandbox/protocol.ts";
import { createRedactor } from "../../shared/redact.ts";
import { argumentsByName, prepareArguments } from "../arguments/arguments.ts";
import { ExecutionFailure, type ExecutionResult, type RequestRecord } from "../execution-result.ts";
import { createResponseCache } from "../fetch/fetch-cache.ts";
import { executeMetadata } from "../metadata/execute-metadata.ts";
import { type ExecuteSyncTableOptions, readPage, type StartedPage, startPage, syncCallOf } from "./sync-page.ts";
import type { SyncPageResult } from "./sync-result.ts";

/** One page of a sync: what one call of the table's formula gave. */
export interface SyncPage extends SyncPageResult {
  /** From 1. */
  page: number;
  /** Why the sync ends with this page; absent while there are more. */
  end?: SyncEnd | undefined;
  logs: LogEntry[];
  requests: RequestRecord[];
  durationMs: number;
}

/** A sync ends because it is complete, or because a limit of the caller was reached. */
export type SyncEnd = "complete" | "maxRows" | "maxPages";

/** All pages of a sync together. */
export interface SyncTableResult {
  /** Checked against the schema; the members have the names that the author gave them. */
  rows: unknown[];
  deletedRowIds: string[];
  /** What the last page ended with: the beginning of an incremental sync. */
  completion: unknown;
  /** One entry per row; accepted from older Packs. */
  permissionsContext: unknown[];
  /** Where the next page would begin, when a limit ended the sync. */
  continuation: unknown;
  pages: number;
  end: SyncEnd;
}

const MAX_ROWS = 1000;
const MAX_PAGES = 100;
/** Pages come once; little of what they fetched is asked for again. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Syncs a table page by page, as the document service would: a page at a time is in memory.
 * @throws {ExecutionFailure} TABLE_UNKNOWN, ARGUMENT_COUNT, ARGUMENT_TYPE, FORMULA_FAILED, FORMULA_USER_ERROR, RESULT_INVALID,
 * SYNC_REPEATS, RUN_*, FETCH_*, ACCOUNT_*, OAUTH_*
 */
export async function* executeSyncTable(given: ExecuteSyncTableOptions): AsyncGenerator<SyncPage, void, undefined> {
  const { maxRows = MAX_ROWS, maxPages = MAX_PAGES, dynamicUrl } = given;
  const redactor = given.redactor ?? createRedactor();
  const readsAhead = given.readsAhead === true && given.tape === undefined && given.answerRequest === undefined;
  const stopping = readsAhead ? new AbortController() : undefined;
  const options = {
    ...given,
    redactor,
    // What one page has fetched, the next one need not fetch again.
    cache: given.cache ?? createResponseCache({ now: given.now ?? Date.now, maxBytes: CACHE_BYTES }),
    signal:
      stopping === undefined ? given.signal : AbortSignal.any([stopping.signal, ...(given.signal === undefined ? [] : [given.signal])]),
  };
  const session = {};
  const { schema, ...schemaRun } = await schemaOf(options, session);
  let before = { logs: schemaRun.logs, requests: schemaRun.requests, durationMs: schemaRun.durationMs };
  let previous: SyncPageResult | undefined;
  let rowCount = 0;
  let upcoming: StartedPage | undefined;
  const syncCall = syncCallOf(options, { schema, dynamicUrl });
  const start = (continuation: unknown) => startPage(options, { syncCall, continuation, session });
  try {
    for (let page = 1; ; page++) {
      const started = upcoming ?? start(previous === undefined ? options.continuation : previous.continuation);
      upcoming = undefined;
      const { result: unread, ...trace } = await started.answer;
      // Nothing of a page that the limits leave out.
      if (readsAhead && unread.continuation !== undefined && page < maxPages && rowCount + (unread.rows?.count ?? 0) < maxRows) {
        upcoming = start(unread.continuation);
        await upcoming.pause;
      }
      const result = await readPage(unread, trace, redactor);
      const hasMore = result.continuation !== undefined;
      if (hasMore && previous !== undefined && repeats(previous, result)) throw new ExecutionFailure(repeated(options.table, page), trace);
      const left = maxRows - rowCount;
      const isOverfull = result.rows.length > left;
      if (isOverfull) cut(result, left);
      rowCount += result.rows.length;
      const end = !hasMore && !isOverfull ? "complete" : rowCount >= maxRows ? "maxRows" : page >= maxPages ? "maxPages" : undefined;
      yield {
        ...result,
        page,
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
 * @param onPage is told of every page as it comes
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
    // One by one: a page may have more rows than a call may have arguments.
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

/** A table whose columns depend on the account tells its schema before the first page. */
async function schemaOf(
  options: ExecuteSyncTableOptions,
  session: object,
): Promise<{ schema: unknown; logs: LogEntry[]; requests: RequestRecord[]; durationMs: number }> {
  const none = { logs: [], requests: [], durationMs: 0 };
  const table = options.isolate.definition.syncTables?.find?.((candidate) => candidate?.name === options.table);
  if (options.schema !== undefined) return { schema: options.schema, ...none };
  if (table?.getSchema === undefined) return { schema: undefined, ...none };
  const values = valuesOf(options, table);
  if (values === undefined) return { schema: undefined, ...none };
  const target = { kind: "getSchema", table: options.table, values } as const;
  const { result, ...trace } = await executeMetadata({ ...options, target, session });
  return { schema: result, ...trace };
}

/** @returns `undefined` when the arguments are wrong, which the first page tells */
function valuesOf(options: ExecuteSyncTableOptions, { getter }: SyncTable): Record<string, unknown> | undefined {
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

/** The same page again, and the same rows: a service that keeps the place itself may give one token for all its pages. */
function repeats(previous: SyncPageResult, next: SyncPageResult): boolean {
  return isDeepStrictEqual(previous.continuation, next.continuation) && isDeepStrictEqual(previous.rows, next.rows);
}

function repeated(table: string, page: number): PackError {
  return new PackError("SYNC_REPEATS", `Page ${page} of ${table} is the same as the page before: same rows, same continuation.`, {
    details: { page },
    hint: "Read context.sync.continuation, and return the next one; return none after the last page.",
  });
}
