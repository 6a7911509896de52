import { readFile, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { packageRoot, packageVersion } from "../shared/own-package.ts";

/**
 * How a project has to name this package to get the very copy that runs now: a version when it came from a registry, else
 * the tarball or folder that it was installed from.
 * @param project absolute path of the folder whose package.json will hold the result
 * @param from folder of this package, for tests
 */
export async function packageSpec(project: string, from: string = packageRoot()): Promise<string> {
  const root = await realpath(from);
  const marker = `${sep}node_modules${sep}`;
  const at = root.lastIndexOf(marker);
  if (at < 0) return fileSpec(project, root);
  const installation = root.slice(0, at);
  const resolved = await resolvedFrom(
    installation,
    root
      .slice(at + 1)
      .split(sep)
      .join("/"),
  );
  if (resolved === undefined) return fileSpec(project, root);
  if (!resolved.startsWith("file:")) return `^${packageVersion()}`;
  return fileSpec(project, resolve(join(installation, "node_modules"), fileTarget(resolved)));
}

/** npm writes down where each installed package came from, in a lock file of its own inside node_modules. */
async function resolvedFrom(installation: string, key: string): Promise<string | undefined> {
  try {
    const lock = JSON.parse(await readFile(join(installation, "node_modules", ".package-lock.json"), "utf8")) as {
      packages?: Record<string, { resolved?: string; version?: string; link?: boolean }>;
    };
    const entry = lock.packages?.[key];
    if (entry === undefined) return undefined;
    // A registry address may be left out of lock files; a version without one still came from a registry.
    return entry.resolved ?? (entry.link === true ? undefined : "registry");
  } catch {
    return undefined;
  }
}

function fileTarget(resolved: string): string {
  // Lock files give the path relative to the folder that holds node_modules.
  return join("..", decodeURI(resolved.slice("file:".length)));
}

function fileSpec(project: string, target: string): string {
  const path = relative(project, target).split(sep).join("/");
  return `file:${path === "" ? "." : path}`;
}
