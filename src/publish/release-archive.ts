import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { PackManifest } from "../bundle/manifest.ts";
import type { PackBundle } from "../bundle/pack-bundle.ts";
import { PackError } from "../errors.ts";
import { sha256 } from "../shared/sha256.ts";
import { createProvenance, type Provenance, type ReleaseCommit, type ReleaseParameters } from "./provenance.ts";
import { gunzip, gzipPortably, readTar, writeTar } from "./tarball.ts";

/** The content of the archive of a release. */
export interface Release {
  manifest: PackManifest;
  provenance: Provenance;
  /** The packed files, by name. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** The folder in every archive that holds its files, as in the archives of npm. */
const FOLDER = "package/";

/** Packs a built Pack into an archive. The same sources, options and versions give the same bytes on every machine. */
export function packRelease(
  bundle: Pick<PackBundle, "code" | "sourceMap">,
  manifest: PackManifest,
  origin: { parameters: ReleaseParameters; commit: ReleaseCommit | undefined },
): Buffer {
  const built = [
    { name: "bundle.js", text: bundle.code },
    { name: "bundle.js.map", text: bundle.sourceMap },
    { name: "manifest.json", text: documentOf(manifest) },
  ];
  const subject = built.map(({ name, text }) => ({ name, digest: { sha256: sha256(text, "hex") } }));
  const provenance = { name: "provenance.json", text: documentOf(createProvenance(manifest, subject, origin)) };
  return gzipPortably(writeTar([...built, provenance].map(({ name, text }) => ({ path: FOLDER + name, content: Buffer.from(text) }))));
}

/**
 * Reads the archive of a release and checks its files against the hashes in its provenance.
 * @throws {PackError} RELEASE_INVALID
 */
export async function readRelease(path: string): Promise<Release> {
  let files: Map<string, Uint8Array>;
  try {
    files = new Map(readTar(gunzip(await readFile(path))).map((file) => [file.path.replace(/^[^/]*\//, ""), file.content]));
  } catch (cause) {
    throw invalid(path, "it cannot be read as a compressed archive", cause);
  }
  const manifest = parse<PackManifest>(files.get("manifest.json"));
  const provenance = parse<Provenance>(files.get("provenance.json"));
  if (manifest?.formatVersion !== 1 || !Array.isArray(manifest.inputs)) throw invalid(path, "it has no manifest.json");
  const named = provenance?.subject;
  if (provenance?.predicate?.buildDefinition?.buildType !== "urn:packsmith:release:1" || !Array.isArray(named)) {
    throw invalid(path, "it has no provenance.json");
  }
  for (const name of ["bundle.js", "bundle.js.map", "manifest.json"]) {
    const expected = named.find((each) => each.name === name)?.digest.sha256;
    const content = files.get(name);
    if (content === undefined || sha256(content, "hex") !== expected) throw invalid(path, `its ${name} does not match its provenance`);
  }
  if (manifest.bundle.sha256 !== sha256(files.get("bundle.js") ?? "", "hex"))
    throw invalid(path, "its bundle.js does not match its manifest");
  return { manifest, provenance, files };
}

export function documentOf(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function parse<Shape>(content: Uint8Array | undefined): Shape | undefined {
  try {
    return JSON.parse(Buffer.from(content ?? []).toString("utf8")) as Shape;
  } catch {
    return undefined;
  }
}

function invalid(path: string, reason: string, cause?: unknown): PackError<"RELEASE_INVALID"> {
  return new PackError("RELEASE_INVALID", `${basename(path)} is not a release: ${reason}.`, {
    details: { path, reason },
    hint: "Pass an archive that packsmith release wrote. If someone sent it to you, get it again.",
    cause,
  });
}
