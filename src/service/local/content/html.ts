import {
  isListStyle,
  type LineStyle,
  mergeSpans,
  type NewLine,
  type Span,
} from "../../../shared/markdown/line.ts";

export interface ParsedHtml {
  lines: NewLine[];
  /** Whether a tag is left open, or closed without having been opened. */
  isBroken: boolean;
}

const BLOCKS: Readonly<Record<string, LineStyle>> = {
  p: "paragraph",
  div: "paragraph",
  h1: "h1",
  h2: "h2",
  h3: "h3",
  h4: "h3",
  h5: "h3",
  h6: "h3",
  blockquote: "blockQuote",
  pre: "code",
  li: "bulletedList",
};
const MARKS: Readonly<Record<string, Omit<Span, "text">>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  code: { code: true },
};
const TRANSPARENT = new Set(["html", "body", "span", "section", "article", "main", "u", "label"]);
const LISTS = new Set(["ul", "ol"]);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};
const MAX_LEVEL = 8;
/** How deep tags can be nested: deeper than people write. */
const MAX_DEPTH = 64;

interface OpenTag {
  name: string;
  attributes: string;
}

/**
 * Reads HTML into the lines of a page. Headings below the third level become bold headings of the
 * third level. Tags that a
 * page has no style for stay as the text that was written.
 */
export function parseHtml(html: string): ParsedHtml {
  const lines: NewLine[] = [];
  const open: OpenTag[] = [];
  let spans: Span[] = [];
  let isBroken = false;
  const endLine = () => {
    const block = open.findLast(({ name }) => name in BLOCKS);
    const line = {
      ...lookOfLine(block, open),
      spans: trimSpans(mergeSpans(spans), block?.name === "pre"),
    };
    if (line.spans.length > 0) lines.push(line);
    spans = [];
  };
  const addText = (text: string) => {
    const inCode = open.some(({ name }) => name === "pre");
    spans.push({ text: inCode ? text : text.replace(/\s+/g, " "), ...lookOfText(open) });
  };
  for (const token of withoutComments(html).matchAll(
    /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|([^<]+|<)/gi,
  )) {
    const [source, slash, tag, attributes = "", text] = token;
    const name = tag?.toLowerCase();
    if (text !== undefined) {
      isBroken ||=
        text === "<" && /^<[a-z/]/i.test(token.input.slice(token.index, token.index + 2));
      addText(decode(text));
    } else if (name === undefined) continue;
    else if (name === "br") {
      if (open.some((each) => each.name === "pre")) addText("\n");
      else endLine();
    } else if (!isKnown(name)) addText(source);
    else if (slash === "/") {
      const at = open.findLastIndex((each) => each.name === name);
      // Only <p> and <li> may be left open.
      if (at === -1 || open.slice(at + 1).some((each) => each.name !== "p" && each.name !== "li"))
        isBroken = true;
      if (at === -1) continue;
      if (name in BLOCKS || LISTS.has(name)) endLine();
      open.splice(at);
    } else {
      if (name in BLOCKS || LISTS.has(name)) endLine();
      const unclosed = open.at(-1)?.name;
      if ((name === "li" && unclosed === "li") || (name in BLOCKS && unclosed === "p")) open.pop();
      if (open.length >= MAX_DEPTH) isBroken = true;
      else if (!attributes.endsWith("/")) open.push({ name, attributes });
    }
  }
  endLine();
  return { lines, isBroken: isBroken || open.some(({ name }) => name !== "p" && name !== "li") };
}

function withoutComments(html: string): string {
  let text = "";
  let from = 0;
  for (let at = html.indexOf("<!--"); at !== -1; at = html.indexOf("<!--", from)) {
    const end = html.indexOf("-->", at);
    if (end === -1) break;
    text += html.slice(from, at);
    from = end + 3;
  }
  return text + html.slice(from);
}

function isKnown(name: string): boolean {
  return (
    name in BLOCKS || name in MARKS || name === "a" || LISTS.has(name) || TRANSPARENT.has(name)
  );
}

