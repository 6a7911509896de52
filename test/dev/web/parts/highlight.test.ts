import { describe, expect, it } from "vitest";
import {
  highlightCode,
  highlightJson,
  type Token,
} from "../../../../src/dev/web/parts/highlight.ts";

describe("source text in colours", () => {
  const join = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join("");

  it("breaks JSON into lines, also if its end is missing", () => {
    const text = '{"a":[1,{"b":null}],"c":[],"d":{},"e":"x, {y';
    const tokens = highlightJson(text);
    expect(join(tokens)).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": [],\n  "d": {},\n  "e": "x, {y',
    );
    expect(tokens.filter(({ kind }) => kind !== "plain")).toEqual([
      { kind: "key", text: '"a"' },
      { kind: "number", text: "1" },
      { kind: "key", text: '"b"' },
      { kind: "word", text: "null" },
      { kind: "key", text: '"c"' },
      { kind: "key", text: '"d"' },
      { kind: "key", text: '"e"' },
      { kind: "text", text: '"x, {y' },
    ]);
  });

  it.each(['{"a":[1,2,{"b":"c\\"d"}]}', "[]", "{}", '["é",-1.5,true]'])(
    "writes %s as JSON.stringify does",
    (text) => {
      expect(join(highlightJson(text))).toBe(JSON.stringify(JSON.parse(text), undefined, 2));
    },
  );

  it.each(["plain words", "a=1&b=2", "<html>{}</html>"])("leaves %s as it is", (text) => {
    expect(highlightJson(text)).toEqual([{ kind: "plain", text }]);
  });

  it("loses nothing of code", () => {
    const code = 'export const a = await f("x", 12); // const\n/* b */ return `t`;';
    const tokens = highlightCode(code);
    expect(join(tokens)).toBe(code);
    expect(tokens.filter(({ kind }) => kind === "comment").map(({ text }) => text)).toEqual([
      "// const",
      "/* b */",
    ]);
    expect(tokens.filter(({ kind }) => kind === "word").map(({ text }) => text)).toEqual([
      "export",
      "const",
      "await",
      "return",
    ]);
  });
});
