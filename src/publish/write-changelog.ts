import type { Change } from "../compare/change-schema.ts";
import { writeAtomically } from "../shared/atomic-write.ts";
import { readRegularText } from "../shared/files.ts";

const HEADER = "# Changelog\n";

export interface ChangelogEntry {
  version: string;
  /** Shown as a date, such as `2026-11-24`. @default none: it is not released */
  releasedAt?: Date | undefined;
  changes: readonly Change[];
}

/** One entry of a changelog: what changed for users, the most serious first. */
export function formatChangelogEntry({ version, releasedAt, changes }: ChangelogEntry): string {
  const date = releasedAt === undefined ? "" : ` - ${releasedAt.toISOString().slice(0, 10)}`;
  return [`## ${version}${date}\n`, ...formatSections(changes)].join("\n");
}

/** What changed for users in Markdown, without a heading of the version. */
export function formatSections(all: readonly Change[]): string[] {
  const visible = all.filter(({ code }) => code !== "CODE_CHANGED");
  // That the code is another one says something only if nothing else does.
  const changes = visible.length === 0 ? all : visible;
  const isAdded = ({ code }: Change) => code.endsWith("_ADDED");
  const isBreaking = (change: Change) => change.class === "breaking";
  const sections: [title: string, changes: Change[]][] = [
    ["Breaking", changes.filter(isBreaking)],
    ["Added", changes.filter((change) => isAdded(change) && !isBreaking(change))],
    ["Changed", changes.filter((change) => !isAdded(change) && !isBreaking(change))],
  ];
  return sections
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => {
      const lines = new Set(some.map((change) => `- ${describeChange(change)}`));
      return `### ${title}\n\n${[...lines].join("\n")}\n`;
    });
}

/** A change as a sentence for the users of a Pack. */
function describeChange({ code, subject, message }: Change): string {
  switch (code) {
    case "BLOCK_ADDED":
    case "PARAMETER_ADDED":
    case "PROPERTY_ADDED":
      return `Adds ${describeSubject(subject)}.`;
    case "BLOCK_REMOVED":
    case "PROPERTY_REMOVED":
      return `Removes ${describeSubject(subject)}.`;
    case "CODE_CHANGED":
      return "The Pack's code has changed.";
    default:
      return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${message}.`;
  }
}

/** `formula Hello: result: property "id"` as `property "id" of formula Hello: result`. */
function describeSubject(subject: string): string {
  const [block = "", ...parts] = subject.split(": ");
  const [last, ...others] = parts.reverse();
  if (last === undefined) return block;
  return `${last} of ${[block, ...others.reverse()].join(": ")}`;
}

/** Adds an entry at the top, or replaces the entry of the same version. A new file gets a title. */
export async function writeChangelog(path: string, entry: ChangelogEntry): Promise<void> {
  const text = await readRegularText(path).catch(() => HEADER);
  const own = findEntry(text, entry.version);
  const start = own?.start ?? /^## /m.exec(text)?.index ?? text.length;
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(own?.end ?? start);
  const written = formatChangelogEntry(entry);
  await writeAtomically(path, `${before}\n\n${written}${after === "" ? "" : `\n${after}`}`);
}

/** @returns what a changelog says about a version, without its heading; undefined if nothing */
export async function readChangelogEntry(
  path: string,
  version: string,
): Promise<string | undefined> {
  const text = await readRegularText(path).catch(() => "");
  const own = findEntry(text, version);
  const body = own === undefined ? "" : text.slice(own.start, own.end).replace(/^## .*$/m, "");
  return body.trim() === "" ? undefined : body.trim();
}

/** A heading may have brackets around the version, a `v` before it, and a date after it. */
function findEntry(text: string, version: string): { start: number; end: number } | undefined {
  const headings = [...text.matchAll(/^## +\[?v?([^\s\]]+)\]?.*$/gm)];
  const at = headings.findIndex(([, title]) => title === version);
  const found = headings[at];
  if (found === undefined) return undefined;
  return { start: found.index, end: headings[at + 1]?.index ?? text.length };
}
