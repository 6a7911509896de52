import type { RowEdit } from "../contract/models/requests.ts";
import type { CellEdit, RowsUpserted } from "../contract/models/responses.ts";
import { withText } from "./call.ts";
import type { Sender } from "./call-types.ts";
import { InvalidRequestError, ServiceError } from "./errors.ts";
import type { RowCells, WriteOptions } from "./rows.ts";
import { waitFor } from "./wait-for.ts";

export type BulkEdit = WriteOptions & {
  docId: string;
  tableIdOrName: string;
  rows: Iterable<RowCells> | AsyncIterable<RowCells>;
  /**
   * The key columns. If rows with the same values in the key columns exist, the service updates
   * these rows. Otherwise, the service inserts a row. Without a key, the service inserts every row.
   */
  key?: readonly [string, ...string[]] | undefined;
  /** The maximum number of rows in a request. @default 100 */
  maxRows?: number | undefined;
  /** The maximum size of a request, in bytes. The service accepts 2 MB. @default 1_500_000 */
  maxBytes?: number | undefined;
  /**
   * Waits until the service has applied the edits. With `false`, the outcome of a written row is
   * `accepted`.
   * @default true
   */
  wait?: boolean | undefined;
  /**
   * The report of an earlier, incomplete call with the same rows. The client sends only rows that
   * certainly changed nothing. With a key, the client also sends rows with an unknown outcome.
   */
  resume?: BulkReport | undefined;
  /**
   * The client calls this function after every request. `rows` is the number of rows that have an
   * outcome: accepted, refused or unknown. `total` is the number of all rows if the input is an
   * array.
   */
  onProgress?: ((rows: number, total: number | undefined) => void) | undefined;
};

/**
 * The outcome of a row. `unknown`: the client sent the row, and the service may have applied the
 * row. You can write a row with a key again. `refused`: the row changed nothing. `notAttempted`:
 * the client did not send the row, because the service failed or refused all earlier rows.
 */
export type RowOutcome =
  | {
      state: "applied";
      requestId: string;
      rowId?: string | undefined /** The part of the request that the service did not apply. */;
      warning?: string | undefined;
    }
  | { state: "accepted"; requestId: string; rowId?: string | undefined }
  | {
      state: "unknown";
      requestId?: string | undefined;
      rowId?: string | undefined;
      error?: unknown;
    }
  | { state: "refused"; error: unknown }
  | { state: "notAttempted" };

export interface BulkReport {
  /** The outcomes, in the order of the rows in the input. */
  outcomes: RowOutcome[];
  counts: Record<RowOutcome["state"], number>;
  /** The error that stopped the call. The client did not send the remaining rows. */
  stoppedBy?: unknown;
}

/** The service counts in units of 1024 bytes. */
const MAX_ROW_BYTES = 85 * 1_024;
const TOO_LARGE = /exceeds maximum size|too large/i;
/** How many edits are asked for at a time. */
const ASKERS = 4;

interface Batch {
  first: number;
  /** Each a row edit as JSON. */
  rows: string[];
}

interface AcceptedBatch {
  requestId: string;
  first: number;
  count: number;
  rowIds: string[] | undefined;
}

/**
 * Inserts any number of rows. With a key, upserts the rows. The client divides the rows into
 * requests. If the service refuses a request or fails, this function does not throw: the report
 * contains the outcome of every row.
 */
