// Gives the bundler what Packs import of packsmith, with enumerations in TypeScript's own form:
// esbuild then writes the values that a Pack names into the Pack, and leaves the rest out. An
// object that a Pack lists or looks into is still there, with the same members. It is done here,
// and not by a plugin, so that esbuild need not ask while it builds.
//
// Parts of the builder that not every Pack needs are imported by names that the bundler's options
// resolve, to the part or to a module that has the same names and fails.
//
//   node .ci/bundle-authoring.mjs [FOLDER]  reads and writes FOLDER. Default: dist
//
//   authoring/  index, legacy and service, with what they import, and a hash of all of them
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const dist = resolve(process.argv[2] ?? fileURLToPath(new URL("../dist", import.meta.url)));
const ENUMERATIONS = /\b([a-z]+-)?enumerations\.js$/;
/**
 * Objects of texts only: an enumeration of numbers has each of them as a member, too. A line for
 * each member; the lines stay.
 */
const OBJECT_OF_TEXTS =
  /^export const (\w+) = \{\n((?:\s+(?:\/\*\*[^\n]*\*\/|\w+: "[^"\\\n]*",)\n)+)\};$/gm;
/** The compiler writes every specifier in one of these ways. */
const SPECIFIER = /((?:\bfrom|\bimport)\s*\(?\s*")(\.[^"]+)(")/g;

/** The parts of `src/bundle/linked-parts.ts`. */
const PART = /^define\/compile\/(compile-table|compile-authentication|normalize-schema)\.js$/;
const EXPORTED_FUNCTION = /^export function (\w+)/gm;

const files = new Set(["index.js", "legacy.js", "service.js"]);
const namesOfParts = [];
const hash = createHash("sha256");
for (const file of files) {
  const isEnumerations = ENUMERATIONS.test(file);
  const code = readFileSync(join(dist, file), "utf8").replaceAll(
    SPECIFIER,
    (_, start, specifier, end) => {
      const imported = posix.join(posix.dirname(file), specifier);
      files.add(imported);
      const part = PART.exec(imported)?.[1];
      if (part !== undefined) return `${start}packsmith-part/${part}${end}`;
      return `${start}${asTypeScript(specifier)}${end}`;
    },
  );
  const target = join(dist, "authoring", asTypeScript(file));
  mkdirSync(dirname(target), { recursive: true });
  const written = isEnumerations ? asEnumerations(code) : code;
  hash.update(written);
  writeFileSync(target, written);
  if (PART.test(file))
    namesOfParts.push(...Array.from(code.matchAll(EXPORTED_FUNCTION), ([, name]) => name));
}

writeFileSync(
  join(dist, "authoring/define/compile/left-out.js"),
  `function leftOut() {
  throw new Error("The build left this part of packsmith out. Use its name in a file of the Pack.");
}
export { ${namesOfParts.map((name) => `leftOut as ${name}`).join(", ")} };
`,
);
// Each build reads it, to know whether what is in the cache was made with other modules.
writeFileSync(join(dist, "authoring/hash.txt"), hash.digest("hex"));

function asEnumerations(code) {
  return code.replace(
    OBJECT_OF_TEXTS,
    (_, name, members) => `export enum ${name} {\n${members.replace(/^(\s+\w+): /gm, "$1 = ")}}`,
  );
}

function asTypeScript(path) {
  return ENUMERATIONS.test(path) ? path.replace(/js$/, "ts") : path;
}
