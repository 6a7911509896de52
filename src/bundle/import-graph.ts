import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Metafile } from "esbuild";
import { getPart, OWN_CODE } from "./bundle-parts.ts";

/**
 * The imports of each file of a bundle, with the paths of the manifest's inputs. The entry comes
 * first, the others are sorted.
 */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** @param nameOf turns a path of the metafile into the name of an input */
export function createImportGraph(
  { inputs, outputs }: Metafile,
  nameOf: (path: string) => string,
): ImportGraph {
  const entry =
    Object.values(outputs).find(({ entryPoint }) => entryPoint !== undefined)?.entryPoint ?? "";
  const others = Object.keys(inputs).filter((path) => path !== entry);
  const importedBy = (path: string): string[] =>
    (inputs[path]?.imports ?? [])
      .map((imported) => imported.path)
      .filter((imported) => !isInjected(imported));
  const nodes = (paths: readonly string[]) =>
    paths.map((path): [string, string[]] => [nameOf(path), importedBy(path).map(nameOf)]);
  return new Map([...nodes([entry]), ...nodes(others).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/**
 * Whether an input is not a file but a name that esbuild makes, such as `(disabled):fs`,
 * `<data:text/plain,a>` or `<runtime>`. A file
 * may have such a name, too: what exists is a file.
 * @param folder absolute path of the folder that the input is relative to
 */
export function isOfEsbuild(input: string, folder: string): boolean {
  return mayBeOfEsbuild(input) && !existsSync(resolve(folder, input));
}

/** Whether an input looks like a name that esbuild makes. */
export function mayBeOfEsbuild(input: string): boolean {
  return /^(?:\(?[a-z]+\)?:|<)/.test(input);
}

/**
 * Whether esbuild adds the input to every file: its own helpers, and the files that the options
 * inject.
 */
export function isInjected(path: string): boolean {
  return path === "<runtime>" || isAbsolute(path);
}

/**
 * Finds the imports that bring a package or a file into a bundle: the shortest path from the entry.
 * @param wanted name of a package (`lodash`, `node:crypto`), or the end of a file's path
 * @returns the files from the entry to the first match; undefined when the bundle does not contain
 *   it
 */
export function whyImported(graph: ImportGraph, wanted: string): string[] | undefined {
  const [entry] = graph.keys();
  if (entry === undefined) return undefined;
  const cameFrom = new Map<string, string | undefined>([[entry, undefined]]);
  for (const file of cameFrom.keys()) {
    if (file !== entry && isMeant(file, wanted)) return wayTo(file, cameFrom);
    for (const imported of graph.get(file) ?? [])
      if (!cameFrom.has(imported)) cameFrom.set(imported, file);
  }
  return undefined;
}

/**
 * @param through a file of the author
 * @returns files of the author that import each other in a circle with this file, with the same
 *   file first and last; undefined without a circle
 */
export function ownCycle(graph: ImportGraph, through: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[through, undefined]]);
  for (const file of cameFrom.keys()) {
    for (const imported of graph.get(file) ?? []) {
      if (imported === through) return startAtFirst(wayTo(file, cameFrom), graph);
      if (!cameFrom.has(imported) && getPart(imported) === OWN_CODE) cameFrom.set(imported, file);
    }
  }
  return undefined;
}

/** The same circle, from the file that the graph names first: the entry, if it is one of them. */
function startAtFirst(circle: readonly string[], graph: ImportGraph): string[] {
  const first = [...graph.keys()].find((file) => circle.includes(file)) ?? "";
  const at = circle.indexOf(first);
  return [...circle.slice(at), ...circle.slice(0, at), first];
}

function isMeant(file: string, wanted: string): boolean {
  return (
    getPart(file) === wanted ||
    getPart(file) === `node:${wanted}` ||
    file === wanted ||
    file.endsWith(`/${wanted}`)
  );
}

function wayTo(file: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let at: string | undefined = file; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  return way;
}
