import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isInside, realPath } from "../shared/project-boundary.ts";
import { memoize } from "../shared/values.ts";

/**
 * Some build systems present sources as a tree of links to the files of a checkout. esbuild names
 * the files of the checkout, so that a bundle would tell where that is.
 * @param entry absolute path
 * @returns a function that names a file as it is in the tree. Paths are relative to the folder of
 *   the entry
 */
export function createLinkNamer(entry: string): (path: string) => string {
  const folder = dirname(entry);
  const target = realPath(entry);
  if (target === join(realPath(folder), basename(entry))) return (path) => path;
  const [tree, checkout] = withoutCommonEnd(entry, target);
  return memoize((path) => {
    const file = resolve(folder, path);
    const link = join(tree, relative(checkout, file));
    return isInside(checkout, file) && realPath(link) === realPath(file)
      ? relative(folder, link).split(sep).join("/")
      : path;
  });
}

/** Two folders below which two paths are the same. */
function withoutCommonEnd(left: string, right: string): [left: string, right: string] {
  return basename(left) === basename(right) && dirname(left) !== left
    ? withoutCommonEnd(dirname(left), dirname(right))
    : [left, right];
}
