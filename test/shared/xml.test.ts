import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseXml } from "../../src/shared/xml.ts";
import { processorMs } from "../support/processor-time.ts";

describe("parseXml", () => {
  it.each<[string, string, unknown]>([
    ["an element with text", "<a>text</a>", "text"],
    ["an empty element", "<a/>", ""],
    ["white space alone", "<a> \n </a>", " \n "],
    ["children in lists", "<a><b>1</b><b>2</b><c/></a>", { b: ["1", "2"], c: [""] }],
    ["white space between children", "<a>\n  <b>1</b>\n</a>", { b: ["1"] }],
    ["attributes under $", `<a id="1" x='2'/>`, { $: { id: "1", x: "2" } }],
    ["text beside attributes under _", `<a id="1">text</a>`, { $: { id: "1" }, _: "text" }],
    ["text beside children under _", "<a>one<b>2</b>three</a>", { _: "onethree", b: ["2"] }],
    ["nested elements", "<a><b><c>1</c></b></a>", { b: [{ c: ["1"] }] }],
    ["a declaration and comments", `<?xml version="1.0"?><!-- x --><a><!-- <b> -->1</a>`, "1"],
    ["CDATA", "<a><![CDATA[<b> & ]]></a>", "<b> & "],
    [
      "the five entities and character references",
      "<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</a>",
      `<>&"'A😀`,
    ],
    [
      "an entity of a document type, which is not defined here",
      `<!DOCTYPE a [<!ENTITY x "boom">]><a>&x;</a>`,
      "&x;",
    ],
    ["an unknown entity, as it is", "<a>&x;</a>", "&x;"],
    [
      "namespaces as part of the names",
      `<s:a xmlns:s="urn:s"><s:b/></s:a>`,
      { $: { "xmlns:s": "urn:s" }, "s:b": [""] },
    ],
    ["a byte order mark", "\ufeff<a>1</a>", "1"],
    ["an attribute with an angle bracket", `<a x="1>2">t</a>`, { $: { x: "1>2" }, _: "t" }],
  ])("reads %s", (_, text, expected) => expect(parseXml(text)).toEqual(expected));

  it.each([
    ["nothing", ""],
    ["text", "hello"],
    ["an element that is never closed", "<a><b></b>"],
    ["elements that overlap", "<a><b></a></b>"],
    ["two roots", "<a/><b/>"],
    ["text after the root", "<a/>x"],
    ["an attribute twice", `<a x="1" x="2"/>`],
    ["an attribute without quotes", "<a x=1/>"],
    ["HTML", "<p>one<br>two</p>"],
    ["too many levels", `${"<a>".repeat(300)}${"</a>".repeat(300)}`],
  ])("gives nothing for %s", (_, text) => expect(parseXml(text)).toBeUndefined());

  it("takes names that objects have for what they are", () => {
    const value = parseXml("<a><__proto__>1</__proto__><constructor>2</constructor></a>");
    expect(Object.entries(value as object)).toEqual([
      ["__proto__", ["1"]],
      ["constructor", ["2"]],
    ]);
  });

  it("never throws and never hangs, whatever it reads", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."<>/!?-[]=\"'& ab\n") }),
        (text) => void parseXml(text),
      ),
    );
    for (const text of [
      `<a${" ".repeat(200_000)}`,
      "<a>".repeat(100_000),
      `<!DOCTYPE ${"[".repeat(100_000)}`,
      `<a ${"b ".repeat(100_000)}>`,
    ]) {
      expect(processorMs(() => void parseXml(text))).toBeLessThan(2_000);
    }
  });
});
