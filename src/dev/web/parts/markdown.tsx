import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isListStyle, type NewLine, plainText, type Span } from "../../../shared/markdown/line.ts";
import { safeLink } from "./format.ts";

/**
 * Markdown as elements of the page. HTML in it stays text, and links go only where `safeLink`
 * allows. The parser is loaded with the first text that needs it; until then the source is shown.
 */
export function Markdown({ text }: { text: string }) {
  const [lines, setLines] = useState<readonly NewLine[]>();
  useEffect(() => {
    let isCurrent = true;
    void import("../../../shared/markdown/markdown.ts").then(({ parseMarkdown }) => {
      if (isCurrent) setLines(parseMarkdown(text));
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return <div class="prose">{lines === undefined ? <p>{text}</p> : renderLines(lines)}</div>;
}

function renderLines(lines: readonly NewLine[]): ComponentChildren[] {
  const blocks: ComponentChildren[] = [];
  for (let at = 0; at < lines.length; ) {
    const first = lines[at] as NewLine;
    let end = at + 1;
    while (end < lines.length && belongsTo(first, lines[end] as NewLine)) end++;
    const block = lines.slice(at, end);
    blocks.push(isListStyle(first.style) ? <List lines={block} /> : <Block lines={block} />);
    at = end;
  }
  return blocks;
}

/**
 * Whether a line continues the block that another one began: items and the items inside them, and
 * lines of a quote.
 */
function belongsTo(first: NewLine, { style, level = 0 }: NewLine): boolean {
  if (isListStyle(first.style))
    return isListStyle(style) && (style === first.style || level > (first.level ?? 0));
  return first.style === "blockQuote" && style === "blockQuote";
}

function List({ lines }: { lines: readonly NewLine[] }) {
  const items: { line: NewLine; inside: NewLine[] }[] = [];
  for (const line of lines) {
    const last = items.at(-1);
    if (last !== undefined && (line.level ?? 0) > (last.line.level ?? 0)) last.inside.push(line);
    else items.push({ line, inside: [] });
  }
  const children = items.map(({ line, inside }, index) => (
    <li key={index}>
      {line.style === "checkboxList" && (
        <span class="mono">{line.checked === true ? "[x] " : "[ ] "}</span>
      )}
      {renderSpans(line)}
      {renderLines(inside)}
    </li>
  ));
  return lines[0]?.style === "numberedList" ? <ol>{children}</ol> : <ul>{children}</ul>;
}

function Block({ lines }: { lines: readonly NewLine[] }) {
  const [line] = lines;
  if (line === undefined) return null;
  switch (line.style) {
    case "h1":
    case "h2":
    case "h3":
      return (
        <p>
          <strong>{renderSpans(line)}</strong>
        </p>
      );
    case "code":
      return <pre class="block">{plainText(line)}</pre>;
    case "blockQuote":
      return (
        <blockquote>{lines.map((each, index) => [index > 0 && " ", renderSpans(each)])}</blockquote>
      );
    default:
      return <p>{renderSpans(line)}</p>;
  }
}

function renderSpans({ spans }: NewLine): ComponentChildren[] {
  return spans.map(renderSpan);
}

function renderSpan({ text, bold, italic, strike, code, href }: Span): ComponentChildren {
  let shown: ComponentChildren = text;
  if (code === true) shown = <code>{shown}</code>;
  if (bold === true) shown = <strong>{shown}</strong>;
  if (italic === true) shown = <em>{shown}</em>;
  if (strike === true) shown = <s>{shown}</s>;
  const target = safeLink(href);
  return target === undefined ? shown : <ExternalLink href={target}>{shown}</ExternalLink>;
}

/** A link that leaves the page. The other site does not learn where it was clicked. */
export function ExternalLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
