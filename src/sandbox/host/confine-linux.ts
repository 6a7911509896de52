import { dirname } from "node:path";
import type { RootEntry } from "./root-entries.ts";

/** A user that owns no file. */
const NO_ONE = "65534";

export interface BubblewrapOptions {
  program: string;
  entries: readonly RootEntry[];
  /** A debugger needs the network of this machine. */
  sharesNetwork: boolean;
  /** The descriptor that has the filter of system calls. */
  filterFd: number | undefined;
}

/**
 * @returns the command that runs another one, which is appended, in namespaces of its own, with a
 *   root that has only the entries
 */
export function bubblewrapCommand(options: BubblewrapOptions): string[] {
  const { program, entries, sharesNetwork, filterFd } = options;
  return [
    program,
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-cgroup-try"],
    ...["--unshare-uts", "--hostname", "sandbox"],
    ...(sharesNetwork ? [] : ["--unshare-net"]),
    "--die-with-parent",
    ...["--uid", NO_ONE, "--gid", NO_ONE, "--cap-drop", "ALL"],
    ...entries.flatMap((entry) =>
      entry.is === "file"
        ? ["--ro-bind", entry.path, entry.path]
        : ["--symlink", entry.target, entry.path],
    ),
    ...["--remount-ro", "/", "--chdir", "/"],
    ...(filterFd === undefined ? [] : ["--seccomp", String(filterFd)]),
    "--",
  ];
}

/** A folder that every Linux has, and that no program is in. */
const ROOT = "/sys";

export interface UnshareOptions {
  /** Absolute paths. */
  programs: Readonly<Record<"unshare" | "setpriv" | "mount" | "mkdir" | "ln", string>>;
  entries: readonly RootEntry[];
  /** A debugger needs the network of this machine. */
  sharesNetwork: boolean;
  /** Commands of the shell that set limits; they would be in the way of making the root. */
  limits: string;
}

/**
 * The same with programs that every Linux has. The root is made in a first user namespace; in a
 * second one, which has no right to change it, the command runs.
 */
export function unshareCommand(options: UnshareOptions): string[] {
  const { programs, entries, sharesNetwork, limits } = options;
  const { unshare, setpriv, mount, mkdir, ln } = programs;
  const inRoot = (path: string): string => quote(ROOT + path);
  const files = entries.filter(({ is }) => is === "file").map(({ path }) => path);
  const links = entries.filter((entry) => entry.is === "link");
  const folders = [...new Set(entries.map(({ path }) => dirname(path)))].filter((f) => f !== "/");
  const script = [
    `${mount} -t tmpfs -o size=1m,mode=755 tmpfs ${ROOT}`,
    ...(folders.length === 0 ? [] : [`${mkdir} -p ${folders.map(inRoot).join(" ")}`]),
    ...links.map(({ path, target }) => `${ln} -s ${quote(target)} ${inRoot(path)}`),
    ...files.map((path) => `: >${inRoot(path)}`),
    `printf %s ${quote(files.map(mountLine).join(""))} >${ROOT}/.mounts`,
    `${mount} -a -T ${ROOT}/.mounts`,
    `${mount} -o remount,bind,ro ${ROOT}`,
    limits,
    [
      `exec ${setpriv} --no-new-privs -- ${unshare} --user`,
      `--map-user=${NO_ONE} --map-group=${NO_ONE} --root=${ROOT} --wd=/ -- "$@"`,
    ].join(" "),
  ].join("\n");
  return [
    unshare,
    ...["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--uts"],
    ...(sharesNetwork ? [] : ["--net"]),
    ...["--fork", "--kill-child=SIGKILL", "--", "/bin/sh", "-ec", script, "sh"],
  ];
}

/** A line of fstab(5), in which spaces and backslashes are octal numbers. */
function mountLine(path: string): string {
  const encode = (text: string): string =>
    text.replace(
      /[\s\\]/g,
      (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
    );
  return `${encode(path)} ${encode(ROOT + path)} none bind,ro,nosuid,nodev 0 0\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
