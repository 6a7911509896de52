/** Rows as a text for other programs. */
export type RowsFormat = "csv" | "tsv" | "json";

/** The columns of the rows, in their order. @param rows as the Pack returned them */
export function writeRows(
  rows: readonly unknown[],
  columns: readonly { key: string; label: string }[],
  format: RowsFormat,
): string {
  const records = rows.map((row) => columns.map(({ key }) => readMember(row, key)));
  if (format === "json") {
    const objects = records.map((record, index) =>
      columns.length === 1 && columns[0]?.key === ""
        ? rows[index]
        : Object.fromEntries(record.map((value, at) => [columns[at]?.key ?? "", value])),
    );
    return `${JSON.stringify(objects, undefined, 2)}\n`;
  }
  const [separator, quote, end] =
    format === "csv" ? [",", quoteCsv, "\r\n"] : ["\t", flatten, "\n"];
  const lines = [columns.map(({ label }) => label), ...records];
  return lines
    .map((line) => line.map((value) => quote(toText(value))).join(separator) + end)
    .join("");
}

function readMember(row: unknown, key: string): unknown {
  if (key === "") return row;
  return typeof row === "object" && row !== null
    ? (row as Record<string, unknown>)[key]
    : undefined;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** RFC 4180 §2 */
function quoteCsv(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table of a document takes one line for each row. */
function flatten(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, " ");
}
