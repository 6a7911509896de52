import { describe, expect, it } from "vitest";
import { canParseUrl } from "../../src/shared/urls.ts";

describe("canParseUrl", () => {
  it("accepts Latin-1 letters in the 20,000th call as in the first", () => {
    const answers = new Set<boolean>();
    for (let call = 0; call < 20_000; call++) answers.add(canParseUrl("https://ä.example/é"));
    expect([...answers]).toEqual([true]);
  });

  it.each([
    ["https://a.example", undefined, true],
    ["../b", "https://a.example/c/d", true],
    ["../b", undefined, false],
    ["https://", undefined, false],
    ["", "mailto:a@b.example", false],
  ])("reads %j below %j as the constructor does", (text, base, expected) => {
    expect(canParseUrl(text, base)).toBe(expected);
  });
});
