/** What a program of macOS reads to start: libraries and settings of the system. */
const SYSTEM_FOLDERS = [
  "/System",
  "/usr/lib",
  "/usr/share",
  "/Library/Apple",
  "/private/var/db/dyld",
  "/private/var/db/timezone",
];

/** Folders of package managers that have libraries of their Node. */
const LIBRARY_FOLDERS = ["/opt/homebrew", "/usr/local", "/opt/local", "/nix/store"];

const DEVICES = ["/dev/null", "/dev/random", "/dev/urandom", "/dev/dtracehelper"];

/**
 * Writes a profile for `sandbox-exec`: files are read only where a program starts from, nothing is
 * written, and there is no network, no other process and no signal to one.
 * @param program the absolute path of Node
 */
export function writeSandboxProfile(
  program: string,
  { sharesNetwork }: { sharesNetwork: boolean },
): string {
  const readable = [
    ...[...SYSTEM_FOLDERS, ...LIBRARY_FOLDERS].map((path) => `(subpath ${quote(path)})`),
    ...[program, "/", ...DEVICES].map((path) => `(literal ${quote(path)})`),
  ];
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-read-data)",
    `(allow file-read-data ${readable.join(" ")})`,
    "(deny file-write*)",
    '(allow file-write-data (literal "/dev/null") (literal "/dev/dtracehelper"))',
    ...(sharesNetwork ? [] : ["(deny network*)"]),
    "(deny process-fork)",
    `(deny process-exec*)`,
    `(allow process-exec* (literal ${quote(program)}))`,
    "(deny signal (target others))",
    "(deny process-info* (target others))",
    "(deny mach-lookup)",
    "(deny appleevent-send)",
    "(deny iokit-open)",
  ].join("\n");
}

/** A text of the profile's language. */
function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** @returns the command that runs another one, which is appended, under the profile */
export function sandboxExecCommand(program: string, profile: string): string[] {
  return [program, "-p", profile];
}
