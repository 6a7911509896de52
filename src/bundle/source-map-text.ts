/**
 * A source map as esbuild writes it. The source texts are most of it, and nothing here changes
 * them, so they stay JSON text.
 */
export interface SourceMapParts {
  sources: readonly string[];
  /** JSON text: a list of texts, or null for those that are not known. */
  contents: string;
  mappings: string;
  /** JSON text: a list. */
  names: string;
}

/** esbuild writes each member into a line of its own. */
const LAYOUT = [
  "{",
  '  "version": 3,',
  '  "sources": ',
  '  "sourcesContent": ',
  '  "mappings": "',
  '  "names": ',
  "}",
];

/** @throws {TypeError} for another layout than that of esbuild */
export function parseSourceMap(text: string): SourceMapParts {
  const lines = text.split("\n");
  if (!LAYOUT.every((start, index) => lines[index]?.startsWith(start)))
    throw new TypeError("esbuild wrote a source map in an unknown layout.");
  const [, , sources = "", contents = "", mappings = "", names = ""] = lines.map((line, index) =>
    line.slice(LAYOUT[index]?.length).replace(/"?,$/, ""),
  );
  return { sources: JSON.parse(sources) as string[], contents, mappings, names };
}

export function sourceMapText({ sources, contents, mappings, names }: SourceMapParts): string {
  return `{"version":3,"sources":${JSON.stringify(sources)},"sourcesContent":${contents},"mappings":"${mappings}","names":${names}}`;
}
