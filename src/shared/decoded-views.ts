/** A text after escapes were removed, and where each of its bytes was before. */
export interface DecodedView {
  bytes: Uint8Array;
  /**
   * The start of each byte's escape in the original bytes; undefined if nothing moved. The last
   * entry is the original length.
   */
  starts: Uint32Array | undefined;
}

const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/**
 * `\b`, `\f`, `\n`, `\r`, `\t` (RFC 8259 §7). Any other character after a backslash means itself.
 */
const CONTROLS: Readonly<Record<number, number>> = { 98: 8, 102: 12, 110: 10, 114: 13, 116: 9 };

/**
 * A text as it is, and without its percent-encoding and JSON escapes: each once, each twice, and
 * percent-encoding before JSON
 * escapes. Views that would equal an earlier one are left out, so most texts have one view. Linear
 * in the text.
 */
export function* decodedViews(bytes: Uint8Array): Generator<DecodedView> {
  const plain: DecodedView = { bytes, starts: undefined };
  yield plain;
  const unquoted = withoutPercent(plain);
  if (unquoted !== undefined) {
    yield unquoted;
    const twice = withoutPercent(unquoted);
    if (twice !== undefined) yield twice;
    const both = withoutBackslashes(unquoted);
    if (both !== undefined) yield both;
  }
  const unescaped = withoutBackslashes(plain);
  if (unescaped === undefined) return;
  yield unescaped;
  const twice = withoutBackslashes(unescaped);
  if (twice !== undefined) yield twice;
}

/** @returns undefined without an escape */
function withoutPercent({ bytes, starts }: DecodedView): DecodedView | undefined {
  let next = bytes.indexOf(PERCENT);
  while (next >= 0 && byteAt(bytes, next) < 0) next = bytes.indexOf(PERCENT, next + 1);
  if (next < 0) return undefined;
  const writer = new ViewWriter(bytes, starts);
  for (let index = 0; index < bytes.length; ) {
    const escaped = bytes[index] === PERCENT ? byteAt(bytes, index) : -1;
    writer.write(escaped < 0 ? (bytes[index] ?? 0) : escaped, index);
    index += escaped < 0 ? 1 : 3;
  }
  return writer.view();
}

/** The byte of a `%hh`; -1 for other text. */
function byteAt(bytes: Uint8Array, index: number): number {
  const high = digitOf(bytes[index + 1]);
  const low = digitOf(bytes[index + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** @returns undefined without an escape */
function withoutBackslashes({ bytes, starts }: DecodedView): DecodedView | undefined {
  if (!bytes.includes(BACKSLASH)) return undefined;
  const writer = new ViewWriter(bytes, starts);
  for (let index = 0; index < bytes.length; ) {
    const byte = bytes[index] ?? 0;
    if (byte !== BACKSLASH || index + 1 === bytes.length) {
      writer.write(byte, index);
      index += 1;
      continue;
    }
    const escaped = bytes[index + 1] ?? 0;
    const unit = escaped === LOWER_U ? unitAt(bytes, index) : -1;
    if (unit < 0) {
      writer.write(CONTROLS[escaped] ?? escaped, index);
      index += 2;
      continue;
    }
    const low =
      isHighSurrogate(unit) && bytes[index + 6] === BACKSLASH && bytes[index + 7] === LOWER_U
        ? unitAt(bytes, index + 6)
        : -1;
    const isPair = low >= 0xdc00 && low <= 0xdfff;
    writer.writeCharacter(
      isPair ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : unit,
      index,
    );
    index += isPair ? 12 : 6;
  }
  return writer.view();
}

/** The UTF-16 unit of a `\uhhhh`; -1 for other text. */
function unitAt(bytes: Uint8Array, index: number): number {
  let unit = 0;
  for (let offset = 2; offset < 6; offset++) {
    const digit = digitOf(bytes[index + offset]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** An escape is never shorter than what it means, so the original's length is enough. */
class ViewWriter {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #before: Uint32Array | undefined;
  readonly #length: number;
  #end = 0;

  constructor(before: Uint8Array, starts: Uint32Array | undefined) {
    this.#bytes = new Uint8Array(before.length);
    this.#starts = new Uint32Array(before.length + 1);
    this.#before = starts;
    this.#length = before.length;
  }

  write(byte: number, from: number): void {
    this.#bytes[this.#end] = byte;
    this.#starts[this.#end++] = this.#before === undefined ? from : (this.#before[from] ?? 0);
  }

  /** As UTF-8. A lone surrogate becomes U+FFFD, as in every encoder. */
  writeCharacter(given: number, from: number): void {
    const code = given >= 0xd800 && given <= 0xdfff ? 0xfffd : given;
    if (code < 0x80) {
      this.write(code, from);
      return;
    }
    if (code >= 0x10000) this.write(0xf0 | (code >> 18), from);
    if (code >= 0x10000) this.write(0x80 | ((code >> 12) & 0x3f), from);
    else if (code >= 0x800) this.write(0xe0 | (code >> 12), from);
    this.write(code >= 0x800 ? 0x80 | ((code >> 6) & 0x3f) : 0xc0 | (code >> 6), from);
    this.write(0x80 | (code & 0x3f), from);
  }

  view(): DecodedView {
    this.#starts[this.#end] =
      this.#before === undefined ? this.#length : (this.#before[this.#length] ?? 0);
    return {
      bytes: this.#bytes.subarray(0, this.#end),
      starts: this.#starts.subarray(0, this.#end + 1),
    };
  }
}
