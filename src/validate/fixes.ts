import type { Fix, SourceEdit, SourceFile } from "./issue.ts";
import type { Location, Locator } from "./positions.ts";
import type { FixIntent, Path } from "./report.ts";
import { isNode, type SyntaxNode } from "./source-module.ts";
import { findText, nameOfKey } from "./syntax.ts";

/**
 * Turns an intent into edits of the source, where that is certain: the value is a literal there, no
 * other value comes from the
 * same text, and nothing else reads a key that is renamed.
 */
export function createFix(path: Path, intent: FixIntent, locator: Locator): Fix | undefined {
  const at = locator.find(path);
  const key = path.at(-1);
  if (at === undefined || !at.isExact || at.place.isShared || key === undefined) return undefined;
  const edits = createEdits(at, path, intent, locator);
  return edits === undefined
    ? undefined
    : { description: formatDescription(intent, key, path), edits };
}

function createEdits(
  at: Location,
  path: Path,
  intent: FixIntent,
  locator: Locator,
): SourceEdit[] | undefined {
  const { module, node } = at.place;
  const key = path.at(-1);
  switch (intent.kind) {
    case "rename": {
      const isTaken = locator.find([...path.slice(0, -1), intent.to])?.isExact;
      if (
        isTaken ||
        typeof key !== "string" ||
        at.place.names?.some((name) => module.isRead(name, key))
      )
        return undefined;
      return renaming(module, node, key, intent.to);
    }
    case "remove":
      return typeof key === "string" && !isPropertyNamed(node, key)
        ? undefined
        : [removal(module, node)];
    case "replace": {
      const value = at.value.node;
      if (findText(value) === undefined) return undefined;
      return [createEdit(module, value, quoteText(intent.text, module.text.charAt(value.start)))];
    }
    case "hoist": {
      const parent = locator.find(path.slice(0, -1));
      if (
        parent?.isExact !== true ||
        parent.place.isShared ||
        parent.place.module !== module ||
        typeof key !== "string"
      )
        return undefined;
      const isTaken = locator.find([...path.slice(0, -2), key])?.isExact;
      if (
        isTaken ||
        !isPropertyNamed(node, key) ||
        !isPropertyNamed(parent.place.node, String(path.at(-2)))
      )
        return undefined;
      // On its own line, when the member that it moves out of has one.
      const lead = /\r?\n[^\S\n]*$/.exec(module.text.slice(0, parent.place.node.start))?.[0] ?? " ";
      const text = `${module.text.slice(node.start, node.end)},${lead}`;
      return [
        { file: module.path, start: parent.place.node.start, end: parent.place.node.start, text },
        removal(module, node),
      ];
    }
  }
}

function formatDescription(intent: FixIntent, key: string | number, path: Path): string {
  const name = typeof key === "number" ? `entry ${key} of ${String(path.at(-2))}` : key;
  switch (intent.kind) {
    case "rename":
      return `Rename ${name} to ${intent.to}.`;
    case "remove":
      return `Remove ${name}.`;
    case "replace":
      return `Write ${JSON.stringify(intent.text)}.`;
    case "hoist":
      return `Move ${name} out of ${String(path.at(-2))}.`;
  }
}

function isPropertyNamed(node: SyntaxNode, key: string): boolean {
  return (
    node.type === "Property" &&
    isNode(node["key"]) &&
    nameOfKey(node["key"], node["computed"] === true) === key
  );
}

function renaming(
  file: SourceFile,
  node: SyntaxNode,
  from: string,
  to: string,
): SourceEdit[] | undefined {
  const key = node["key"];
  if (!isNode(key) || !isPropertyNamed(node, from)) return undefined;
  if (node["shorthand"] === true)
    return [createEdit(file, node, `${to}: ${file.text.slice(node.start, node.end)}`)];
  return [
    createEdit(
      file,
      key,
      key.type === "Identifier" ? to : quoteText(to, file.text.charAt(key.start)),
    ),
  ];
}

/** Removes an entry from a list, with its comma, and with its line when nothing else is on it. */
export function removal(file: SourceFile, node: SyntaxNode): SourceEdit {
  const { text } = file;
  const comma = /^(?:\s|\/\*[\s\S]*?\*\/)*,/.exec(text.slice(node.end));
  if (comma === null) {
    const before = /,?\s*$/.exec(text.slice(0, node.start));
    const start = before?.[0].startsWith(",") === true ? before.index : node.start;
    return { file: file.path, start, end: node.end, text: "" };
  }
  const end = node.end + comma[0].length;
  const lineStart = text.lastIndexOf("\n", node.start - 1) + 1;
  const rest = /^[^\S\n]*(?:\n|$)/.exec(text.slice(end));
  if (rest !== null && lineStart > 0 && text.slice(lineStart, node.start).trim() === "") {
    return { file: file.path, start: lineStart, end: end + rest[0].length, text: "" };
  }
  return {
    file: file.path,
    start: node.start,
    end: end + (/^[^\S\n]*/.exec(text.slice(end))?.[0].length ?? 0),
    text: "",
  };
}

export function createEdit(file: SourceFile, node: SyntaxNode, text: string): SourceEdit {
  return { file: file.path, start: node.start, end: node.end, text };
}

/** A text as a literal, in the quotation marks that the author uses. */
function quoteText(text: string, mark: string): string {
  const literal = JSON.stringify(text);
  return mark === "'"
    ? `'${literal.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : literal;
}

/**
 * Applies fixes to the text of one file. A fix that overlaps an earlier one is skipped; a fix is
 * applied completely or not
 * at all.
 * @param fixes every edit of them is in this file
 */
export function applyFixes(text: string, fixes: readonly Fix[]): { text: string; applied: Fix[] } {
  const accepted: SourceEdit[] = [];
  const applied: Fix[] = [];
  for (const fix of fixes) {
    const fresh = fix.edits.filter((edit) => !accepted.some((other) => isSame(edit, other)));
    if (fresh.length === 0 || fresh.some((edit) => accepted.some((other) => overlaps(edit, other))))
      continue;
    accepted.push(...fresh);
    applied.push(fix);
  }
  const ordered = accepted.sort((a, b) => b.start - a.start || b.end - a.end);
  return {
    text: ordered.reduce(
      (result, { start, end, text }) => result.slice(0, start) + text + result.slice(end),
      text,
    ),
    applied,
  };
}

const isSame = (a: SourceEdit, b: SourceEdit): boolean =>
  a.start === b.start && a.end === b.end && a.text === b.text;

/** Two insertions at the same place overlap too: their order would be a guess. */
const overlaps = (a: SourceEdit, b: SourceEdit): boolean =>
  (a.start < b.end && b.start < a.end) || a.start === b.start;
