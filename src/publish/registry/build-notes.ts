import { readMetadata } from "../../bundle/build-record.ts";
import type { Pack } from "../../execute/open-pack.ts";
import { sha256 } from "../../shared/crypto.ts";
import { SDK_VERSION } from "./sdk-version.ts";

/**
 * The notes of a version also name a digest of what was uploaded, so that everybody can see whether
 * a version is the one of a source:
 * a registry does not give back what it got.
 */
const MARK = /\s*\[content sha256:([0-9a-f]{64})\]\s*$/;

export function withContentHash(notes: string | undefined, contentHash: string): string {
  return `${notes === undefined || notes === "" ? "" : `${notes}\n\n`}[content sha256:${contentHash}]`;
}

/** What is uploaded, as text. */
export interface UploadContent {
  metadata: Readonly<Record<string, unknown>>;
  bundle: string;
  sourceMap: string;
}

export function readUploadContent({
  bundle,
  compiled,
}: Pick<Pack, "bundle" | "compiled">): UploadContent {
  return { metadata: readMetadata(compiled), bundle: bundle.code, sourceMap: bundle.sourceMap };
}

export function hashContent({
  metadata: { version, ...unversioned },
  bundle,
  sourceMap,
}: UploadContent): string {
  return sha256(JSON.stringify([unversioned, version, bundle, sourceMap, SDK_VERSION]), "hex");
}

/** Undefined for a version of another tool. */
export function findContentHash(buildNotes: string): string | undefined {
  return MARK.exec(buildNotes)?.[1];
}

/** The notes as their author wrote them. */
export function formatNotes(buildNotes: string): string {
  return buildNotes.replace(MARK, "");
}
