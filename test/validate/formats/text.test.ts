import { describe, expect, it } from "vitest";
import { codeFrame } from "../../../src/validate/formats/code-frame.ts";
import { renderText } from "../../../src/validate/formats/text.ts";
import type { Issue } from "../../../src/validate/issue.ts";

const issue: Issue = {
  code: "KEY_UNKNOWN",
  severity: "error",
  message: '"cacheTtlSec" is not a known key here.',
  path: "formulas[0].cacheTtlSec",
  file: "pack.ts",
  line: 3,
  column: 3,
  hint: "Rename the key to cacheTtlSecs.",
};
const source =
  'pack.addFormula({\n  name: "Hello",\n  cacheTtlSec: 60,\n\n  isAction: true,\n});\n';

describe("renderText", () => {
  it("gives one line for each issue, without a terminal", () => {
    const warning = {
      ...issue,
      severity: "warning" as const,
      file: undefined,
      line: undefined,
      hint: "",
    };
    expect(renderText([issue, warning])).toMatchInlineSnapshot(`
      "pack.ts:3:3  error  KEY_UNKNOWN  "cacheTtlSec" is not a known key here.  → Rename the key to cacheTtlSecs.
      formulas[0].cacheTtlSec  warning  KEY_UNKNOWN  "cacheTtlSec" is not a known key here.
      "
    `);
    expect(renderText([])).toBe("");
  });

  it("shows the line of the source with a mark on a terminal", () => {
    const fix = { description: "Rename cacheTtlSec to cacheTtlSecs.", edits: [] };
    expect(renderText([{ ...issue, fix }], { sourceOf: () => source })).toMatchInlineSnapshot(`
      "pack.ts:3:3  error  KEY_UNKNOWN  "cacheTtlSec" is not a known key here.
        2 |   name: "Hello",
        3 |   cacheTtlSec: 60,
          |   ^^^^^^^^^^^
        → Rename the key to cacheTtlSecs.  (packsmith validate --fix does this)
      "
    `);
  });

  it("shows all lines of a compiler's message on a terminal, and only the first and the reason elsewhere", () => {
    const typed = {
      ...issue,
      message:
        "Type 'a' is not assignable to type 'b'. (TS2322)\n  Types of property 'result' are incompatible.\n    The types of 'owner.id' are incompatible between these types.\n      Because.",
    };
    expect(renderText([typed])).toMatchInlineSnapshot(`
      "pack.ts:3:3  error  KEY_UNKNOWN  Type 'a' is not assignable to type 'b'. (TS2322) In 'result.owner.id': Because.  → Rename the key to cacheTtlSecs.
      "
    `);
    expect(renderText([typed], { sourceOf: () => undefined })).toMatchInlineSnapshot(`
      "pack.ts:3:3  error  KEY_UNKNOWN  Type 'a' is not assignable to type 'b'. (TS2322)
          Types of property 'result' are incompatible.
            The types of 'owner.id' are incompatible between these types.
              Because.
        → Rename the key to cacheTtlSecs.
      "
    `);
  });

  it("goes through a file from top to bottom, and through the files as they come", () => {
    const at = (file: string, line: number, column = 1): Issue => ({
      ...issue,
      file,
      line,
      column,
    });
    const text = renderText([at("b.ts", 9), at("a.ts", 2), at("b.ts", 3, 7), at("b.ts", 3, 2)]);
    expect(text.match(/[ab]\.ts:\d+:\d+/g)).toEqual([
      "b.ts:3:2",
      "b.ts:3:7",
      "b.ts:9:1",
      "a.ts:2:1",
    ]);
  });

  it("marks parts with the given style, and nothing without one", () => {
    const text = renderText([issue], {
      style: (tone, part) => `<${tone}>${part}</${tone}>`,
      sourceOf: () => source,
    });
    expect(text).toContain("<bad>error</bad>  <strong>KEY_UNKNOWN</strong>");
    expect(text).toContain("<bad>  ^^^^^^^^^^^</bad>");
  });
});

describe("codeFrame", () => {
  const frame = (text: string, line: number, column: number, width = 60) =>
    codeFrame(text, { line, column }, width)
      ?.map(({ gutter, text: shown }) => gutter + shown)
      .join("\n");

  it("has the lines before and after, unless they are empty", () => {
    expect(frame(source, 3, 3)).toMatchInlineSnapshot(`
      "  2 |   name: "Hello",
        3 |   cacheTtlSec: 60,
          |   ^^^^^^^^^^^"
    `);
    expect(frame("only", 1, 1)).toMatchInlineSnapshot(`
      "  1 | only
          | ^^^^"
    `);
  });

  it("counts tabs, wide characters and those that combine as they are shown", () => {
    expect(frame('\tconst 日本 = "🙂👩‍👩‍👧é", x;', 1, 25)).toMatchInlineSnapshot(`
      "  1 |   const 日本 = "🙂👩‍👩‍👧é", x;
          |                      ^"
    `);
  });

  it("cuts a long line around the mark", () => {
    const long = `${"a, ".repeat(100)}HERE, ${"b, ".repeat(100)}`;
    const shown = frame(long, 1, 301) ?? "";
    expect(shown).toMatchInlineSnapshot(`
      "  1 | … a, a, a, a, a, a, a, a, a, HERE, b, b, b, b, b, b, …
          |                              ^^^^"
    `);
    for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    for (const column of [1, 2, 30, 150, 400, 606, 607, 700]) {
      const [text = "", mark = ""] = (frame(long, 1, column) ?? "").split("\n");
      expect(mark.indexOf("^")).toBeLessThan(60);
      expect(text.length).toBeLessThanOrEqual(60);
      if (column < long.trimEnd().length)
        expect(text.charAt(mark.indexOf("^"))).toBe(
          long.charAt(column - 1).replace(" ", text.charAt(mark.indexOf("^"))),
        );
    }
  });

  it("shows what cannot be printed as such, so that no file can move the cursor", () => {
    expect(frame("a\u001b[2Jb\u202ec", 1, 1)).not.toMatch(/[\u001b\u202e]/);
  });

  it("marks the end of a line, and has nothing to show of one that is not there", () => {
    expect(frame("ab", 1, 3)).toMatchInlineSnapshot(`
      "  1 | ab
          |   ^"
    `);
    expect(frame("ab", 2, 1)).toBeUndefined();
  });
});
