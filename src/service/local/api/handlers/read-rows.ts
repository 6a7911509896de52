import type { ValueFormat } from "../../../contract/models/requests.ts";
import type { CellValue, Row, RowEnvelope } from "../../../contract/models/responses.ts";
import type { StoredColumn, StoredTable } from "../../content/column.ts";
import { type FormatContext, formatCell } from "../../content/format-cell.ts";
import { displayColumnOf, type StoredDoc } from "../../store/doc-store.ts";
import { matchesCell, parseRowFilter } from "../../store/row-filter.ts";
import {
  displayText,
  hasDeletions,
  indexesOf,
  lookupKey,
  namesOfLookups,
  type ReadRowsOptions,
  type RowKey,
  type RowOrder,
  readRow,
  readRows,
  type StoredRow,
  type TableSnapshot,
} from "../../store/row-store.ts";
import { filterContext, rowsOfView } from "../../store/view.ts";
import { encodeSegment } from "../encode-segment.ts";
import { HttpError } from "../http-error.ts";
import { type ListParameters, listLinks, readToken, writeToken } from "../list-response.ts";
import { booleanOf, choiceOf, limitOf } from "../request-input.ts";
import { createResources, isoTime } from "../resources.ts";
import { findNamed, type OpenTable, openTable, type ServiceCall } from "../service-call.ts";

const MAX_LIMIT = 500;
const NATURAL_NEEDS_VISIBLE =
  "Natural sorting is only available for visible rows. When using sortBy=natural, pass visibleOnly=true or omit the visibleOnly param which has the same effect.(The natural ordering of a table is only meaningfully defined for visible rows.)";
const ORDERS: Record<string, RowOrder> = { createdAt: "created_at_ms", updatedAt: "updated_at_ms", natural: "position" };
const FORMATS = ["simple", "simpleWithArrays", "rich"] as const satisfies ValueFormat[];

export async function listRows(call: ServiceCall): Promise<RowEnvelope> {
  const opened = await openTable(call);
  const { parameters, seq, after, sinceSeq } = readListing(call, opened);
  const snapshot = { docId: opened.doc.id, tableId: opened.base.id, seq };
  const limit = Number(parameters["limit"]);
  const order = ORDERS[String(parameters["sortBy"] ?? "createdAt")] ?? "created_at_ms";
  const found = await findRows(call, opened, snapshot, { parameters, order, after, sinceSeq, limit: limit + 1 });
  const page = found.rows.slice(0, limit);
  const last = page.at(-1);
  // Reads one row more than the page has, so that a last page that is exactly full has no token.
  const next =
    last === undefined || found.rows.length <= limit
      ? undefined
      : writeToken(call, { use: "page", parameters, seq, after: found.keyOf(last) });
  const indexes = found.indexes ?? (await indexesIn(call, snapshot, page));
  const render = await rowRenderer(call, opened, snapshot, page, formatOf(parameters));
  const { sinceSeq: _, ...shown } = parameters;
  return {
    items: page.map((row) => render(row, indexes.get(row.id) ?? 0)),
    ...listLinks(call, shown, next),
    // Every page has the snapshot of the first page.
    nextSyncToken: writeToken(call, { use: "sync", parameters: shown, seq }),
  };
}

async function indexesIn({ state }: ServiceCall, snapshot: TableSnapshot, rows: readonly StoredRow[]): Promise<Map<string, number>> {
  const { db } = state.storage;
  const isSparse = await state.cache.read(`deletions ${snapshot.docId} ${snapshot.tableId}`, () => hasDeletions(db, snapshot));
  // Where no row was ever deleted, the place is the index.
  return isSparse ? await indexesOf(db, snapshot, rows) : new Map(rows.map(({ id, position }) => [id, position]));
}

interface Listing {
  parameters: ListParameters;
  seq: number;
  after: RowKey | undefined;
  sinceSeq: number | undefined;
}

