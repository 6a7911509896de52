import { hash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { PackError, usageError } from "../errors.ts";
import { isFile, readRegularFile } from "../shared/files.ts";
import { realPath } from "../shared/project-boundary.ts";
import { isRecord } from "../shared/values.ts";
import type { BuildRecord, PackMetadata } from "./build-record.ts";
import { type Bundle, measureBundle } from "./bundle.ts";

/** The files of a build, and the names under which its facts list them. */
export const BUILD_FILES = {
  "bundle.js": "bundle",
  "bundle.js.map": "sourceMap",
  "manifest.json": "manifest",
} as const;

/** @returns the facts in a build.json; undefined when the file is missing or is something else */
export function readFacts(path: string): Omit<BuildRecord, "metadata"> | undefined {
  const facts = parseJson(readIfThere(path));
  return isBuildRecord(facts) ? facts : undefined;
}

/**
 * The entry file that the build in a folder was made from.
 * @param directory the folder
 * @returns a path; undefined when there is no build, or the file no longer exists
 */
export function findBuiltEntry(directory: string): string | undefined {
  const entry: unknown = readFacts(join(directory, "build.json"))?.entry;
  if (typeof entry !== "string") return undefined;
  const path = resolve(realPath(directory), entry);
  return isFile(path) ? path : undefined;
}

export function isBuildRecord(value: unknown): value is Omit<BuildRecord, "metadata"> {
  return (
    isRecord(value) &&
    value["formatVersion"] === 1 &&
    Array.isArray(value["inputs"]) &&
    Object.values(BUILD_FILES).every(
      (name) => isRecord(value[name]) && typeof value[name]["sha256"] === "string",
    )
  );
}

/**
 * The folder of the build that a path means: the folder, or a file of the build in it.
 * @param path absolute
 */
export function folderOfBuild(path: string): string {
  return ["build.json", ...Object.keys(BUILD_FILES)].includes(basename(path))
    ? dirname(path)
    : path;
}

/**
 * Reads a build and checks that its files match the hashes in its build.json. A process that is
 * killed between the renames of
 * `writeBundle` leaves files of two builds. The bundle and its source map may be missing.
 * @param folder absolute, as the path in the errors
 * @returns undefined when the folder has no manifest.json or no build.json
 * @throws {PackError} BUILD_INCOMPLETE
 */
export function readBuild(folder: string): BuildRecord | undefined {
  const facts = readFacts(join(folder, "build.json"));
  if (facts === undefined) return undefined;
  const contents = Object.keys(BUILD_FILES).map(
    (file) => [file, readIfThere(join(folder, file))] as const,
  );
  for (const [file, content] of contents) {
    const { sha256 } = facts[BUILD_FILES[file as keyof typeof BUILD_FILES]];
    if (content !== undefined && hash("sha256", content) !== sha256)
      throw incomplete(join(folder, file));
  }
  const metadata = parseJson(new Map(contents).get("manifest.json"));
  return isRecord(metadata) ? { ...facts, metadata: metadata as PackMetadata } : undefined;
}

/**
 * Reads a `bundle.js` that a build wrote, with its source map. Every other file is a source.
 * @param path absolute
 * @returns undefined for every other file
 * @throws {PackError} BUILD_INCOMPLETE
 */
export function readBundle(path: string): Bundle | undefined {
  if (basename(path) !== "bundle.js") return undefined;
  const code = readIfThere(path)?.toString("utf8");
  if (code === undefined || !/\bmodule\.exports\b/.test(code)) return undefined;
  readBuild(dirname(path));
  const sourceMap = readIfThere(`${path}.map`)?.toString("utf8") ?? "";
  return measureBundle({
    name: basename(dirname(path)),
    entry: path,
    code,
    // With a damaged source map, stack traces have no positions; the Pack still runs.
    sourceMap: isRecord(parseJson(sourceMap)) ? sourceMap : "",
  });
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch {
    return undefined;
  }
}

function parseJson(content: Buffer | string | undefined): unknown {
  try {
    return JSON.parse(content?.toString() ?? "");
  } catch {
    return undefined;
  }
}

function incomplete(path: string): PackError {
  return new PackError(
    "BUILD_INCOMPLETE",
    `${path} does not match the build.json in the same folder.`,
    {
      details: { path },
      hint: "Build the Pack again. Usual causes are an interrupted build, or a changed file.",
    },
  );
}

/** The error for a path that is not a build. */
export function notABuild(path: string): PackError {
  return usageError(
    `${basename(path)} is not a build folder.`,
    "Pass a folder that packsmith build wrote. The folder contains manifest.json and build.json.",
  );
}
