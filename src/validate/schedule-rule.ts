import { isTimeZone } from "../shared/time.ts";
/**
 * A recurrence rule (RFC 5545 §3.3.10) of a schedule: the parts that the document service supports,
 * with the start and its time zone.
 */
export interface ScheduleRule {
  frequency: Frequency;
  interval: number;
  count: number | undefined;
  /** Wall-clock time as UTC milliseconds; with `Z` in the rule, the instant. */
  untilMs: number | undefined;
  weekStart: number;
  /** `ordinal` is 0 for every such day of the period. */
  byDay: readonly { day: number; ordinal: number }[] | undefined;
  byMonth: readonly number[] | undefined;
  byMonthDay: readonly number[] | undefined;
  byHour: readonly number[] | undefined;
  byMinute: readonly number[] | undefined;
  bySetPosition: readonly number[] | undefined;
  /** Wall-clock time as UTC milliseconds. */
  startMs: number | undefined;
  /** An IANA name. */
  timeZone: string;
}

const FREQUENCIES = ["HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** In the order of `Date.getUTCDay`. */
const DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const NUMBERS: Readonly<
  Record<string, readonly [least: number, greatest: number, alsoNegative?: boolean]>
> = {
  BYHOUR: [0, 23],
  BYMINUTE: [0, 59],
  BYMONTH: [1, 12],
  BYMONTHDAY: [1, 31, true],
  BYSETPOS: [1, 366, true],
};
const PARTS = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", ...Object.keys(NUMBERS)];
const TOO_OFTEN = "The schedule runs more often than once an hour.";

/** @returns the rule, or one sentence that says what is wrong with it */
export function parseScheduleRule(text: string): ScheduleRule | string {
  const lines = readLines(text);
  if (typeof lines === "string") return lines;
  const parts = readParts(lines.rule);
  if (typeof parts === "string") return parts;
  const frequency = parts.get("FREQ");
  if (frequency === undefined) return "FREQ is missing.";
  if (frequency === "MINUTELY" || frequency === "SECONDLY") return TOO_OFTEN;
  if (!isFrequency(frequency)) return `FREQ=${frequency} must be one of ${FREQUENCIES.join(", ")}.`;
  for (const name of ["INTERVAL", "COUNT"])
    if (!/^[1-9]\d*$/.test(parts.get(name) ?? "1"))
      return `${name} must be a whole number above 0.`;
  const numbers = new Map<string, number[]>();
  for (const [name, range] of Object.entries(NUMBERS)) {
    const value = parts.get(name);
    if (value === undefined) continue;
    const list = value
      .split(",")
      .map((entry) => (/^-?\d+$/.test(entry) ? Number(entry) : Number.NaN));
    if (!list.every((entry) => isInRange(entry, range))) return `${name}=${value} is out of range.`;
    numbers.set(name, list);
  }
  const {
    BYDAY: byDay,
    UNTIL: until,
    WKST: weekStart = "MO",
  } = Object.fromEntries(parts) as Partial<Record<string, string>>;
  if (!DAYS.includes(weekStart)) return `WKST=${weekStart} must be a day such as MO.`;
  if (
    byDay !== undefined &&
    !byDay.split(",").every((day) => /^[+-]?\d{0,2}(?:MO|TU|WE|TH|FR|SA|SU)$/.test(day))
  )
    return `BYDAY=${byDay} must be a list of days such as MO or -1FR.`;
  if (until !== undefined && parseTime(until) === undefined)
    return `UNTIL=${until} must be a time such as 20270101T000000Z.`;
  const startMs = lines.start === undefined ? undefined : parseTime(lines.start);
  if (lines.start !== undefined && startMs === undefined)
    return `DTSTART must be a time such as 20260105T090000, not ${lines.start}.`;
  if (runsTooOften(frequency, numbers.get("BYHOUR") ?? [0], numbers.get("BYMINUTE") ?? [0]))
    return TOO_OFTEN;
  return {
    frequency,
    interval: Number(parts.get("INTERVAL") ?? 1),
    count: parts.has("COUNT") ? Number(parts.get("COUNT")) : undefined,
    untilMs: until === undefined ? undefined : parseTime(until),
    weekStart: DAYS.indexOf(weekStart),
    byDay: byDay
      ?.split(",")
      .map((day) => ({ day: DAYS.indexOf(day.slice(-2)), ordinal: Number(day.slice(0, -2)) })),
    byMonth: numbers.get("BYMONTH"),
    byMonthDay: numbers.get("BYMONTHDAY"),
    byHour: numbers.get("BYHOUR"),
    byMinute: numbers.get("BYMINUTE"),
    bySetPosition: numbers.get("BYSETPOS"),
    startMs,
    timeZone: lines.timeZone,
  };
}

/** One optional DTSTART line and one RRULE line, whose name may be left out. */
function readLines(
  text: string,
): { rule: string; start: string | undefined; timeZone: string } | string {
  let rule: string | undefined;
  let start: string | undefined;
  let timeZone = "UTC";
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (line === "") continue;
    const colon = line.indexOf(":");
    const [name = "", ...parameters] = colon < 0 ? [] : line.slice(0, colon).split(";");
    if (name.toUpperCase() === "DTSTART" && start === undefined) {
      start = line.slice(colon + 1);
      timeZone =
        parameters
          .map((each) => /^TZID=(.*)$/i.exec(each)?.[1])
          .find((zone) => zone !== undefined) ?? "UTC";
    } else if (["", "RRULE"].includes(name.toUpperCase()) && rule === undefined)
      rule = line.slice(colon + 1);
    else return "The schedule can contain only one DTSTART line and one RRULE line.";
  }
  if (rule === undefined) return "The schedule has no RRULE.";
  if (!isTimeZone(timeZone))
    return `TZID=${timeZone} is not a valid time zone such as Europe/Berlin.`;
  return { rule, start, timeZone };
}

function readParts(rule: string): Map<string, string> | string {
  const parts = new Map<string, string>();
  for (const part of rule.split(";")) {
    const [name = "", value = ""] = part.split("=");
    const key = name.toUpperCase();
    if (!PARTS.includes(key) || value === "")
      return `${part === "" ? "An empty part" : part} is not supported.`;
    if (parts.has(key)) return `${key} is set twice.`;
    parts.set(key, value.toUpperCase());
  }
  return parts;
}

function isFrequency(text: string): text is Frequency {
  return FREQUENCIES.some((frequency) => frequency === text);
}

function isInRange(
  value: number,
  [least, greatest, alsoNegative = false]: readonly [number, number, boolean?],
): boolean {
  const size = alsoNegative ? Math.abs(value) : value;
  return size >= least && size <= greatest;
}

function runsTooOften(
  frequency: Frequency,
  hours: readonly number[],
  minutes: readonly number[],
): boolean {
  if (frequency === "HOURLY") return minutes.length > 1;
  const times = [
    ...new Set(hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute))),
  ].sort((a, b) => a - b);
  return times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < 60);
}

/** `20260105T090000Z`, `20260105T090000` or `20260105` as UTC milliseconds. */
function parseTime(text: string): number | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0"] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z?)?$/.exec(text) ?? [];
  return year === undefined
    ? undefined
    : Date.UTC(+year, Number(month) - 1, Number(day), +hour, +minute, +second);
}
