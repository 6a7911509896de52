/** Why the system refused a file, as the end of a sentence; undefined for other errors. */
export function systemReason(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined ? undefined : REASONS[code];
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "there is no such file",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  ENOTREG: "it is a pipe or a device, not a file",
  EMFILE: "this process has too many files open",
  ENFILE: "the system has too many files open",
};
