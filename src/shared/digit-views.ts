import { collectDigits, type Digits, MAX_GAP, type Numbers } from "./collect-digits.ts";
import type { DecodedView, Place } from "./decoded-view.ts";

/** Bytes and characters of a secret that were written as numbers, if there are as many. */
const MIN_NUMBERS = 8;
/** Fewer digits that a text has in pieces would be ordinary numbers. */
const MIN_JOINED_DIGITS = 10;
/** Written for a number that is no byte. No text in UTF-8 has it. */
const NO_BYTE = 0xff;
const MAX_CHARACTER = 0x10_ffff;

/** How much of a text is searched at a time, so that long lists of numbers take little memory. */
const PIECE_LENGTH = 2_000_000;

/**
 * What a text says in digits, whatever is between them: base64 in pieces, hexadecimal in groups,
 * and lists of bytes or characters as numbers in base 2, 8, 10 and 16. Linear in the text.
 * @param longest how many bytes are searched for, at most. Pieces of the text overlap by as much as
 *   these can take.
 */
export function* digitViews(view: DecodedView, longest: number): Generator<DecodedView> {
  const { length } = view.bytes;
  // Two numbers may stand for one byte.
  const overlap = 2 * MAX_GAP * longest;
  const pieceLength = Math.max(PIECE_LENGTH, 4 * overlap);
  for (let start = 0; start === 0 || start + overlap < length; start += pieceLength - overlap) {
    const bytes = view.bytes.subarray(start, start + pieceLength);
    yield* readPiece(bytes, (place) => view.locate(place[0] + start, place[1] + start));
  }
}

function* readPiece(
  bytes: Uint8Array,
  inView: (place: Place) => Place | undefined,
): Generator<DecodedView> {
  const collected = collectDigits(bytes);
  const { base64 } = collected;
  const findPlace = (place: Place | undefined): Place | undefined => place && inView(place);
  if (base64.count >= MIN_JOINED_DIGITS && base64.count < bytes.length)
    yield {
      bytes: base64.values,
      isBeyondAscii: false,
      hasSeparators: false,
      holds: "digits",
      minLength: MIN_JOINED_DIGITS,
      locate: (start, end) => findPlace(base64.locate(start, end - 1)),
    };
  for (const each of numberViews(collected)) {
    if (each === undefined) continue;
    const { bytes: numbers, size = 1, locate } = each;
    yield {
      bytes: numbers,
      isBeyondAscii: false,
      hasSeparators: false,
      holds: "numbers",
      minLength: MIN_NUMBERS * size,
      locate: (start, end) => findPlace(locate(start, end)),
    };
  }
}

/** Bytes that were written as numbers. */
interface NumberView {
  bytes: Uint8Array;
  /** How many bytes stand for a number. @default 1 */
  size?: number;
  locate(start: number, end: number): Place | undefined;
}

/** One after the other, so that only one is in memory. */
function* numberViews({
  hex,
  decimals,
  hexNumbers,
}: ReturnType<typeof collectDigits>): Generator<NumberView | undefined> {
  if (hex.count >= 2 * MIN_NUMBERS) {
    yield pairDigits(hex, 0);
    yield pairDigits(hex, 1);
  }
  if (decimals.count >= MIN_NUMBERS) {
    yield listBytes(decimals);
    yield listBytes(decimals, readOctal);
    yield listBytes(decimals, readBinary);
    // A list of members has an index before each number.
    yield listBytes(decimals, undefined, 0, 2);
    yield listBytes(decimals, undefined, 1, 2);
    yield listCharacters(decimals);
  }
  if (hexNumbers.count >= MIN_NUMBERS) {
    yield listBytes(hexNumbers);
    yield listCharacters(hexNumbers);
  }
}

/** A row of hexadecimal digits as bytes, from the first or the second digit on. */
function pairDigits(hex: Digits, first: 0 | 1): NumberView {
  const { values } = hex;
  const bytes = new Uint8Array((hex.count - first) >> 1);
  for (let index = 0, digit = first; index < bytes.length; index++, digit += 2)
    bytes[index] = ((values[digit] as number) << 4) | (values[digit + 1] as number);
  return {
    bytes,
    locate: (start, end) => hex.locate(2 * start + first, 2 * end + first - 1),
  };
}

/** One byte for each number, or for each second one. */
function listBytes(
  numbers: Numbers,
  convert?: (value: number) => number,
  first = 0,
  step = 1,
): NumberView {
  const { values } = numbers;
  const bytes = new Uint8Array(Math.ceil((numbers.count - first) / step));
  for (let index = 0, place = first; index < bytes.length; index++, place += step) {
    const value = values[place] as number;
    const byte = convert === undefined ? (value < 0 ? value + 256 : value) : convert(value);
    bytes[index] = byte >= 0 && byte < 256 ? byte : NO_BYTE;
  }
  return {
    bytes,
    locate: (start, end) => numbers.locate(first + start * step, first + (end - 1) * step),
  };
}

/** In UTF-16, or in UTF-32 when a number needs it. Not if all numbers are in ASCII. */
function listCharacters(numbers: Numbers): NumberView | undefined {
  const { values, count } = numbers;
  let largest = 0;
  for (let index = 0; index < count; index++) {
    const value = values[index] as number;
    if (value > largest && value <= MAX_CHARACTER) largest = value;
  }
  if (largest < 0x80) return undefined;
  const size = largest > 0xffff ? 4 : 2;
  const units = new (size === 4 ? Uint32Array : Uint16Array)(count);
  for (let index = 0; index < count; index++) {
    const value = values[index] as number;
    units[index] = value >= 0 && value <= largest ? value : 0;
  }
  return {
    bytes: new Uint8Array(units.buffer),
    size,
    locate: (start, end) =>
      start % size === 0 ? numbers.locate(start / size, end / size - 1) : undefined,
  };
}

/** The number whose octal digits are the decimal ones of this value, or -1. */
function readOctal(value: number): number {
  const [low, middle, high] = [value % 10, Math.floor(value / 10) % 10, Math.floor(value / 100)];
  return value < 0 || low > 7 || middle > 7 || high > 3 ? -1 : high * 64 + middle * 8 + low;
}

function readBinary(value: number): number {
  if (value < 0 || value > 11_111_111) return -1;
  let result = 0;
  for (let [rest, bit] = [value, 1]; rest > 0; rest = Math.floor(rest / 10), bit *= 2) {
    const digit = rest % 10;
    if (digit > 1) return -1;
    result += digit * bit;
  }
  return result;
}
