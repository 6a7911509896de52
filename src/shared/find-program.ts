import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside, projectRoot, realPath } from "./project-boundary.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface FindProgramOptions {
  /** The folder that packsmith works on: a program in its project is not found. */
  outside?: string | undefined;
  /** @default that of this machine */
  platform?: NodeJS.Platform | undefined;
}

/**
 * Finds a program in `PATH`. Only absolute folders count: `.` and other relative ones mean the
 * working folder, where anyone may have put a program.
 * @returns its absolute path
 */
export function findProgram(
  name: string,
  env: Environment,
  options: FindProgramOptions = {},
): string | undefined {
  const { platform = process.platform } = options;
  if (isAbsolute(name)) return isExecutable(name) ? name : undefined;
  if (/[\\/]/.test(name)) return undefined;
  const endings =
    platform === "win32" ? (env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  return trustedFolders(env, options)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find(isExecutable);
}

/** `PATH` for a program that starts others: only the folders in which `findProgram` looks. */
export function safePath(env: Environment, options: FindProgramOptions = {}): string {
  return trustedFolders(env, options).join(delimiter);
}

function trustedFolders(env: Environment, { outside }: FindProgramOptions): string[] {
  const project = outside === undefined ? undefined : realPath(projectRoot(outside));
  return (env["PATH"] ?? env["Path"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .filter((folder) => project === undefined || !isInside(project, realPath(folder)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
