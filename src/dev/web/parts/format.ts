import type { SchemaView } from "../../wire/run.ts";

/** The members of a schema that decide how a value is written as text. */
export type ValueFormat = Pick<SchemaView, "type" | "hint" | "options">;

const UTC_DAY = { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" } as const;
const DAY = new Intl.DateTimeFormat(undefined, UTC_DAY);
const MOMENT = new Intl.DateTimeFormat(undefined, {
  ...UTC_DAY,
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});
const numberFormats = new Map<string, Intl.NumberFormat>();

/**
 * Formatters are reused: creating one is slow, and a grid formats hundreds of cells while it
 * scrolls.
 */
function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const known = numberFormats.get(key) ?? new Intl.NumberFormat(undefined, options);
  numberFormats.set(key, known);
  return known;
}

const SECONDS = 1_000;
const DAY_SECONDS = 86_400;

/** A value as one line of text, as its hint asks for. */
export function formatValue(value: unknown, format: ValueFormat | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return formatNumber(value, format);
  if (typeof value === "string")
    return isDate(format?.hint) ? formatDateText(value, format?.hint) : value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return JSON.stringify(value) ?? "";
}

function formatNumber(value: number, format: ValueFormat | undefined): string {
  const { hint, options = {} } = format ?? {};
  const digits =
    typeof options["precision"] === "number"
      ? Math.min(20, Math.max(0, options["precision"]))
      : undefined;
  const places =
    digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  switch (hint) {
    case "currency":
      return money(
        value,
        typeof options["currencyCode"] === "string" ? options["currencyCode"] : "USD",
        places,
      );
    case "percent":
      return numberFormat({ style: "percent", maximumFractionDigits: 2, ...places }).format(value);
    case "date":
    case "datetime":
      return formatDate(new Date(value * SECONDS), hint);
    case "time":
      return formatTime(value);
    case "duration":
      return duration(value * DAY_SECONDS);
    default:
      return numberFormat({
        maximumFractionDigits: 12,
        ...places,
        useGrouping: options["useThousandsSeparator"] === true,
      }).format(value);
  }
}

function money(value: number, currency: string, places: Intl.NumberFormatOptions): string {
  try {
    return numberFormat({ style: "currency", currency, ...places }).format(value);
  } catch {
    // The Pack may give a currency code that does not exist.
    return `${value} ${currency}`;
  }
}

export function isDate(hint: string | undefined): boolean {
  return hint === "date" || hint === "datetime" || hint === "time";
}

function formatDateText(text: string, hint: string | undefined): string {
  const date = new Date(text);
  // A time of day is not a date, and is shown as it is.
  return Number.isNaN(date.getTime()) || hint === "time" ? text : formatDate(date, hint);
}

/** In UTC, as Packs run, so that a date does not depend on the time zone of the reader. */
function formatDate(date: Date, hint: string | undefined): string {
  if (Number.isNaN(date.getTime())) return "invalid date";
  return (hint === "date" ? DAY : MOMENT).format(date);
}

function formatTime(seconds: number): string {
  const padTwo = (part: number): string => String(Math.floor(part)).padStart(2, "0");
  return `${padTwo(seconds / 3_600)}:${padTwo((seconds % 3_600) / 60)}`;
}

function duration(seconds: number): string {
  const units = [
    [DAY_SECONDS, "d"],
    [3_600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const;
  let left = Math.abs(Math.round(seconds));
  const parts: string[] = [];
  for (const [size, name] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return `${seconds < 0 ? "−" : ""}${parts.length === 0 ? "0 s" : parts.join(" ")}`;
}

/** The text if it is a link to http, https or mailto, which are safe to open. */
export function safeLink(text: unknown): string | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined;
  return ["http:", "https:", "mailto:"].includes(new URL(text).protocol) ? text : undefined;
}

/** `4.5 kB`, `1.2 MB`: decimal units, as the command line counts. */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The same, and `812 B`. */
export function formatSize(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : sizeText(bytes);
}

/** A change of a size, with its sign. */
export function changeText(bytes: number): string {
  if (bytes === 0) return "±0";
  return `${bytes > 0 ? "+" : "−"}${formatSize(Math.abs(bytes))}`;
}

/** `0 ms`, `48 ms`, `1.20 s` */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** A time of the service as its clock shows it. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toISOString().slice("2026-01-31T".length, -1);
}

/** `1 formula`, `2 formulas` */
export function countText(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
