import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PackError } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { systemReason } from "../system-failure.ts";
import type { PackBundle } from "./bundle-pack.ts";
import type { PackManifest } from "./manifest.ts";

/** The absolute or given paths of what was written. */
export interface WrittenBundle {
  directory: string;
  bundle: string;
  sourceMap: string;
  manifest: string;
}

/**
 * Writes `OUT/<name>/bundle.js`, `bundle.js.map` and `manifest.json`. Everything is written under temporary names
 * first, then renamed, the manifest last: an interrupted or failed write leaves the previous output whole.
 * @throws {PackError} OUTPUT_NOT_WRITABLE
 */
export async function writeBundle(bundle: PackBundle, manifest: PackManifest, outDir: string): Promise<WrittenBundle> {
  const directory = join(outDir, bundle.name);
  const written = {
    directory,
    bundle: join(directory, "bundle.js"),
    sourceMap: join(directory, "bundle.js.map"),
    manifest: join(directory, "manifest.json"),
  };
  const suffix = `.${randomBytes(6).toString("hex")}.tmp`;
  const files: [path: string, text: string][] = [
    [written.sourceMap, bundle.sourceMap],
    [written.bundle, bundle.code],
    [written.manifest, `${JSON.stringify(manifest, undefined, 2)}\n`],
  ];
  try {
    makeFolder(directory);
    for (const [path, text] of files) await writeFile(path + suffix, text, { flag: "wx" });
    for (const [path] of files) await rename(path + suffix, path);
  } catch (cause) {
    const reason = systemReason(cause);
    throw new PackError("OUTPUT_NOT_WRITABLE", `The build cannot be written to ${directory}${reason === undefined ? "" : `: ${reason}`}.`, {
      details: { path: directory },
      hint: "Check the folder's permissions and the free space, or give another --out-dir.",
      cause,
    });
  } finally {
    await Promise.all(files.map(([path]) => rm(path + suffix, { force: true }).catch(() => undefined)));
  }
  return written;
}
