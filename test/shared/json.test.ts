import { describe, expect, it } from "vitest";
import { blankComments } from "../../src/shared/json.ts";

describe("blankComments", () => {
  it("keeps text, lines and columns", () => {
    expect(blankComments(`{ // one "\n  "a//b": "/* no */", /* two\n */ "c": 1 }`)).toBe(
      `{         \n  "a//b": "/* no */",       \n    "c": 1 }`,
    );
  });
});
