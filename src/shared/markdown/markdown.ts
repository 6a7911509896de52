import { parseInline, writeInline } from "./inline-markdown.ts";
import { isListStyle, type LineStyle, mergeSpans, type NewLine, plainText } from "./line.ts";

const MAX_LEVEL = 8;

const TABLE_ROW = /^\s*\|.*\|\s*$/;

/**
 * Reads Markdown into the lines of a page. Headings below the third level become paragraphs.
 * Tables, HTML and everything else
 * that a page has no style for stay as the text that was written.
 */
export function parseMarkdown(text: string): NewLine[] {
  const lines: NewLine[] = [];
  const source = text.replace(/\r\n?/g, "\n").split("\n");
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0)
      lines.push({ style: "paragraph", spans: parseInline(paragraph.join(" ")) });
    paragraph = [];
  };
  for (let at = 0; at < source.length; at++) {
    const line = source[at] ?? "";
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    const block = fence === undefined ? parseBlock(line) : undefined;
    if (fence !== undefined) {
      endParagraph();
      const end = source.findIndex(
        (candidate, index) => index > at && candidate.trim().startsWith(fence),
      );
      const last = end === -1 ? source.length : end;
      lines.push({
        style: "code",
        spans: mergeSpans([{ text: source.slice(at + 1, last).join("\n") }]),
      });
      at = last;
    } else if (line.trim() === "") endParagraph();
    else if (block !== undefined) {
      endParagraph();
      lines.push(block);
    } else paragraph.push(line.trim());
  }
  endParagraph();
  return lines;
}

function parseBlock(line: string): NewLine | undefined {
  const heading = /^\s{0,3}(#{1,6})\s+(.*)$/.exec(line);
  if (heading !== null) {
    const level = heading[1]?.length ?? 1;
    const text = (heading[2] ?? "").trimEnd().replace(/(?:^|\s)#+$/, "");
    return {
      style: level > 3 ? "paragraph" : (`h${level}` as LineStyle),
      spans: parseInline(text.trimEnd()),
    };
  }
  const quote = /^\s{0,3}>\s?(.*)$/.exec(line);
  if (quote !== null) return { style: "blockQuote", spans: parseInline(quote[1] ?? "") };
  const item = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line);
  if (item !== null) {
    const [, indent = "", number, check, text = ""] = item;
    const level = Math.min(MAX_LEVEL, Math.floor(indent.replaceAll("\t", "    ").length / 2));
    if (check !== undefined)
      return { style: "checkboxList", level, checked: check !== " ", spans: parseInline(text) };
    return {
      style: number === undefined ? "bulletedList" : "numberedList",
      level,
      spans: parseInline(text),
    };
  }
  // Rows of a table are not joined to one paragraph.
  return TABLE_ROW.test(line) ? { style: "paragraph", spans: [{ text: line.trim() }] } : undefined;
}

/** Writes lines so that `parseMarkdown` reads the same ones. */
export function writeMarkdown(lines: readonly NewLine[]): string {
  let text = "";
  let previous: LineStyle | undefined;
  for (const line of lines) {
    const joined =
      previous !== undefined &&
      line.style === previous &&
      (isListStyle(line.style) || line.style === "blockQuote");
    text += `${previous === undefined ? "" : joined ? "\n" : "\n\n"}${writeLine(line)}`;
    previous = line.style;
  }
  return text === "" ? "" : `${text}\n`;
}

function writeLine(line: NewLine): string {
  const inline = writeInline(line.spans);
  const indent = "  ".repeat(line.level ?? 0);
  switch (line.style) {
    case "h1":
    case "h2":
    case "h3":
      // A "#" at the end would close the heading.
      return `${"#".repeat(Number(line.style[1]))} ${inline.replace(/#$/, "\\#")}`;
    case "bulletedList":
    case "collapsibleList":
      return `${indent}- ${inline}`;
    case "numberedList":
      return `${indent}1. ${inline}`;
    case "checkboxList":
      return `${indent}- [${line.checked === true ? "x" : " "}] ${inline}`;
    case "blockQuote":
    case "pullQuote":
      return `> ${inline}`;
    case "code":
      return `\`\`\`\n${plainText(line)}\n\`\`\``;
    case "paragraph":
      // A row of a table is kept as it was written. A text that only looks like one is escaped, so
      // that its marks are read.
      if (TABLE_ROW.test(inline))
        return isUnmarked(line) ? plainText(line) : inline.replace("|", "\\|");
      // Escape the beginning of a text that would be read as another block.
      return inline.replace(/^(\s*)(#{1,6}\s|>|[-+]\s|\d{1,9}[.)]\s)/, "$1\\$2");
  }
}

function isUnmarked({ spans }: NewLine): boolean {
  return spans.every(({ text, ...look }) =>
    Object.values(look).every((mark) => mark === undefined),
  );
}
