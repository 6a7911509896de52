import { describe, expect, it } from "vitest";
import { inTimeZone, pacificDay } from "../../../../src/service/local/content/time-zone.ts";

describe("inTimeZone", () => {
  it.each<[text: string, timeZone: string, written: string]>([
    ["2026-03-04", "UTC", "2026-03-04T00:00:00.000+00:00"],
    ["2026-03-04", "America/New_York", "2026-03-04T00:00:00.000-05:00"],
    ["2026-07-04", "America/New_York", "2026-07-04T00:00:00.000-04:00"],
    ["2026-03-04T10:20:30", "Asia/Kolkata", "2026-03-04T10:20:30.000+05:30"],
    ["2026-01-04T10:20:30", "America/St_Johns", "2026-01-04T10:20:30.000-03:30"],
    ["2026-03-04T10:20:30Z", "Asia/Kolkata", "2026-03-04T15:50:30.000+05:30"],
    ["2026-03-04T10:20:30+02:00", "UTC", "2026-03-04T08:20:30.000+00:00"],
    // Clocks in New York go forward at 02:00 on this day.
    ["2026-03-08T01:59:00", "America/New_York", "2026-03-08T01:59:00.000-05:00"],
    ["2026-03-08T03:00:00", "America/New_York", "2026-03-08T03:00:00.000-04:00"],
  ])("writes %s in %s as %s", (text, timeZone, written) =>
    expect(inTimeZone(text, timeZone)).toBe(written),
  );

  it("leaves a text that is not a time as it is", () =>
    expect(inTimeZone("soon", "UTC")).toBe("soon"));
});

describe("pacificDay", () => {
  it("is the day of US Pacific time, which begins hours after that of UTC", () => {
    expect(pacificDay(Date.UTC(2026, 0, 31, 7, 59))).toBe("2026-01-30");
    expect(pacificDay(Date.UTC(2026, 0, 31, 8))).toBe("2026-01-31");
  });
});