export async function writeRows(client: Sender, edit: BulkEdit): Promise<BulkReport> {
  const {
    docId,
    tableIdOrName,
    rows,
    key,
    maxRows = 100,
    maxBytes = 1_500_000,
    wait = true,
    disableParsing,
    signal,
    deadlineMs,
    resume,
    onProgress,
  } = edit;
  const total = Array.isArray(rows) ? rows.length : undefined;
  const { call } = client;
  const outcomes: RowOutcome[] = [];
  const accepted: AcceptedBatch[] = [];
  let stopped: { by: unknown } | undefined;

  const settle = (first: number, count: number, outcomeOf: (index: number) => RowOutcome) => {
    for (let index = 0; index < count; index++) outcomes[first + index] = outcomeOf(index);
  };

  // The text is what is sent; who looks into the body finds the same there.
  const buildBody = ({ rows: texts }: Batch) => {
    const keys = key === undefined ? "" : `,"keyColumns":${JSON.stringify(key)}`;
    const text = `{"rows":[${texts.join()}]${keys}}`;
    return withText(
      {
        get rows() {
          return texts.map((each): RowEdit => JSON.parse(each));
        },
        keyColumns: key,
      },
      text,
    );
  };

  async function send(sent: Batch, body?: ReturnType<typeof buildBody>): Promise<void> {
    const { first, rows: texts } = sent;
    if (stopped !== undefined)
      return settle(first, texts.length, () => ({ state: "notAttempted" }));
    try {
      const { requestId, addedRowIds }: RowsUpserted = await call("upsertRows", {
        path: { docId, tableIdOrName },
        query: { disableParsing },
        body: body ?? buildBody(sent),
        signal,
        deadlineMs,
      });
      accepted.push({ requestId, first, count: texts.length, rowIds: addedRowIds });
    } catch (error) {
      const known = error instanceof ServiceError && error.executed === "no";
      if (
        known &&
        error instanceof InvalidRequestError &&
        TOO_LARGE.test(error.message) &&
        texts.length > 1
      ) {
        const half = Math.ceil(texts.length / 2);
        await send({ first, rows: texts.slice(0, half) });
        return await send({ first: first + half, rows: texts.slice(half) });
      }
      settle(first, texts.length, () =>
        known ? { state: "refused", error } : { state: "unknown", error },
      );
      // An error in these rows does not stop the others.
      if (!(error instanceof InvalidRequestError)) stopped = { by: error };
    }
    onProgress?.(first + texts.length, total);
  }

  const encode = createEncoder();
  let batch: Batch = { first: 0, rows: [] };
  let bytes = 0;
  let index = 0;
  let underWay: Promise<void> = Promise.resolve();
  // One request at a time, in order; the next one is written meanwhile.
  const flush = async () => {
    const full = batch;
    batch = { first: index, rows: [] };
    bytes = 0;
    const body = stopped === undefined ? buildBody(full) : undefined;
    await underWay;
    if (full.rows.length === 0) return;
    underWay = send(full, body);
    // It leaves before the next one takes the thread.
    await client.transport.timer?.sleep(0);
  };
  const add = (row: RowCells): Promise<void> | undefined => {
    const before = resume?.outcomes[index];
    if (before !== undefined && isSettled(before, key !== undefined)) return keep(before);
    const encoded = stopped === undefined ? encode(row) : UNSENT;
    if (typeof encoded === "string") return refuse(encoded);
    const full =
      batch.rows.length >= maxRows || bytes + encoded.size > maxBytes ? flush() : undefined;
    batch.rows.push(encoded.text);
    bytes += encoded.size;
    index++;
    return full;
  };
  /** A row that is not sent ends the batch before it. */
  const keep = async (outcome: RowOutcome): Promise<void> => {
    if (batch.rows.length > 0) await flush();
    outcomes[index++] = outcome;
    batch.first = index;
  };
  const refuse = (reason: string): Promise<void> => {
    const facts = { operation: "upsertRows", status: 0, executed: "no" } as const;
    return keep({ state: "refused", error: new InvalidRequestError(reason, facts) });
  };
  if (Symbol.iterator in rows) {
    // To await every row of a list would take longer than to write it.
    for (const row of rows) {
      const sent = add(row);
      if (sent !== undefined) await sent;
    }
  } else for await (const row of rows) await add(row);
  await flush();
  await underWay;
  await confirm();
  return report(outcomes, stopped);

  // Edits of a document are applied in their order: once the last one is, the others need no wait.
  async function confirm(): Promise<void> {
    const last = accepted.pop();
    if (last === undefined) return;
    await conclude(last, true);
    const others = accepted.reverse().values();
    const ask = async () => {
      for (const each of others) await conclude(each, false);
    };
    await Promise.all(Array.from({ length: ASKERS }, ask));
  }

  async function conclude(
    { requestId, first, count, rowIds }: AcceptedBatch,
    waits: boolean,
  ): Promise<void> {
    const state = wait ? await readState(requestId, waits) : ({ state: "accepted" } as const);
    // V8 keeps a new hidden class for each member that is added after a spread, so the state is
    // last.
    settle(first, count, (at) =>
      rowIds?.[at] === undefined
        ? { requestId, ...state }
        : { requestId, rowId: rowIds[at], ...state },
    );
  }

  async function readState(
    requestId: string,
    waits: boolean,
  ): Promise<{ state: "applied"; warning?: string } | { state: "unknown"; error?: unknown }> {
    try {
      const { completed, warning } = waits
        ? await waitFor(call, client.transport.timer, requestId, { onPending: "return", signal })
        : await call("getMutationStatus", { path: { requestId }, cacheTtlSecs: 0, signal });
      return completed
        ? { state: "applied", ...(warning ? { warning } : {}) }
        : { state: "unknown" };
    } catch (error) {
      return { state: "unknown", error };
    }
  }
}

