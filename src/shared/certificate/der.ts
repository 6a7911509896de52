/** The parts of DER (ITU-T X.690 §10) that a certificate needs. */

/** An element: tag, length, contents. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...encodeLength(body.length)]), body]);
}

export const sequence = (...members: readonly Uint8Array[]): Buffer => element(0x30, ...members);
export const encodeSet = (...members: readonly Uint8Array[]): Buffer => element(0x31, ...members);
export const octetString = (...contents: readonly Uint8Array[]): Buffer =>
  element(0x04, ...contents);
export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, "utf8"));
export const TRUE: Buffer = element(0x01, Buffer.from([0xff]));

/** An explicit tag `[number]` around elements. */
export const explicit = (number: number, ...members: readonly Uint8Array[]): Buffer =>
  element(0xa0 + number, ...members);

/** An implicit tag `[number]` in place of a primitive element's own tag. */
export const implicit = (number: number, contents: Uint8Array): Buffer =>
  element(0x80 + number, contents);

/** A non-negative integer, from its bytes. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  // A first bit of 1 would mean a negative number.
  return (digits[0] ?? 0) >= 0x80 ? element(0x02, Buffer.from([0]), digits) : element(0x02, digits);
}

/** A bit string; the last `unused` bits do not count. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return element(0x03, Buffer.from([unused]), bytes);
}

/** An object identifier, such as "1.2.840.10045.4.3.2". */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A time with seconds, in the form that RFC 5280 §4.1.2.5.1 requires for years before 2050. */
export function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return element(0x17, Buffer.from(`${digits}Z`, "latin1"));
}

function encodeLength(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

function base128(number: number): number[] {
  const digits = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
