import { argumentsByName, prepareArguments } from "../../execute/arguments/arguments.ts";
import type { BlobStore } from "../../execute/blob-store.ts";
import { executeTarget } from "../../execute/execute-target.ts";
import { ExecutionFailure, type ExecutionResult } from "../../execute/execution-result.ts";
import { createResponseCache } from "../../execute/fetch/fetch-cache.ts";
import { executeMetadata } from "../../execute/metadata/execute-metadata.ts";
import type { OpenPack } from "../../execute/open-pack.ts";
import type { RunOptions } from "../../execute/run.ts";
import { explainRefusal } from "../../execute/step-up.ts";
import { executeSyncTable, type SyncPage } from "../../execute/tables/execute-sync-table.ts";
import { executeUpdate, type UpdateOutcome } from "../../execute/tables/execute-update.ts";
import type { LogEntry } from "../../sandbox/protocol.ts";
import { membersOf } from "../../shared/members.ts";
import { uptimeMs } from "../../shared/uptime.ts";
import { runFailureView } from "../failures.ts";
import { badRequest } from "../router.ts";
import type { PackSession } from "../session/pack-session.ts";
import type { ColumnView } from "../wire/pack.ts";
import type {
  RowEdit,
  RowEditOutcome,
  RunFailureView,
  RunRequest,
  RunState,
  RunView,
  SchemaView,
} from "../wire/run.ts";
import { formulaIn, type OpenRun, openRun, tableIn } from "./open-run.ts";
import {
  columnViews,
  resultSchemaView,
  rowSchemaOf,
  schemaView,
  valueColumns,
} from "./schema-view.ts";
import { stepUpOf } from "./step-up-of.ts";

/** A run of the page: a formula, a metadata formula, or a table that is synced page by page. */
export interface DevRun extends AsyncDisposable {
  readonly id: string;
  readonly request: RunRequest;
  view(): RunView;
  /** Whether the result contains this text as a value. */
  holds(text: string): boolean;
  /** Rows, from this index on. */
  rows(from: number, count: number): unknown[];
  /**
   * Runs until the result or the next page of a table arrives. With `toTheEnd`, runs until there
   * are no more pages.
   * @throws {PackError} USAGE_INVALID while it is running, and after it has ended
   */
  advance(options: { toTheEnd: boolean; signal: AbortSignal }): Promise<void>;
  /** Stops a run to the end after the current page. */
  pause(): void;
  /** Writes edited rows, and updates the rows of this run. */
  edit(edits: readonly RowEdit[], signal: AbortSignal): Promise<RowEditOutcome[]>;
}

/** Longer results are cut. */
const MAX_VALUE_LENGTH = 300_000;
const EXCERPT_LENGTH = 20_000;
const MAX_LOGS = 1_000;
const MAX_CONTINUATION_LENGTH = 300;
const MAX_ROWS = 2_000_000;
/** Lists longer than this are shown as a grid, whatever their elements are. */
const LONG_LIST = 100;
/** How often the page is notified about new rows, in milliseconds. */
const NOTIFY_MS = 100;

interface RunReport {
  logs: readonly LogEntry[];
  requests: readonly unknown[];
  durationMs: number;
}

