import { type BigIntStats, lstatSync, type Stats } from "node:fs";
import { PackError } from "../errors.ts";

/**
 * Refuses a file that other users can read or write, or that is a symbolic link.
 * @returns whether the file exists
 * @throws {PackError} VAULT_PERMISSIONS
 */
export function checkPrivateFile(path: string): boolean {
  const stats = statOf(path);
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) throw refused(path, "symlink", "is a symbolic link", "Replace the link with the file itself.");
  if (!stats.isFile()) throw refused(path, "not a file", "is not a regular file", "Move it away.");
  const mode = Number(stats.mode) & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw refused(path, octal(mode), "can be read by other users", `Run: chmod 600 ${path}`);
  }
  return true;
}

/**
 * Refuses a folder in which other users can replace files.
 * @throws {PackError} VAULT_PERMISSIONS
 */
export function checkPrivateFolder(path: string): void {
  const stats = statOf(path);
  if (stats === undefined || process.platform === "win32") return;
  const mode = Number(stats.mode) & 0o777;
  if (stats.isDirectory() && (mode & 0o022) !== 0) {
    throw refused(path, octal(mode), "can be written by other users", `Run: chmod 700 ${path}`);
  }
}

function statOf(path: string): Stats | BigIntStats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

function refused(path: string, mode: string, what: string, hint: string): PackError<"VAULT_PERMISSIONS"> {
  return new PackError("VAULT_PERMISSIONS", `${path} ${what}, so it is not safe for credentials.`, { details: { path, mode }, hint });
}
