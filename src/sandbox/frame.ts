// How messages are written to the pipes between the host and the process: each text with its length
// in bytes before it.
//
//     4 bytes   length, little-endian
//     1 byte    the sum of 1 when another text of the same message follows, and 2 when the bytes are
//               no text: each of them becomes a character
//     …         the text as UTF-8, or the bytes

import { Buffer } from "node:buffer";

export const HEADER_BYTES = 5;

const CONTINUED = 1;
const BYTES = 2;

export function encodeFrame(text: string, isContinued: boolean): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  writeHeader(frame, length, isContinued ? CONTINUED : 0);
  frame.write(text, HEADER_BYTES);
  return frame;
}

/** The header of bytes that are written after it, and that end a message. */
export function encodeHeader(length: number, encoding: FrameHeader["encoding"]): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  writeHeader(header, length, encoding === "utf8" ? 0 : BYTES);
  return header;
}

export interface FrameHeader {
  length: number;
  isContinued: boolean;
  encoding: "utf8" | "latin1";
}

export function readHeader(header: Buffer): FrameHeader {
  const marks = header[4] ?? 0;
  return {
    length: header.readUInt32LE(0),
    isContinued: (marks & CONTINUED) !== 0,
    encoding: (marks & BYTES) === 0 ? "utf8" : "latin1",
  };
}

function writeHeader(frame: Buffer, length: number, marks: number): void {
  frame.writeUInt32LE(length, 0);
  frame[4] = marks;
}
