/** A text after something was decoded, which knows where each of its bytes was before. */
export interface DecodedView {
  bytes: Uint8Array;
  /**
   * What can be in it: anything; digits of encodings only, because words touch that did not; or
   * bytes that were written as numbers.
   */
  holds: "text" | "digits" | "numbers";
  /** What is shorter would match ordinary text. */
  minLength: number;
  /** An escape stood for something else than text in ASCII. */
  isBeyondAscii: boolean;
  /** An escape stood for something else than a character of markup, or had digits itself. */
  hasSeparators: boolean;
  /**
   * Where a part of the view was in the original text. `undefined` if the part is not one text
   * there.
   */
  locate(start: number, end: number): Place | undefined;
}

export type Place = readonly [start: number, end: number];

/** What an escape stands for: a byte, a character, or nothing. */
export interface Escape {
  start: number;
  end: number;
  byte?: number | undefined;
  /** A Unicode code point. */
  character?: number | undefined;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** 1 for what is escaped because of its meaning in JSON, XML and HTML. */
const MARKUP = new Uint8Array(128);
for (const byte of Buffer.from("&<>\"'\\/")) MARKUP[byte] = 1;

function isHexDigit(byte = 0): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}

/** Controls of ASCII that belong to a text. */
export function isLineControl(code: number): boolean {
  return code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN;
}

/** A shorter piece is copied faster byte by byte. */
const SHORT_COPY = 32;

/**
 * Writes a view of a text without its escapes. An escape is never shorter than what it means, so
 * the original's length is enough.
 */
export class ViewWriter {
  readonly #before: Uint8Array;
  readonly #bytes: Uint8Array;
  /** After each escape: the place in the view, and the place in the bytes before. */
  readonly #ends: number[] = [];
  readonly #places: number[] = [];
  #copied = 0;
  #end = 0;
  #isBeyondAscii = false;
  #hasSeparators = false;

  constructor(before: Uint8Array) {
    this.#before = before;
    this.#bytes = new Uint8Array(before.length);
  }

  write({ start, end, byte, character }: Escape): void {
    this.#copy(start);
    if (byte !== undefined) this.#bytes[this.#end++] = byte;
    else if (character !== undefined) this.#writeCharacter(character);
    const code = byte ?? character ?? LINE_FEED;
    // Of most notations the last but one is a digit if there is one.
    if (MARKUP[code] !== 1 || isHexDigit(this.#before[end - 2])) this.#hasSeparators = true;
    if (code > 0x7e || (code < 0x20 && !isLineControl(code))) this.#isBeyondAscii = true;
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
    if (until - this.#copied > SHORT_COPY) {
      this.#bytes.set(this.#before.subarray(this.#copied, until), this.#end);
      this.#end += until - this.#copied;
      return;
    }
    for (let index = this.#copied; index < until; index++)
      this.#bytes[this.#end++] = this.#before[index] as number;
  }

  view(parent: DecodedView): DecodedView {
    this.#copy(this.#before.length);
    return {
      ...parent,
      bytes: this.#bytes.subarray(0, this.#end),
      isBeyondAscii: this.#isBeyondAscii,
      hasSeparators: this.#hasSeparators,
      locate: (start, end) => parent.locate(this.#place(start), this.#place(end)),
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
