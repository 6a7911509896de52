import { useEffect, useState } from "preact/hooks";
import type { RowsView, RunView } from "../../wire/run.ts";
import { get } from "../api.ts";
import type { GridColumn, GridSort } from "../parts/data-grid.tsx";
import { keepSetting, readSetting } from "../parts/stored.ts";
import { type RowSource, useRows } from "../parts/use-rows.ts";

/** A row, and where it is in the run. */
export interface PlacedRow {
  index: number;
  value: unknown;
}

/** The rows of a run, sorted and filtered, and the columns of them that are shown. */
export interface RowQueryControl {
  filter: string;
  setFilter(filter: string): void;
  sort: GridSort | undefined;
  /** Ascending, then descending, then as they came. */
  sortBy(key: string): void;
  /** The columns that are shown. */
  columns: readonly GridColumn[];
  isHidden(key: string): boolean;
  setHidden(key: string, isHidden: boolean): void;
  /** How many rows match. */
  count: number;
  isQuery: boolean;
  source: RowSource;
  /** Fetches all rows that match, in their order. */
  loadAll(): Promise<unknown[]>;
  reload(): void;
}

const TYPING_MS = 200;
const SLICE = 1_000;

export function useRowQuery(run: RunView, all: readonly GridColumn[]): RowQueryControl {
  const [filter, setFilter] = useState("");
  const [sort, setSort] = useState<GridSort | undefined>(undefined);
  const [turn, setTurn] = useState(0);
  const applied = useSettled(filter);
  const search = new URLSearchParams({
    filter: applied,
    sort: sort?.key ?? "",
    descending: String(sort?.isDescending === true),
  }).toString();
  const isQuery = applied.trim() !== "" || sort !== undefined;
  const version = `${run.id} ${turn} ${isQuery ? `${search} ${run.rowCount}` : ""}`;
  const [matching, setMatching] = useState({ version, count: run.rowCount });
  const load = (from: number, count: number) =>
    get<RowsView>(`/api/runs/${run.id}/rows?from=${from}&count=${count}&${search}`);
  const count = isQuery && matching.version === version ? matching.count : run.rowCount;
  const source = useRows(
    async (from, size) => {
      const answer = await load(from, size);
      if (isQuery) setMatching({ version, count: answer.count });
      return answer.rows.map(
        (value, at): PlacedRow => ({ index: answer.indexes?.[at] ?? from + at, value }),
      );
    },
    count,
    version,
  );
  const hidden = useHidden(run.target, all);
  return {
    filter,
    setFilter,
    sort,
    sortBy: (key) =>
      setSort((before) =>
        before?.key !== key
          ? { key, isDescending: false }
          : before.isDescending
            ? undefined
            : { key, isDescending: true },
      ),
    ...hidden,
    count,
    isQuery,
    source,
    async loadAll() {
      const rows: unknown[] = [];
      for (let end = 1; rows.length < end; ) {
        const slice = await load(rows.length, SLICE);
        rows.push(...slice.rows);
        end = slice.rows.length === 0 ? 0 : slice.count;
      }
      return rows;
    },
    reload: () => setTurn((before) => before + 1),
  };
}

/** A text once the user has stopped typing it. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The columns that are shown. What is hidden is kept in this browser for each table. */
function useHidden(
  target: string,
  all: readonly GridColumn[],
): Pick<RowQueryControl, "columns" | "isHidden" | "setHidden"> {
  const setting = `hidden columns of ${target}`;
  const [hidden, setHidden] = useState(() => readSetting(setting, "").split("\n"));
  const shown = all.filter(({ key }) => !hidden.includes(key));
  return {
    // A table whose columns have other names now shows them all.
    columns: shown.length === 0 ? all : shown,
    isHidden: (key) => shown.length > 0 && hidden.includes(key),
    setHidden(key, isHidden) {
      const next = [...hidden.filter((other) => other !== key), ...(isHidden ? [key] : [])];
      setHidden(next);
      keepSetting(setting, next.join("\n"));
    },
  };
}
