import { useEffect, useMemo, useRef, useState } from "preact/hooks";

/** Rows that are fetched in slices when they become visible. */
export interface RowSource {
  /** Undefined while it is being fetched. */
  row(index: number): unknown;
  /** Reports which rows are visible. */
  show(from: number, count: number): void;
  /** Replaces a row that has changed. */
  replace(index: number, row: unknown): void;
}

const SLICE = 200;

/**
 * @param load fetches rows
 * @param version when it changes, all rows are fetched again
 */
export function useRows(
  load: (from: number, count: number) => Promise<readonly unknown[]>,
  rowCount: number,
  version: string,
): RowSource {
  const [, setTick] = useState(0);
  const loadNow = useRef(load);
  loadNow.current = load;
  const count = useRef(rowCount);
  count.current = rowCount;
  const source = useMemo(
    () =>
      createRows(
        (from, size) => loadNow.current(from, size),
        () => count.current,
        () => setTick((tick) => tick + 1),
      ),
    [version],
  );
  useEffect(() => () => source.close(), [source]);
  return source;
}

function createRows(
  load: (from: number, count: number) => Promise<readonly unknown[]>,
  rowCount: () => number,
  onChange: () => void,
): RowSource & { close(): void } {
  const slices = new Map<number, readonly unknown[] | "loading">();
  let isClosed = false;

  const need = (slice: number): void => {
    const known = slices.get(slice);
    const wanted = Math.min(SLICE, rowCount() - slice * SLICE);
    // The last slice grows during a sync.
    if (wanted <= 0 || known === "loading" || (known !== undefined && known.length >= wanted))
      return;
    if (known === undefined) slices.set(slice, "loading");
    load(slice * SLICE, SLICE).then(
      (rows) => {
        if (isClosed) return;
        slices.set(slice, rows);
        onChange();
      },
      () => {
        if (slices.get(slice) === "loading") slices.delete(slice);
      },
    );
  };
  return {
    row(index) {
      const slice = slices.get(Math.floor(index / SLICE));
      return slice === undefined || slice === "loading" ? undefined : slice[index % SLICE];
    },
    show(from, count) {
      for (let slice = Math.floor(from / SLICE); slice * SLICE < from + count; slice++) need(slice);
    },
    replace(index, row) {
      const at = Math.floor(index / SLICE);
      const slice = slices.get(at);
      if (slice === undefined || slice === "loading") return;
      slices.set(at, slice.with(index % SLICE, row));
      onChange();
    },
    close() {
      isClosed = true;
    },
  };
}
