import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseScheduleRule, type ScheduleRule } from "../../src/validate/schedule-rule.ts";
import { nextTimes } from "../../src/validate/schedule-times.ts";

const START = "DTSTART;TZID=America/New_York:19970902T090000\nRRULE:";

function listTimes(text: string, from: string, count: number): string[] {
  const rule = parseScheduleRule(text);
  if (typeof rule === "string") throw new Error(rule);
  return nextTimes(rule, Date.parse(from), count);
}

/** Days at 9:00 in New York, which is 13:00 UTC until the last Sunday of October, then 14:00. */
const at9 = (...days: string[]) =>
  days.map((day) => `${day}T${day < "1997-10-26" ? "13" : "14"}:00:00.000Z`);

describe("the next times of a schedule", () => {
  // The examples of RFC 5545 §3.8.5.3 that have only supported parts.
  it.each<[rule: string, times: string[]]>([
    ["FREQ=DAILY;COUNT=3", at9("1997-09-02", "1997-09-03", "1997-09-04")],
    [
      "FREQ=DAILY;INTERVAL=10;COUNT=5",
      at9("1997-09-02", "1997-09-12", "1997-09-22", "1997-10-02", "1997-10-12"),
    ],
    [
      "FREQ=WEEKLY;COUNT=10",
      at9(
        "1997-09-02",
        "1997-09-09",
        "1997-09-16",
        "1997-09-23",
        "1997-09-30",
        "1997-10-07",
        "1997-10-14",
        "1997-10-21",
        "1997-10-28",
        "1997-11-04",
      ),
    ],
    [
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=5",
      at9("1997-09-02", "1997-09-16", "1997-09-30", "1997-10-14", "1997-10-28"),
    ],
    [
      "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
      at9(
        "1997-09-02",
        "1997-09-04",
        "1997-09-09",
        "1997-09-11",
        "1997-09-16",
        "1997-09-18",
        "1997-09-23",
        "1997-09-25",
        "1997-09-30",
        "1997-10-02",
      ),
    ],
    [
      "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
      at9(
        "1997-09-02",
        "1997-09-04",
        "1997-09-16",
        "1997-09-18",
        "1997-09-30",
        "1997-10-02",
        "1997-10-14",
        "1997-10-16",
      ),
    ],
    ["FREQ=MONTHLY;COUNT=4;BYDAY=1FR", at9("1997-09-05", "1997-10-03", "1997-11-07", "1997-12-05")],
    [
      "FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU",
      at9("1997-09-07", "1997-09-28", "1997-11-02", "1997-11-30"),
    ],
    ["FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", at9("1997-09-22", "1997-10-20", "1997-11-17")],
    ["FREQ=MONTHLY;BYMONTHDAY=-3", at9("1997-09-28", "1997-10-29", "1997-11-28", "1997-12-29")],
    [
      "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=2,15",
      at9("1997-09-02", "1997-09-15", "1997-10-02", "1997-10-15"),
    ],
    [
      "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=1,-1",
      at9("1997-09-30", "1997-10-01", "1997-10-31", "1997-11-01", "1997-11-30"),
    ],
    [
      "FREQ=YEARLY;COUNT=3;BYMONTH=9",
      ["1997-09-02T13:00:00.000Z", "1998-09-02T13:00:00.000Z", "1999-09-02T13:00:00.000Z"],
    ],
    [
      "FREQ=YEARLY;BYDAY=20MO;COUNT=3",
      ["1998-05-18T13:00:00.000Z", "1999-05-17T13:00:00.000Z", "2000-05-15T13:00:00.000Z"],
    ],
    [
      "FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=4",
      ["05", "12", "19", "26"].map((day) => `1998-03-${day}T14:00:00.000Z`),
    ],
    [
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3",
      ["1998-02-13T14:00:00.000Z", "1998-03-13T14:00:00.000Z", "1998-11-13T14:00:00.000Z"],
    ],
    [
      "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
      at9("1997-09-04", "1997-10-07", "1997-11-06"),
    ],
    [
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
      at9("1997-09-29", "1997-10-30", "1997-11-27", "1997-12-30"),
    ],
    [
      "FREQ=HOURLY;INTERVAL=3;COUNT=3",
      ["1997-09-02T13:00:00.000Z", "1997-09-02T16:00:00.000Z", "1997-09-02T19:00:00.000Z"],
    ],
  ])("%s as in RFC 5545", (rule, times) => {
    const isEndless = !/COUNT|UNTIL/.test(rule);
    expect(listTimes(START + rule, "1997-01-01T00:00:00Z", isEndless ? times.length : 20)).toEqual(
      times,
    );
  });

  it("are after now, and end with the rule", () => {
    expect(listTimes(`${START}FREQ=DAILY;COUNT=3`, "1997-09-03T13:00:00Z", 5)).toEqual(
      at9("1997-09-04"),
    );
    expect(listTimes("FREQ=DAILY;BYHOUR=7,19", "2026-11-23T12:00:00Z", 2)).toEqual([
      "2026-11-23T19:00:00.000Z",
      "2026-11-24T07:00:00.000Z",
    ]);
  });

  it("are none for a day that never comes", () => {
    expect(listTimes("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-11-23T12:00:00Z", 5)).toEqual([]);
  });

  it("keep the time of day when the clock changes", () => {
    const rule = "DTSTART;TZID=Europe/Berlin:20260327T020000\nFREQ=DAILY";
    expect(listTimes(rule, "2026-03-26T00:00:00Z", 4)).toEqual([
      ...["2026-03-27T01:00:00.000Z", "2026-03-28T01:00:00.000Z"],
      // 2:00 does not exist on this day.
      ...["2026-03-29T01:00:00.000Z", "2026-03-30T00:00:00.000Z"],
    ]);
  });

  it("are in order and at least an hour apart, for every rule that is accepted", () => {
    const list = (least: number, greatest: number) =>
      fc.array(fc.integer({ min: least, max: greatest }), { minLength: 1, maxLength: 3 });
    const rules = fc
      .record(
        {
          FREQ: fc.constantFrom("HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"),
          INTERVAL: fc.integer({ min: 1, max: 5 }),
          BYDAY: fc.array(fc.constantFrom("MO", "1TU", "-1FR", "SU"), {
            minLength: 1,
            maxLength: 2,
          }),
          BYMONTH: list(1, 12),
          BYMONTHDAY: list(-31, 31),
          BYHOUR: list(0, 23),
          BYMINUTE: list(0, 59),
          BYSETPOS: list(-3, 3),
        },
        { requiredKeys: ["FREQ"] },
      )
      .map((parts) =>
        Object.entries(parts)
          .map(([name, value]) => `${name}=${value}`)
          .join(";"),
      )
      .filter((text) => typeof parseScheduleRule(text) === "object");
    fc.assert(
      fc.property(rules, (text) => {
        const times = nextTimes(
          parseScheduleRule(text) as ScheduleRule,
          Date.UTC(2026, 10, 23, 12),
          5,
        ).map((time) => Date.parse(time));
        for (const [index, time] of times.entries())
          expect(time - (times[index - 1] ?? Date.UTC(2026, 10, 23, 11))).toBeGreaterThanOrEqual(
            3_600_000 * (index === 0 ? 0 : 1),
          );
      }),
      { numRuns: 200 },
    );
  });
});
