import { PrecannedDateRange } from "../../define/enumerations.ts";

/** The time and zone for relative dates, and for dates without a zone. */
export interface ArgumentClock {
  /** Milliseconds. @default Date.now */
  now?: (() => number) | undefined;
  /** IANA time zone of the document. @default "UTC" */
  timezone?: string | undefined;
}

const RANGES = new Set<string>(Object.values(PrecannedDateRange));

/** A calendar day; `month` counts from 1. Values out of range carry over, as in `Date.UTC`. */
interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * Reads an ISO date. Without a zone it is in the time zone of the document; a day without a time is
 * midnight there.
 * @returns `undefined` when the text is not an ISO date
 */
export function parseDate(text: string, { timezone = "UTC" }: ArgumentClock): Date | undefined {
  const local =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?$/.exec(text);
  const date = new Date(text);
  if (!/^[+-]?\d{4,6}-\d{2}/.test(text) || Number.isNaN(date.getTime())) return undefined;
  if (local === null) return date;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = local
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const millisecond = Number((local[7] ?? "0").padEnd(3, "0"));
  return momentIn(timezone, Date.UTC(year, month - 1, day, hour, minute, second, millisecond));
}

/**
 * @returns midnight of the day that a word such as `today` or `7_days_ago` names; `undefined` for
 * another word
 */
export function relativeDate(word: string, clock: ArgumentClock): Date | undefined {
  const shift =
    word === "today" ? 0 : word === "yesterday" ? -1 : word === "tomorrow" ? 1 : parseShift(word);
  return shift === undefined ? undefined : toInstant(plusDays(findToday(clock), shift), clock);
}

/**
 * @returns the first and the last moment of the range that a word such as `last_7_days` names;
 *   `undefined` for another word.
 * Ranges in days include today; weeks begin on Monday.
 */
export function relativeRange(
  word: string,
  clock: ArgumentClock,
): [from: Date, to: Date] | undefined {
  const span = RANGES.has(word) ? findSpan(word, findToday(clock)) : undefined;
  if (span === undefined) return undefined;
  const [from, to] = span;
  return [toInstant(from, clock), new Date(toInstant(plusDays(to, 1), clock).getTime() - 1)];
}

function parseShift(word: string): number | undefined {
  const match = /^(7|30|90|180|365)_days_(ago|ahead)$/.exec(word);
  return match === null ? undefined : Number(match[1]) * (match[2] === "ago" ? -1 : 1);
}

function findSpan(word: string, today: Day): [from: Day, to: Day] | undefined {
  const { year, month } = today;
  const monday = plusDays(today, -((weekday(today) + 6) % 7));
  const months = (from: number, to: number): [Day, Day] => [
    { year, month: month + from, day: 1 },
    { year, month: month + to + 1, day: 0 },
  ];
  const years = (shift: number): [Day, Day] => [
    { year: year + shift, month: 1, day: 1 },
    { year: year + shift, month: 12, day: 31 },
  ];
  switch (word) {
    case "today":
      return [today, today];
    case "yesterday":
      return [plusDays(today, -1), plusDays(today, -1)];
    case "tomorrow":
      return [plusDays(today, 1), plusDays(today, 1)];
    case "this_week":
      return [monday, plusDays(monday, 6)];
    case "last_week":
      return [plusDays(monday, -7), plusDays(monday, -1)];
    case "next_week":
      return [plusDays(monday, 7), plusDays(monday, 13)];
    case "this_month":
      return months(0, 0);
    case "last_month":
      return months(-1, -1);
    case "next_month":
      return months(1, 1);
    case "this_year":
      return years(0);
    case "last_year":
      return years(-1);
    case "next_year":
      return years(1);
    case "year_to_date":
      return [{ year, month: 1, day: 1 }, today];
    case "everything":
      return [
        { year: 1970, month: 1, day: 1 },
        { year: 9999, month: 12, day: 30 },
      ];
  }
  const both = /^last_(7|30|90)_and_next_\1_days$/.exec(word);
  if (both !== null) return [plusDays(today, -Number(both[1])), plusDays(today, Number(both[1]))];
  const days = /^(last|next)_(7|30|90|180|365)_days$/.exec(word);
  if (days !== null)
    return days[1] === "last"
      ? [plusDays(today, -Number(days[2])), today]
      : [today, plusDays(today, Number(days[2]))];
  const several = /^(last|next)_([36])_months$/.exec(word);
  if (several !== null)
    return several[1] === "last" ? months(-Number(several[2]), -1) : months(1, Number(several[2]));
  return undefined;
}

function findToday({ now = Date.now, timezone = "UTC" }: ArgumentClock): Day {
  const local = new Date(now() + offsetIn(timezone, now()));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

function plusDays({ year, month, day }: Day, days: number): Day {
  return { year, month, day: day + days };
}

function weekday({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function toInstant({ year, month, day }: Day, { timezone = "UTC" }: ArgumentClock): Date {
  return momentIn(timezone, Date.UTC(year, month - 1, day));
}

/** The moment at which a clock in the zone shows what a clock in UTC shows at `wallMs`. */
function momentIn(timezone: string, wallMs: number): Date {
  const first = wallMs - offsetIn(timezone, wallMs);
  // The offset may differ at the moment found, on a day when it changes.
  return new Date(wallMs - offsetIn(timezone, first));
}

/** How far the zone is ahead of UTC, in milliseconds. */
function offsetIn(timezone: string, atMs: number): number {
  if (timezone === "UTC") return 0;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    timeZoneName: "longOffset",
  });
  const name =
    format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign, hours, minutes = "0", seconds = "0"] =
    /^GMT([+-])(\d{2}):?(\d{2})?:?(\d{2})?$/.exec(name) ?? [];
  if (sign === undefined) return 0;
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -size : size;
}
