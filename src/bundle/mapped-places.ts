/** Which places of the sources are still in a bundle. */
export interface MappedPlaces {
  /**
   * Whether anything between two places of a source is in the bundle. Lines and columns count from
   * 0; the end is not included.
   */
  hasAny(source: string, start: Place, end: Place): boolean;
}

export interface Place {
  line: number;
  column: number;
}

/** The parts of a source map (ECMA-426) that say where code comes from. */
export interface SourceMapping {
  sources: readonly string[];
  /** The text of each source; null when it is not known. */
  sourcesContent?: readonly (string | null)[] | undefined;
  mappings: string;
}

/**
 * Reads a source map backwards: from the places in the sources to whether the bundle has anything
 * of them.
 * @param wanted the sources that you will ask about. @default all
 */
export function readMappedPlaces(
  { sources, mappings }: SourceMapping,
  wanted: ReadonlySet<string> = new Set(sources),
): MappedPlaces {
  /** For each source, the columns of each line that are in the bundle. */
  const columnsOf = new Map([...wanted].map((source) => [source, new Map<number, number[]>()]));
  const linesOf = sources.map((source) => columnsOf.get(source));
  forEachMapping(mappings, (source, line, column) => {
    const lines = linesOf[source];
    const columns = lines?.get(line);
    if (columns === undefined) lines?.set(line, [column]);
    else columns.push(column);
  });
  return {
    hasAny(path, start, end) {
      const lines = columnsOf.get(path);
      for (let line = start.line; line <= end.line; line++) {
        const from = line === start.line ? start.column : 0;
        const to = line === end.line ? end.column : Number.POSITIVE_INFINITY;
        if (lines?.get(line)?.some((column) => column >= from && column < to)) return true;
      }
      return false;
    },
  };
}

const COMMA = ",".charCodeAt(0);
const SEMICOLON = ";".charCodeAt(0);
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))),
);

/**
 * Decodes Base64 VLQ: five bits in each digit, the lowest first; the sixth says that more follow.
 * The lowest bit of all is the sign. A segment is a column in the bundle, and, where the code comes
 * from a source, that source with a line and a column in it. Every number is the difference from
 * the same number of the segment before.
 */
function forEachMapping(
  mappings: string,
  visit: (source: number, line: number, column: number) => void,
): void {
  let [source, line, column] = [0, 0, 0];
  let [count, value, shift] = [0, 0, 0];
  for (let at = 0; at <= mappings.length; at++) {
    const code = at === mappings.length ? SEMICOLON : mappings.charCodeAt(at);
    if (code === COMMA || code === SEMICOLON) {
      if (count >= 4) visit(source, line, column);
      count = 0;
      continue;
    }
    const digit = DIGITS[code] ?? 0;
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit >= 32) continue;
    const difference = value & 1 ? -(value >> 1) : value >> 1;
    if (count === 1) source += difference;
    else if (count === 2) line += difference;
    else if (count === 3) column += difference;
    count += 1;
    [value, shift] = [0, 0];
  }
}
