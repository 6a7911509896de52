import { findCharacter } from "./character-references.ts";

/** A text after escapes were removed, which knows where each of its bytes was before. */
export interface DecodedView {
  bytes: Uint8Array;
  /** Line breaks were removed, so words may touch that did not. */
  isJoined: boolean;
  /** Where a byte of the view was in the original text, or where the text ended. */
  place(offset: number): number;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const LOWER_X = 0x78;

/**
 * A text as it is, and in the forms that a reader gets who decodes it: percent-encoding, JSON and
 * JavaScript escapes, character references of XML and HTML, quoted-printable, and broken lines.
 * What a server sends as JSON or XML was decoded before a Pack decodes it, and a percent-encoded
 * text may be encoded again, so these are decoded twice. A form that would equal an earlier one is
 * left out, so most texts have few. Linear in the text.
 */
export function* decodedViews(bytes: Uint8Array): Generator<DecodedView> {
  const plain: DecodedView = { bytes, isJoined: false, place: (offset) => offset };
  yield plain;
  const received = [withoutBackslashes(plain), withoutReferences(plain)].filter(isView);
  const unquoted = withoutPercent(plain);
  const twice = [withoutPercent, withoutBackslashes, withoutReferences];
  const decoders = [...twice, withoutQuotedPrintable, withoutLineBreaks];
  for (const view of received) {
    yield view;
    yield* decodeWith(decoders, view);
  }
  if (unquoted !== undefined) {
    yield unquoted;
    yield* decodeWith(twice, unquoted);
  }
  yield* decodeWith([withoutQuotedPrintable, withoutLineBreaks], plain);
}

type Decoder = (view: DecodedView) => DecodedView | undefined;

function* decodeWith(decoders: readonly Decoder[], view: DecodedView): Generator<DecodedView> {
  for (const decode of decoders) {
    const decoded = decode(view);
    if (decoded !== undefined) yield decoded;
  }
}

function isView(view: DecodedView | undefined): view is DecodedView {
  return view !== undefined;
}

/** What an escape stands for: a byte, a character, or nothing. */
interface Escape {
  start: number;
  end: number;
  byte?: number | undefined;
  /** A Unicode code point. */
  character?: number | undefined;
}

/** @param read the escape that the byte at this place begins or belongs to */
function decode(
  view: DecodedView,
  first: number,
  read: (bytes: Uint8Array, index: number) => Escape | undefined,
  isJoined = false,
): DecodedView | undefined {
  const { bytes } = view;
  let writer: ViewWriter | undefined;
  for (let index = bytes.indexOf(first); index >= 0; ) {
    const sequence = read(bytes, index);
    if (sequence !== undefined) {
      writer ??= new ViewWriter(bytes);
      writer.write(sequence);
    }
    index = bytes.indexOf(first, sequence === undefined ? index + 1 : sequence.end);
  }
  return writer?.view(view, isJoined);
}

const withoutPercent: Decoder = (view) => decode(view, PERCENT, readPercent);

/** `%hh`, and `%uhhhh` of JavaScript's `escape`. */
function readPercent(bytes: Uint8Array, start: number): Escape | undefined {
  if (bytes[start + 1] === LOWER_U) {
    const unit = readHex(bytes, start + 2, 4);
    return unit < 0 ? undefined : { start, end: start + 6, character: unit };
  }
  const byte = readHex(bytes, start + 1, 2);
  return byte < 0 ? undefined : { start, end: start + 3, byte };
}

const withoutReferences: Decoder = (view) =>
  decode(view, AMPERSAND, (bytes, start) => findCharacter(bytes, start));

const withoutQuotedPrintable: Decoder = (view) => decode(view, EQUALS, readQuotedPrintable);

/** `=hh`, or a line break that belongs to the encoding (RFC 2045 §6.7). */
function readQuotedPrintable(bytes: Uint8Array, start: number): Escape | undefined {
  const byte = readHex(bytes, start + 1, 2);
  if (byte >= 0) return { start, end: start + 3, byte };
  let end = start + 1;
  while (isBlank(bytes[end])) end++;
  return bytes[end] === LINE_FEED ? { start, end: end + 1 } : undefined;
}

const withoutLineBreaks: Decoder = (view) => decode(view, LINE_FEED, readLineBreak, true);

/** A line break between two digits of base64 (RFC 2045 §6.8) or hexadecimal, with its blanks. */
function readLineBreak(bytes: Uint8Array, index: number): Escape | undefined {
  let start = index;
  while (start > 0 && isBlank(bytes[start - 1])) start--;
  // Only the first of several line breaks is after a digit, so each is passed once.
  if (!isDigit(bytes[start - 1])) return undefined;
  let end = index + 1;
  while (isBlank(bytes[end]) || bytes[end] === LINE_FEED) end++;
  return isDigit(bytes[end]) ? { start, end } : undefined;
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

/** Of base64 in both alphabets. */
function isDigit(byte = 0): boolean {
  const letter = byte | 0x20;
  return (
    (letter >= 0x61 && letter <= 0x7a) ||
    (byte >= 0x2f && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x5f
  );
}

/**
 * `\b`, `\f`, `\n`, `\r`, `\t` (RFC 8259 §7). Any other character after a backslash means itself.
 */
const CONTROLS: Readonly<Record<number, number>> = { 98: 8, 102: 12, 110: 10, 114: 13, 116: 9 };

const withoutBackslashes: Decoder = (view) => decode(view, BACKSLASH, readBackslash);

function readBackslash(bytes: Uint8Array, start: number): Escape | undefined {
  const escaped = bytes[start + 1];
  if (escaped === undefined) return undefined;
  if (escaped === LOWER_U) return readUnit(bytes, start);
  const code = escaped === LOWER_X ? readHex(bytes, start + 2, 2) : -1;
  return code < 0
    ? { start, end: start + 2, byte: CONTROLS[escaped] ?? escaped }
    : { start, end: start + 4, character: code };
}

/** `\uhhhh`, two of them for a character outside of the first plane, or `\u{h…}` of JavaScript. */
function readUnit(bytes: Uint8Array, start: number): Escape {
  if (bytes[start + 2] === 0x7b) {
    const length = bytes.subarray(start + 3, start + 10).indexOf(0x7d);
    const character = length >= 1 ? readHex(bytes, start + 3, length) : -1;
    if (character >= 0 && character <= 0x10_ffff)
      return { start, end: start + 4 + length, character };
  }
  const unit = readHex(bytes, start + 2, 4);
  if (unit < 0) return { start, end: start + 2, byte: LOWER_U };
  const isPair =
    unit >= 0xd800 &&
    unit <= 0xdbff &&
    bytes[start + 6] === BACKSLASH &&
    bytes[start + 7] === LOWER_U;
  const low = isPair ? readHex(bytes, start + 8, 4) : -1;
  return low >= 0xdc00 && low <= 0xdfff
    ? { start, end: start + 12, character: 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) }
    : { start, end: start + 6, character: unit };
}

/** @returns -1 for other text */
function readHex(bytes: Uint8Array, from: number, length: number): number {
  let value = 0;
  for (let index = from; index < from + length; index++) {
    const byte = bytes[index] ?? 0;
    const letter = byte | 0x20;
    const isLetter = letter >= 0x61 && letter <= 0x66;
    if (!isLetter && (byte < 0x30 || byte > 0x39)) return -1;
    value = value * 16 + (isLetter ? letter - 0x57 : byte - 0x30);
  }
  return value;
}

/** An escape is never shorter than what it means, so the original's length is enough. */
class ViewWriter {
  readonly #before: Uint8Array;
  readonly #bytes: Uint8Array;
  /** After each escape: the place in the view, and the place in the bytes before. */
  readonly #ends: number[] = [];
  readonly #places: number[] = [];
  #copied = 0;
  #end = 0;

  constructor(before: Uint8Array) {
    this.#before = before;
    this.#bytes = new Uint8Array(before.length);
  }

  write({ start, end, byte, character }: Escape): void {
    this.#copy(start);
    if (byte !== undefined) this.#bytes[this.#end++] = byte;
    else if (character !== undefined) this.#writeCharacter(character);
    this.#copied = end;
    this.#ends.push(this.#end);
    this.#places.push(end);
  }

  /** As UTF-8. A lone surrogate becomes U+FFFD, as in every encoder. */
  #writeCharacter(character: number): void {
    const code = character >= 0xd800 && character <= 0xdfff ? 0xfffd : character;
    const put = (byte: number): void => {
      this.#bytes[this.#end++] = byte;
    };
    if (code < 0x80) {
      put(code);
      return;
    }
    if (code >= 0x10000) put(0xf0 | (code >> 18));
    if (code >= 0x10000) put(0x80 | ((code >> 12) & 0x3f));
    else if (code >= 0x800) put(0xe0 | (code >> 12));
    put(code >= 0x800 ? 0x80 | ((code >> 6) & 0x3f) : 0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  }

  #copy(until: number): void {
    this.#bytes.set(this.#before.subarray(this.#copied, until), this.#end);
    this.#end += until - this.#copied;
  }

  view(parent: DecodedView, isJoined: boolean): DecodedView {
    this.#copy(this.#before.length);
    return {
      bytes: this.#bytes.subarray(0, this.#end),
      isJoined: isJoined || parent.isJoined,
      place: (offset) => parent.place(this.#place(offset)),
    };
  }

  #place(offset: number): number {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ends[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? offset : (this.#places[low - 1] ?? 0) + offset - (this.#ends[low - 1] ?? 0);
  }
}
