import { afterEach, expect, it } from "vitest";
import { catchWarnings } from "../../../src/execute/mcp/excluded-tools.ts";

const original = console.warn;

afterEach(() => {
  console.warn = original;
});

it("takes warnings of the protocol's client each time, and gives the console back", async () => {
  const printed: unknown[] = [];
  const print = (...parts: unknown[]) => void printed.push(...parts);
  console.warn = print;
  const taken: string[] = [];
  for (const name of ["first", "second"]) {
    await catchWarnings(
      (text) => taken.push(text),
      async () => {
        console.warn(`[mcp-sdk] ${name} is left out`);
        console.warn(`${name} of others`);
      },
    );
    expect(console.warn).toBe(print);
  }
  expect(taken).toEqual(["first is left out", "second is left out"]);
  expect(printed).toEqual(["first of others", "second of others"]);
});
