import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { open, seal } from "../../src/shared/encryption.ts";

const key = randomBytes(32);

it("encrypts the same text differently each time (rule 27)", () => {
  expect(seal(key, ["a"], "text")).not.toBe(seal(key, ["a"], "text"));
});

it("decrypts only with the same key and context (rule 27)", () => {
  const sealed = seal(key, ["a", "bc"], "text");
  expect(open(key, ["a", "bc"], sealed)).toBe("text");
  for (const context of [["ab", "c"], ["a"], ["a", "bc", ""], []])
    expect(open(key, context, sealed)).toBeUndefined();
  expect(open(randomBytes(32), ["a", "bc"], sealed)).toBeUndefined();
});
