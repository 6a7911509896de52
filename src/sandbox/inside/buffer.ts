/** The static members of the sandbox's `Buffer` that the sandbox itself uses. */
export interface SandboxBuffer {
  new (value: number | string | ArrayBuffer | ArrayLike<number>, encodingOrOffset?: unknown, length?: number): Uint8Array;
  from(value: unknown, encodingOrOffset?: unknown, length?: number): Uint8Array;
}

/**
 * Creates the `Buffer` of the Pack runtime: a `Uint8Array` with Node's text encodings, comparison, search, numbers and
 * joining, without a pool. Self-contained: its source text is evaluated inside the sandbox.
 */
export function createBufferClass(): SandboxBuffer {
  type Encoding = "utf8" | "hex" | "base64" | "base64url" | "latin1" | "ascii" | "utf16le";
  const ENCODINGS: Record<string, Encoding> = {
    utf8: "utf8",
    "utf-8": "utf8",
    hex: "hex",
    base64: "base64",
    base64url: "base64url",
    latin1: "latin1",
    binary: "latin1",
    ascii: "ascii",
    ucs2: "utf16le",
    "ucs-2": "utf16le",
    utf16le: "utf16le",
    "utf-16le": "utf16le",
  };
  const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const BASE64URL = `${BASE64.slice(0, 62)}-_`;
  const base64Values = new Uint8Array(128).fill(255);
  for (let index = 0; index < 64; index++) {
    base64Values[BASE64.charCodeAt(index)] = index;
    base64Values[BASE64URL.charCodeAt(index)] = index;
  }

  const encodingOf = (name: unknown): Encoding => {
    if (name === undefined || name === null || name === "") return "utf8";
    const encoding = ENCODINGS[String(name).toLowerCase()];
    if (encoding === undefined) throw new TypeError(`Unknown encoding: ${String(name)}`);
    return encoding;
  };

  const textOf = (codes: ArrayLike<number>): string => {
    let text = "";
    // In pieces: a call takes a limited number of arguments.
    for (let from = 0; from < codes.length; from += 4096) {
      text += String.fromCharCode.apply(undefined, Array.prototype.slice.call(codes, from, from + 4096) as number[]);
    }
    return text;
  };

  // ---- text to bytes -------------------------------------------------------------------------------------------

  const utf8Bytes = (text: string): Uint8Array => {
    const bytes = new Uint8Array(text.length * 3);
    let at = 0;
    for (let index = 0; index < text.length; index++) {
      let code = text.charCodeAt(index);
      if (code >= 0xd800 && code <= 0xdfff) {
        const low = code <= 0xdbff ? text.charCodeAt(index + 1) : 0;
        if (low >= 0xdc00 && low <= 0xdfff) {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          index += 1;
        } else code = 0xfffd;
      }
      if (code < 0x80) bytes[at++] = code;
      else if (code < 0x800) {
        bytes[at++] = 0xc0 | (code >> 6);
        bytes[at++] = 0x80 | (code & 63);
      } else if (code < 0x10000) {
        bytes[at++] = 0xe0 | (code >> 12);
        bytes[at++] = 0x80 | ((code >> 6) & 63);
        bytes[at++] = 0x80 | (code & 63);
      } else {
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 63);
        bytes[at++] = 0x80 | ((code >> 6) & 63);
        bytes[at++] = 0x80 | (code & 63);
      }
    }
    return bytes.slice(0, at);
  };

  const hexBytes = (text: string): Uint8Array => {
    const bytes = new Uint8Array(text.length >> 1);
    for (let index = 0; index < bytes.length; index++) {
      const pair = text.slice(index * 2, index * 2 + 2);
      if (!/^[0-9a-f]{2}$/i.test(pair)) return bytes.slice(0, index);
      bytes[index] = Number.parseInt(pair, 16);
    }
    return bytes;
  };

  /** As in Node: both alphabets, other characters are skipped, and the first `=` ends the text. */
  const base64Bytes = (text: string): Uint8Array => {
    const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
    let at = 0;
    let bits = 0;
    let count = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === 61) break;
      const value = code < 128 ? (base64Values[code] as number) : 255;
      if (value === 255) continue;
      bits = ((bits << 6) | value) & 0xffffff;
      count += 6;
      if (count < 8) continue;
      count -= 8;
      bytes[at++] = (bits >> count) & 255;
    }
    return bytes.slice(0, at);
  };

  const bytesOf = (text: string, encoding: Encoding): Uint8Array => {
    switch (encoding) {
      case "utf8":
        return utf8Bytes(text);
      case "hex":
        return hexBytes(text);
      case "base64":
      case "base64url":
        return base64Bytes(text);
      case "utf16le": {
        const bytes = new Uint8Array(text.length * 2);
        for (let index = 0; index < text.length; index++) {
          bytes[index * 2] = text.charCodeAt(index) & 255;
          bytes[index * 2 + 1] = text.charCodeAt(index) >> 8;
        }
        return bytes;
      }
      default: {
        const bytes = new Uint8Array(text.length);
        for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
        return bytes;
      }
    }
  };

  // ---- bytes to text -------------------------------------------------------------------------------------------

  /** Each invalid part becomes one U+FFFD, as in the Encoding Standard. */
  const utf8Text = (bytes: Uint8Array): string => {
    const codes: number[] = [];
    for (let index = 0; index < bytes.length; ) {
      const first = bytes[index++] as number;
      if (first < 0x80) {
        codes.push(first);
        continue;
      }
      const length = first >= 0xc2 && first <= 0xdf ? 1 : first >= 0xe0 && first <= 0xef ? 2 : first >= 0xf0 && first <= 0xf4 ? 3 : 0;
      let code = length === 0 ? -1 : first & (0x3f >> length);
      for (let part = 0; part < length; part++) {
        const next = bytes[index] ?? 0;
        const low = part === 0 && first === 0xe0 ? 0xa0 : part === 0 && first === 0xf0 ? 0x90 : 0x80;
        const high = part === 0 && first === 0xed ? 0x9f : part === 0 && first === 0xf4 ? 0x8f : 0xbf;
        if (index >= bytes.length || next < low || next > high) {
          code = -1;
          break;
        }
        code = (code << 6) | (next & 63);
        index += 1;
      }
      if (code < 0) codes.push(0xfffd);
      else if (code < 0x10000) codes.push(code);
      else codes.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
    return textOf(codes);
  };

  const base64Text = (bytes: Uint8Array, alphabet: string, isPadded: boolean): string => {
    let text = "";
    for (let index = 0; index < bytes.length; index += 3) {
      const left = bytes.length - index;
      const triple = ((bytes[index] as number) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
      text += alphabet.charAt(triple >> 18) + alphabet.charAt((triple >> 12) & 63);
      if (left > 1) text += alphabet.charAt((triple >> 6) & 63);
      if (left > 2) text += alphabet.charAt(triple & 63);
      else if (isPadded) text += left === 1 ? "==" : "=";
    }
    return text;
  };

  const decoded = (bytes: Uint8Array, encoding: Encoding): string => {
    switch (encoding) {
      case "utf8":
        return utf8Text(bytes);
      case "hex": {
        let text = "";
        for (const byte of bytes) text += (byte < 16 ? "0" : "") + byte.toString(16);
        return text;
      }
      case "base64":
        return base64Text(bytes, BASE64, true);
      case "base64url":
        return base64Text(bytes, BASE64URL, false);
      case "ascii":
        return textOf(bytes.map((byte) => byte & 127));
      case "utf16le": {
        const codes: number[] = [];
        for (let index = 0; index + 1 < bytes.length; index += 2)
          codes.push((bytes[index] as number) | ((bytes[index + 1] as number) << 8));
        return textOf(codes);
      }
      case "latin1":
        return textOf(bytes);
    }
  };

  // ---- the class -----------------------------------------------------------------------------------------------

  type Source = number | string | ArrayBuffer | ArrayLike<number>;
  const isArrayBuffer = (value: unknown): value is ArrayBuffer => Object.prototype.toString.call(value) === "[object ArrayBuffer]";
  // Without the static side, whose `from` has another signature.
  const Bytes = Uint8Array as unknown as new (value: unknown, offset?: number, length?: number) => Uint8Array<ArrayBuffer>;

  class Buffer extends Bytes {
    constructor(value: Source, encodingOrOffset?: unknown, length?: number) {
      const content = typeof value === "string" ? bytesOf(value, encodingOf(encodingOrOffset)) : value;
      if (isArrayBuffer(content)) super(content, encodingOrOffset as number | undefined, length);
      else super(content);
    }

    static poolSize = 8192;

    static from(value: unknown, encodingOrOffset?: unknown, length?: number): Buffer {
      if (typeof value === "string") return new Buffer(value, encodingOrOffset);
      if (isArrayBuffer(value)) return new Buffer(value, encodingOrOffset, length);
      if (typeof value === "object" && value !== null) {
        const { type, data } = value as { type?: unknown; data?: unknown };
        if (type === "Buffer" && Array.isArray(data)) return new Buffer(data as number[]);
        const primitive: unknown = value.valueOf();
        if (primitive !== value && primitive !== null) return Buffer.from(primitive, encodingOrOffset, length);
        if ("length" in value || Symbol.iterator in value) return new Buffer(value as ArrayLike<number>);
      }
      throw new TypeError("The first argument must be text, a Buffer, an ArrayBuffer, an array or an array-like object.");
    }

    static of(...bytes: number[]): Buffer {
      return new Buffer(bytes);
    }

    static alloc(size: number, fill?: unknown, encoding?: unknown): Buffer {
      assertSize(size);
      const buffer = new Buffer(size);
      return fill === undefined ? buffer : buffer.fill(fill as number, encoding as undefined);
    }

    static allocUnsafe(size: number): Buffer {
      assertSize(size);
      return new Buffer(size);
    }

    static allocUnsafeSlow(size: number): Buffer {
      return Buffer.allocUnsafe(size);
    }

    static isBuffer(value: unknown): value is Buffer {
      return value instanceof Buffer;
    }

    static isEncoding(name: unknown): boolean {
      return typeof name === "string" && Object.hasOwn(ENCODINGS, name.toLowerCase());
    }

    static byteLength(value: string | ArrayBuffer | ArrayBufferView, encoding?: unknown): number {
      return typeof value === "string" ? bytesOf(value, encodingOf(encoding)).length : value.byteLength;
    }

    static concat(list: readonly Uint8Array[], totalLength?: number): Buffer {
      if (!Array.isArray(list)) throw new TypeError("The list argument must be an array of Buffers.");
      const total = totalLength ?? list.reduce((sum, part: Uint8Array) => sum + part.length, 0);
      const all = Buffer.alloc(total);
      let at = 0;
      for (const part of list as readonly Uint8Array[]) {
        all.set(part.subarray(0, Math.max(0, total - at)), at);
        at += part.length;
        if (at >= total) break;
      }
      return all;
    }

    static compare(left: Uint8Array, right: Uint8Array): -1 | 0 | 1 {
      const shared = Math.min(left.length, right.length);
      for (let index = 0; index < shared; index++) {
        const difference = (left[index] as number) - (right[index] as number);
        if (difference !== 0) return difference < 0 ? -1 : 1;
      }
      return left.length === right.length ? 0 : left.length < right.length ? -1 : 1;
    }

    override toString(encoding?: unknown, start = 0, end: number = this.length): string {
      const bytes = new Uint8Array(this.buffer, this.byteOffset, this.length);
      return decoded(start === 0 && end === this.length ? bytes : bytes.slice(Math.max(0, start), Math.max(0, end)), encodingOf(encoding));
    }

    override toLocaleString(): string {
      return this.toString();
    }

    toJSON(): { type: "Buffer"; data: number[] } {
      return { type: "Buffer", data: Array.from(this) };
    }

    equals(other: Uint8Array): boolean {
      return Buffer.compare(this, other) === 0;
    }

    compare(target: Uint8Array, targetStart = 0, targetEnd: number = target.length, start = 0, end: number = this.length): -1 | 0 | 1 {
      return Buffer.compare(super.subarray(start, end), target.subarray(targetStart, targetEnd));
    }

    /** Shares the memory, unlike that of a `Uint8Array`. */
    override slice(start?: number, end?: number): Buffer {
      return this.subarray(start, end);
    }

    override subarray(start?: number, end?: number): Buffer {
      return super.subarray(start, end) as Buffer;
    }

    copy(target: Uint8Array, targetStart = 0, sourceStart = 0, sourceEnd: number = this.length): number {
      const part = super.subarray(sourceStart, Math.min(sourceEnd, sourceStart + Math.max(0, target.length - targetStart)));
      target.set(part, targetStart);
      return part.length;
    }

    write(text: string, offset?: number | string, length?: number | string, encoding?: string): number {
      const named = typeof offset === "string" ? offset : typeof length === "string" ? length : encoding;
      const from = typeof offset === "number" ? offset : 0;
      const room = Math.min(typeof length === "number" ? length : this.length, this.length - from);
      const form = encodingOf(named);
      let bytes = bytesOf(text, form);
      if (bytes.length > room) {
        let end = room;
        // Never writes half a character.
        if (form === "utf8") while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
        if (form === "utf16le") end -= end % 2;
        bytes = bytes.slice(0, end);
      }
      this.set(bytes, from);
      return bytes.length;
    }

    override fill(value: number | string | Uint8Array, offset?: number | string, end?: number | string, encoding?: string): this {
      const named = typeof offset === "string" ? offset : typeof end === "string" ? end : encoding;
      const from = typeof offset === "number" ? offset : 0;
      const to = typeof end === "number" ? end : this.length;
      if (typeof value === "number") return super.fill(value & 255, from, to);
      const pattern = typeof value === "string" ? bytesOf(value, encodingOf(named)) : value;
      if (pattern.length === 0) return super.fill(0, from, to);
      for (let index = from; index < to; index++) this[index] = pattern[(index - from) % pattern.length] as number;
      return this;
    }

    override indexOf(value: number | string | Uint8Array, offset?: number | string, encoding?: string): number {
      const from = typeof offset === "number" ? (offset < 0 ? Math.max(0, this.length + offset) : offset) : 0;
      const needle = needleOf(value, typeof offset === "string" ? offset : encoding);
      for (let index = from; index <= this.length - needle.length; index++) if (holdsAt(this, needle, index)) return index;
      return -1;
    }

    override lastIndexOf(value: number | string | Uint8Array, offset?: number | string, encoding?: string): number {
      const needle = needleOf(value, typeof offset === "string" ? offset : encoding);
      const last = this.length - needle.length;
      const from = typeof offset === "number" ? Math.min(last, offset < 0 ? this.length + offset : offset) : last;
      for (let index = from; index >= 0; index--) if (holdsAt(this, needle, index)) return index;
      return -1;
    }

    override includes(value: number | string | Uint8Array, offset?: number | string, encoding?: string): boolean {
      return this.indexOf(value, offset, encoding) !== -1;
    }

    swap16(): this {
      return this.#swap(2);
    }

    swap32(): this {
      return this.#swap(4);
    }

    swap64(): this {
      return this.#swap(8);
    }

    readUIntBE(offset: number, byteLength: number): number {
      let value = 0;
      for (let index = 0; index < byteLength; index++) value = value * 256 + this.#at(offset + index);
      return value;
    }

    readUIntLE(offset: number, byteLength: number): number {
      let value = 0;
      for (let index = byteLength - 1; index >= 0; index--) value = value * 256 + this.#at(offset + index);
      return value;
    }

    readIntBE(offset: number, byteLength: number): number {
      return signed(this.readUIntBE(offset, byteLength), byteLength);
    }

    readIntLE(offset: number, byteLength: number): number {
      return signed(this.readUIntLE(offset, byteLength), byteLength);
    }

    writeUIntBE(value: number, offset: number, byteLength: number): number {
      this.#at(offset + byteLength - 1);
      for (let index = byteLength - 1, rest = value; index >= 0; index--, rest = Math.floor(rest / 256)) this[offset + index] = rest % 256;
      return offset + byteLength;
    }

    writeUIntLE(value: number, offset: number, byteLength: number): number {
      this.#at(offset + byteLength - 1);
      for (let index = 0, rest = value; index < byteLength; index++, rest = Math.floor(rest / 256)) this[offset + index] = rest % 256;
      return offset + byteLength;
    }

    writeIntBE(value: number, offset: number, byteLength: number): number {
      return this.writeUIntBE(value < 0 ? value + 256 ** byteLength : value, offset, byteLength);
    }

    writeIntLE(value: number, offset: number, byteLength: number): number {
      return this.writeUIntLE(value < 0 ? value + 256 ** byteLength : value, offset, byteLength);
    }

    #at(index: number): number {
      const byte = this[index];
      if (byte === undefined) throw new RangeError(`The offset ${index} is outside of the buffer.`);
      return byte;
    }

    #swap(size: number): this {
      if (this.length % size !== 0) throw new RangeError(`The size of the buffer must be a multiple of ${size * 8} bits.`);
      for (let index = 0; index < this.length; index += size) super.subarray(index, index + size).reverse();
      return this;
    }
  }

  const assertSize = (size: unknown): void => {
    if (typeof size !== "number") throw new TypeError("The size must be a number.");
    if (!(size >= 0)) throw new RangeError("The size must not be negative.");
  };

  const signed = (value: number, byteLength: number): number => (value >= 256 ** byteLength / 2 ? value - 256 ** byteLength : value);

  const needleOf = (value: number | string | Uint8Array, encoding: string | undefined): Uint8Array => {
    if (typeof value === "number") return new Uint8Array([value]);
    return typeof value === "string" ? bytesOf(value, encodingOf(encoding)) : value;
  };

  const holdsAt = (bytes: Uint8Array, needle: Uint8Array, at: number): boolean => {
    for (let index = 0; index < needle.length; index++) if (bytes[at + index] !== needle[index]) return false;
    return true;
  };

  // Numbers of a fixed size: `readUInt16LE` and its 27 relatives, each also under its other spelling (`readUint16LE`).
  const NUMBERS: readonly (readonly [name: string, method: string, size: number])[] = [
    ["UInt8", "Uint8", 1],
    ["Int8", "Int8", 1],
    ["UInt16", "Uint16", 2],
    ["Int16", "Int16", 2],
    ["UInt32", "Uint32", 4],
    ["Int32", "Int32", 4],
    ["Float", "Float32", 4],
    ["Double", "Float64", 8],
    ["BigInt64", "BigInt64", 8],
    ["BigUInt64", "BigUint64", 8],
  ];
  type View = Record<string, (...given: unknown[]) => unknown>;
  const viewOf = (bytes: Uint8Array): View => new DataView(bytes.buffer, bytes.byteOffset, bytes.length) as unknown as View;
  const define = (name: string, value: unknown): void => {
    for (const spelling of new Set([name, name.replace("UInt", "Uint")])) {
      Object.defineProperty(Buffer.prototype, spelling, { value, writable: true, configurable: true });
    }
  };
  for (const [name, method, size] of NUMBERS) {
    for (const [suffix, isLittle] of size === 1
      ? ([["", true]] as const)
      : ([
          ["LE", true],
          ["BE", false],
        ] as const)) {
      define(`read${name}${suffix}`, function (this: Uint8Array, offset = 0): unknown {
        return viewOf(this)[`get${method}`]?.(offset, isLittle);
      });
      define(`write${name}${suffix}`, function (this: Uint8Array, value: unknown, offset = 0): number {
        viewOf(this)[`set${method}`]?.(offset, value, isLittle);
        return offset + size;
      });
    }
  }

  return Buffer as unknown as SandboxBuffer;
}
