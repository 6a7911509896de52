import { lstatSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../shared/crypto.ts";
import { isOwn } from "../../shared/files.ts";
import { cacheFolder, makeFolder } from "../../shared/folders.ts";
import { packageVersion } from "../../shared/own-package.ts";

/** What the kernel allows this process, beyond its version. */
const KERNEL_FILES = [
  "/proc/sys/kernel/unprivileged_userns_clone",
  "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
  "/proc/sys/user/max_user_namespaces",
  "/proc/self/attr/current",
];

/**
 * An empty file in the cache folder says that a confinement has worked with these programs, this
 * Node, and what the kernel allowed. It can only spare the trial: a sandbox that does not start
 * runs nothing, and what is weaker is never kept.
 */
export interface KeptConfinement {
  readonly isKnown: boolean;
  keep(): void;
  forget(): void;
}

/** @param programs absolute paths of what confines */
export function findKept(
  programs: readonly string[],
  folder = join(cacheFolder(process.env), "confinements"),
): KeptConfinement {
  const path = join(folder, sha256(describeMachine(programs), "hex"));
  return {
    get isKnown() {
      try {
        const stats = lstatSync(path);
        return stats.isFile() && isOwn(stats);
      } catch {
        return false;
      }
    },
    keep: () =>
      tryQuietly(() => {
        makeFolder(folder);
        writeFileSync(path, "");
      }),
    forget: () => tryQuietly(() => rmSync(path, { force: true })),
  };
}

function describeMachine(programs: readonly string[]): string {
  const files = [process.execPath, ...programs].map((path) => {
    const { size, mtimeMs, ctimeMs, mode, uid, ino } = statSync(path);
    return [path, size, mtimeMs, ctimeMs, mode, uid, ino];
  });
  const status = read("/proc/self/status");
  return JSON.stringify([
    packageVersion(),
    [process.version, process.arch, release(), process.getuid?.(), process.getgid?.()],
    files,
    KERNEL_FILES.map(read),
    readLink("/proc/self/ns/user"),
    status.match(/^(?:CapEff|CapBnd|NoNewPrivs|Seccomp):.*$/gm),
  ]);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** The cache is a convenience: a folder that cannot be written costs a trial each time. */
function tryQuietly(change: () => void): void {
  try {
    change();
  } catch {
    // Nothing is kept.
  }
}
