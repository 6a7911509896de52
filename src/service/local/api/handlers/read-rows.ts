import { createDebugLog } from "../../../../shared/debug-log.ts";
import { createRecordFactory } from "../../../../shared/values.ts";
import type { ValueFormat } from "../../../contract/models/requests.ts";
import type { CellValue, Row, RowEnvelope } from "../../../contract/models/responses.ts";
import type { StoredColumn, StoredTable } from "../../content/column.ts";
import { type FormatContext, formatCell } from "../../content/format-cell.ts";
import type { StoredDoc } from "../../store/doc-store.ts";
import { findRows, findRowsByName, indexesIn, isShown } from "../../store/find-rows.ts";
import { mapInPieces } from "../../store/give-way.ts";
import { parseRowFilter } from "../../store/row-filter.ts";
import type { FindRowsOptions, FoundRows, RowSource } from "../../store/row-query.ts";
import {
  isOutdated,
  lookupKey,
  namesOfLookups,
  type RowKey,
  type RowOrder,
  readRow,
  type StoredRow,
  type TableSnapshot,
  tableSize,
} from "../../store/row-store.ts";
import { encodeSegment } from "../encode-segment.ts";
import { HttpError } from "../http-error.ts";
import { type ListParameters, listLinks, readToken, writeToken } from "../list-response.ts";
import { readBoolean, readChoice, readLimit } from "../request-input.ts";
import { createResources, isoTime } from "../resources.ts";
import { createRowSource } from "../row-source.ts";
import {
  chooseNamed,
  type OpenTable,
  openTable,
  readPageNames,
  type ServiceCall,
} from "../service-call.ts";

const debug = createDebugLog("service");

const MAX_LIMIT = 500;
/** After so many cells others have their turn. */
const CELLS_AT_ONCE = 10_000;
const NATURAL_NEEDS_VISIBLE =
  "Natural sorting is only available for visible rows. When using sortBy=natural, pass visibleOnly=true or omit the visibleOnly param which has the same effect.(The natural ordering of a table is only meaningfully defined for visible rows.)";
const ORDERS: Record<string, RowOrder> = {
  createdAt: "created_at_ms",
  updatedAt: "updated_at_ms",
  natural: "position",
};
const FORMATS = ["simple", "simpleWithArrays", "rich"] as const satisfies ValueFormat[];

export async function listRows(call: ServiceCall): Promise<RowEnvelope> {
  const opened = await openTable(call);
  const listing = readListing(call, opened);
  const { parameters, pinnedSeq, listed } = listing;
  const seq = await readableSeq(call, opened, pinnedSeq);
  const source = createRowSource(call, opened, seq);
  const snapshot = { docId: opened.doc.id, tableId: opened.base.id, seq };
  const limit = Number(parameters["limit"]);
  const filter =
    typeof parameters["query"] === "string"
      ? parseRowFilter(parameters["query"], opened.columns)
      : undefined;
  const options: FindRowsOptions = {
    ...readPage(listing),
    filter,
    listed,
    sinceSeq: listing.sinceSeq,
  };
  // Both at once: a database server is a round trip away.
  const [found, size] = await Promise.all([findRows(source, options), findSize(call, source)]);
  const page = found.rows.slice(0, limit);
  const last = page.at(-1);
  const next =
    last === undefined || found.rows.length <= limit
      ? undefined
      : writeToken(call, {
          use: "page",
          parameters,
          seq: pinnedSeq,
          after: found.getSortKey(last),
          listed: listed + page.length,
        });
  const indexes = await indexesOfPage(source, size, found.indexes, page);
  const render = await rowRenderer(call, opened, snapshot, page, readFormat(parameters));
  const { sinceSeq: _, ...shown } = parameters;
  debug(
    () =>
      `rows: ${page.length} of ${opened.table.id} from ${listed} on, as of ${pinnedSeq}${listing.sinceSeq === undefined ? "" : `, changed since ${listing.sinceSeq}`}, ${next === undefined ? "the last page" : "more to read"}`,
  );
  return {
    items: await mapInPieces(page, Math.ceil(CELLS_AT_ONCE / (opened.columns.length + 1)), (row) =>
      render(row, indexes.get(row.id) ?? 0),
    ),
    ...listLinks(call, shown, next),
    // Every page has the snapshot of the first page.
    nextSyncToken: writeToken(call, { use: "sync", parameters: shown, seq: pinnedSeq }),
  };
}

type TableSize = Awaited<ReturnType<typeof tableSize>>;

/**
 * The size of a table, by which most indexes of rows are known; undefined for a view with its own
 * order.
 */
