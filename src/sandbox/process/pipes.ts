import { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";
import { encodeFrame, HEADER_BYTES, readHeader } from "../frame.ts";

const INPUT = 0;
const OUTPUT = 1;

/**
 * Waits for the next message. The process has no event loop while it waits, so nothing runs between
 * two messages.
 * @returns `undefined` when the host has closed the pipe or ended
 */
export function receiveTexts(): string[] | undefined {
  const texts: string[] = [];
  for (;;) {
    const header = readBytes(HEADER_BYTES);
    if (header === undefined) return undefined;
    const { length, isContinued } = readHeader(header);
    const bytes = readBytes(length);
    if (bytes === undefined) return undefined;
    texts.push(bytes.toString());
    if (!isContinued) return texts;
  }
}

export function sendTexts(...texts: readonly string[]): void {
  for (let index = 0; index < texts.length; index++) {
    const frame = encodeFrame(texts[index] as string, index < texts.length - 1);
    for (let at = 0; at < frame.length; ) at += writeSync(OUTPUT, frame, at);
  }
}

function readBytes(length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const count = readSync(INPUT, bytes, at, length - at, null);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}
