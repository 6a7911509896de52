import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashFiles } from "./suites/hash-files.ts";

/** What `npm run build` reads, and one file that each of its steps writes. */
const SOURCES = ["src", ".ci", "package.json", "package-lock.json", "tsconfig.json"];
const OUTPUTS = ["index.js", "bin/packsmith.cjs", "authoring/index.js"];

/**
 * Compares `dist` with the sources.
 * @returns why `dist` is not the build of the sources; undefined when it is
 */
export function currentBuild(root: string): string | undefined {
  const recorded = readText(recordPath(root));
  if (recorded === undefined) return "dist was not built by the tests.";
  return recorded === fingerprint(root) ? undefined : "dist is not the build of today's sources.";
}

/** Remembers that `dist` is the build of the sources. */
export function recordBuild(root: string): void {
  mkdirSync(dirname(recordPath(root)), { recursive: true });
  writeFileSync(recordPath(root), fingerprint(root));
}

/**
 * Call it before a child process is started from `dist`: in watch mode, sources change after the
 * set-up.
 * @throws when `dist` is stale
 */
export function assertCurrentBuild(root: string): void {
  const problem = currentBuild(root);
  if (problem !== undefined) throw new Error(`${problem} Run npm test again: it builds first.`);
}

function recordPath(root: string): string {
  return join(root, "node_modules", ".cache", "test-build");
}

function fingerprint(root: string): string {
  // A build by other means writes these again.
  const times = OUTPUTS.map((name) => {
    const stats = statSync(join(root, "dist", name), { throwIfNoEntry: false });
    return `${name} ${stats?.mtimeMs}`;
  });
  return [hashFiles(root, SOURCES), ...times].join("\n");
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
