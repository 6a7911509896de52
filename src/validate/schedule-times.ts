import type { ScheduleRule } from "./schedule-rule.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * A rule such as the 30th of February never occurs. Every other one does within this many periods.
 */
const MAX_EMPTY_PERIODS = 4_000;

/**
 * The next times of a schedule (RFC 5545 §3.3.10). A time that the clock skips in spring is the
 * same number of minutes later. Without
 * a DTSTART, the rule starts now, at full hours and days.
 * @param nowMs milliseconds since 1970
 * @returns ISO 8601 in UTC, the earliest first; fewer than `count` if the schedule ends
 */
export function nextTimes(rule: ScheduleRule, nowMs: number, count: number): string[] {
  const startMs =
    rule.startMs ?? wallClock(nowMs, rule.timeZone) - (wallClock(nowMs, rule.timeZone) % DAY_MS);
  const found: string[] = [];
  let occurrences = 0;
  let empty = 0;
  for (const wallMs of walkOccurrences(rule, startMs)) {
    if (wallMs === undefined) {
      if (++empty > MAX_EMPTY_PERIODS) break;
      continue;
    }
    empty = 0;
    occurrences += 1;
    const isOver =
      (rule.untilMs !== undefined && wallMs > rule.untilMs) ||
      (rule.count !== undefined && occurrences > rule.count);
    if (isOver || found.length === count) break;
    const instantMs = toInstant(wallMs, rule.timeZone);
    if (instantMs > nowMs) found.push(new Date(instantMs).toISOString());
  }
  return found;
}

/** Every occurrence as wall-clock time, period by period; undefined for a period without one. */
function* walkOccurrences(rule: ScheduleRule, startMs: number): Generator<number | undefined> {
  for (let index = 0; ; index++) {
    const periodMs = periodStart(rule, startMs, index * rule.interval);
    const times = timesIn(rule, periodMs, startMs);
    const chosen =
      rule.bySetPosition === undefined ? times : atPositions(times, rule.bySetPosition);
    const valid = chosen.filter((time) => time >= startMs);
    if (valid.length === 0) yield undefined;
    yield* valid;
  }
}

function periodStart(
  { frequency, weekStart }: ScheduleRule,
  startMs: number,
  periods: number,
): number {
  const start = new Date(startMs);
  const dayMs = startMs - (startMs % DAY_MS);
  switch (frequency) {
    case "HOURLY":
      return startMs - (startMs % HOUR_MS) + periods * HOUR_MS;
    case "DAILY":
      return dayMs + periods * DAY_MS;
    case "WEEKLY":
      return dayMs - ((start.getUTCDay() - weekStart + 7) % 7) * DAY_MS + periods * 7 * DAY_MS;
    case "MONTHLY":
      return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + periods, 1);
    case "YEARLY":
      return Date.UTC(start.getUTCFullYear() + periods, 0, 1);
  }
}

/** The times in one period, in order. */
function timesIn(rule: ScheduleRule, periodMs: number, startMs: number): number[] {
  const start = new Date(startMs);
  const { byMinute = [start.getUTCMinutes()] } = rule;
  const seconds = start.getUTCSeconds() * 1_000;
  if (rule.frequency === "HOURLY") {
    const hour = new Date(periodMs).getUTCHours();
    if (
      !isDayOf(rule, periodMs - (periodMs % DAY_MS), start) ||
      rule.byHour?.includes(hour) === false
    )
      return [];
    return inOrder(byMinute.map((minute) => periodMs + minute * 60_000 + seconds));
  }
  const { byHour = [start.getUTCHours()] } = rule;
  const times: number[] = [];
  const endMs = periodEnd(rule, periodMs);
  for (let dayMs = periodMs; dayMs < endMs; dayMs += DAY_MS) {
    if (!isDayOf(rule, dayMs, start)) continue;
    for (const hour of byHour)
      for (const minute of byMinute) times.push(dayMs + hour * HOUR_MS + minute * 60_000 + seconds);
  }
  return inOrder(times);
}

/** Each once: a rule may name an hour twice. */
function inOrder(times: readonly number[]): number[] {
  return [...new Set(times)].sort((a, b) => a - b);
}

function periodEnd({ frequency }: ScheduleRule, periodMs: number): number {
  const period = new Date(periodMs);
  if (frequency === "YEARLY") return Date.UTC(period.getUTCFullYear() + 1, 0, 1);
  if (frequency === "MONTHLY")
    return Date.UTC(period.getUTCFullYear(), period.getUTCMonth() + 1, 1);
  return periodMs + (frequency === "WEEKLY" ? 7 : 1) * DAY_MS;
}

/** Whether the rule occurs on a day. What the rule leaves open is as in the start. */
function isDayOf(rule: ScheduleRule, dayMs: number, start: Date): boolean {
  const { frequency, byMonth, byMonthDay, byDay } = rule;
  const day = new Date(dayMs);
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  if (byMonth?.includes(month + 1) === false) return false;
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  if (
    byMonthDay !== undefined &&
    !byMonthDay.includes(date) &&
    !byMonthDay.includes(date - last - 1)
  )
    return false;
  // An ordinal counts within the year, unless the rule names months: §3.3.10.
  const isYearly = frequency === "YEARLY" && byMonth === undefined;
  const [fromMs, toMs] = isYearly
    ? [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)]
    : [Date.UTC(year, month, 1), Date.UTC(year, month, last)];
  const isNamed = ({ day: weekday, ordinal }: { day: number; ordinal: number }): boolean => {
    if (weekday !== day.getUTCDay()) return false;
    if (ordinal === 0 || (frequency !== "MONTHLY" && frequency !== "YEARLY")) return true;
    const position =
      ordinal > 0
        ? Math.floor((dayMs - fromMs) / (7 * DAY_MS)) + 1
        : -Math.floor((toMs - dayMs) / (7 * DAY_MS)) - 1;
    return position === ordinal;
  };
  if (byDay !== undefined) return byDay.some(isNamed);
  if (byMonthDay !== undefined || frequency === "HOURLY" || frequency === "DAILY") return true;
  if (frequency === "WEEKLY") return day.getUTCDay() === start.getUTCDay();
  return (
    date === start.getUTCDate() &&
    (frequency === "MONTHLY" || byMonth !== undefined || month === start.getUTCMonth())
  );
}

function atPositions(times: readonly number[], positions: readonly number[]): number[] {
  return inOrder(
    positions.flatMap((position) => times.at(position > 0 ? position - 1 : position) ?? []),
  );
}

/** The clock on the wall of a time zone, as UTC milliseconds. */
function wallClock(instantMs: number, timeZone: string): number {
  const options = {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
  } as const;
  const format = new Intl.DateTimeFormat("en", {
    ...options,
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = Object.fromEntries(
    format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function toInstant(wallMs: number, timeZone: string): number {
  const first = wallMs - (wallClock(wallMs, timeZone) - wallMs);
  // The offset may be another one at that instant, near a change of the clock.
  return wallMs - (wallClock(first, timeZone) - first);
}
