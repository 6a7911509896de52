import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Bundle } from "../bundle/bundle.ts";

/**
 * The code of a bundle for a debugger: its source map is in the script, and names the author's
 * files by their URLs.
 * @param folder the folder of the entry, which the names in the map are relative to
 */
export function inspectedScript(
  { code, sourceMap }: Pick<Bundle, "code" | "sourceMap">,
  folder: string,
): string {
  const map = JSON.parse(sourceMap) as { sources: string[] };
  const sources = map.sources.map((source) => {
    const path = resolve(folder, source);
    return existsSync(path) ? pathToFileURL(path).href : source;
  });
  const text = Buffer.from(JSON.stringify({ ...map, sources })).toString("base64");
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${text}\n`;
}
