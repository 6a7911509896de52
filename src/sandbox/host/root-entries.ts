import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

/** A part of an otherwise empty root. The folders above it are made as they are needed. */
export type RootEntry = { is: "file"; path: string } | { is: "link"; path: string; target: string };

/** More links than the kernel follows. */
const MAX_LINKS = 40;

/**
 * Finds what a program needs to be started at the same paths: the files, and the links that lead
 * to them.
 * @param paths absolute paths of files
 * @throws {Error} with the code of the system, for a file that does not exist
 */
export function readRootEntries(paths: readonly string[]): RootEntry[] {
  const entries = new Map<string, RootEntry>();
  for (const path of paths) {
    let current = path;
    for (let links = 0; ; links++) {
      const link = firstLink(current);
      if (link === undefined) break;
      if (links > MAX_LINKS) throw new Error(`${path} passes through too many symbolic links.`);
      const target = readlinkSync(link);
      entries.set(link, { is: "link", path: link, target });
      current = join(resolve(dirname(link), target), current.slice(link.length));
    }
    entries.set(current, { is: "file", path: current });
  }
  return [...entries.values()];
}

function firstLink(path: string): string | undefined {
  const names = path.split(sep);
  for (let count = 2; count <= names.length; count++) {
    const part = names.slice(0, count).join(sep);
    if (lstatSync(part).isSymbolicLink()) return part;
  }
  return undefined;
}

/** A line of `/proc/self/maps` about the program that loads libraries. */
const LOADER = /(\/\S*\/ld(?:64)?[-.][^/\s]*\.so[^/\s]*)$/m;

/**
 * @param program the absolute path of the program that this process runs
 * @returns the program and the libraries that are loaded when it starts
 */
export function readProgramFiles(program: string): string[] {
  const listed = listLibraries(program, [program, "--version"]);
  if (listed.length > 0) return [program, ...listed];
  // The loader of musl lists only when it is asked directly.
  const loader = LOADER.exec(readFileSync("/proc/self/maps", "latin1"))?.[1];
  return [
    program,
    ...(loader === undefined ? [] : listLibraries(program, [loader, "--list", program])),
  ];
}

function listLibraries(program: string, [file, ...args]: [string, ...string[]]): string[] {
  const text = execFileSync(file, args, {
    // What `ldd` does.
    env: { LD_TRACE_LOADED_OBJECTS: "1" },
    encoding: "utf8",
    timeout: 10_000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return parseLibraries(text).filter((path) => path !== program);
}

/** @param text lines such as `libm.so.6 => /lib/libm.so.6 (0x7f00)` */
export function parseLibraries(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => / \(0x[0-9a-f]+\)$/.test(line))
    .flatMap((line) => line.replace(/ \(0x[0-9a-f]+\)$/, "").split(" => "))
    .map((path) => path.trim())
    .filter((path) => path.startsWith("/"));
}
