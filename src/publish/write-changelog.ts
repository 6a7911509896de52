import { readFile } from "node:fs/promises";
import type { ChangeClass } from "../compare/change-codes.ts";
import type { Change } from "../compare/change-schema.ts";
import { writeAtomically } from "../shared/atomic-write.ts";

const TITLES: Readonly<Record<ChangeClass, string>> = {
  breaking: "Breaking",
  review: "To review",
  safe: "Also changed",
};
const HEADER = "# Changelog\n";

/** One entry of a changelog: the changes, the most serious first. */
export function changelogEntry(version: string, changes: readonly Change[]): string {
  const sections = (["breaking", "review", "safe"] as const).map((kind) => {
    const lines = changes
      .filter((change) => change.class === kind)
      .map(({ subject, message }) => `- ${subject}: ${message}`);
    return lines.length === 0 ? "" : `### ${TITLES[kind]}\n\n${lines.join("\n")}\n`;
  });
  return [`## ${version}\n`, ...sections.filter((section) => section !== "")].join("\n");
}

/** Adds an entry at the top, or replaces the entry of the same version. A new file gets a title. */
export async function writeChangelog(
  path: string,
  version: string,
  changes: readonly Change[],
): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => HEADER);
  const entry = changelogEntry(version, changes);
  const headings = [...text.matchAll(/^## (.*)$/gm)];
  const own = headings.findIndex(([, title]) => title?.trim() === version);
  const start = headings[own < 0 ? 0 : own]?.index ?? text.length;
  const end = own < 0 ? start : (headings[own + 1]?.index ?? text.length);
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end);
  await writeAtomically(path, `${before}\n\n${entry}${after === "" ? "" : `\n${after}`}`);
}
