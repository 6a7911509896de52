// How messages are written to the pipes between the host and the process: each text with its length
// in bytes before it.
//
//     4 bytes   length, little-endian
//     1 byte    1 when another text of the same message follows, otherwise 0
//     …         the text as UTF-8

import { Buffer } from "node:buffer";

export const HEADER_BYTES = 5;

export function encodeFrame(text: string, isContinued: boolean): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32LE(length, 0);
  frame[4] = isContinued ? 1 : 0;
  frame.write(text, HEADER_BYTES);
  return frame;
}

export function readHeader(header: Buffer): { length: number; isContinued: boolean } {
  return { length: header.readUInt32LE(0), isContinued: header[4] === 1 };
}
