/** Which places of the sources a bundle still has something of. */
export interface MappedPlaces {
  /** Whether anything between two places of a source is in the bundle. Lines and columns count from 0; the end is outside. */
  hasAny(source: string, start: Place, end: Place): boolean;
}

export interface Place {
  line: number;
  column: number;
}

const DIGITS = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((char, index) => {
  DIGITS[char.charCodeAt(0)] = index;
});
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const ZERO = 0x41;

/**
 * Reads the mappings of a source map (ECMA-426) backwards: from the sources to whether there is anything of them. Most builds do it
 * once, before V8 has compiled any of it: few steps for each character count, and no objects.
 */
export function readMappedPlaces({ sources, mappings }: { sources: readonly string[]; mappings: string }): MappedPlaces {
  const text = Buffer.from(mappings, "latin1");
  /** Line and column, one after the other. The fields of a mapping are four characters or more. */
  const places = new Int32Array((text.length >> 1) + 2);
  /** Where the stretches of a source begin and end in there: the code of a file mostly stays together. */
  const stretches: { from: number; to: number }[][] = sources.map(() => []);
  let stretch = { from: 0, to: 0 };
  let count = 0;
  let at = 0;
  const readNumber = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 5) {
      const digit = DIGITS[text[at++] ?? 0] ?? 0;
      value |= (digit & 31) << shift;
      if (digit < 32) return value & 1 ? -(value >> 1) : value >> 1;
    }
  };
  const isAtEnd = (): boolean => at >= text.length || text[at] === COMMA || text[at] === SEMICOLON;
  // Every number is the difference from the one before it.
  for (let source = 0, line = 0, column = 0, sourceBefore = -1; at < text.length; ) {
    if (isAtEnd()) {
      at += 1;
      continue;
    }
    // The column in the bundle.
    readNumber();
    if (isAtEnd()) continue;
    if (text[at] === ZERO) at += 1;
    else source += readNumber();
    if (text[at] === ZERO) at += 1;
    else line += readNumber();
    column += readNumber();
    if (source !== sourceBefore) {
      sourceBefore = source;
      stretch = { from: count, to: count };
      stretches[source]?.push(stretch);
    }
    places[count++] = line;
    places[count++] = column;
    stretch.to = count;
    // A name.
    if (!isAtEnd()) readNumber();
  }
  const columnsByLine = (path: string): number[][] => {
    const columns: number[][] = [];
    for (const { from, to } of stretches[sources.indexOf(path)] ?? []) {
      for (let index = from; index < to; index += 2) {
        const line = places[index] ?? 0;
        const inLine = columns[line] ?? [];
        inLine.push(places[index + 1] ?? 0);
        columns[line] = inLine;
      }
    }
    return columns;
  };
  /** Few sources are asked for, some of them thousands of times. */
  const asked = new Map<string, number[][]>();
  return {
    hasAny(path, start, end) {
      const lines = asked.get(path) ?? columnsByLine(path);
      asked.set(path, lines);
      for (let line = start.line; line <= end.line; line++) {
        const [from, to] = [line === start.line ? start.column : 0, line === end.line ? end.column : Number.POSITIVE_INFINITY];
        if (lines[line]?.some((column) => column >= from && column < to)) return true;
      }
      return false;
    },
  };
}