export function createDevRun(
  session: PackSession,
  id: string,
  request: RunRequest,
  blobs: BlobStore,
): DevRun {
  const { target, dynamicUrl } = request;
  const args = { text: request.args };
  const ending = new AbortController();
  const cache = createResponseCache({ now: session.now });
  let state: RunState = "paused";
  let revision = 0;
  let rows: unknown[] | undefined;
  let value: unknown;
  let excerpt: string | undefined;
  let columns: ColumnView[] = [];
  let schema: SchemaView | undefined;
  let rowSchema: unknown;
  let continuation: unknown;
  let pages = 0;
  let requests = 0;
  let durationMs = 0;
  let failure: RunFailureView | undefined;
  const logs: LogEntry[] = [];
  const deletedRowIds: string[] = [];
  let isPausing = false;
  let source: AsyncGenerator<SyncPage, void, undefined> | undefined;

  const note = (report: RunReport): void => {
    logs.push(...report.logs.slice(0, Math.max(0, MAX_LOGS - logs.length)));
    requests += report.requests.length;
    durationMs += report.durationMs;
  };
  let open: OpenRun | undefined;
  const opened = async (pack: OpenPack, signal: AbortSignal = ending.signal): Promise<OpenRun> => {
    open = await openRun(session, pack, {
      target,
      id,
      account: request.account,
      signal,
      blobs,
      cache,
    });
    return open;
  };
  const failureOf = (error: unknown): RunFailureView => {
    const explained = open === undefined ? error : explainRefusal(error, open.runAccount);
    return { ...runFailureView(session, explained), stepUp: stepUpOf(explained, open) };
  };

  const runOnce = async (): Promise<void> => {
    await using pack = await session.openRun(ending.signal);
    revision = pack.revision;
    await using run = await opened(pack);
    const answer = await executeTarget({
      ...run.options,
      runAccount: run.runAccount,
      target,
      args,
      dynamicUrl,
    });
    note(answer);
    const formula = membersOf(formulaIn(pack.definition, target));
    schema = resultSchemaView(formula);
    takeValue(answer.result, formula);
    state = "ended";
  };

  const isTable = async (): Promise<boolean> => {
    await using pack = await session.openPack();
    revision = pack.revision;
    return tableIn(pack.definition, target) !== undefined;
  };

  const takeValue = (result: unknown, formula: object): void => {
    const isList = Array.isArray(result);
    const isTable =
      isList &&
      result.length > 0 &&
      result.every((item) => typeof item === "object" && item !== null && !Array.isArray(item));
    if (isList && (isTable || result.length > LONG_LIST)) {
      rows = result;
      rowSchema = membersOf(formula)["items"] ?? membersOf(formula)["schema"];
      columns = columnViews(rowSchema);
      if (columns.length === 0) columns = valueColumns(result);
      return;
    }
    const text = JSON.stringify(result) ?? "null";
    if (text.length <= MAX_VALUE_LENGTH) value = result;
    else excerpt = text.slice(0, EXCERPT_LENGTH);
  };

  /** The accounts and the isolate stay open between two pages. */
  const syncPages = async function* (): AsyncGenerator<SyncPage, void, undefined> {
    await using pack = await session.openRun(ending.signal);
    revision = pack.revision;
    await using run = await opened(pack);
    const found = await dynamicSchema(run.options);
    rowSchema = found ?? tableIn(pack.definition, target)?.schema;
    schema = schemaView(rowSchemaOf(rowSchema));
    columns = columnViews(rowSchema);
    const limits = { maxRows: MAX_ROWS, maxPages: Number.POSITIVE_INFINITY };
    yield* executeSyncTable({
      ...run.options,
      ...limits,
      table: target,
      args,
      dynamicUrl,
      ...(found === undefined ? {} : { schema: found }),
    });
  };

  /** The schema of a table whose columns depend on the account. */
  const dynamicSchema = async (options: RunOptions): Promise<unknown> => {
    const table = tableIn(options.isolate.definition, target);
    if (table?.getSchema === undefined) return undefined;
    const values = argumentsByName(table.getter, prepareArguments(table.getter, args, options));
    const answer = await executeMetadata({
      ...options,
      dynamicUrl,
      target: { kind: "getSchema", table: target, values },
    });
    note(answer as ExecutionResult);
    return answer.result;
  };

  const advanceTable = async (toTheEnd: boolean): Promise<void> => {
    source ??= syncPages();
    let notifiedAtMs = uptimeMs();
    do {
      const { value: page } = await source.next();
      if (page === undefined) break;
      note(page);
      rows ??= [];
      for (const row of page.rows) rows.push(row);
      if (columns.length === 0) columns = valueColumns(rows);
      deletedRowIds.push(...page.deletedRowIds);
      continuation = page.continuation;
      pages = page.page;
      if (page.end !== undefined) break;
      if (uptimeMs() - notifiedAtMs > NOTIFY_MS) {
        notifiedAtMs = uptimeMs();
        session.events.send({ type: "run", id, state: "page" });
      }
      state = toTheEnd && !isPausing ? "running" : "paused";
    } while (state === "running");
    if (state === "paused") return;
    state = "ended";
    await source.return();
  };

  return {
    id,
    request,
    view: () => ({
      id,
      target,
      state,
      revision,
      value,
      excerpt,
      schema,
      columns,
      pages,
      deletedRowIds,
      logs,
      requests,
      durationMs,
      failure,
      kind: rows === undefined ? "value" : "rows",
      rowCount: rows?.length ?? 0,
      continuation:
        continuation === undefined
          ? undefined
          : JSON.stringify(continuation).slice(0, MAX_CONTINUATION_LENGTH),
    }),
    holds: (text) => contains(value, text),
    rows: (from, count) => rows?.slice(from, from + count) ?? [],
    async advance({ toTheEnd, signal }) {
      if (state !== "paused")
        throw badRequest(
          state === "running" ? "The run is still in progress." : "The run has ended.",
        );
      state = "running";
      isPausing = false;
      const stop = (): void => ending.abort();
      signal.addEventListener("abort", stop, { once: true });
      session.events.send({ type: "run", id, state: "started" });
      try {
        if (source !== undefined || (await isTable())) await advanceTable(toTheEnd);
        else await runOnce();
      } catch (error) {
        if (error instanceof ExecutionFailure) note(error);
        failure = failureOf(error);
        state = "ended";
      } finally {
        signal.removeEventListener("abort", stop);
        session.events.send({ type: "run", id, state: "ended" });
      }
    },
    pause() {
      isPausing = true;
    },
    async edit(edits, signal) {
      const all = rows ?? [];
      const updates = edits.map((edit) => updateOf(all, edit));
      await using pack = await session.openRun(signal);
      await using run = await opened(pack, signal);
      const answer = await executeUpdate({
        ...run.options,
        table: target,
        args,
        updates,
        dynamicUrl,
        schema: rowSchema,
      });
      note(answer);
      return answer.result.map((outcome, index) =>
        keepOutcome(all, edits[index]?.row ?? 0, updates[index]?.newValue, outcome),
      );
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await source?.return().catch(() => undefined);
    },
  };
}

function contains(value: unknown, text: string): boolean {
  if (typeof value !== "object" || value === null) return value === text;
  return Object.values(value).some((member) => contains(member, text));
}

/** @throws {PackError} USAGE_INVALID */
function updateOf(
  rows: readonly unknown[],
  { row, values }: RowEdit,
): { previousValue: object; newValue: object; updatedFields: string[] } {
  const previousValue = rows[row];
  if (typeof previousValue !== "object" || previousValue === null)
    throw badRequest(`There is no row ${row}.`);
  return {
    previousValue,
    newValue: { ...previousValue, ...values },
    updatedFields: Object.keys(values),
  };
}

function keepOutcome(
  rows: unknown[],
  row: number,
  newValue: unknown,
  outcome: UpdateOutcome,
): RowEditOutcome {
  if (outcome.outcome === "error") return { row, ok: false, message: outcome.error.message };
  // The Pack returns the row after the update, or only some of its members.
  const value = { ...membersOf(newValue), ...membersOf(outcome.finalValue) };
  rows[row] = value;
  return { row, ok: true, value };
}
