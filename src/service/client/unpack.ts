import { Inflate } from "fflate";
import { joinChunks } from "./bytes.ts";

/** RFC 1952 §2.3: the fixed part of the header, and the checksum and size at the end. */
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
/**
 * How much is unpacked at a time, so that a small file that unpacks to a huge one is refused early.
 */
const STEP_BYTES = 16 * 1_024;

/**
 * Unpacks a gzip file without any API of Node or the Web, because a Pack has none.
 * @throws {RangeError} when the data are broken, or larger than `maxBytes`
 */
export function gunzip(data: Uint8Array, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const inflate = new Inflate((chunk) => {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`The file is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  });
  const body = data.subarray(bodyStart(data), data.length - TRAILER_BYTES);
  try {
    for (let at = 0, isLast = false; !isLast; at += STEP_BYTES) {
      isLast = at + STEP_BYTES >= body.length;
      inflate.push(body.slice(at, at + STEP_BYTES), isLast);
    }
  } catch (error) {
    throw error instanceof RangeError
      ? error
      : new RangeError("The gzip data is damaged.", { cause: error });
  }
  return joinChunks(chunks, size);
}

/** RFC 1952 §2.3.1: an extra field, a name, a comment and a checksum may follow the fixed part. */
function bodyStart(data: Uint8Array): number {
  const flags = data[3] ?? 0;
  let at = HEADER_BYTES;
  if (flags & 4) at += 2 + ((data[at] ?? 0) | ((data[at + 1] ?? 0) << 8));
  for (const flag of [8, 16]) if (flags & flag) at = data.indexOf(0, at) + 1;
  return flags & 2 ? at + 2 : at;
}

/**
 * Text of UTF-8 bytes, without any API of Node or the Web. Bytes that are not UTF-8 become U+FFFD.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = "";
  let units: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at++] ?? 0;
    const more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    let code = more === 0 ? lead : lead & (0x3f >> more);
    let read = 0;
    for (; read < more && ((bytes[at] ?? 0) & 0xc0) === 0x80; read++)
      code = (code << 6) | ((bytes[at++] ?? 0) & 0x3f);
    const least = [0, 0x80, 0x800, 0x10000][more] ?? 0;
    const wrong =
      read < more ||
      code < least ||
      code > 0x10ffff ||
      (lead >= 0x80 && lead < 0xc0) ||
      (code >> 11 === 0x1b && more === 2);
    if (wrong) code = 0xfffd;
    if (code > 0xffff) units.push(0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff));
    else units.push(code);
    if (units.length > 8_000) {
      text += String.fromCharCode(...units);
      units = [];
    }
  }
  return text + String.fromCharCode(...units);
}
