import { expect, it } from "vitest";
import { isTooDeep } from "../../src/oauth/response-body.ts";

// docs/rules.md: rule 24
it.each([
  ["[".repeat(32), false],
  ["[".repeat(33), true],
  ['{"a":'.repeat(33), true],
  ["[]".repeat(100), false],
  [`"${"[".repeat(100)}"`, false],
  [`["\\"${"[".repeat(100)}"]`, false],
])(
  "a JSON text may be 32 levels deep, and brackets in strings are no levels: %#",
  (json, expected) => {
    expect(isTooDeep(json)).toBe(expected);
  },
);
