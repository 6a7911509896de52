import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHtml, writeHtml } from "../../../../src/service/local/content/html.ts";
import {
  type LineStyle,
  mergeSpans,
  type NewLine,
  plainText,
  type Span,
} from "../../../../src/shared/markdown/line.ts";
import { parseMarkdown, writeMarkdown } from "../../../../src/shared/markdown/markdown.ts";
import { processorMs } from "../../../support/processor-time.ts";

const word = fc.stringMatching(/^[A-Za-z0-9äöü&<>"'*_`~[\]#\\|-]{1,8}$/);
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const look = fc.constantFrom<Omit<Span, "text">>(
  {},
  { bold: true },
  { italic: true },
  { strike: true },
  { href: "https://a.example/b?c=d&e" },
);
const spans = fc
  .array(fc.tuple(text, look), { minLength: 1, maxLength: 3 })
  // A space between runs keeps the marks apart, as a person would write them.
  .map((runs) =>
    mergeSpans(
      runs.flatMap(([part, marks], at) => [
        ...(at === 0 ? [] : [{ text: " " }]),
        { text: part, ...marks },
      ]),
    ),
  );
const style = fc.constantFrom<LineStyle>(
  "paragraph",
  "h1",
  "h2",
  "h3",
  "bulletedList",
  "numberedList",
  "blockQuote",
);
const line: fc.Arbitrary<NewLine> = fc.oneof(
  fc
    .record({ style, spans })
    .map((each) => (each.style.endsWith("List") ? { ...each, level: 0 } : each)),
  fc.record({
    style: fc.constant<LineStyle>("checkboxList"),
    level: fc.constant(0),
    checked: fc.boolean(),
    spans,
  }),
);

describe("page content", () => {
  it("is read from HTML as it was written", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        expect(parseHtml(writeHtml(lines))).toEqual({ lines, isBroken: false });
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["<p>a<!-- b -->c</p>", "ac"],
    ["<!----><p>a<!-- <p>b</p> --></p>", "a"],
    ["<p>a</p><!-- > --><!-- b-->", "a"],
  ])("is read from %s without the comments", (html, text) => {
    const { lines, isBroken } = parseHtml(html);
    expect([lines.map(plainText), isBroken]).toEqual([[text], false]);
  });

  it("keeps its text and styles through markdown", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const simple = lines.map((each) => ({ ...each, spans: [{ text: plainText(each) }] }));
        const read = parseMarkdown(writeMarkdown(simple));
        expect(read.map((each) => [each.style, plainText(each)])).toEqual(
          simple.map((each) => [each.style, plainText(each)]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("is read from any text without an error, and in time", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.stringMatching(/^[<>/ a-z*_`[\]()#|&;"=-]{0,60}$/),
        ),
        (anything) => {
          parseHtml(anything);
          parseMarkdown(anything);
        },
      ),
      { numRuns: 500 },
    );
    for (const hostile of [
      "<",
      "<b>",
      "*a",
      "[a](",
      "`",
      "_a ",
      "&#",
      "<a href='",
      "**",
      "<!--",
      "<b>x",
      "# ",
      "- ",
      "|",
      "<ul><li>",
      "> ",
      "1. ",
      "- a\n",
    ]) {
      const large = hostile.repeat(20_000);
      const isQuick = () =>
        processorMs(() => {
          parseHtml(large);
          parseMarkdown(large);
        }) < 2_000;
      // The processor can belong to others for a while, which the system counts as well.
      expect(isQuick() || isQuick(), hostile).toBe(true);
    }
  });

  it("has bold, italic, strike, code and links", () => {
    const [read] = parseMarkdown(
      "a **b** *c* ~~d~~ `e*` [f **g**](https://a.example) \\*h\\* snake_case",
    );
    expect(read?.spans).toEqual([
      { text: "a " },
      { text: "b", bold: true },
      { text: " " },
      { text: "c", italic: true },
      { text: " " },
      { text: "d", strike: true },
      { text: " " },
      { text: "e*", code: true },
      { text: " " },
      { text: "f ", href: "https://a.example" },
      { text: "g", bold: true, href: "https://a.example" },
      { text: " *h* snake_case" },
    ]);
    expect(parseMarkdown("[x](javascript:alert)")[0]?.spans).toEqual([
      { text: "[x](javascript:alert)" },
    ]);
  });

  it.each([
    ["<p>open", false],
    ["<ul><li>a<li>b</ul>", false],
    ["<b>open", true],
    ["</p>", true],
    ["<p>a<b>c</p>", true],
    ["1 < 2 & 3 > 2", false],
    ["<unknown>x", false],
    ["<p", true],
  ])("finds out whether %s is broken", (html, isBroken) => {
    expect(parseHtml(html).isBroken).toBe(isBroken);
  });

  it("writes lists inside of lists", () => {
    const lines = parseMarkdown("- a\n  - b\n  - c\n- d\n\n1. e");
    expect(writeHtml(lines)).toBe(
      "<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul><ol><li>e</li></ol>",
    );
    expect(parseHtml(writeHtml(lines)).lines).toEqual(lines);
    expect(writeMarkdown(lines)).toBe("- a\n  - b\n  - c\n- d\n\n1. e\n");
  });

  it("is indented under the text of a numbered item", () => {
    const lines = parseMarkdown("1. a\n   - b\n     1. c\n2. d");
    expect(lines.map((each) => [each.style, each.level, plainText(each)])).toEqual([
      ["numberedList", 0, "a"],
      ["bulletedList", 1, "b"],
      ["numberedList", 2, "c"],
      ["numberedList", 0, "d"],
    ]);
    expect(parseMarkdown(writeMarkdown(lines))).toEqual(lines);
  });

  it.each([
    ["a text over two lines", "a\nb", [["paragraph", "a b"]]],
    ["a quote over two lines", "> a\n> b", [["blockQuote", "a b"]]],
    ["an underlined heading", "a\n===", [["h1", "a"]]],
    ["an indented block", "    a\n    b", [["code", "a\nb"]]],
    ["a link that is defined elsewhere", "[a]\n\n[a]: https://a.example", [["paragraph", "a"]]],
    [
      "an item with several blocks",
      "- a\n\n  b\n\n  ```\n  c\n  ```",
      [
        ["bulletedList", "a"],
        ["paragraph", "b"],
        ["code", "c"],
      ],
    ],
    ["an image", "![a](https://a.example)", [["paragraph", "![a](https://a.example)"]]],
    [
      "HTML",
      "<p>\n*a*\n</p>",
      [
        ["paragraph", "<p>"],
        ["paragraph", "*a*"],
        ["paragraph", "</p>"],
      ],
    ],
  ])("is read from markdown with %s", (_, markdown, expected) => {
    expect(parseMarkdown(markdown).map((each) => [each.style, plainText(each)])).toEqual(expected);
  });

  it.each(["# a", "#", "> a", "- a", "-", "--", "+ a", "1. a", "<b>*a*", "a!"])(
    "keeps the text %s through markdown in every style",
    (text) => {
      for (const style of ["paragraph", "h2", "blockQuote"] as const) {
        const lines: NewLine[] = [{ style, spans: [{ text }] }];
        expect(parseMarkdown(writeMarkdown(lines))).toEqual(lines);
      }
      const items: NewLine[] = ["bulletedList" as const, "numberedList" as const].map((style) => ({
        style,
        level: 0,
        spans: [{ text }],
      }));
      expect(parseMarkdown(writeMarkdown(items))).toEqual(items);
    },
  );

  it("keeps an asterisk in a text that looks like the row of a table", () => {
    for (const spans of [
      [{ text: "|' * |" }],
      [{ text: "| " }, { text: "a|b", bold: true as const }, { text: " * |" }],
    ]) {
      expect(parseMarkdown(writeMarkdown([{ style: "paragraph", spans }]))).toEqual([
        { style: "paragraph", spans },
      ]);
    }
    expect(writeMarkdown(parseMarkdown("| a_b | c |\n| --- | --- |\n"))).toBe(
      "| a_b | c |\n\n| --- | --- |\n",
    );
  });
});
