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
 */
export function readMappedPlaces({ sources, mappings }: SourceMapping): MappedPlaces {
  /** For each source, the columns of each line that are in the bundle. */
  const columnsOf = new Map(sources.map((source) => [source, new Map<number, number[]>()]));
  // Every number is the difference from the same number of the segment before.
  let [source, line, column] = [0, 0, 0];
  forEachSegment(mappings, (numbers) => {
    // The first number is the column in the bundle; without the next three, the code comes from no
    // source.
    if (numbers.length < 4) return;
    source += numbers[1] ?? 0;
    line += numbers[2] ?? 0;
    column += numbers[3] ?? 0;
    const lines = columnsOf.get(sources[source] ?? "");
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
 * The lowest bit of all is the sign.
 * @param visit is given the same list for every segment
 */
function forEachSegment(mappings: string, visit: (numbers: readonly number[]) => void): void {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (let at = 0; at < mappings.length; at++) {
    const code = mappings.charCodeAt(at);
    if (code === COMMA || code === SEMICOLON) {
      visit(numbers);
      numbers.length = 0;
      continue;
    }
    const digit = DIGITS[code] ?? 0;
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit >= 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  visit(numbers);
}
