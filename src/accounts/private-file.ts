import { lstatSync, type Stats, statSync } from "node:fs";
import { PackError } from "../errors.ts";
import { systemReason } from "../shared/failures.ts";
import { isOwn } from "../shared/files.ts";

/**
 * Refuses a file that belongs to another user, that other users can read or write, or that is a
 * symbolic link.
 * @returns whether the file exists
 * @throws {PackError} VAULT_PERMISSIONS
 */
export function checkPrivateFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink())
    throw createRefusal(
      path,
      "symlink",
      "is a symbolic link",
      "Replace the link with the file itself.",
    );
  if (!stats.isFile())
    throw createRefusal(
      path,
      "not a file",
      "is not a regular file",
      "Move or rename this file or folder.",
    );
  if (!isOwn(stats)) throw ofAnotherUser(path);
  const mode = stats.mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw createRefusal(path, octal(mode), "can be read by other users", `Run: chmod 600 ${path}`);
  }
  if (process.platform !== "win32" && (mode & 0o400) === 0)
    throw createClosedError(path, octal(mode), "read", "600");
  return true;
}

/**
 * Refuses a folder that belongs to another user, or in which other users can replace files. The
 * folder that a link leads to counts.
 * @throws {PackError} VAULT_PERMISSIONS
 */
export function checkPrivateFolder(path: string): void {
  const stats = statFolder(path);
  if (stats === undefined) return;
  if (!stats.isDirectory())
    throw createRefusal(
      path,
      "not a folder",
      "is not a folder",
      "Move or rename this file or folder.",
    );
  if (process.platform === "win32") return;
  if (!isOwn(stats)) throw ofAnotherUser(path);
  const mode = stats.mode & 0o777;
  if ((mode & 0o022) !== 0) {
    throw createRefusal(
      path,
      octal(mode),
      "can be written by other users",
      `Run: chmod 700 ${path}`,
    );
  }
  // The database has files next to it, also while it is only read.
  if ((mode & 0o700) !== 0o700) throw createClosedError(path, octal(mode), "used", "700");
}

function statFolder(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const reason = systemReason(error) ?? "the system refuses it";
    throw createRefusal(
      path,
      "not a folder",
      `cannot be opened: ${reason}`,
      "Choose another folder.",
    );
  }
}

function ofAnotherUser(path: string): PackError<"VAULT_PERMISSIONS"> {
  return createRefusal(
    path,
    "owner",
    "belongs to another user",
    "Run the command as that user, or set PACKSMITH_HOME to your own folder.",
  );
}

/** Nothing says that the vault is damaged: its owner took the permission away. */
function createClosedError(
  path: string,
  mode: string,
  what: string,
  wanted: string,
): PackError<"VAULT_PERMISSIONS"> {
  return new PackError(
    "VAULT_PERMISSIONS",
    `${path} cannot be ${what}: you do not have permission.`,
    {
      details: { path, mode },
      hint: `Run: chmod ${wanted} ${path}`,
    },
  );
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

function createRefusal(
  path: string,
  mode: string,
  what: string,
  hint: string,
): PackError<"VAULT_PERMISSIONS"> {
  return new PackError("VAULT_PERMISSIONS", `${path} ${what}, so it is not safe for credentials.`, {
    details: { path, mode },
    hint,
  });
}
