// Functions of `node:crypto` that its browser packages do not have.

/** A random UUID of version 4 (RFC 9562 §5.4). */
export function randomUUID(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Compares in constant time. @throws {RangeError} for other lengths, as Node does */
export function timingSafeEqual(
  one: ArrayBuffer | ArrayBufferView,
  other: ArrayBuffer | ArrayBufferView,
): boolean {
  const [left, right] = [toBytes(one), toBytes(other)];
  if (left.length !== right.length)
    throw new RangeError("Input buffers must have the same byte length");
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}

function toBytes(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
