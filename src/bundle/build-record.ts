import { hash } from "node:crypto";
import { basename, dirname, join, relative, sep } from "node:path";
import { packageVersion } from "../shared/own-package.ts";
import { realPath } from "../shared/project-boundary.ts";
import type { Bundle } from "./bundle.ts";
import type { BundleInput } from "./bundle-parts.ts";

/**
 * What a build writes next to the bundle: sizes, hashes and inputs in `build.json`, and `metadata`,
 * which is `manifest.json`. It contains no secrets.
 */
export interface BuildRecord {
  formatVersion: 1;
  name: string;
  /** The Pack's own version, when its definition has one. */
  version?: string | undefined;
  packsmithVersion: string;
  /** The entry file, relative to the folder of this record, with forward slashes. */
  entry?: string | undefined;
  bundle: { file: "bundle.js"; bytes: number; gzipBytes: number; sha256: string };
  sourceMap: { file: "bundle.js.map"; sha256: string };
  manifest: { file: "manifest.json"; sha256: string };
  inputs: BundleInput[];
  /**
   * The packages whose main files were taken because their files for browsers did not load; absent
   * when there are none.
   */
  mainEntries?: string[] | undefined;
  metadata: PackMetadata;
}

/**
 * @param bundle the result of `bundlePack`
 * @param compiled the Pack in the form that the service loads
 * @param directory the folder of the build; without it, the record does not have the entry file
 */
export function createBuildRecord(
  bundle: Bundle,
  compiled: object,
  directory?: string,
): BuildRecord {
  const metadata = readMetadata(compiled);
  return {
    formatVersion: 1,
    name: bundle.name,
    ...(typeof metadata["version"] === "string" ? { version: metadata["version"] } : {}),
    packsmithVersion: packageVersion(),
    ...(directory === undefined ? {} : { entry: locateEntry(bundle.entry, directory) }),
    bundle: {
      file: "bundle.js",
      bytes: bundle.bytes,
      gzipBytes: bundle.gzipBytes,
      sha256: bundle.sha256,
    },
    sourceMap: { file: "bundle.js.map", sha256: hash("sha256", bundle.sourceMap) },
    manifest: { file: "manifest.json", sha256: hash("sha256", formatDocument(metadata)) },
    inputs: bundle.inputs,
    ...(bundle.mainEntries.length > 0 ? { mainEntries: bundle.mainEntries } : {}),
    metadata,
  };
}

function locateEntry(entry: string, directory: string): string {
  // The file itself may be a link: some build systems present their sources as links.
  const path = join(realPath(dirname(entry)), basename(entry));
  return relative(realPath(directory), path).split(sep).join("/");
}

/** The texts of `manifest.json` and `build.json`. */
export function formatDocuments({ metadata, ...facts }: BuildRecord): {
  manifest: string;
  facts: string;
} {
  return { manifest: formatDocument(metadata), facts: formatDocument(facts) };
}

/** A JSON document as people read it. */
export function formatDocument(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * The metadata of a Pack: its compiled form as JSON, without its functions, with members in the
 * order of the source. This is what
 * `manifest.json` contains and what an upload carries next to the bundle.
 */
export type PackMetadata = Record<string, unknown>;

/** @param compiled the Pack in the form that the service loads */
export function readMetadata(compiled: object): PackMetadata {
  const { formulas, syncTables, formats } = compiled as Readonly<Record<string, unknown>>;
  const formatList = Array.isArray(formats) ? formats.map(formatMetadata) : [];
  // An agent has no such parts, and its metadata says so.
  const metadata = {
    ...compiled,
    formulas: formulas ?? [],
    syncTables: syncTables ?? [],
    formats: formatList,
  };
  return JSON.parse(
    JSON.stringify(metadata, (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  ) as PackMetadata;
}

/** The service reads the matchers as text: `/^x$/i`. */
function formatMetadata(format: unknown): unknown {
  if (typeof format !== "object" || format === null) return format;
  const { matchers } = format as { matchers?: unknown };
  return { ...format, matchers: Array.isArray(matchers) ? matchers.map(String) : (matchers ?? []) };
}
