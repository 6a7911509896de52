import { relative } from "node:path";
import type { CassetteReport } from "../execute/run-document.ts";
import type { RunResult } from "../execute/run-target.ts";
import type { SyncPage, SyncTableResult } from "../execute/tables/execute-sync-table.ts";
import { countText } from "../shared/count-text.ts";
import { isRecord } from "../shared/values.ts";
import { type Output, printable } from "./output.ts";

/** Longest text of one cell. */
const CELL_LENGTH = 40;
const MAX_COLUMNS = 12;

/** Prints what a run reports about itself: its pages, its logs and its cassette. */
export function createRunPrinter(output: Output, cwd: string) {
  let rowCount = 0;
  let shownLogs = 0;
  const printLog = ({ level, message }: RunResult["logs"][number]): void =>
    output.progress(output.style("quiet", `${level}: ${printable(message)}`));
  return {
    /** For a run that starts again. */
    restart(): void {
      shownLogs = 0;
    },
    printPage(page: SyncPage): void {
      rowCount += page.rows.length;
      if (page.end === undefined)
        output.progress(output.style("quiet", formatPage(page, rowCount)));
    },
    /** The logs of a Pack are there when it has ended; a tool may run for minutes. */
    printToolLog(entry: RunResult["logs"][number]): void {
      shownLogs += 1;
      if (!output.json) printLog(entry);
    },
    printRest({ logs, cassette }: RunResult): void {
      for (const entry of logs.slice(shownLogs)) printLog(entry);
      if (cassette !== undefined)
        output.progress(output.style("quiet", formatCassette(cassette, cwd)));
    },
  };
}

/** Prints what a run returns: a table as rows, other values as JSON. */
export function printResult(run: RunResult & { ok: true }, output: Output): void {
  switch (run.kind) {
    case "sync":
      printSync(output, run.result as SyncTableResult);
      return;
    case "incremental": {
      const { full, incremental } = run.result as {
        full: SyncTableResult;
        incremental: SyncTableResult;
      };
      output.progress(
        output.style("quiet", `full sync: ${formatSummary(full)}; what changed since:`),
      );
      printSync(output, incremental);
      return;
    }
    default:
      output.data(
        typeof run.result === "string"
          ? printable(run.result)
          : (JSON.stringify(run.result, undefined, 2) ?? ""),
      );
  }
}

function printSync(output: Output, result: SyncTableResult): void {
  if (result.rows.length > 0)
    for (const line of formatRows(result.rows)) output.data(printable(line));
  if (result.deletedRowIds.length > 0)
    output.progress(`deleted: ${printable(result.deletedRowIds.join(", "))}`);
  output.progress(output.style("quiet", formatSummary(result)));
  if (result.end === "maxRows")
    output.progress("the table may have more rows; pass a higher --max-rows to get them");
  if (result.end === "maxPages")
    output.progress("the table has more pages; pass a higher --max-pages to get them");
}

function formatSummary({ rows, pages }: SyncTableResult): string {
  return `${countText(rows.length, "row")} in ${countText(pages, "page")}`;
}

function formatPage({ page, rows }: SyncPage, rowCount: number): string {
  return `page ${page}: ${rows.length} rows, ${rowCount} in all`;
}

function formatCassette({ mode, path, requests, secrets }: CassetteReport, cwd: string): string {
  const replaced = secrets === 0 ? "" : `  (${countText(secrets, "secret")} replaced)`;
  return `${mode}  ${countText(requests, "request")}  ${mode === "recorded" ? "→" : "←"}  ${relative(cwd, path)}${replaced}`;
}

/**
 * Writes rows as a table of text: one line per row, the members as columns in the order in which
 * they first appear.
 * @param rows of a sync; a row that is not an object has one column
 */
export function formatRows(rows: readonly unknown[]): string[] {
  const columns = listColumns(rows);
  const shown = columns.slice(0, MAX_COLUMNS);
  const header =
    columns.length > shown.length ? [...shown, `(${columns.length - shown.length} more)`] : shown;
  const lines = [
    header,
    ...rows.map((row) => shown.map((column) => formatCell(readMembers(row)[column]))),
  ];
  const widths = header.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), 0),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

function listColumns(rows: readonly unknown[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const name of Object.keys(readMembers(row))) columns.add(name);
  return [...columns];
}

function readMembers(row: unknown): Record<string, unknown> {
  return isRecord(row) ? row : { value: row };
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = (typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value)).replace(
    /\s+/g,
    " ",
  );
  return text.length > CELL_LENGTH ? `${text.slice(0, CELL_LENGTH - 1)}…` : text;
}
