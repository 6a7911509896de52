import { fileURLToPath, pathToFileURL } from "node:url";
import { parseJson } from "../shared/json.ts";
import { canParseUrl } from "../shared/urls.ts";
import { isRecord } from "../shared/values.ts";

/** A source map that a module names. */
export interface NamedSourceMap {
  /** The file that has it. `undefined` for a map in the module itself. */
  file: string | undefined;
  /** The text of a map in the module itself. */
  text: string | undefined;
  /** What its sources are relative to. */
  base: string;
}

const SOURCE_MAP = /(?<=[#@]\s*sourceMappingU)R(?=L\s*=\s*(\S+))/g;
/** Tools write the sources of a map into it. More files than this are not read for one map. */
const MAX_MISSING_SOURCES = 10_000;

/** The maps that esbuild would read for a module. It does not read from other machines. */
export function findSourceMaps(text: string, path: string): NamedSourceMap[] {
  const base = pathToFileURL(path).href;
  return [...text.matchAll(SOURCE_MAP)].flatMap(([, url = ""]): NamedSourceMap[] => {
    if (!canParseUrl(url, base)) return [];
    const map = new URL(url, base);
    if (map.protocol === "data:") return [{ file: undefined, text: decodeDataUrl(url), base }];
    if (map.protocol !== "file:" || map.host !== "") return [];
    return [{ file: fileURLToPath(map), text: undefined, base: map.href }];
  });
}

/** The text of a module, with maps that esbuild does not find. */
export function hideSourceMaps(text: string): string {
  return text.replace(SOURCE_MAP, "_");
}

/**
 * The files that esbuild would read because a map names them without their text.
 * @returns `undefined` if they cannot be determined, or are too many
 */
export function listMissingSources(map: string, base: string): string[] | undefined {
  if (!/sources|sections/.test(map)) return [];
  const paths: string[] = [];
  const open: unknown[] = [parseJson(map)];
  for (const part of open) {
    if (!isRecord(part)) return undefined;
    // A map can consist of others.
    const sections = Array.isArray(part["sections"]) ? part["sections"] : [];
    for (const section of sections) if (isRecord(section)) open.push(section["map"]);
    for (const path of listMissing(part, base)) paths.push(path);
    if (paths.length > MAX_MISSING_SOURCES) return undefined;
  }
  return paths;
}

function listMissing(
  { sources, sourcesContent, sourceRoot }: Record<string, unknown>,
  base: string,
): string[] {
  if (!Array.isArray(sources)) return [];
  const texts: unknown[] = Array.isArray(sourcesContent) ? sourcesContent : [];
  const root =
    typeof sourceRoot === "string" && canParseUrl(sourceRoot, base)
      ? new URL(sourceRoot, base).href
      : base;
  return sources.flatMap((source: unknown, index) => {
    if (typeof source !== "string" || typeof texts[index] === "string") return [];
    if (!canParseUrl(source, root)) return [];
    const { protocol, pathname } = new URL(source, root);
    return protocol === "file:" ? [decodePercent(pathname)] : [];
  });
}

function decodeDataUrl(url: string): string {
  const [, header = "", data = ""] = /^data:([^,]*),(.*)$/s.exec(url) ?? [];
  return header.endsWith(";base64")
    ? Buffer.from(data, "base64").toString("utf8")
    : decodePercent(data);
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
