// Gives the bundler what Packs import of packsmith, with enumerations in TypeScript's own form: esbuild then writes the values
// that a Pack names into the Pack, and leaves the rest out. An object that a Pack lists or looks into is still there, with the
// same members. It is done here, and not by a plugin, so that esbuild need not ask while it builds.
//
//   dist/authoring/  index, legacy and service, with what they import
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const ENUMERATIONS = /\b([a-z]+-)?enumerations\.js$/;
/** Objects of texts only: an enumeration of numbers has each of them as a member, too. A line for each member; the lines stay. */
const OBJECT_OF_TEXTS = /^export const (\w+) = \{\n((?:\s+(?:\/\*\*[^\n]*\*\/|\w+: "[^"\\\n]*",)\n)+)\};$/gm;
/** The compiler writes every specifier in one of these ways. */
const SPECIFIER = /((?:\bfrom|\bimport)\s*\(?\s*")(\.[^"]+)(")/g;

const files = new Set(["index.js", "legacy.js", "service.js"]);
for (const file of files) {
  const isEnumerations = ENUMERATIONS.test(file);
  const code = readFileSync(join(dist, file), "utf8").replaceAll(SPECIFIER, (_, start, specifier, end) => {
    files.add(posix.join(posix.dirname(file), specifier));
    return `${start}${asTypeScript(specifier)}${end}`;
  });
  const target = join(dist, "authoring", asTypeScript(file));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, isEnumerations ? asEnumerations(code) : code);
}

function asEnumerations(code) {
  return code.replace(OBJECT_OF_TEXTS, (_, name, members) => `export enum ${name} {\n${members.replace(/^(\s+\w+): /gm, "$1 = ")}}`);
}

function asTypeScript(path) {
  return ENUMERATIONS.test(path) ? path.replace(/js$/, "ts") : path;
}
