import type { Place } from "./decoded-view.ts";

/** Digits that a text has in pieces, as one row. */
export interface Digits {
  readonly count: number;
  /** The first `count` are valid. */
  readonly values: Uint8Array;
  /**
   * Where the digits from one to another are in the text. `undefined` if they are too far apart.
   */
  locate(first: number, last: number): Place | undefined;
}

/** Numbers that a text has. */
export interface Numbers {
  count: number;
  /** The first `count` are valid. Negative ones have a minus directly before them. */
  values: Int32Array;
  locate(first: number, last: number): Place | undefined;
}

/** Numbers and pieces that are further apart do not belong together. */
export const MAX_GAP = 48;
/** Values from here on mean nothing, so they stay here. */
const MAX_VALUE = 99_999_999;
const BLOCK_LENGTH = 512;
const FIRST_CAPACITY = 64;

const BASE64 = 1;
const HEX = 2;
const DECIMAL = 4;
const LETTER = 8;
const HEX_PREFIX = 16;
const MINUS = 0x2d;
const ZERO = 0x30;

/** What each byte can be. */
const KINDS = new Uint8Array(256);
/** What each byte means as a hexadecimal digit. */
const DIGITS = new Uint8Array(256);
const markKind = (kind: number, characters: string): void => {
  for (const byte of Buffer.from(characters)) KINDS[byte] = (KINDS[byte] ?? 0) | kind;
};
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
markKind(BASE64 | LETTER, LETTERS + LETTERS.toUpperCase());
markKind(BASE64 | HEX | DECIMAL, "0123456789");
markKind(BASE64, "+/-_");
markKind(HEX, "abcdefABCDEF");
// As in 0x74, \u0074 and U+0074.
markKind(HEX_PREFIX, "xXuU");
for (const digit of "0123456789abcdefABCDEF")
  DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/**
 * Finds the digits of base64, hexadecimal digits that have another one next to them, and numbers
 * in base 10 and 16. A number in base 16 is not part of a word, as the first letter of
 * `CHAR(74)` is. Linear in the text.
 */
export function collectDigits(bytes: Uint8Array): {
  base64: Digits;
  hex: Digits;
  decimals: Numbers;
  hexNumbers: Numbers;
} {
  const hex = new HexRow(bytes);
  const decimals = new NumberRow(bytes, 10);
  const hexNumbers = new NumberRow(bytes, 16);
  for (let index = 0; index < bytes.length; index++) {
    const kind = KINDS[bytes[index] as number] as number;
    if ((kind & HEX) === 0) continue;
    let kinds = kind;
    let end = index + 1;
    for (; end < bytes.length; end++) {
      const next = KINDS[bytes[end] as number] as number;
      if ((next & HEX) === 0) break;
      kinds |= next;
    }
    const isNumber = !isInWord(bytes, index, end);
    if (isNumber) hexNumbers.add(index, end);
    // Letters in a word are a word.
    const hasDecimal = (kinds & DECIMAL) !== 0;
    if (end - index > 1 && (hasDecimal || isNumber)) hex.add(index, end);
    if (hasDecimal) addDecimals(decimals, bytes, index, end);
    index = end;
  }
  return { base64: new Base64Row(bytes), hex, decimals, hexNumbers };
}

function findEnd(bytes: Uint8Array, start: number, kind: number): number {
  let end = start + 1;
  while (end < bytes.length && ((KINDS[bytes[end] as number] as number) & kind) !== 0) end++;
  return end;
}

function isInWord(bytes: Uint8Array, start: number, end: number): boolean {
  const before = kindAt(bytes, start - 1);
  const isAfterWord = (before & LETTER) !== 0 && (before & HEX_PREFIX) === 0;
  return isAfterWord || (kindAt(bytes, end) & LETTER) !== 0;
}

/** @param end where hexadecimal digits end */
function addDecimals(decimals: NumberRow, bytes: Uint8Array, start: number, end: number): void {
  for (let index = start; index < end; index++) {
    if ((kindAt(bytes, index) & DECIMAL) === 0) continue;
    const last = findEnd(bytes, index, DECIMAL);
    // The beginning of 0x74 and 0o164 is none.
    const isPrefix =
      last - index === 1 && bytes[index] === ZERO && (kindAt(bytes, last) & LETTER) !== 0;
    if (!isPrefix) decimals.add(index, last);
    index = last;
  }
}

function kindAt(bytes: Uint8Array, index: number): number {
  return index >= 0 && index < bytes.length ? (KINDS[bytes[index] as number] as number) : 0;
}

/** Remembers a place per block of the text, because most texts consist of such digits. */
class Base64Row implements Digits {
  readonly count: number;
  readonly #bytes: Uint8Array;
  /** How many there are before each block of the text. */
  readonly #blocks: Uint32Array;

