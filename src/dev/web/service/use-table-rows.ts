import { useEffect, useMemo, useState } from "preact/hooks";
import type { ReportedError } from "../../../shared/reported-error.ts";
import type { ServiceCell, ServiceRowsView, ServiceTableView } from "../../wire/service.ts";
import { findFailure, get } from "../api.ts";
import type { RowSource } from "../parts/use-rows.ts";

/** A row with its cells by column. */
export interface TableRow {
  id: string;
  name: string;
  cells: Readonly<Record<string, ServiceCell>>;
}

export interface TableRows extends RowSource {
  row(index: number): TableRow | undefined;
  /** How many rows there are, as far as known. */
  count: number;
  failure: ReportedError | undefined;
  /** Changes when the rows were read again. */
  version: string;
}

/**
 * The rows of a table, loaded page by page as they become visible. The service returns a page only
 * after the one before it.
 */
export function useTableRows(
  path: string,
  table: ServiceTableView,
  fingerprint: string,
): TableRows {
  const [, setTick] = useState(0);
  const columns = table.columns.map(({ id, type }) => `${id}:${type}`).join("\n");
  const reader = useMemo(
    () => createReader(path, columns, () => setTick((tick) => tick + 1)),
    [path, columns],
  );
  useEffect(() => reader.read(fingerprint), [reader, fingerprint]);
  useEffect(() => () => reader.close(), [reader]);
  return {
    row: (index) => reader.rows()[index],
    show: (from, count) => reader.want(from + count),
    replace: () => {},
    count: reader.isWhole() ? reader.rows().length : Math.max(table.rowCount, reader.rows().length),
    failure: reader.failure(),
    version: reader.version(),
  };
}

interface Listing {
  fingerprint: string;
  rows: TableRow[];
  /** Token of the next page; undefined after the last one. */
  next: string | undefined;
  isBegun: boolean;
}

/**
 * Reads one page after the other. A new fingerprint starts again; the old rows stay visible until
 * as many are read.
 */
function createReader(path: string, columns: string, onChange: () => void) {
  const query = columns.split("\n").map((column) => `column=${encodeURIComponent(column)}`);
  let shown: Listing = { fingerprint: "", rows: [], next: undefined, isBegun: false };
  let reading: Listing | undefined;
  let wanted = 1;
  let failure: ReportedError | undefined;
  let isClosed = false;
  let isBusy = false;

  const isEnough = ({ rows, next, isBegun }: Listing) =>
    isBegun && (next === undefined || rows.length >= wanted);
  const step = (): void => {
    const listing = reading ?? shown;
    if (isClosed || isBusy || isEnough(listing)) return;
    isBusy = true;
    const next = listing.next === undefined ? [] : [`next=${encodeURIComponent(listing.next)}`];
    get<ServiceRowsView>(`${path}/rows?${[...query, ...next].join("&")}`)
      .then(
        (page) => {
          // Another listing may have started in the meantime: drop this page then.
          if (listing !== (reading ?? shown)) return;
          listing.isBegun = true;
          listing.next = page.next;
          for (const row of page.rows) listing.rows.push(getRow(row, columns));
          failure = undefined;
          if (listing === reading && isEnough(listing)) {
            shown = listing;
            reading = undefined;
          }
        },
        (error: unknown) => {
          failure = findFailure(error);
          reading = undefined;
          shown.next = undefined;
        },
      )
      .then(() => {
        isBusy = false;
        if (isClosed) return;
        onChange();
        if (failure === undefined) step();
      });
  };
  return {
    rows: () => shown.rows,
    isWhole: () => shown.isBegun && shown.next === undefined,
    version: () => shown.fingerprint,
    failure: () => failure,
    want(count: number) {
      wanted = Math.max(1, count);
      step();
    },
    read(fingerprint: string) {
      const listing = { fingerprint, rows: [], next: undefined, isBegun: false };
      if (shown.isBegun) reading = listing;
      else shown = listing;
      step();
    },
    close() {
      isClosed = true;
    },
  };
}

function getRow({ id, name, cells }: ServiceRowsView["rows"][number], columns: string): TableRow {
  const byColumn: Record<string, ServiceCell> = {};
  for (const [index, column] of columns.split("\n").entries())
    byColumn[column.slice(0, column.lastIndexOf(":"))] = cells[index] ?? "";
  return { id, name, cells: byColumn };
}
