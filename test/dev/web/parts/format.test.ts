import { describe, expect, it } from "vitest";
import { formatValue, safeLink } from "../../../../src/dev/web/parts/format.ts";

const shown = (value: unknown, hint?: string, options = {}) =>
  formatValue(value, { type: typeof value, hint, options }).replace(/\u00a0|\u202f/g, " ");

describe("a value as one line of text", () => {
  // The page writes as its reader does; what that is here is only known for one language.
  it.runIf(new Intl.NumberFormat().resolvedOptions().locale === "en-US")(
    "is written as its hint asks for",
    () => {
      expect([
        shown(1234.5),
        shown(1234.5, undefined, { useThousandsSeparator: true, precision: 2 }),
        shown(0.256, "percent"),
        shown(12, "currency", { currencyCode: "EUR" }),
        shown(12, "currency", { currencyCode: "no code" }),
        shown(1.5, "duration"),
        shown(3_660, "time"),
        shown(Date.UTC(2026, 0, 31) / 1000, "date"),
        shown("2026-01-31", "date"),
        shown("not a date", "date"),
        shown(true),
        shown(null),
        shown({ a: 1 }),
      ]).toEqual([
        "1234.5",
        "1,234.50",
        "25.6%",
        "€12.00",
        "12 no code",
        "1 d 12 h",
        "01:01",
        "Jan 31, 2026",
        "Jan 31, 2026",
        "not a date",
        "Yes",
        "",
        '{"a":1}',
      ]);
    },
  );

  it("is a link only when that can do no harm", () => {
    expect(
      ["https://a.example/x", "http://127.0.0.1/", "mailto:a@b.example"].every(
        (text) => safeLink(text) === text,
      ),
    ).toBe(true);
    for (const text of [
      "javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "//a.example",
      "a",
      5,
      null,
    ])
      expect(safeLink(text)).toBeUndefined();
  });
});
