import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import {
  isListStyle,
  type LineStyle,
  mergeSpans,
  type NewLine,
  plainText,
  type Span,
} from "./line.ts";

const MAX_LEVEL = 8;

/**
 * Reads Markdown into the lines of a page. Headings below the third level become paragraphs.
 * Tables, HTML, images and everything else that a page has no style for stay as the text that was
 * written.
 */
export function parseMarkdown(text: string): NewLine[] {
  try {
    return readBlocks(Lexer.lex(text));
  } catch (error) {
    // The lexer is recursive, and thousands of marks inside each other do not fit the stack.
    if (error instanceof RangeError) return readSource(text);
    throw error;
  }
}

function readBlocks(tokens: Token[], style: LineStyle = "paragraph", level = 0): NewLine[] {
  return (tokens as MarkedToken[]).flatMap((token) => readBlock(token, style, level));
}

function readBlock(token: MarkedToken, style: LineStyle, level: number): NewLine[] {
  switch (token.type) {
    case "heading":
      return [
        {
          style: token.depth > 3 ? "paragraph" : (`h${token.depth}` as LineStyle),
          spans: readInline(token.tokens),
        },
      ];
    case "text":
    case "paragraph":
      return [{ style, spans: readInline(token.tokens) }];
    case "blockquote":
      return readBlocks(token.tokens, "blockQuote");
    case "list":
      return token.items.flatMap((item) => readItem(item, token.ordered, level));
    case "code":
      return [{ style: "code", spans: mergeSpans([{ text: token.text }]) }];
    case "space":
    case "def":
      return [];
    default:
      return readSource(token.raw);
  }
}

/** The line of an item has its first text. The other blocks of the item follow as lines. */
function readItem({ tokens, task, checked }: Tokens.ListItem, isOrdered: boolean, level: number) {
  const blocks = (tokens as MarkedToken[]).filter(({ type }) => type !== "checkbox");
  const [first, ...others] = blocks;
  const hasText = first?.type === "text" || first?.type === "paragraph";
  const line: NewLine = {
    style: task ? "checkboxList" : isOrdered ? "numberedList" : "bulletedList",
    level: Math.min(MAX_LEVEL, level),
    ...(task ? { checked: checked === true } : {}),
    spans: readInline(hasText ? first.tokens : []),
  };
  return [line, ...readBlocks(hasText ? others : blocks, "paragraph", level + 1)];
}

function readSource(source: string): NewLine[] {
  const texts = source.split("\n").map((line) => line.trim());
  return texts
    .filter((text) => text !== "")
    .map((text) => ({ style: "paragraph", spans: [{ text }] }));
}

function readInline(tokens: Token[] = []): Span[] {
  return mergeSpans((tokens as MarkedToken[]).flatMap((token) => readSpans(token, {})));
}

function readSpans(token: MarkedToken, look: Omit<Span, "text">): Span[] {
  const readInside = (tokens: Token[], mark: Omit<Span, "text">) =>
    (tokens as MarkedToken[]).flatMap((inner) => readSpans(inner, { ...look, ...mark }));
  switch (token.type) {
    case "strong":
      return readInside(token.tokens, { bold: true });
    case "em":
      return readInside(token.tokens, { italic: true });
    case "del":
      return readInside(token.tokens, { strike: true });
    case "link":
      return /^(?:https?:\/\/|mailto:)\S+$/i.test(token.href)
        ? readInside(token.tokens, { href: token.href })
        : [{ ...look, text: token.raw }];
    case "codespan":
      return [{ ...look, text: token.text, code: true }];
    case "checkbox":
      return [];
    case "br":
      return [{ ...look, text: " " }];
    case "escape":
    case "text":
      return [{ ...look, text: token.text.replace(/\s*\n\s*/g, " ") }];
    default:
      return [{ ...look, text: token.raw }];
  }
}

/** Writes lines so that `parseMarkdown` reads the same ones. */
export function writeMarkdown(lines: readonly NewLine[]): string {
  const markers: string[] = [];
  const blocks = lines.map((line, index) => {
    const joined = isListStyle(line.style) && line.style === lines[index - 1]?.style;
    markers.length = isListStyle(line.style) ? Math.min(markers.length, line.level ?? 0) : 0;
    // An item is inside another when it begins where the text of that item begins.
    const indent = " ".repeat(markers.join("").length);
    if (isListStyle(line.style)) markers.push(line.style === "numberedList" ? "1. " : "- ");
    return `${index === 0 ? "" : joined ? "\n" : "\n\n"}${indent}${writeLine(line)}`;
  });
  return blocks.length === 0 ? "" : `${blocks.join("")}\n`;
}

function writeLine(line: NewLine): string {
  const inline = writeInline(line.spans);
  switch (line.style) {
    case "h1":
    case "h2":
    case "h3":
      // A "#" at the end would close the heading.
      return `${"#".repeat(Number(line.style[1]))} ${inline.replace(/#$/, "\\#")}`;
    case "bulletedList":
    case "collapsibleList":
      return `- ${escapeStart(inline)}`;
    case "numberedList":
      return `1. ${escapeStart(inline)}`;
    case "checkboxList":
      return `- [${line.checked === true ? "x" : " "}] ${escapeStart(inline)}`;
    case "blockQuote":
    case "pullQuote":
      return `> ${escapeStart(inline)}`;
    case "code":
      return `\`\`\`\n${plainText(line)}\n\`\`\``;
    case "paragraph":
      return escapeStart(inline);
  }
}

/** Escapes the beginning of a text that would be read as another block. */
function escapeStart(inline: string): string {
  return inline
    .trimStart()
    .replace(/^(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$|-))|^\d{1,9}(?=[.)](?:\s|$))/, "$&\\");
}

function writeInline(spans: readonly Span[]): string {
  return spans.map(writeSpan).join("");
}

function writeSpan({ text, bold, italic, strike, code, href }: Span): string {
  let written = code === true ? `\`${text}\`` : escapeMarks(text);
  if (bold === true) written = `**${written}**`;
  if (italic === true) written = `*${written}*`;
  if (strike === true) written = `~~${written}~~`;
  return href === undefined ? written : `[${written}](${href})`;
}

/** An underscore inside a word is no mark, and "<" begins HTML only before some characters. */
function escapeMarks(text: string): string {
  return text.replace(/[\\`*~[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|<(?=[A-Za-z/!?])|!$/g, "\\$&");
}
