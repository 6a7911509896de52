import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Issue } from "../validate/issue.ts";

/**
 * Issues with their files as the reader of a report can open them: relative to the working directory, with forward
 * slashes; absolute when they lie outside of it.
 * @param base folder that the issues' own paths are relative to
 */
export function placeIssues(issues: readonly Issue[], base: string, cwd: string): Issue[] {
  const placed = (file: string): string => readablePath(resolve(base, file), cwd);
  return issues.map((issue) => ({
    ...issue,
    ...(issue.file === undefined ? {} : { file: placed(issue.file) }),
    ...(issue.fix === undefined
      ? {}
      : { fix: { ...issue.fix, edits: issue.fix.edits.map((edit) => ({ ...edit, file: placed(edit.file) })) } }),
  }));
}

/** The folder that positions in a Pack are relative to. */
export function folderOf(file: string, cwd: string): string {
  return dirname(resolve(cwd, file));
}

function readablePath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return isAbsolute(inside) || inside.startsWith("..") ? path : inside.split(sep).join("/");
}
