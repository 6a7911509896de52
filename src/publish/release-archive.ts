import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type BuildRecord, documentOf, documentsOf } from "../bundle/build-record.ts";
import type { Bundle } from "../bundle/bundle.ts";
import type { PackMetadata } from "../bundle/manifest.ts";
import { BUILD_FILES, isBuildRecord } from "../bundle/read-build.ts";
import { PackError } from "../errors.ts";
import { sha256 } from "../shared/sha256.ts";
import {
  createProvenance,
  type Provenance,
  type ReleaseCommit,
  type ReleaseParameters,
} from "./provenance.ts";
import { gunzip, gzipPortably, readTar, writeTar } from "./tarball.ts";

/** The content of the archive of a release. */
export interface Release {
  build: BuildRecord;
  provenance: Provenance;
  /** The packed files, by name. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** The folder in every archive that holds its files, as in the archives of npm. */
const FOLDER = "package/";

/**
 * Packs a built Pack into an archive. The same sources, options and versions give the same bytes on
 * every machine.
 */
export function packRelease(
  bundle: Pick<Bundle, "code" | "sourceMap">,
  build: BuildRecord,
  origin: { parameters: ReleaseParameters; commit: ReleaseCommit | undefined },
): Buffer {
  const { manifest, facts } = documentsOf(build);
  const built = [
    { name: "bundle.js", text: bundle.code },
    { name: "bundle.js.map", text: bundle.sourceMap },
    { name: "manifest.json", text: manifest },
    { name: "build.json", text: facts },
  ];
  const subject = built.map(({ name, text }) => ({
    name,
    digest: { sha256: sha256(text, "hex") },
  }));
  const provenance = {
    name: "provenance.json",
    text: documentOf(createProvenance(build, subject, origin)),
  };
  return gzipPortably(
    writeTar(
      [...built, provenance].map(({ name, text }) => ({
        path: FOLDER + name,
        content: Buffer.from(text),
      })),
    ),
  );
}

/**
 * Reads the archive of a release and checks its files against the hashes in its provenance.
 * @throws {PackError} RELEASE_INVALID
 */
export async function readRelease(path: string): Promise<Release> {
  let files: Map<string, Uint8Array>;
  try {
    files = new Map(
      readTar(gunzip(await readFile(path))).map((file) => [
        file.path.replace(/^[^/]*\//, ""),
        file.content,
      ]),
    );
  } catch (cause) {
    throw invalid(path, "it cannot be read as a compressed archive", cause);
  }
  const metadata = parse<PackMetadata>(files.get("manifest.json"));
  const facts = parse(files.get("build.json"));
  const provenance = parse<Provenance>(files.get("provenance.json"));
  if (metadata === undefined) throw invalid(path, "it has no manifest.json");
  if (!isBuildRecord(facts)) throw invalid(path, "it has no build.json");
  const named = provenance?.subject;
  if (
    provenance?.predicate?.buildDefinition?.buildType !== "urn:packsmith:release:1" ||
    !Array.isArray(named)
  ) {
    throw invalid(path, "it has no provenance.json");
  }
  for (const name of [...Object.keys(BUILD_FILES), "build.json"]) {
    const expected = named.find((each) => each.name === name)?.digest.sha256;
    const content = files.get(name);
    if (content === undefined || sha256(content, "hex") !== expected)
      throw invalid(path, `its ${name} does not match its provenance`);
  }
  if (facts.bundle.sha256 !== sha256(files.get("bundle.js") ?? "", "hex"))
    throw invalid(path, "its bundle.js does not match its build.json");
  return { build: { ...facts, metadata }, provenance, files };
}

function parse<Shape = unknown>(content: Uint8Array | undefined): Shape | undefined {
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
