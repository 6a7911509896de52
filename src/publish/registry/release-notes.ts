import { dirname, join, resolve } from "node:path";
import type { Change } from "../../compare/change-schema.ts";
import { formatSections, readChangelogEntry } from "../write-changelog.ts";

/** How a version differs from the one that users have. */
export interface ReleasedChanges {
  /** Undefined when the source of the version that users have is not known here. */
  changes: readonly Change[] | undefined;
  /** The differences in the words of the registry, which has no code. */
  findings: readonly string[];
}

export interface ReleaseNotesSource {
  cwd: string;
  /** What the user passed. */
  notes?: string | undefined;
  /** @default "CHANGELOG.md" next to the Pack */
  changelog?: string | false | undefined;
  /** What changes for users, where neither of them says it. Undefined before the first release. */
  findChanges(): Promise<ReleasedChanges | undefined>;
  /** Lets a person change what is proposed. @default it stays as it is */
  editNotes?: ((proposed: string) => Promise<string>) | undefined;
}

/**
 * The notes of a release: what was passed, or what the changelog says about the version, or the
 * list of changes. Users read them, so they are never empty.
 */
export async function writeReleaseNotes(
  file: string,
  version: string,
  { cwd, notes, changelog, findChanges, editNotes }: ReleaseNotesSource,
): Promise<string> {
  if (notes !== undefined && notes.trim() !== "") return notes;
  const path =
    typeof changelog === "string"
      ? resolve(cwd, changelog)
      : join(dirname(resolve(cwd, file)), "CHANGELOG.md");
  const proposed = (await readChangelogEntry(path, version)) ?? (await listChanges(findChanges));
  const edited = editNotes === undefined ? proposed : (await editNotes(proposed)).trim();
  return edited === "" ? proposed : edited;
}

async function listChanges(findChanges: ReleaseNotesSource["findChanges"]): Promise<string> {
  const found = await findChanges();
  if (found === undefined) return "The first release.";
  const { changes, findings } = found;
  if (changes === undefined)
    return findings.length === 0
      ? "A newer version."
      : `### Changed\n\n${findings.map((finding) => `- ${finding}`).join("\n")}`;
  const sections = formatSections(changes).join("\n").trim();
  return sections === "" ? "Nothing changes for users." : sections;
}
