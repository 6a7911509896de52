import { randomBytes } from "node:crypto";
import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PackError } from "../errors.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { systemReason } from "../shared/failures.ts";
import { readRegularFile } from "../shared/files.ts";
import { makeFolder } from "../shared/folders.ts";
import { type BuildRecord, formatDocuments } from "./build-record.ts";
import type { Bundle } from "./bundle.ts";

const debug = createDebugLog("build");

/** A write takes milliseconds. A process that began one this long ago was killed. */
const LEFTOVER_MS = 3_600_000;
const LEFTOVER = /^(?:bundle\.js|bundle\.js\.map|manifest\.json|build\.json)\.[0-9a-f]{12}\.tmp$/;

/**
 * Writes `OUT/<name>/bundle.js`, `bundle.js.map`, `manifest.json` and `build.json`. Everything is
 * written under temporary names
 * first, then renamed, `build.json` last: a failed write leaves the previous output unchanged. No
 * system renames four files at
 * once, so a process that is killed between the renames leaves files of two builds. `readBuild`
 * finds that by the hashes in
 * `build.json`.
 * @returns the paths of what was written
 * @throws {PackError} OUTPUT_NOT_WRITABLE
 */
export async function writeBundle(
  bundle: Bundle,
  build: BuildRecord,
  outDir: string,
  now: () => number = Date.now,
): Promise<Record<"directory" | "bundle" | "sourceMap" | "manifest" | "facts", string>> {
  const directory = join(outDir, bundle.name);
  const written = {
    directory,
    bundle: join(directory, "bundle.js"),
    sourceMap: join(directory, "bundle.js.map"),
    manifest: join(directory, "manifest.json"),
    facts: join(directory, "build.json"),
  };
  const { manifest, facts } = formatDocuments(build);
  const files: [path: string, text: string][] = [
    [written.sourceMap, bundle.sourceMap],
    [written.bundle, bundle.code],
    [written.manifest, manifest],
    [written.facts, facts],
  ];
  try {
    makeFolder(directory);
    const isUnchanged = refresh(files);
    if (!isUnchanged) replaceAll(files);
    debug(() => `write: ${directory} ${isUnchanged ? "had these files" : "has new files"}`);
    removeLeftovers(directory, now());
  } catch (cause) {
    const reason = systemReason(cause);
    throw new PackError(
      "OUTPUT_NOT_WRITABLE",
      `The build cannot be written to ${directory}${reason === undefined ? "" : `: ${reason}`}.`,
      {
        details: { path: directory },
        hint: "Check the permissions of the folder and the free space, or choose another folder with --out-dir.",
        cause,
      },
    );
  }
  return written;
}

/**
 * Sets the times of unchanged files, so that make sees them as new. @returns whether the files had
 * these texts already
 */
function refresh(files: readonly [path: string, text: string][]): boolean {
  try {
    if (files.some(([path, text]) => readRegularFile(path).toString() !== text)) return false;
    const now = new Date();
    for (const [path] of files) utimesSync(path, now, now);
    return true;
  } catch {
    return false;
  }
}

/**
 * Synchronous, because a process that writes hundreds of Packs has nothing else to do meanwhile.
 */
function replaceAll(files: readonly [path: string, text: string][]): void {
  const suffix = `.${randomBytes(6).toString("hex")}.tmp`;
  const left = new Set(files.map(([path]) => path + suffix));
  try {
    for (const [path, text] of files) writeFileSync(path + suffix, text, { flag: "wx" });
    for (const [path] of files) {
      renameSync(path + suffix, path);
      left.delete(path + suffix);
    }
  } finally {
    for (const path of left) removeIfThere(path);
  }
}

function removeLeftovers(directory: string, nowMs: number): void {
  try {
    const paths = readdirSync(directory)
      .filter((name) => LEFTOVER.test(name))
      .map((name) => join(directory, name));
    for (const path of paths) if (nowMs - statSync(path).mtimeMs > LEFTOVER_MS) rmSync(path);
  } catch {
    // Leftovers only take space. The next build tries again.
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The error of the write explains more than this one.
  }
}