async function findSize(
  { state }: ServiceCall,
  { docId, tableId, view }: RowSource,
): Promise<TableSize | undefined> {
  if (view !== undefined && (view.filter !== undefined || view.sorts.length > 0)) return undefined;
  return await state.cache.read(`size ${docId} ${tableId}`, { snapshotOf: docId }, () =>
    tableSize(state.storage.db, { docId, tableId }),
  );
}

async function indexesOfPage(
  source: RowSource,
  size: TableSize | undefined,
  known: FoundRows["indexes"],
  rows: readonly StoredRow[],
): Promise<Map<string, number>> {
  if (known !== undefined) return known;
  // Where no row was ever deleted, the place is the index.
  if (size !== undefined && size.rows === size.nextPosition)
    return new Map(rows.map(({ id, position }) => [id, position]));
  return await indexesIn(source, rows);
}

/** The snapshot of a listing, or the current one when that of the listing is not kept any more. */
async function readableSeq(
  { state }: ServiceCall,
  { doc, base }: OpenTable,
  seq: number,
): Promise<number> {
  if (seq === doc.seq) return seq;
  const isKept =
    seq >= doc.purgedSeq &&
    !(await isOutdated(state.storage.db, { docId: doc.id, tableId: base.id, seq }));
  return isKept ? seq : doc.seq;
}

interface Listing {
  parameters: ListParameters;
  /** The snapshot of the first page. */
  pinnedSeq: number;
  after: RowKey | undefined;
  /** How many rows the earlier pages had. */
  listed: number;
  sinceSeq: number | undefined;
}

function readListing(call: ServiceCall, { doc, columns }: OpenTable): Listing {
  const { query } = call;
  const pageToken = query.get("pageToken");
  if (pageToken !== null) {
    const { parameters, seq, after, listed = 0 } = readToken(call, pageToken, "page");
    const since = parameters["sinceSeq"];
    return {
      parameters,
      pinnedSeq: seq,
      after,
      listed,
      sinceSeq: since === undefined ? undefined : Number(since),
    };
  }
  const syncToken = query.get("syncToken");
  if (syncToken !== null) {
    const { parameters, seq } = readToken(call, syncToken, "sync");
    return {
      parameters: { ...parameters, sinceSeq: seq },
      pinnedSeq: doc.seq,
      after: undefined,
      listed: 0,
      sinceSeq: seq,
    };
  }
  const filter = query.get("query");
  if (filter !== null) parseRowFilter(filter, columns);
  return {
    parameters: listParameters(query),
    pinnedSeq: doc.seq,
    after: undefined,
    listed: 0,
    sinceSeq: undefined,
  };
}

/** @throws {HttpError} 400 */
function listParameters(query: URLSearchParams): ListParameters {
  const filter = query.get("query");
  const sortBy = readChoice(query, "sortBy", ["createdAt", "natural", "updatedAt"]);
  const visibleOnly = readBoolean(query, "visibleOnly");
  if (sortBy === "natural" && visibleOnly === false)
    throw new HttpError(400, NATURAL_NEEDS_VISIBLE);
  const visible = sortBy === "natural" ? true : visibleOnly;
  const names = readBoolean(query, "useColumnNames");
  const format = readChoice(query, "valueFormat", FORMATS);
  return {
    limit: readLimit(query, MAX_LIMIT, 25),
    ...(filter === null ? {} : { query: filter }),
    ...(sortBy === undefined ? {} : { sortBy }),
    ...(visible === undefined ? {} : { visibleOnly: visible }),
    ...(names === undefined ? {} : { useColumnNames: names }),
    ...(format === undefined ? {} : { valueFormat: format }),
  };
}

function readPage({ parameters, after }: Pick<Listing, "parameters" | "after">) {
  const order = ORDERS[String(parameters["sortBy"] ?? "createdAt")] ?? "created_at_ms";
  // One row more than the page has, so that a last page that is exactly full has no token.
  return { order, after, limit: Number(parameters["limit"]) + 1 };
}

export async function getRow(call: ServiceCall): Promise<Row> {
  const opened = await openTable(call);
  const names = readBoolean(call.query, "useColumnNames") ?? false;
  const valueFormat = readChoice(call.query, "valueFormat", FORMATS) ?? "simple";
  const { doc, table } = opened;
  // At once: a database server is a round trip away.
  const [{ row, index }, pages] = await Promise.all([
    findIndexedRow(call, opened),
    readPageNames(call, doc.id),
  ]);
  const snapshot = { docId: doc.id, tableId: opened.base.id, seq: doc.seq };
  const render = await rowRenderer(call, opened, snapshot, [row], {
    useColumnNames: names,
    valueFormat,
    visibleOnly: false,
  });
  return {
    ...render(row, index),
    parent: createResources(call.root).tableReference(doc.id, table, pages.get(table.pageId ?? "")),
  };
}

