import { mergeSpans, type Span } from "./line.ts";

type Look = Omit<Span, "text">;

const MARKS: readonly (readonly [mark: string, look: Look])[] = [
  ["**", { bold: true }],
  ["__", { bold: true }],
  ["~~", { strike: true }],
  ["*", { italic: true }],
  ["_", { italic: true }],
];

/** Reads bold, italic, struck out, code and links. A mark that is never closed stays as text. */
export function parseInline(text: string): Span[] {
  return mergeSpans(parse(text, {}, 0));
}

/** How deep marks can be nested: deeper than people write, and shallow enough for the stack. */
const MAX_DEPTH = 8;

function parse(text: string, look: Look, depth: number): Span[] {
  const spans: Span[] = [];
  const missing = new Set<string>();
  let plain = "";
  const flush = () => {
    if (plain !== "") spans.push({ text: plain, ...look });
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    const found = depth < MAX_DEPTH ? inlineAt({ text, look, depth, missing }, at) : undefined;
    if (found !== undefined) {
      flush();
      spans.push(...found.spans);
      at = found.end;
    } else if (text[at] === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
    } else plain += text[at++];
  }
  flush();
  return spans;
}

interface Inline {
  spans: Span[];
  end: number;
}

interface Source {
  text: string;
  look: Look;
  depth: number;
  /**
   * Closing marks that the rest of the text does not have. Searching for them only once keeps
   * reading linear.
   */
  missing: Set<string>;
}

function inlineAt(source: Source, at: number): Inline | undefined {
  const { text, look, depth } = source;
  if (text[at] === "`") return codeAt(source, at);
  if (text[at] === "[") return linkAt(source, at);
  for (const [mark, marked] of MARKS) {
    if (!text.startsWith(mark, at)) continue;
    // An underscore inside a word is part of the word: snake_case.
    if (mark.startsWith("_") && /\w/.test(text[at - 1] ?? "")) return undefined;
    const start = at + mark.length;
    const end = find(source, mark, () => closing(text, start, mark));
    if (
      end === -1 ||
      end === start ||
      /\s/.test(text[start] ?? " ") ||
      /\s/.test(text[end - 1] ?? " ")
    )
      continue;
    if (mark.startsWith("_") && /\w/.test(text[end + mark.length] ?? "")) continue;
    return {
      spans: parse(text.slice(start, end), { ...look, ...marked }, depth + 1),
      end: end + mark.length,
    };
  }
  return undefined;
}

function codeAt(source: Source, at: number): Inline | undefined {
  const { text, look } = source;
  const end = find(source, "`", () => text.indexOf("`", at + 1));
  return end === -1
    ? undefined
    : { spans: [{ text: text.slice(at + 1, end), ...look, code: true }], end: end + 1 };
}

function linkAt(source: Source, at: number): Inline | undefined {
  const { text, look, depth } = source;
  const middle = find(source, "](", () => text.indexOf("](", at));
  const end = middle === -1 ? -1 : find(source, ")", () => text.indexOf(")", middle));
  const href = text.slice(middle + 2, Math.min(end, middle + 2 + MAX_HREF));
  if (end === -1 || !/^(?:https?:\/\/|mailto:)\S+$/i.test(href)) return undefined;
  return { spans: parse(text.slice(at + 1, middle), { ...look, href }, depth + 1), end: end + 1 };
}

const MAX_HREF = 8_192;

function find({ missing }: Source, what: string, search: () => number): number {
  const at = missing.has(what) ? -1 : search();
  if (at === -1) missing.add(what);
  return at;
}

/**
 * Where a mark is closed. One after a backslash does not close it, nor does half of a double mark
 * close a single one.
 */
function closing(text: string, start: number, mark: string): number {
  for (let at = text.indexOf(mark, start); at !== -1; at = text.indexOf(mark, at + 1)) {
    if (text[at - 1] === "\\") continue;
    if (mark.length === 1 && (text[at + 1] === mark || text[at - 1] === mark)) continue;
    return at;
  }
  return -1;
}

/** Writes spans so that `parseInline` reads the same ones. */
export function writeInline(spans: readonly Span[]): string {
  return spans.map(writeSpan).join("");
}

function writeSpan({ text, bold, italic, strike, code, href }: Span): string {
  let written = code === true ? `\`${text}\`` : text.replace(/[\\`*_~[\]]/g, "\\$&");
  if (bold === true) written = `**${written}**`;
  if (italic === true) written = `*${written}*`;
  if (strike === true) written = `~~${written}~~`;
  return href === undefined ? written : `[${written}](${href})`;
}
