/**
 * The notes of a version also name a digest of what was uploaded, so that everybody can see whether a version is the one of a source:
 * a registry does not give back what it got.
 */
const MARK = /\s*\[content sha256:([0-9a-f]{64})\]\s*$/;

export function withContentHash(notes: string | undefined, contentHash: string): string {
  return `${notes === undefined || notes === "" ? "" : `${notes}\n\n`}[content sha256:${contentHash}]`;
}

/** Undefined for a version of another tool. */
export function contentHashOf(buildNotes: string): string | undefined {
  return MARK.exec(buildNotes)?.[1];
}

/** The notes as their author wrote them. */
export function notesOf(buildNotes: string): string {
  return buildNotes.replace(MARK, "");
}
