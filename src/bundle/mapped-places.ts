/** Which places of the sources a bundle still has something of. */
export interface MappedPlaces {
  /** Whether anything between two places of a source is in the bundle. Lines and columns count from 0; the end is outside. */
  hasAny(source: string, start: Place, end: Place): boolean;
}

export interface Place {
  line: number;
  column: number;
}

const NO_DIGIT = 255;
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((char, index) => {
  DIGITS[char.charCodeAt(0)] = index;
});

/** Reads the mappings of a source map (ECMA-426) backwards: from the sources to whether there is anything of them. */
export function readMappedPlaces({ sources, mappings }: { sources: readonly string[]; mappings: string }): MappedPlaces {
  /** By source and line. */
  const columns: number[][][] = sources.map(() => []);
  eachMapping(mappings, (source, line, column) => {
    const lines = columns[source];
    const list = lines?.[line];
    if (list !== undefined) list.push(column);
    else if (lines !== undefined) lines[line] = [column];
  });
  return {
    hasAny(path, start, end) {
      const lines = columns[sources.indexOf(path)] ?? [];
      for (let line = start.line; line <= end.line; line++) {
        const [from, to] = [line === start.line ? start.column : 0, line === end.line ? end.column : Number.POSITIVE_INFINITY];
        if (lines[line]?.some((column) => column >= from && column < to)) return true;
      }
      return false;
    },
  };
}

/** Every number is the difference from the one before it. */
function eachMapping(mappings: string, see: (source: number, line: number, column: number) => void): void {
  const at = [0, 0, 0, 0, 0];
  let field = 0;
  let value = 0;
  let shift = 0;
  const endSegment = (): void => {
    if (field >= 4) see(at[1] ?? 0, at[2] ?? 0, at[3] ?? 0);
    field = 0;
  };
  for (let index = 0; index < mappings.length; index++) {
    const code = mappings.charCodeAt(index);
    const digit = DIGITS[code] ?? NO_DIGIT;
    if (digit === NO_DIGIT) {
      endSegment();
      // A semicolon ends a line of the bundle, whose columns begin anew.
      if (code === 0x3b) at[0] = 0;
      continue;
    }
    value |= (digit & 31) << shift;
    if (digit & 32) {
      shift += 5;
      continue;
    }
    at[field] = (at[field] ?? 0) + (value & 1 ? -(value >> 1) : value >> 1);
    field += 1;
    value = 0;
    shift = 0;
  }
  endSegment();
}
