import type { ComponentChildren } from "preact";
import { safeLink } from "./format-value.ts";

/** A safe subset of Markdown: it becomes elements, never HTML. */
export function Markdown({ text }: { text: string }) {
  return <div class="prose">{blocksOf(text).map((block, index) => renderBlock(block, index))}</div>;
}

type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "list"; isOrdered: boolean; items: string[] }
  | { kind: "quote" | "paragraph" | "code"; text: string };

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const fence = /^(```|~~~)/.exec(line)?.[1];
    if (fence !== undefined) {
      const end = lines.findIndex((candidate, index) => index > at && candidate.startsWith(fence));
      const last = end < 0 ? lines.length : end;
      blocks.push({ kind: "code", text: lines.slice(at + 1, last).join("\n") });
      at = last + 1;
      continue;
    }
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (heading !== null) {
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
      at += 1;
      continue;
    }
    const pattern = LINES.find(({ start }) => start.test(line));
    if (pattern !== undefined) {
      const taken = takeWhile(lines, at, (candidate) => pattern.start.test(candidate));
      blocks.push(pattern.block(taken.map((item) => item.replace(pattern.start, ""))));
      at += taken.length;
      continue;
    }
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const taken = takeWhile(
      lines,
      at,
      (candidate) => candidate.trim() !== "" && !/^(#{1,6}\s|```|~~~|\s*[-*+]\s|\s*\d+[.)]\s|>)/.test(candidate),
    );
    // A line that looks like the beginning of something else, and is none, must not be met again.
    const own = taken.length === 0 ? [line] : taken;
    blocks.push({ kind: "paragraph", text: own.join("\n") });
    at += own.length;
  }
  return blocks;
}

const LINES: readonly { start: RegExp; block: (lines: string[]) => Block }[] = [
  { start: /^\s*[-*+]\s+/, block: (items) => ({ kind: "list", isOrdered: false, items }) },
  { start: /^\s*\d+[.)]\s+/, block: (items) => ({ kind: "list", isOrdered: true, items }) },
  { start: /^>\s?/, block: (lines) => ({ kind: "quote", text: lines.join("\n") }) },
];

function takeWhile(lines: readonly string[], from: number, isWanted: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, index) => index >= from && !isWanted(line));
  return lines.slice(from, end < 0 ? lines.length : end);
}

function renderBlock(block: Block, key: number): ComponentChildren {
  switch (block.kind) {
    case "heading":
      return (
        <p key={key}>
          <strong>{inline(block.text)}</strong>
        </p>
      );
    case "list": {
      const items = block.items.map((item, index) => <li key={index}>{inline(item)}</li>);
      return block.isOrdered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>;
    }
    case "quote":
      return <blockquote key={key}>{inline(block.text)}</blockquote>;
    case "code":
      return (
        <pre key={key} class="block">
          {block.text}
        </pre>
      );
    default:
      return <p key={key}>{inline(block.text)}</p>;
  }
}

const INLINE = /(`[^`\n]+`)|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\n]+)\*|\b_([^_\n]+)_\b|~~([^~\n]+)~~|!?\[([^\]\n]*)\]\(([^)\s]+)\)/g;

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, boldToo, italic, italicToo, struck, label, target] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    const href = safeLink(target);
    if (code !== undefined) parts.push(<code>{code.slice(1, -1)}</code>);
    else if (bold ?? boldToo) parts.push(<strong>{bold ?? boldToo}</strong>);
    else if (italic ?? italicToo) parts.push(<em>{italic ?? italicToo}</em>);
    else if (struck !== undefined) parts.push(<s>{struck}</s>);
    else if (href !== undefined) parts.push(<ExternalLink href={href}>{label === "" ? href : label}</ExternalLink>);
    else parts.push(whole);
  }
  parts.push(text.slice(end));
  return parts;
}

/** A link out of the page, which learns nothing of it. */
export function ExternalLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
