import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PackError } from "../errors.ts";
import type { PackManifest } from "./manifest.ts";

/** @returns the manifest of a build; undefined when the file is missing or is not a manifest */
export function readManifest(path: string): PackManifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as PackManifest;
    const isManifest =
      manifest.formatVersion === 1 &&
      Array.isArray(manifest.inputs) &&
      typeof manifest.definition === "object" &&
      [manifest.bundle, manifest.sourceMap].every(({ sha256 }) => typeof sha256 === "string");
    return isManifest ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the manifest of a build and checks that the bundle and the source map next to it, if they exist, match its hashes. A process
 * that is killed between the renames of `writeBundle` leaves files of two builds.
 * @returns undefined when the file is missing or is not a manifest
 * @throws {PackError} BUILD_INCOMPLETE
 */
export function readBuild(path: string): PackManifest | undefined {
  const manifest = readManifest(path);
  // Under another name it is a copy to compare with, without the other files.
  if (manifest === undefined || basename(path) !== "manifest.json") return manifest;
  const directory = dirname(path);
  const files = { "bundle.js": manifest.bundle, "bundle.js.map": manifest.sourceMap };
  for (const [file, { sha256 }] of Object.entries(files)) {
    const path = join(directory, file);
    const content = readIfThere(path);
    if (content !== undefined && hash("sha256", content) !== sha256) throw incomplete(path);
  }
  return manifest;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function incomplete(path: string): PackError {
  return new PackError("BUILD_INCOMPLETE", `${path} does not match the manifest.json in the same folder.`, {
    details: { path },
    hint: "Build the Pack again. A build was stopped while it wrote, or the file was changed.",
  });
}
