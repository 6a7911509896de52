import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

/**
 * Builds once more, only to learn which files are read and where relative imports lead: a build that fails does not tell.
 * @returns absolute paths; those of relative imports as they are written, whether or not there is such a file
 */
export async function pathsLookedAt(options: BuildOptions): Promise<string[]> {
  const paths = new Set<string>();
  const recorder: Plugin = {
    name: "recorder",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}(?:\/|$)/ }, ({ path, resolveDir }) => {
        paths.add(resolve(resolveDir, path));
        return undefined;
      });
      onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => {
        paths.add(path);
        return undefined;
      });
    },
  };
  await build({ ...options, plugins: [recorder, ...(options.plugins ?? [])] }).catch(() => undefined);
  return [...paths];
}