  constructor(bytes: Uint8Array) {
    const blocks = new Uint32Array(Math.floor(bytes.length / BLOCK_LENGTH) + 1);
    let count = 0;
    for (let block = 0; block < blocks.length; block++) {
      blocks[block] = count;
      const end = Math.min(bytes.length, (block + 1) * BLOCK_LENGTH);
      for (let index = block * BLOCK_LENGTH; index < end; index++)
        count += (KINDS[bytes[index] as number] as number) & BASE64;
    }
    this.count = count;
    this.#bytes = bytes;
    this.#blocks = blocks;
  }

  /** Made when it is read, because a text without separators needs none. */
  get values(): Uint8Array {
    const values = new Uint8Array(this.count);
    let count = 0;
    for (let index = 0; index < this.#bytes.length; index++) {
      const byte = this.#bytes[index] as number;
      if (((KINDS[byte] as number) & BASE64) !== 0) values[count++] = byte;
    }
    return values;
  }

  locate(first: number, last: number): Place | undefined {
    const [start, final] = [this.#find(first), this.#find(last)];
    for (let index = start; index < final; ) {
      const next = this.#next(index + 1);
      if (next - index > MAX_GAP) return undefined;
      index = next;
    }
    return [start, final + 1];
  }

  #next(from: number): number {
    let index = from;
    while (index < this.#bytes.length && (kindAt(this.#bytes, index) & BASE64) === 0) index++;
    return index;
  }

  #find(wanted: number): number {
    const block = findLast(this.#blocks, this.#blocks.length, wanted);
    let place = this.#next(block * BLOCK_LENGTH);
    for (let index = this.#blocks[block] as number; index < wanted; index++)
      place = this.#next(place + 1);
    return place;
  }
}

/** @returns the index of the last value that is not larger, in a row that is in order */
function findLast(row: Uint32Array, length: number, value: number): number {
  let [low, high] = [0, length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((row[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

class HexRow implements Digits {
  values = new Uint8Array(FIRST_CAPACITY);
  count = 0;
  readonly #bytes: Uint8Array;
  /** Where each group of digits begins, and how many digits are before it. */
  #starts = new Uint32Array(FIRST_CAPACITY);
  #offsets = new Uint32Array(FIRST_CAPACITY);
  #groups = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  add(start: number, end: number): void {
    const needed = this.count + end - start;
    if (needed > this.values.length) this.values = grow(this.values, new Uint8Array(2 * needed));
    const group = this.#groups++;
    if (group === this.#starts.length) {
      this.#starts = grow(this.#starts, new Uint32Array(2 * group));
      this.#offsets = grow(this.#offsets, new Uint32Array(2 * group));
    }
    this.#starts[group] = start;
    this.#offsets[group] = this.count;
    for (let index = start; index < end; index++)
      this.values[this.count++] = DIGITS[this.#bytes[index] as number] as number;
  }

  locate(first: number, last: number): Place | undefined {
    const [from, to] = [this.#findGroup(first), this.#findGroup(last)];
    for (let group = from; group < to; group++) {
      const end = this.#place(group, (this.#offsets[group + 1] as number) - 1);
      if ((this.#starts[group + 1] as number) - end > MAX_GAP) return undefined;
    }
    return [this.#place(from, first), this.#place(to, last) + 1];
  }

  #findGroup(digit: number): number {
    return findLast(this.#offsets, this.#groups, digit);
  }

  #place(group: number, digit: number): number {
    return (this.#starts[group] as number) + digit - (this.#offsets[group] as number);
  }
}

class NumberRow implements Numbers {
  values = new Int32Array(FIRST_CAPACITY);
  count = 0;
  readonly #bytes: Uint8Array;
  readonly #base: 10 | 16;
  #starts = new Uint32Array(FIRST_CAPACITY);

  constructor(bytes: Uint8Array, base: 10 | 16) {
    this.#bytes = bytes;
    this.#base = base;
  }

  add(start: number, end: number): void {
    if (this.count === this.values.length) {
      this.values = grow(this.values, new Int32Array(2 * this.count));
      this.#starts = grow(this.#starts, new Uint32Array(2 * this.count));
    }
    let value = 0;
    for (let index = start; index < end; index++) {
      value = value * this.#base + (DIGITS[this.#bytes[index] as number] as number);
      if (value > MAX_VALUE) value = MAX_VALUE;
    }
    this.#starts[this.count] = start;
    this.values[this.count++] = this.#isNegative(start) ? -value : value;
  }

  /** A minus that is not between two numbers. */
  #isNegative(start: number): boolean {
    const isMinus = this.#bytes[start - 1] === MINUS;
    return isMinus && (kindAt(this.#bytes, start - 2) & HEX) === 0;
  }

  locate(first: number, last: number): Place | undefined {
    for (let index = first; index < last; index++) {
      const gap = (this.#starts[index + 1] as number) - (this.#starts[index] as number);
      if (gap > MAX_GAP) return undefined;
    }
    const [start, final] = [this.#starts[first] as number, this.#starts[last] as number];
    const kind = this.#base === 16 ? HEX : DECIMAL;
    return [start, findEnd(this.#bytes, final, kind)];
  }
}

function grow<Row extends Uint8Array | Int32Array | Uint32Array>(row: Row, larger: Row): Row {
  larger.set(row);
  return larger;
}
