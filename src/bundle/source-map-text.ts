/** A source map as text, and what is looked up in it. */
export interface SourceMapText {
  text: string;
  sources: readonly string[];
  readonly mappings: string;
}

const SOURCES = /^([^[]*"sources":\s*)(\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])/;
const MAPPINGS = /"mappings":\s*"([^"]*)"/;

/**
 * Renames the sources of a source map (ECMA-426) in its text. Most of it is what the files contain, which would be read and written
 * again for nothing.
 * @param text JSON in which `sources` is the first list, as esbuild writes it
 */
export function renameSources(text: string, nameOf: (source: string) => string): SourceMapText {
  const [whole, before = "", list = ""] = search(text, SOURCES);
  const sources = (JSON.parse(list) as string[]).map(nameOf);
  return {
    text: before + JSON.stringify(sources) + text.slice(whole.length),
    sources,
    // Few builds look at them. A name within a text cannot be taken for this one: its quotation marks are escaped.
    get mappings() {
      return search(text, MAPPINGS)[1] ?? "";
    },
  };
}

function search(text: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(text);
  if (found === null) throw new TypeError("The bundler gave a source map of another form.");
  return found;
}