function readListing(call: ServiceCall, { doc, columns }: OpenTable): Listing {
  const { query } = call;
  const pageToken = query.get("pageToken");
  if (pageToken !== null) {
    const { parameters, seq, after } = readToken(call, pageToken, "page");
    const since = parameters["sinceSeq"];
    return { parameters, seq, after: after as RowKey | undefined, sinceSeq: since === undefined ? undefined : Number(since) };
  }
  const syncToken = query.get("syncToken");
  if (syncToken !== null) {
    const { parameters, seq } = readToken(call, syncToken, "sync");
    return { parameters: { ...parameters, sinceSeq: seq }, seq: doc.seq, after: undefined, sinceSeq: seq };
  }
  const filter = query.get("query");
  if (filter !== null) parseRowFilter(filter, columns);
  const sortBy = choiceOf(query, "sortBy", ["createdAt", "natural", "updatedAt"]);
  const visibleOnly = booleanOf(query, "visibleOnly");
  if (sortBy === "natural" && visibleOnly === false) throw new HttpError(400, NATURAL_NEEDS_VISIBLE);
  const visible = sortBy === "natural" ? true : visibleOnly;
  const names = booleanOf(query, "useColumnNames");
  const format = choiceOf(query, "valueFormat", FORMATS);
  const parameters = {
    limit: limitOf(query, MAX_LIMIT, 25),
    ...(filter === null ? {} : { query: filter }),
    ...(sortBy === undefined ? {} : { sortBy }),
    ...(visible === undefined ? {} : { visibleOnly: visible }),
    ...(names === undefined ? {} : { useColumnNames: names }),
    ...(format === undefined ? {} : { valueFormat: format }),
  };
  return { parameters, seq: doc.seq, after: undefined, sinceSeq: undefined };
}

interface FoundRows {
  rows: StoredRow[];
  keyOf(row: StoredRow): RowKey;
  /** Present when all rows of a view were read. */
  indexes?: Map<string, number>;
}

interface FindOptions extends Required<ReadRowsOptions> {
  parameters: ListParameters;
  order: RowOrder;
  after: RowKey | undefined;
  sinceSeq: number | undefined;
  limit: number;
}

async function findRows(call: ServiceCall, opened: OpenTable, snapshot: TableSnapshot, options: FindOptions): Promise<FoundRows> {
  const { db } = call.state.storage;
  const { doc, table, base, columns } = opened;
  const { parameters, order, after, sinceSeq, limit } = options;
  const filter = typeof parameters["query"] === "string" ? parseRowFilter(parameters["query"], columns) : undefined;
  const columnKey = (row: StoredRow): RowKey => [orderValueOf(row, order), row.id];
  if (table === base && filter === undefined) {
    return { rows: await readRows(db, snapshot, { order, after, sinceSeq, limit }), keyOf: columnKey };
  }
  const shown =
    table === base ? await readRows(db, snapshot, { order }) : await rowsOfView(db, { snapshot, table, columns, timeZone: doc.timeZone });
  const indexes = table === base ? undefined : new Map(shown.map(({ id }, index) => [id, index]));
  const keyOf = (row: StoredRow): RowKey =>
    indexes !== undefined && order === "position" ? [indexes.get(row.id) ?? 0, row.id] : columnKey(row);
  const context = await filterContext(db, snapshot, filter === undefined ? [] : [filter.column], shown, doc.timeZone);
  const rows = shown
    .filter(({ fromSeq }) => sinceSeq === undefined || fromSeq > sinceSeq)
    .filter(({ cells }) => filter === undefined || matchesCell(cells[filter.column.id] ?? "", filter.value, filter.column, context))
    .sort((one, other) => compareKeys(keyOf(one), keyOf(other)))
    .filter((row) => after === undefined || compareKeys(keyOf(row), after) > 0)
    .slice(0, limit);
  return { rows, keyOf, ...(indexes === undefined ? {} : { indexes }) };
}

function orderValueOf(row: StoredRow, order: RowOrder): number {
  return order === "position" ? row.position : order === "created_at_ms" ? row.createdAtMs : row.updatedAtMs;
}

function compareKeys(one: RowKey, other: RowKey): number {
  if (one[0] !== other[0]) return one[0] - other[0];
  return one[1] === other[1] ? 0 : one[1] < other[1] ? -1 : 1;
}

