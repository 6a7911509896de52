import { describe, expect, it } from "vitest";
import { formatSeconds } from "../../src/shared/time.ts";

describe("formatSeconds", () => {
  it.each([
    [1_000, "1 second"],
    [30_000, "30 seconds"],
    [500, "0.5 seconds"],
    [0, "0 seconds"],
  ])("%d ms", (ms, text) => expect(formatSeconds(ms)).toBe(text));
});
