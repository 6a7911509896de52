import { createRequire } from "node:module";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ownFolder } from "../bundle/own-modules.ts";

/** One file of an archive. */
export interface ArchiveFile {
  /** With forward slashes, at most 100 bytes. */
  path: string;
  content: Uint8Array;
}

const BLOCK = 512;
/**
 * An archive ends with two empty blocks; most programs then fill it up to a multiple of this size.
 */
const RECORD = 10_240;
const MAX_NAME_BYTES = 100;

/**
 * Writes files as one ustar archive (POSIX.1-1988): sorted by name, without owner or time, readable
 * for everyone. The same files
 * give the same bytes.
 * @throws {TypeError} when a name is longer than 100 bytes
 */
export function writeTar(files: readonly ArchiveFile[]): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap(({ path, content }) => [
    headerOf(path, content.byteLength),
    Buffer.from(content),
    padding(content.byteLength, BLOCK),
  ]);
  const body = Buffer.concat(parts);
  return Buffer.concat([
    body,
    Buffer.alloc(2 * BLOCK),
    padding(body.byteLength + 2 * BLOCK, RECORD),
  ]);
}

/**
 * Reads the plain files of a ustar archive.
 * @throws {TypeError} when it is not a ustar archive, is damaged or ends too early
 */
export function readTar(archive: Uint8Array): ArchiveFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const files: ArchiveFile[] = [];
  let at = 0;
  while (at + BLOCK <= bytes.byteLength) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    if (text(header, 257, 5) !== "ustar" || octal(header, 148, 8) !== checksum(header))
      throw new TypeError("This is not a ustar archive.");
    const size = octal(header, 124, 12);
    const start = at + BLOCK;
    if (!(size >= 0) || start + size > bytes.byteLength)
      throw new TypeError("The archive ends too early.");
    const prefix = text(header, 345, 155);
    const type = text(header, 156, 1);
    const path = `${prefix === "" ? "" : `${prefix}/`}${text(header, 0, MAX_NAME_BYTES)}`;
    if (type === "" || type === "0")
      files.push({ path, content: bytes.subarray(start, start + size) });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new TypeError("The archive ends too early.");
}

function headerOf(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > MAX_NAME_BYTES)
    throw new TypeError(`${path} is too long for a name in an archive.`);
  const header = Buffer.alloc(BLOCK);
  const number = (value: number, offset: number, digits: number): void =>
    void header.write(`${value.toString(8).padStart(digits, "0")}\0`, offset);
  header.write(path, 0);
  number(0o644, 100, 7);
  number(0, 108, 7);
  number(0, 116, 7);
  number(size, 124, 11);
  number(0, 136, 11);
  header.write("0", 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  number(0, 329, 7);
  number(0, 337, 7);
  header.write(`${checksum(header).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** The sum of all bytes of the header, with spaces in place of the checksum itself. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function padding(size: number, unit: number): Buffer {
  return Buffer.alloc((unit - (size % unit)) % unit);
}

function text(header: Buffer, offset: number, length: number): string {
  const field = header.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString("utf8");
}

function octal(header: Buffer, offset: number, length: number): number {
  return Number.parseInt(text(header, offset, length).trim() || "0", 8);
}

/** Limit for the unpacked size of a release. */
const MAX_BYTES = 200_000_000;

/**
 * Compresses without a time or a name, to the same bytes on every machine. The output of Node's
 * zlib depends on its version and on
 * the processor, so this uses the zlib in JavaScript that Packs get.
 */
export function gzipPortably(data: Uint8Array): Buffer {
  const file = join(ownFolder(), "polyfills", "zlib.cjs");
  const { gzipSync } = createRequire(import.meta.url)(file) as {
    gzipSync(data: Uint8Array, options: { level: number }): Uint8Array;
  };
  return Buffer.from(gzipSync(data, { level: 9 }));
}

/** @throws {Error} when the data is damaged, or larger than 200 MB after unpacking */
export function gunzip(data: Uint8Array): Buffer {
  return gunzipSync(data, { maxOutputLength: MAX_BYTES });
}
