import { SourceMap, type SourceMapPayload } from "node:module";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { readMappedPlaces } from "../../src/bundle/mapped-places.ts";
import { createProject } from "./project.ts";

const FILES = {
  "pack.ts": `import { add, unused } from "./math.ts";
import { name } from "./name.ts";

interface Gone { a: string }
const text: Gone = { a: \`\${name} \${add(1, 2)}\` };
export const pack = { formulas: [{ name: text.a, execute: async ([first]: [string]) => first + add(3, 4) }] };
`,
  "math.ts": `import { name } from "./name.ts";
export const unused = () => name;
export function add(a: number, b: number): number {
  // Nothing of this line.
  const sum = a + b; return sum;
}
`,
  "name.ts": `export const name = "é€😀" + String.fromCharCode(65);\n`,
};

/** Every place of a source that Node finds from a place of the bundle. */
function listPlaces(payload: SourceMapPayload, code: string): Map<string, Set<string>> {
  const map = new SourceMap(payload);
  const places = new Map<string, Set<string>>(payload.sources.map((source) => [source, new Set()]));
  for (const [line, text] of code.split("\n").entries())
    for (let column = 0; column <= text.length; column++) {
      const entry = map.findEntry(line, column);
      if ("originalSource" in entry)
        places.get(entry.originalSource)?.add(`${entry.originalLine}:${entry.originalColumn}`);
    }
  return places;
}

describe("readMappedPlaces", () => {
  it.each([true, false])(
    "finds the places that Node finds in a source map of esbuild (minified: %s)",
    async (minify) => {
      await using project = await createProject(FILES);
      const { outputFiles } = await build({
        entryPoints: ["pack.ts"],
        absWorkingDir: project.directory,
        outfile: "out.js",
        bundle: true,
        write: false,
        minify,
        sourcemap: "external",
        format: "cjs",
        keepNames: true,
      });
      const [payload, code] = [".map", ".js"].map(
        (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "",
      );
      const map = JSON.parse(payload ?? "") as SourceMapPayload;
      const expected = listPlaces(map, code ?? "");
      const { hasAny } = readMappedPlaces(map);
      expect([...expected.values()].map(({ size }) => size > 0)).toEqual([true, true, true]);
      for (const [file, text] of Object.entries(FILES)) {
        const places = expected.get(file) ?? new Set();
        for (const [line, row] of text.split("\n").entries()) {
          const columns = Array.from({ length: row.length + 1 }, (_, column) => column);
          const isIn = (column: number) =>
            hasAny(file, { line, column }, { line, column: column + 1 });
          expect(columns.filter(isIn), `${file}:${line + 1}`).toEqual(
            columns.filter((column) => places.has(`${line}:${column}`)),
          );
          const inLine = [...places].some((place) => place.startsWith(`${line}:`));
          expect(
            hasAny(file, { line, column: 0 }, { line: line + 1, column: 0 }),
            `${file}:${line + 1}`,
          ).toBe(inLine);
        }
      }
    },
  );

  it("leaves out code that comes from no source", () => {
    // Line 1: from nowhere, a.js 1:1, from nowhere. Line 2: b.js 3:2 with a name. Line 4: a.js 3:2.
    const { hasAny } = readMappedPlaces({
      sources: ["a.js", "b.js"],
      mappings: "A,CAAA,C;ACECA;;EDAA",
    });
    const all = [
      { line: 0, column: 0 },
      { line: 9, column: 0 },
    ] as const;
    const at = (line: number, column: number) =>
      [
        { line, column },
        { line, column: column + 1 },
      ] as const;
    expect([hasAny("a.js", ...all), hasAny("b.js", ...all), hasAny("c.js", ...all)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      hasAny("a.js", ...at(0, 0)),
      hasAny("a.js", ...at(0, 1)),
      hasAny("a.js", ...at(2, 1)),
    ]).toEqual([true, false, true]);
    expect([hasAny("b.js", ...at(2, 1)), hasAny("b.js", ...at(0, 0))]).toEqual([true, false]);
  });
});