export async function getRow(call: ServiceCall): Promise<Row> {
  const opened = await openTable(call);
  const names = booleanOf(call.query, "useColumnNames") ?? false;
  const valueFormat = choiceOf(call.query, "valueFormat", FORMATS) ?? "simple";
  const { row, index } = await findRow(call, opened);
  const snapshot = { docId: opened.doc.id, tableId: opened.base.id, seq: opened.doc.seq };
  const render = await rowRenderer(call, opened, snapshot, [row], { useColumnNames: names, valueFormat, visibleOnly: false });
  const { doc, table } = opened;
  return { ...render(row, index), parent: createResources(call.root).tableReference(doc.id, table, undefined) };
}

/** The row of the path, by id or by the text of its display column. @throws {HttpError} 404 */
export async function findRow(call: ServiceCall, { doc, table, base, columns }: OpenTable): Promise<{ row: StoredRow; index: number }> {
  const { db } = call.state.storage;
  const wanted = call.params["rowIdOrName"] ?? "";
  const snapshot = { docId: doc.id, tableId: base.id, seq: doc.seq };
  const direct = table === base ? await readRow(db, snapshot, wanted) : undefined;
  if (direct !== undefined) return { row: direct, index: (await indexesOf(db, snapshot, [direct])).get(direct.id) ?? 0 };
  const rows = table === base ? await readRows(db, snapshot) : await rowsOfView(db, { snapshot, table, columns, timeZone: doc.timeZone });
  const display = displayColumnOf(columns)?.id ?? "";
  const byAge = (one: StoredRow, other: StoredRow) => compareKeys([one.createdAtMs, one.id], [other.createdAtMs, other.id]);
  const named = () =>
    rows
      .map((each) => ({ row: each, id: each.id, name: displayText(each.cells[display]) }))
      .sort((one, other) => byAge(one.row, other.row));
  const row = findNamed(call, named(), wanted)?.row;
  if (row === undefined) throw new HttpError(404, "Could not find a row with the specified ID or name.");
  return { row, index: rows.indexOf(row) };
}

interface RowFormat {
  useColumnNames: boolean;
  valueFormat: ValueFormat;
  visibleOnly: boolean;
}

function formatOf(parameters: ListParameters): RowFormat {
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
  const display = displayColumnOf(columns)?.id ?? "";
  const named = shown.map((column) => {
    // What is stored is what is shown.
    const isPlain = valueFormat !== "rich" && column.format.type !== "date" && column.format.type !== "dateTime";
    return { name: useColumnNames ? column.name : column.id, column, isPlain };
  });
  const linksOf = resources.rowLinks(doc.id, table);
  return (row, index) => {
    const values: Record<string, CellValue> = {};
    for (const { name, column, isPlain } of named) {
      const cell = row.cells[column.id] ?? "";
      const value = isPlain && typeof cell !== "object" ? cell : formatCell(cell, column, valueFormat, context);
      // An assignment would set the prototype.
      if (name === "__proto__") Object.defineProperty(values, name, { value, enumerable: true });
      else values[name] = value;
    }
    const { href, browserLink } = linksOf(row.id);
    return {
      ...{ id: row.id, type: "row", href, name: displayText(row.cells[display]), index, browserLink },
      createdAt: isoTime(row.createdAtMs),
      updatedAt: isoTime(row.updatedAtMs),
      values,
    };
  };
}

/** When columns have the same name, the last one is shown. */
function warnOfTwins({ notes }: ServiceCall, columns: readonly StoredColumn[]): void {
  const twin = columns.find(({ name }, at) => columns.findLastIndex((other) => other.name === name) !== at);
  if (twin !== undefined) notes.set("X-Emulator-Warning", `several columns have the name ${encodeSegment(twin.name).slice(0, 200)}`);
}

function isVisible(column: StoredColumn, table: StoredTable): boolean {
  return table.visibleColumnIds === undefined ? !column.hidden : table.visibleColumnIds.includes(column.id);
}

function formatContext(doc: StoredDoc, resources: ReturnType<typeof createResources>, names: ReadonlyMap<string, string>): FormatContext {
  return {
    timeZone: doc.timeZone,
    rowName: (tableId, rowId) => names.get(lookupKey(tableId, rowId)),
    rowLinks: (tableId, rowId) => ({ tableUrl: resources.tableUrl(doc.id, tableId), url: resources.rowUrl(doc.id, tableId, rowId) }),
  };
}