function lookOfLine(block: OpenTag | undefined, open: readonly OpenTag[]): Omit<NewLine, "spans"> {
  if (block === undefined) return { style: "paragraph" };
  if (block.name === "blockquote" && /class\s*=\s*["']?pull/i.test(block.attributes))
    return { style: "pullQuote" };
  const isItem = block.name === "li" || open.some(({ name }) => name === "li");
  if (!isItem) return { style: BLOCKS[block.name] ?? "paragraph" };
  const lists = open.filter(({ name }) => LISTS.has(name));
  const list = lists.at(-1);
  const level = Math.min(MAX_LEVEL, Math.max(0, lists.length - 1));
  const item = open.findLast(({ name }) => name === "li");
  const check = /data-checked\s*=\s*["']?(true|false)/i.exec(item?.attributes ?? "")?.[1];
  if (check !== undefined)
    return { style: "checkboxList", level, checked: check.toLowerCase() === "true" };
  if (/class\s*=\s*["']?collapsible/i.test(list?.attributes ?? ""))
    return { style: "collapsibleList", level };
  return { style: list?.name === "ol" ? "numberedList" : "bulletedList", level };
}

function lookOfText(open: readonly OpenTag[]): Omit<Span, "text"> {
  const look: Omit<Span, "text"> = {};
  const inCode = open.some(({ name }) => name === "pre");
  for (const { name, attributes } of open) {
    if (!(inCode && name === "code")) Object.assign(look, MARKS[name]);
    if (/^h[4-6]$/.test(name)) look.bold = true;
    const href = name === "a" ? /href\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) : null;
    const url = href === null ? undefined : decode(href[1] ?? href[2] ?? "");
    if (url !== undefined && /^(?:https?:\/\/|mailto:)/i.test(url)) look.href = url;
  }
  return look;
}

function trimSpans(spans: Span[], isCode: boolean): Span[] {
  if (isCode)
    return spans
      .map((span) => ({ ...span, text: span.text.replace(/\n$/, "") }))
      .filter(({ text }) => text !== "");
  const [first] = spans;
  if (first !== undefined) first.text = first.text.trimStart();
  const last = spans.at(-1);
  if (last !== undefined) last.text = last.text.trimEnd();
  return spans.filter(({ text }) => text !== "");
}

function decode(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (source, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined)
        return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? source) : source;
      const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : source;
    },
  );
}

export function writeHtml(lines: readonly NewLine[]): string {
  let html = "";
  const lists: string[] = [];
  const closeLists = (depth: number) => {
    while (lists.length > depth) html += `</li></${lists.pop()}>`;
  };
  for (const line of lines) {
    const inline = line.spans.map(writeSpan).join("");
    if (!isListStyle(line.style)) {
      closeLists(0);
      html += writeBlock(line.style, inline);
      continue;
    }
    const depth = (line.level ?? 0) + 1;
    const name = line.style === "numberedList" ? "ol" : "ul";
    closeLists(depth);
    if (lists.length === depth && lists.at(-1) !== name) closeLists(depth - 1);
    if (lists.length === depth) html += "</li>";
    while (lists.length < depth) {
      html += `<${name}${line.style === "collapsibleList" ? ' class="collapsible"' : ""}>${lists.length < depth - 1 ? "<li>" : ""}`;
      lists.push(name);
    }
    html += `<li${line.style === "checkboxList" ? ` data-checked="${line.checked === true}"` : ""}>${inline}`;
  }
  closeLists(0);
  return html;
}

function writeBlock(style: LineStyle, inline: string): string {
  switch (style) {
    case "h1":
    case "h2":
    case "h3":
      return `<${style}>${inline}</${style}>`;
    case "code":
      return `<pre><code>${inline}</code></pre>`;
    case "blockQuote":
      return `<blockquote>${inline}</blockquote>`;
    case "pullQuote":
      return `<blockquote class="pull">${inline}</blockquote>`;
    default:
      return `<p>${inline}</p>`;
  }
}

function writeSpan({ text, bold, italic, strike, code, href }: Span): string {
  let written = escapeHtml(text);
  if (code === true) written = `<code>${written}</code>`;
  if (bold === true) written = `<strong>${written}</strong>`;
  if (italic === true) written = `<em>${written}</em>`;
  if (strike === true) written = `<del>${written}</del>`;
  return href === undefined ? written : `<a href="${escapeHtml(href)}">${written}</a>`;
}

function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (character) =>
      ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[character] ?? character,
  );
}
