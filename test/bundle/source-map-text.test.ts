import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renameSources } from "../../src/bundle/source-map-text.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"mappings": "AAAA"', '{"sources":["a"]}', "]", '\\"', "mappings", "sources", "\n"),
);
const mappings = fc.stringMatching(/^[A-Za-z0-9+/,;]{0,40}$/);

describe("renameSources", () => {
  it("gives the map that reading and writing it would give, however it is spaced", () => {
    fc.assert(
      fc.property(
        fc.array(text),
        fc.array(text),
        fc.array(text),
        mappings,
        fc.constantFrom(0, 2),
        (sources, contents, names, code, indent) => {
          const map = { version: 3, sources, sourcesContent: contents, mappings: code, names };
          const renamed = renameSources(JSON.stringify(map, undefined, indent), (source) => `own/${source}`);
          const expected = sources.map((source) => `own/${source}`);
          expect(JSON.parse(renamed.text)).toEqual({ ...map, sources: expected });
          expect(renamed.sources).toEqual(expected);
          expect(renamed.mappings).toBe(code);
        },
      ),
    );
  });

  it("throws rather than write a map that it does not know", () => {
    expect(() => renameSources('{"version":3,"names":[],"sources":["a"]}', (source) => source)).toThrow(TypeError);
    expect(() => renameSources('{"version":3,"sources":["a"]}', (source) => source).mappings).toThrow(TypeError);
  });
});