/** Whether a row of an earlier report is left as it is. */
function isSettled(outcome: RowOutcome, isRepeatable: boolean): boolean {
  if (outcome.state === "notAttempted") return false;
  if (outcome.state === "unknown") return !isRepeatable;
  // The same row would be refused again; what the service did not take for another reason may pass.
  return outcome.state !== "refused" || outcome.error instanceof InvalidRequestError;
}

function report(outcomes: RowOutcome[], stopped: { by: unknown } | undefined): BulkReport {
  const counts = { applied: 0, accepted: 0, unknown: 0, refused: 0, notAttempted: 0 };
  for (const { state } of outcomes) counts[state]++;
  return { outcomes, counts, ...(stopped === undefined ? {} : { stoppedBy: stopped.by }) };
}

interface EncodedRow {
  /** The row edit as JSON. */
  text: string;
  /** About as many bytes as it takes. */
  size: number;
}

const UNSENT: EncodedRow = { text: "", size: 0 };

/**
 * Writes rows as JSON, or says what is wrong with one. It counts as the service does: the bytes of
 * the values, a line break twice.
 */
function createEncoder(): (row: RowCells) => EncodedRow | string {
  const begins = new Map<string, string>();
  const readBegin = (column: string): string => {
    const begin = `{"column":${JSON.stringify(column)},"value":`;
    begins.set(column, begin);
    return begin;
  };
  return (row) => {
    const cells: string[] = [];
    let bytes = 0;
    let overhead = 16;
    for (const column of Object.keys(row)) {
      const value = row[column];
      if (value === undefined) continue;
      const isUsual = typeof value === "string" && !UNUSUAL.test(value);
      if (!isUsual && typeof value !== "string" && !isWritable(value))
        return `The value of ${JSON.stringify(column)} cannot be written. Use strings, numbers, Booleans, or lists of these values.`;
      const text = isUsual ? `"${value}"` : JSON.stringify(value);
      bytes += isUsual ? value.length : countBytes(typeof value === "string" ? value : text);
      cells.push(`${begins.get(column) ?? readBegin(column)}${text}}`);
      overhead += column.length + 24;
    }
    if (bytes > MAX_ROW_BYTES)
      return `The row has ${Math.ceil(bytes / 1_024)} KB. The limit is 85 KB.`;
    return { text: `{"cells":[${cells.join()}]}`, size: bytes + overhead };
  };
}

/**
 * What is not one byte of JSON: quotes, backslashes, control characters and all that is not ASCII.
 */
const UNUSUAL = /[^ !#-[\]-~]/;

function isWritable(value: unknown, depth = 0): value is CellEdit {
  if (Array.isArray(value)) return depth < 2 && value.every((each) => isWritable(each, depth + 1));
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** UTF-8 bytes, of which a line break counts twice. */
function countBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair counts for two of its four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
    else if (code === 10) bytes++;
  }
  return bytes;
}
