import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";
import { expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));

/** The packages that the types of an entry import, or those of a file that they import. */
function findPackages(entry: string): string[] {
  const files = new Set([join(dist, entry)]);
  const packages = new Set<string>();
  for (const file of files)
    for (const { fileName } of ts.preProcessFile(readFileSync(file, "utf8")).importedFiles) {
      const imported = join(dirname(file), fileName.replace(/\.[jt]s$/, ".d.ts"));
      if (fileName.startsWith(".")) files.add(imported);
      else packages.add(fileName);
    }
  return [...packages].sort();
}

// A repository may check the types of its packages, and without esModuleInterop, which those of zod
// need.
it.each([
  ["legacy.d.ts", []],
  ["legacy-testing.d.ts", ["sinon"]],
])("%s needs the types of these packages only: %j", (entry, packages) => {
  expect(findPackages(entry)).toEqual(packages);
});
