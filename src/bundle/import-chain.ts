import type { Metafile } from "esbuild";

/**
 * Finds how the entry file comes to import a module: the shortest way.
 * @returns the files from the entry to the importer, then the module: `["pack.ts", "lib/io.ts", "node:fs"]`
 */
export function importChain(metafile: Metafile, entry: string, wanted: string): string[] {
  const cameFrom = new Map<string, string | undefined>([[entry, undefined]]);
  for (const file of cameFrom.keys()) {
    for (const { path, original } of metafile.inputs[file]?.imports ?? []) {
      if (path === wanted || original === wanted) return [...wayTo(file, cameFrom), wanted];
      if (!cameFrom.has(path)) cameFrom.set(path, file);
    }
  }
  return [wanted];
}

function wayTo(file: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let at: string | undefined = file; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  return way;
}
