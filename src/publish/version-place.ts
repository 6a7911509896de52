import { dirname, resolve } from "node:path";
import type { SourcePlace } from "../errors.ts";
import type { Pack } from "../execute/open-pack.ts";
import { createLocator } from "../validate/positions.ts";
import { findText, followReferences } from "../validate/syntax.ts";

export interface VersionPlace {
  /** Absolute path of the file. */
  path: string;
  /** The file is relative to the entry. */
  place: SourcePlace;
  /** The complete file, with the offsets of the quoted version in it. */
  text: string;
  start: number;
  end: number;
}

/**
 * Finds the text of a Pack's version in its own files.
 * @returns undefined when the version is computed, or comes from somewhere else
 */
export function findVersionPlace(
  { bundle, definition }: Pick<Pack, "bundle" | "definition">,
  version: string,
): VersionPlace | undefined {
  const found = createLocator(definition, bundle.sources).find(["version"]);
  const { module, node } = found?.isExact === true ? followReferences(found.value) : {};
  if (module === undefined || node === undefined || findText(node) !== version) return undefined;
  const { path: file, text } = module;
  const { start, end } = node;
  const before = text.slice(0, start);
  const line = before.split("\n").length;
  const place = { file, line, column: start - before.lastIndexOf("\n") };
  return { path: resolve(dirname(bundle.entry), file), place, text, start, end };
}
