import { type Escape, isLineControl } from "./decoded-view.ts";

const LAST_CONTROL = 0x1f;
const DELETE = 0x7f;
const ESCAPE = 0x1b;
const BELL = 0x07;
const BACKSLASH = 0x5c;
const MAX_SEQUENCE_LENGTH = 32;
const MAX_COMMAND_LENGTH = 256;

/** Code points that are not seen, by first and last. All have two to four bytes. */
const INVISIBLE: readonly (readonly [first: number, last: number])[] = [
  [0x80, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];
const LAST_ASCII = 0x7f;
/** Wide forms of ASCII, which read the same. */
const [FIRST_WIDE, LAST_WIDE, WIDE_OFFSET] = [0xff01, 0xff5e, 0xfee0];

/** 1 for the first byte of what `findIgnored` finds. */
const FIRST_BYTES = new Uint8Array(256);
for (const [first, last] of [...INVISIBLE, [FIRST_WIDE, LAST_WIDE] as const])
  for (const code of [first, last])
    FIRST_BYTES[Buffer.from(String.fromCodePoint(code))[0] as number] = 1;
for (let code = 0; code <= LAST_CONTROL; code++) if (!isLineControl(code)) FIRST_BYTES[code] = 1;
FIRST_BYTES[DELETE] = 1;

/**
 * Finds the next thing that a reader of a text does not see: a control character, a sequence that
 * colors a terminal, or a character without a width. A wide form of an ASCII character is found as
 * that character.
 * @param from a place in UTF-8
 */
export function findIgnored(bytes: Uint8Array, from: number): Escape | undefined {
  for (let index = from; index < bytes.length; index++) {
    if (FIRST_BYTES[bytes[index] as number] === 0) continue;
    const ignored = readIgnored(bytes, index);
    if (ignored !== undefined) return ignored;
  }
  return undefined;
}

function readIgnored(bytes: Uint8Array, start: number): Escape | undefined {
  const byte = bytes[start] as number;
  if (byte === ESCAPE) return { start, end: findSequenceEnd(bytes, start) };
  if (byte <= LAST_ASCII) return { start, end: start + 1 };
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  let code = byte & (0xff >> (length + 1));
  for (let index = start + 1; index < start + length; index++)
    code = (code << 6) | ((bytes[index] ?? 0) & 0x3f);
  const end = start + length;
  if (code >= FIRST_WIDE && code <= LAST_WIDE) return { start, end, byte: code - WIDE_OFFSET };
  return INVISIBLE.some(([first, last]) => code >= first && code <= last)
    ? { start, end }
    : undefined;
}

/** ECMA-48: parameters, then intermediate bytes, then a final byte. */
function findSequenceEnd(bytes: Uint8Array, start: number): number {
  const kind = bytes[start + 1] ?? 0;
  if (kind === 0x5d) return findCommandEnd(bytes, start);
  const hasParameters = kind === 0x5b;
  let end = start + (hasParameters ? 2 : 1);
  const limit = start + MAX_SEQUENCE_LENGTH;
  const first = end;
  while (end < limit && isBetween(bytes[end], 0x20, hasParameters ? 0x3f : 0x2f)) end++;
  const isSequence = (hasParameters || end > first) && isBetween(bytes[end], 0x30, 0x7e);
  return isSequence ? end + 1 : start + 1;
}

/** A command of the operating system, such as a link, ends with a bell or `ESC \`. */
function findCommandEnd(bytes: Uint8Array, start: number): number {
  for (let index = start + 2; index < start + MAX_COMMAND_LENGTH; index++) {
    if (bytes[index] === BELL) return index + 1;
    if (bytes[index] === ESCAPE) return bytes[index + 1] === BACKSLASH ? index + 2 : start + 1;
  }
  return start + 1;
}

function isBetween(byte = 0, first: number, last: number): boolean {
  return byte >= first && byte <= last;
}
