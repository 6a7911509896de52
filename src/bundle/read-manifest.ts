import { readFile } from "node:fs/promises";
import type { PackManifest } from "./manifest.ts";

/** @returns what a build wrote; undefined when the file is missing or is no manifest */
export async function readManifest(path: string): Promise<PackManifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(path, "utf8")) as PackManifest;
    const isManifest = manifest.formatVersion === 1 && Array.isArray(manifest.inputs) && typeof manifest.definition === "object";
    return isManifest ? manifest : undefined;
  } catch {
    return undefined;
  }
}
