/** A listing writes few dates many times, and each takes a calendar to write. */
const known = new Map<string, string>();
const MAX_KNOWN = 5_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Writes a date or a date-time with the offset of a time zone: `2026-03-04` becomes
 * `2026-03-04T00:00:00.000-05:00`.
 * A text without an offset is a local time of that zone.
 */
export function inTimeZone(text: string, timeZone: string): string {
  const key = `${timeZone} ${text}`;
  let written = known.get(key);
  if (written === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    written = writeInTimeZone(text, timeZone);
    known.set(key, written);
  }
  return written;
}

function writeInTimeZone(text: string, timeZone: string): string {
  const hasOffset = /(?:Z|[-+]\d{2}:\d{2})$/.test(text) && text.length > 10;
  const asUtcMs = Date.parse(
    hasOffset ? text : text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`,
  );
  if (Number.isNaN(asUtcMs)) return text;
  // The offset at a local time: guess with the time read as UTC, then correct it at the time that
  // the guess gives.
  const offsetMs = hasOffset
    ? offsetAt(asUtcMs, timeZone)
    : offsetAt(asUtcMs - offsetAt(asUtcMs, timeZone), timeZone);
  const local = new Date(hasOffset ? asUtcMs + offsetMs : asUtcMs).toISOString().slice(0, -1);
  return local + offsetText(offsetMs);
}

function offsetAt(instantMs: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formats.set(timeZone, format);
  }
  const match = /GMT(?:([-+])(\d{2}):(\d{2}))?/.exec(format.format(instantMs));
  if (match?.[1] === undefined) return 0;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
}

function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / 60_000;
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${offsetMs < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** The day of analytics: in US Pacific time, such as `2026-01-31`. */
export function pacificDay(atMs: number): string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: "America/Los_Angeles",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return format.format(atMs);
}
