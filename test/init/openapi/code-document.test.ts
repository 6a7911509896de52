import { describe, expect, it } from "vitest";
import {
  layOut,
  literal,
  writeArray,
  writeCall,
  writeEntry,
  writeKey,
  writeObject,
} from "../../../src/init/openapi/code-document.ts";

const long = "x".repeat(70);

describe("layOut", () => {
  it("writes code on one line if it fits, otherwise on several", () => {
    const list = (text: string) =>
      layOut(["const list = ", writeArray([literal(text), literal("b")]), ";"]);
    expect(list("a")).toBe('const list = ["a", "b"];');
    expect(list("x".repeat(90))).toBe(`const list = [\n  "${"x".repeat(90)}",\n  "b",\n];`);
  });

  it("breaks the last argument of a call before the others, and all of them when that does not help", () => {
    const call = (first: string) =>
      layOut(writeCall("call", [literal(first)], { entries: [`a: "${long}"`, "b"] }));
    expect(call("short")).toBe(`call("short", { a: "${long}", b })`);
    expect(call("y".repeat(20))).toBe(`call("${"y".repeat(20)}", {\n  a: "${long}",\n  b,\n})`);
    expect(call("y".repeat(110))).toBe(
      `call(\n  "${"y".repeat(110)}",\n  {\n    a: "${long}",\n    b,\n  },\n)`,
    );
  });

  it("puts a text that is too long below its key", () => {
    const text = literal("z".repeat(110));
    expect(layOut(writeObject([writeEntry("description", text)]))).toBe(
      `{\n  description:\n    ${text},\n}`,
    );
  });

  it("writes as many numbers on a line as fit", () => {
    const numbers = Array.from({ length: 30 }, (_, index) => `${index + 1000}`);
    const lines = layOut(writeArray(numbers)).split("\n");
    expect(lines.map((line) => line.length)).toEqual([1, 97, 85, 1]);
    expect(layOut(writeArray(numbers.slice(0, 3)))).toBe("[1000, 1001, 1002]");
  });

  it("counts wide characters as two columns", () => {
    expect(layOut(writeArray([literal("広".repeat(40)), literal("b".repeat(20))]))).toContain("\n");
    expect(layOut(writeArray([literal("a".repeat(40)), literal("b".repeat(20))]))).not.toContain(
      "\n",
    );
  });
});

describe("literal and keyOf", () => {
  it("take the quotes that need fewer escapes", () => {
    expect([literal("it's"), literal('says "so"'), literal(`it's "so"`)]).toEqual([
      `"it's"`,
      `'says "so"'`,
      `'it\\'s "so"'`,
    ]);
  });

  it("quote keys that are not names, and never set a prototype", () => {
    expect(["name", "größe", "due-date", "1st", "__proto__"].map(writeKey)).toEqual([
      "name",
      "größe",
      '"due-date"',
      '"1st"',
      '["__proto__"]',
    ]);
  });
});
