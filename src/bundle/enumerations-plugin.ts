import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import { isDefineFile } from "./own-modules.ts";

/**
 * Gives esbuild our enumerations as those of TypeScript: it then writes the values that a Pack names into the Pack, and leaves the
 * rest out. An object that a Pack lists or looks into is still there, with the same members.
 */
export const enumerationsPlugin: Plugin = {
  name: "enumerations",
  setup(build) {
    build.onLoad({ filter: /[\\/]define[\\/](?:[a-z]+-)?enumerations\.js$/ }, async ({ path }) =>
      isDefineFile(path) ? { contents: asEnumerations(await readFile(path, "utf8")), loader: "ts" } : undefined,
    );
  },
};

/** Objects of texts only: an enumeration of numbers has each of them as a member, too. */
const OBJECT_OF_TEXTS = /^export const (\w+) = \{\n((?:\s+(?:\/\*\*[^\n]*\*\/|\w+: "[^"\\\n]*",)\n)+)\};$/gm;

/** @param code as the compiler has written it, a line for each member. The lines stay. */
export function asEnumerations(code: string): string {
  return code.replace(OBJECT_OF_TEXTS, (_, name: string, members: string) => {
    return `export enum ${name} {\n${members.replace(/^(\s+\w+): /gm, "$1 = ")}}`;
  });
}
