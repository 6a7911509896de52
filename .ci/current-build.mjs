// Whether `dist` is the build of today's sources.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** What `npm run build` reads, and one file that each of its steps writes. */
const SOURCES = ["src", ".ci", "package.json", "package-lock.json", "tsconfig.json"];
const OUTPUTS = ["index.js", "bin/packsmith.cjs", "authoring/index.js"];

/**
 * Compares `dist` with the sources.
 * @param {string} root
 * @returns {string | undefined} why `dist` is not the build of the sources; undefined when it is
 */
export function currentBuild(root) {
  const recorded = readText(recordPath(root));
  if (recorded === undefined) return "dist was not built by npm run build.";
  return recorded === fingerprint(root) ? undefined : "dist is not the build of today's sources.";
}

/**
 * Remembers that `dist` is the build of the sources.
 * @param {string} root
 */
export function recordBuild(root) {
  mkdirSync(dirname(recordPath(root)), { recursive: true });
  writeFileSync(recordPath(root), fingerprint(root));
}

/**
 * @param {string} root
 * @param {readonly string[]} paths
 * @returns {string} a text that changes with the names and contents of files and folders below a
 * root, and not with the place of the root
 */
export function hashFiles(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((name) => listFiles(join(root, name)))) {
    hash.update(relative(root, path));
    hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

function recordPath(root) {
  return join(root, "node_modules", ".cache", "build");
}

function fingerprint(root) {
  // A build by other means writes these again.
  const times = OUTPUTS.map((name) => {
    const stats = statSync(join(root, "dist", name), { throwIfNoEntry: false });
    return `${name} ${stats?.mtimeMs}`;
  });
  return [hashFiles(root, SOURCES), ...times].join("\n");
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
