import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { open, seal } from "../../src/shared/crypto.ts";

const key = randomBytes(32);

// docs/rules.md: rule 27
it("encryption makes different bytes of the same text each time", () => {
  expect(seal(key, ["a"], "text")).not.toBe(seal(key, ["a"], "text"));
});

// docs/rules.md: rule 27
it("encrypted text opens only with the same key and context", () => {
  const sealed = seal(key, ["a", "bc"], "text");
  expect(open(key, ["a", "bc"], sealed)).toBe("text");
  for (const context of [["ab", "c"], ["a"], ["a", "bc", ""], []])
    expect(open(key, context, sealed)).toBeUndefined();
  expect(open(randomBytes(32), ["a", "bc"], sealed)).toBeUndefined();
});
