import { resolve } from "node:path";
import { usageError } from "../../errors.ts";
import { isInside, realPath } from "../../shared/project-boundary.ts";

/**
 * @throws {PackError} USAGE_INVALID unless the path, or the folder of the pattern, is in the
 * project
 */
export function requireInside(file: string, project: string): void {
  // Patterns may be written with backslashes, everywhere.
  const spellings = [file, file.replaceAll("\\", "/")];
  // A pattern is checked up to its first wildcard; what it matches below is in that folder. A file
  // may have such a name, too.
  const paths = spellings.flatMap((path) => [path, path.replace(/[*?{[].*/s, "")]);
  const root = realPath(project);
  if (
    paths.every((path) => isInside(root, realPath(resolve(project, path)))) &&
    !file.split(/[\\/]/).includes("..")
  )
    return;
  throw usageError(
    `${file} is outside the project.`,
    "Pass a path inside the folder in which packsmith mcp runs.",
  );
}
