import { findCharacter } from "./character-references.ts";
import { type DecodedView, type Escape, ViewWriter } from "./decoded-view.ts";
import { digitViews } from "./digit-views.ts";
import { findIgnored } from "./ignored-characters.ts";

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

/** How often the same encoding is removed: each shortens the text. */
const MAX_REPEATS = 5;

type Decoder = (view: DecodedView) => DecodedView | undefined;

/**
 * A text as it is, and in the forms that a reader gets who decodes it: percent-encoding, JSON and
 * JavaScript escapes, character references of XML and HTML, quoted-printable, without characters
 * that are not seen, and what it says in digits (see `digitViews`). What a server sends as JSON or
 * XML was decoded before a Pack decodes it, so two different encodings are removed, and the same
 * one several times. A form that would equal an earlier one is left out, so most texts have few.
 * Linear in the text.
 * @param longest how many bytes are searched for, at most
 */
export function* decodedViews(bytes: Uint8Array, longest: number): Generator<DecodedView> {
  const plain: DecodedView = {
    bytes,
    holds: "text",
    minLength: 0,
    isBeyondAscii: true,
    hasSeparators: true,
    locate: (start, end) => [start, end],
  };
  yield plain;
  yield* digitViews(plain, longest);
  yield* decodeWith([withoutQuotedPrintable], plain);
  for (const decoder of DECODERS) {
    const others = DECODERS.filter((other) => other !== decoder);
    let view = decoder(plain);
    for (let times = 0; view !== undefined && times < MAX_REPEATS; times++) {
      yield view;
      if (view.hasSeparators) yield* digitViews(view, longest);
      yield* decodeWith([...others, withoutQuotedPrintable], view);
      view = decoder(view);
    }
  }
}

function* decodeWith(decoders: readonly Decoder[], view: DecodedView): Generator<DecodedView> {
  for (const decode of decoders) {
    const decoded = decode(view);
    if (decoded !== undefined) yield decoded;
  }
}

/** @param read the escape that the byte at this place begins or belongs to */
function decode(
  view: DecodedView,
  first: number,
  read: (bytes: Uint8Array, index: number) => Escape | undefined,
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
  return writer?.view(view);
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

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
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

const withoutByteEscapes: Decoder = (view) => decode(view, BACKSLASH, readByteEscape);

/** `\xhh` and `\ooo` where they are bytes of UTF-8 and not characters, as in Python. */
function readByteEscape(bytes: Uint8Array, start: number): Escape | undefined {
  const isHex = bytes[start + 1] === LOWER_X;
  const byte = isHex ? readHex(bytes, start + 2, 2) : readOctal(bytes, start + 1);
  return byte < 0 || (isHex && byte < 0x80) ? undefined : { start, end: start + 4, byte };
}

/** @returns -1 for other text */
function readOctal(bytes: Uint8Array, from: number): number {
  let value = 0;
  for (let index = from; index < from + 3; index++) {
    const digit = (bytes[index] ?? 0) - 0x30;
    if (digit < 0 || digit > 7) return -1;
    value = value * 8 + digit;
  }
  return value > 0xff ? -1 : value;
}

/** What is not seen in a view was not seen in its parent either, unless an escape stood for it. */
const withoutIgnored: Decoder = (view) => {
  if (!view.isBeyondAscii) return undefined;
  const { bytes } = view;
  let writer: ViewWriter | undefined;
  for (let found = findIgnored(bytes, 0); found; found = findIgnored(bytes, found.end)) {
    writer ??= new ViewWriter(bytes);
    writer.write(found);
  }
  return writer?.view(view);
};

const DECODERS = [
  withoutBackslashes,
  withoutReferences,
  withoutPercent,
  withoutByteEscapes,
  withoutIgnored,
];
