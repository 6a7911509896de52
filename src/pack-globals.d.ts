// The globals of the Pack runtime, for type checks of Packs without the types of browsers and Node.
// Where those are present, too, the declarations merge.

interface Console {
  trace(...data: any[]): void;
  debug(...data: any[]): void;
  info(...data: any[]): void;
  log(...data: any[]): void;
  warn(...data: any[]): void;
  error(...data: any[]): void;
}
declare var console: Console;

type BufferEncoding =
  | "ascii"
  | "utf8"
  | "utf-8"
  | "utf16le"
  | "ucs2"
  | "ucs-2"
  | "base64"
  | "base64url"
  | "latin1"
  | "binary"
  | "hex";
interface Buffer extends Uint8Array {
  toString(encoding?: BufferEncoding, start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
  write(text: string, offset?: number, length?: number, encoding?: BufferEncoding): number;
  copy(target: Uint8Array, targetStart?: number, sourceStart?: number, sourceEnd?: number): number;
  readUInt8(offset?: number): number;
  readUInt16BE(offset?: number): number;
  readUInt16LE(offset?: number): number;
  readUInt32BE(offset?: number): number;
  readUInt32LE(offset?: number): number;
  readInt32BE(offset?: number): number;
  readInt32LE(offset?: number): number;
  writeUInt8(value: number, offset?: number): number;
  writeUInt16BE(value: number, offset?: number): number;
  writeUInt16LE(value: number, offset?: number): number;
  writeUInt32BE(value: number, offset?: number): number;
  writeUInt32LE(value: number, offset?: number): number;
}
interface BufferConstructor {
  new (...values: any[]): Buffer;
  readonly prototype: Buffer;
  from(value: any, encodingOrOffset?: any, length?: number): Buffer;
  alloc(size: number, fill?: any, encoding?: BufferEncoding): Buffer;
  allocUnsafe(size: number): Buffer;
  byteLength(value: any, encoding?: BufferEncoding): number;
  concat(list: readonly Uint8Array[], totalLength?: number): Buffer;
  compare(one: Uint8Array, other: Uint8Array): -1 | 0 | 1;
  isBuffer(value: any): value is Buffer;
  isEncoding(encoding: string): encoding is BufferEncoding;
}
declare var Buffer: BufferConstructor;

interface URLSearchParams {
  append(name: string, value: string): void;
  delete(name: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  forEach(callback: (value: string, name: string, parent: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare var URLSearchParams: {
  new (init?: any): URLSearchParams;
  readonly prototype: URLSearchParams;
};

interface URL {
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}
declare var URL: { new (url: string | URL, base?: string | URL): URL; readonly prototype: URL };

interface TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
}
declare var TextEncoder: { new (): TextEncoder; readonly prototype: TextEncoder };

// The bundle replaces these, or explains at their place why they do not work.
declare var process: any;
declare var require: any;
declare var module: any;
declare var exports: any;
declare var global: any;
declare var crypto: any;
declare function setTimeout(
  callback: (...args: any[]) => void,
  delayMs?: number,
  ...args: any[]
): any;
declare function clearTimeout(timer: any): void;
declare function setInterval(
  callback: (...args: any[]) => void,
  delayMs?: number,
  ...args: any[]
): any;
declare function clearInterval(timer: any): void;
