import { basename, dirname, extname, join, resolve } from "node:path";
import { readRegularFile } from "../shared/files.ts";

const GENERIC_STEMS = new Set(["pack", "index", "manifest"]);

/**
 * The name of a Pack's output folder: the name of its entry file without the extension. For a
 * generic name (`pack`, `index`,
 * `manifest`) it is the `name` in the package.json next to it without the scope, or else the name of the folder.
 * @param entry path of the entry file
 * @returns a name of `A-Z a-z 0-9 . _ -`
 */
export function packNameOf(entry: string): string {
  const path = resolve(entry);
  const stem = basename(path, extname(path));
  if (!GENERIC_STEMS.has(stem)) return sanitize(stem);
  const folder = dirname(path);
  return sanitize(packageName(folder) ?? basename(folder));
}

function packageName(folder: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(readRegularFile(join(folder, "package.json")).toString());
    const name =
      typeof parsed === "object" && parsed !== null && "name" in parsed ? parsed.name : undefined;
    return typeof name === "string" && name !== "" ? name.replace(/^@[^/]*\//, "") : undefined;
  } catch {
    return undefined;
  }
}

function sanitize(name: string): string {
  // A name of only dots would be a folder above.
  const clean = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+|-+$/g, "");
  return clean === "" ? "pack" : clean;
}