async function findIndexedRow(
  call: ServiceCall,
  opened: OpenTable,
): Promise<{ row: StoredRow; index: number }> {
  const source = createRowSource(call, opened, opened.doc.seq);
  const [row, size] = await Promise.all([findRow(call, opened), findSize(call, source)]);
  const indexes = await indexesOfPage(source, size, undefined, [row]);
  return { row, index: indexes.get(row.id) ?? 0 };
}

/** The row of the path, by id or by the text of its display column. @throws {HttpError} 404 */
export async function findRow(call: ServiceCall, opened: OpenTable): Promise<StoredRow> {
  const { doc, base } = opened;
  const wanted = call.params["rowIdOrName"] ?? "";
  const source = createRowSource(call, opened, doc.seq);
  const direct = await readRow(
    source.db,
    { docId: doc.id, tableId: base.id, seq: doc.seq },
    wanted,
  );
  const row =
    direct !== undefined && (await isShown(source, direct))
      ? direct
      : chooseNamed(call, await findRowsByName(source, wanted));
  if (row === undefined)
    throw new HttpError(404, "Could not find a row with the specified ID or name.");
  return row;
}

interface RowFormat {
  useColumnNames: boolean;
  valueFormat: ValueFormat;
  visibleOnly: boolean;
}

function readFormat(parameters: ListParameters): RowFormat {
  return {
    useColumnNames: parameters["useColumnNames"] === true,
    valueFormat: FORMATS.find((format) => format === parameters["valueFormat"]) ?? "simple",
    visibleOnly: parameters["visibleOnly"] === true,
  };
}

async function rowRenderer(
  call: ServiceCall,
  { doc, table, columns }: OpenTable,
  snapshot: TableSnapshot,
  rows: readonly StoredRow[],
  { useColumnNames, valueFormat, visibleOnly }: RowFormat,
): Promise<(row: StoredRow, index: number) => Row> {
  const resources = createResources(call.root);
  if (useColumnNames) warnOfTwins(call, columns);
  const names = await namesOfLookups(call.state.storage.db, snapshot, columns, rows);
  const context = formatContext(doc, resources, names);
  const shown = visibleOnly ? columns.filter((column) => isVisible(column, table)) : columns;
  const named = shown.map((column) => {
    // What is stored is what is shown.
    const isPlain =
      valueFormat !== "rich" && column.format.type !== "date" && column.format.type !== "dateTime";
    return { name: useColumnNames ? column.name : column.id, column, isPlain };
  });
  const linksOf = resources.rowLinks(doc.id, table);
  const createValues = createRecordFactory<CellValue>(
    named.map(({ name }) => name),
    "",
  );
  return (row, index) => {
    const values = createValues();
    for (const { name, column, isPlain } of named) {
      const cell = row.cells[column.id] ?? "";
      values[name] =
        isPlain && typeof cell !== "object" ? cell : formatCell(cell, column, valueFormat, context);
    }
    const { href, browserLink } = linksOf(row.id);
    return {
      id: row.id,
      type: "row",
      href,
      name: row.name,
      index,
      browserLink,
      createdAt: isoTime(row.createdAtMs),
      updatedAt: isoTime(row.updatedAtMs),
      values,
    };
  };
}

/** When columns have the same name, the last one is shown. */
function warnOfTwins({ notes }: ServiceCall, columns: readonly StoredColumn[]): void {
  const twin = columns.find(
    ({ name }, at) => columns.findLastIndex((other) => other.name === name) !== at,
  );
  if (twin !== undefined)
    notes.set(
      "X-Emulator-Warning",
      `several columns have the name ${encodeSegment(twin.name).slice(0, 200)}`,
    );
}

function isVisible(column: StoredColumn, table: StoredTable): boolean {
  return table.visibleColumnIds === undefined
    ? !column.hidden
    : table.visibleColumnIds.includes(column.id);
}

function formatContext(
  doc: StoredDoc,
  resources: ReturnType<typeof createResources>,
  names: ReadonlyMap<string, string>,
): FormatContext {
  return {
    timeZone: doc.timeZone,
    rowName: (tableId, rowId) => names.get(lookupKey(tableId, rowId)),
    rowLinks: (tableId, rowId) => ({
      tableUrl: resources.tableUrl(doc.id, tableId),
      url: resources.rowUrl(doc.id, tableId, rowId),
    }),
  };
}
