import type { TimelineRow } from "../../wire/timeline.ts";

/** The requests of one run or connection, on one time scale. */
export interface RowGroup {
  key: string;
  source: TimelineRow["source"];
  target: string;
  startedAtMs: number;
  /** From the first request to the last response, at least 1. */
  spanMs: number;
  rows: TimelineRow[];
}

/** Newest group first. In a group, the requests are in the order in which they started. */
export function groupRows(rows: readonly TimelineRow[]): RowGroup[] {
  const groups = new Map<string, RowGroup>();
  for (const row of rows) {
    const key = `${row.source} ${row.group}`;
    const group = groups.get(key) ?? {
      key,
      source: row.source,
      target: row.target,
      startedAtMs: row.startedAtMs,
      spanMs: 1,
      rows: [],
    };
    group.rows.push(row);
    group.startedAtMs = Math.min(group.startedAtMs, row.startedAtMs);
    groups.set(key, group);
  }
  for (const group of groups.values()) {
    group.spanMs = Math.max(
      1,
      ...group.rows.map((row) => row.startedAtMs + row.durationMs - group.startedAtMs),
    );
    group.rows.sort((left, right) => left.startedAtMs - right.startedAtMs || left.id - right.id);
  }
  return [...groups.values()].sort((left, right) => lastId(right) - lastId(left));
}

export interface RowFilter {
  text: string;
  source: "all" | "run" | "connection";
  failedOnly: boolean;
}

export function filterRows(
  rows: readonly TimelineRow[],
  { text, source, failedOnly }: RowFilter,
): TimelineRow[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (source === "all" || row.source === source) &&
      (!failedOnly || isFailed(row)) &&
      `${row.method} ${row.url} ${row.status ?? ""} ${row.error ?? ""} ${row.target}`
        .toLowerCase()
        .includes(wanted),
  );
}

export function isFailed({ status, error }: Pick<TimelineRow, "status" | "error">): boolean {
  return error !== undefined || status === undefined || status >= 400;
}

function lastId({ rows }: RowGroup): number {
  return Math.max(...rows.map(({ id }) => id));
}
