// Lists the built files that the package leaves out: files that no entry of the package and no
// types of an entry reach. dist/bin has the complete command line, so that files which only the
// command line needs would be there twice. npm reads the list when it packs; the files stay in dist
// for the other scripts of this folder.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Folders that are always taken. */
const TAKEN = /^(?:authoring|bin|jest|packages|polyfills|web)\//;
/**
 * What the bundler puts into a Pack, what a process of its own starts with, and what
 * `@codahq/packs-sdk` resolves to.
 */
const FOUND_BY_NAME =
  /^(?:build\/compiler-worker\.js|bundle\/runtime\/[^/]+\.js|legacy(?:-testing|-types)?\.(?:js|d\.ts)|legacy-types\/[^/]+\.d\.ts|pack-globals\.d\.ts)$/;
/** The compiler writes every specifier in one of these ways; hooks of a loader have a URL. */
const SPECIFIER = /(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*"(\.[^"]+\.(?:js|ts))"/g;

const built = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(dist.length + 1)
      .replaceAll("\\", "/"),
  );
const named = listPaths(exports)
  .filter((path) => path.startsWith("./dist/"))
  .map((path) => path.slice("./dist/".length));
const reached = new Set([
  ...named,
  ...built.filter((file) => TAKEN.test(file) || FOUND_BY_NAME.test(file)),
]);
for (const file of reached)
  if (!TAKEN.test(file)) for (const imported of importsOf(file)) reached.add(imported);

const unreached = built.filter((file) => !reached.has(file) && file !== ".npmignore");
writeFileSync(join(dist, ".npmignore"), `${unreached.map((file) => `/${file}`).join("\n")}\n`);

/** The paths of all entries, under conditions of any depth. */
function listPaths(entry) {
  return typeof entry === "string" ? [entry] : Object.values(entry).flatMap(listPaths);
}

function importsOf(file) {
  const isTypes = file.endsWith(".d.ts");
  return [...readFileSync(join(dist, file), "utf8").matchAll(SPECIFIER)]
    .map(([, specifier]) =>
      posix.join(dirname(file), specifier.replace(/\.[jt]s$/, isTypes ? ".d.ts" : ".js")),
    )
    .filter((path) => existsSync(join(dist, path)));
}
