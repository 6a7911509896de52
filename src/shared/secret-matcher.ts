import type { DecodedView } from "./decoded-view.ts";
import { decodedViews } from "./decoded-views.ts";

/**
 * Part of a text that holds a secret: the bytes from `start` up to `end`, and the label of the
 * secret.
 */
export interface SecretRange<Label> {
  start: number;
  end: number;
  label: Label;
}

/**
 * Finds a set of secrets in the forms in which they travel: plain, in the escapes that
 * `decodedViews` removes, in UTF-16 and Latin-1, in hexadecimal, and inside base64 and base64url,
 * also in broken lines. It takes time in proportion to the text, however long the secrets are, and
 * no pattern is made from a secret that an error could quote.
 */
export interface SecretMatcher<Label> {
  /** Whether there is nothing to find. */
  readonly isEmpty: boolean;
  /** Adds a secret. The first label of a secret stays. */
  add(secret: string, label: Label): void;
  /**
   * The ranges of UTF-8 bytes that hold secrets, in order. Ranges that overlap are joined and have
   * the label of the first, or the longest.
   */
  find(bytes: Uint8Array): SecretRange<Label>[];
  /** The text with each range replaced. A text without a secret is returned as it is. */
  replace(text: string, replacement: (label: Label) => string): string;
}

interface Needle<Label> {
  bytes: Uint8Array;
  label: Label;
  /** It consists of digits of base64 or hexadecimal, so a line may be broken anywhere. */
  isDigits: boolean;
  /**
   * Of the Knuth–Morris–Pratt search; made when the needle's end is found in a text for the first
   * time.
   */
  borders: Int32Array | undefined;
}

/** A shorter text is not a secret, because it would match ordinary text. */
export const MIN_SECRET_LENGTH = 4;
/**
 * A longer token or credential is refused where it enters. In UTF-16 units, as the length of a
 * string.
 */
export const MAX_SECRET_LENGTH = 65_536;
/** Shorter pieces of base64 or hexadecimal digits would match ordinary text. */
const MIN_ENCODED_LENGTH = 8;

export function createSecretMatcher<Label>(): SecretMatcher<Label> {
  const known = new Set<string>();
  /** Needles by their last four bytes: the ends of tokens differ more than their beginnings. */
  const needles = new Map<number, Needle<Label>[]>();
  /** Made from the needles when a text is searched. */
  let steps: Steps | undefined;

  const addNeedle = (bytes: Uint8Array, label: Label, isDigits: boolean): void => {
    const end = lastFour(bytes);
    const others = needles.get(end) ?? [];
    needles.set(end, [...others, { bytes, label, isDigits, borders: undefined }]);
    steps = undefined;
  };

  const plan = (): Steps => {
    steps ??= planSteps([...needles.values()].flat());
    return steps;
  };

  const candidatesIn = (bytes: Uint8Array): Set<Needle<Label>> => {
    const candidates = new Set<Needle<Label>>();
    const seen = new Set<number>();
    const { table, shortest } = plan();
    for (let index = shortest - 1; index < bytes.length; index++) {
      const window = fourEndingAt(bytes, index);
      const step = table[hashWindow(window)] as number;
      if (step > 0) {
        index += step - 1;
        continue;
      }
      if (seen.has(window)) continue;
      seen.add(window);
      for (const needle of needles.get(window) ?? []) candidates.add(needle);
    }
    return candidates;
  };

  const find = (bytes: Uint8Array): SecretRange<Label>[] => {
    if (needles.size === 0) return [];
    const ranges: SecretRange<Label>[] = [];
    for (const view of decodedViews(bytes, plan().longest)) {
      for (const needle of candidatesIn(view.bytes)) {
        if (!canHold(view, needle)) continue;
        for (const found of findPlaces(needle, view.bytes)) {
          const place = view.locate(...found);
          if (place !== undefined)
            ranges.push({ start: place[0], end: place[1], label: needle.label });
        }
      }
    }
    return joinRanges(ranges);
  };

  return {
    get isEmpty() {
      return needles.size === 0;
    },
    add(secret, label) {
      if (secret.length < MIN_SECRET_LENGTH || known.has(secret)) return;
      known.add(secret);
      for (const needle of listTexts(secret)) addNeedle(needle, label, false);
      for (const needle of listDigits(secret)) addNeedle(needle, label, true);
    },
    find,
    replace(text, replacement) {
      if (needles.size === 0 || text.length < MIN_SECRET_LENGTH) return text;
      const bytes = Buffer.from(text, "utf8");
      const ranges = find(bytes);
      if (ranges.length === 0) return text;
      let result = "";
      let end = 0;
      for (const range of ranges) {
        result += bytes.toString("utf8", end, range.start) + replacement(range.label);
        end = range.end;
      }
      return result + bytes.toString("utf8", end);
    },
  };
}

/** Words of a text are not one word because a line ends between them; digits may be. */
function canHold(view: DecodedView, needle: Needle<unknown>): boolean {
  if (needle.bytes.length < view.minLength) return false;
  return view.holds === "text" || needle.isDigits === (view.holds === "digits");
}

/** The forms of a secret as a text that no view of a text decodes. */
function listTexts(secret: string): Uint8Array[] {
  const bytes = Buffer.from(secret, "utf8");
  const text = bytes.toString("utf8");
  // A form writes a space as "+". The same letter may have one or two code points.
  const forms = new Set([
    text,
    text.replaceAll(" ", "+"),
    text.normalize("NFC"),
    text.normalize("NFD"),
  ]);
  const littleEndian = Buffer.from(text, "utf16le");
  return [
    ...Array.from(forms, (form) => Buffer.from(form, "utf8")),
    littleEndian,
    Buffer.from(littleEndian).swap16(),
    ...(/[\x80-\xff]/.test(text) ? [Buffer.from(text, "latin1")] : []),
    ...listUtf32(text),
    ...(bytes.length < MIN_ENCODED_LENGTH ? [] : [Buffer.from(listBits(bytes))]),
  ];
}

function listUtf32(text: string): Uint8Array[] {
  const codes = new Uint32Array(text.length);
  let length = 0;
  for (const character of text) codes[length++] = character.codePointAt(0) as number;
  const bytes = Buffer.from(codes.buffer, 0, length * codes.BYTES_PER_ELEMENT);
  return [bytes, Buffer.from(bytes).swap32()];
}

const BITS = Array.from({ length: 256 }, (_, byte) => byte.toString(2).padStart(8, "0"));

function listBits(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += BITS[byte];
  return bits;
}

/** What separates the bytes of a short secret where hexadecimal is shown to people. */
const SEPARATORS = ["", " ", ":", "-"];

/** Base64 and hexadecimal of a secret. */
function listDigits(secret: string): Uint8Array[] {
  const bytes = Buffer.from(secret, "utf8");
  const text = bytes.toString("utf8");
  // RFC 6749 §2.3.1 form-encodes a client secret before base64.
  const encoded = [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ s: text }).toString().slice(2),
  ];
  const utf16 = Buffer.from(text, "utf16le");
  const digits = bytes.toString("hex");
  // A view of numbers finds more of them.
  const isShort = bytes.length < MIN_ENCODED_LENGTH;
  const pairs = isShort ? (digits.match(/../g) ?? []) : [digits];
  const hex = (isShort ? SEPARATORS : [""]).map((separator) => pairs.join(separator));
  const forms = [
    ...[...new Set(encoded)].flatMap((form) => listBase64(Buffer.from(form, "utf8"))),
    ...listBase64(utf16),
    ...listBase64(Buffer.from(utf16).swap16()),
    ...listBase32(bytes),
    ...hex,
    ...hex.map((form) => form.toUpperCase()),
  ];
  return [...new Set(forms)]
    .filter(({ length }) => length >= MIN_ENCODED_LENGTH)
    .map((form) => Buffer.from(form, "utf8"));
}

/**
 * Base64 of bytes that contain the secret: three alignments, each without the characters that its
 * neighbours share.
 */
function listBase64(secret: Uint8Array): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), secret]);
    const encoded = bytes.toString("base64").replace(/=+$/, "");
    const inner = encoded.slice(
      offset === 0 ? 0 : offset + 1,
      bytes.length % 3 === 0 ? undefined : -1,
    );
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** The same for base32 (RFC 4648 §6): five alignments. */
function listBase32(secret: Uint8Array): string[] {
  return [0, 1, 2, 3, 4].flatMap((offset) => {
    // Whole digits that have no bit of a neighbour.
    const first = Math.ceil((offset * 8) / 5);
    const form = toBase32(Buffer.concat([Buffer.alloc(offset), secret])).slice(first);
    return [form, form.toLowerCase()];
  });
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Without the last bits, if they are not enough for a digit. */
function toBase32(bytes: Uint8Array): string {
  const digits = Buffer.alloc(Math.floor((bytes.length * 8) / 5));
  let at = 0;
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    // No more than the four bits that are left are needed of those before.
    bits = ((bits & 0xf) << 8) | byte;
    for (count += 8; count >= 5; count -= 5)
      digits[at++] = BASE32.charCodeAt((bits >> (count - 5)) & 0x1f);
  }
  return digits.toString("latin1");
}

/**
 * How far a search may go on after four bytes: to the next place where they can be part of the end
 * of a needle. This is the search of Wu and Manber, with the beginning of each needle left out, so
 * that all are as long as the shortest.
 */
interface Steps {
  /** By the hash of four bytes. 0: a needle may end here. */
  table: Uint8Array;
  shortest: number;
  /** Length of the longest needle. */
  longest: number;
}

/** A longer step would save little, and a table of bytes would not hold it. */
const MAX_STEP = 64;

function planSteps(needles: readonly Needle<unknown>[]): Steps {
  const shortest = needles.reduce((least, { bytes }) => Math.min(least, bytes.length), MAX_STEP);
  const longest = needles.reduce((most, { bytes }) => Math.max(most, bytes.length), 0);
  const table = new Uint8Array(1 << 16).fill(shortest - 3);
  for (const { bytes } of needles) {
    for (let step = 0; step <= shortest - 4; step++) {
      const hash = hashWindow(fourEndingAt(bytes, bytes.length - 1 - step));
      table[hash] = Math.min(table[hash] as number, step);
    }
  }
  return { table, shortest, longest };
}

function lastFour(bytes: Uint8Array): number {
  return fourEndingAt(bytes, bytes.length - 1);
}

function fourEndingAt(bytes: Uint8Array, index: number): number {
  return (
    ((bytes[index - 3] as number) << 24) |
    ((bytes[index - 2] as number) << 16) |
    ((bytes[index - 1] as number) << 8) |
    (bytes[index] as number)
  );
}

function hashWindow(window: number): number {
  return Math.imul(window, 0x9e3779b1) >>> 16;
}

/**
 * Where a needle is in a text, places that overlap joined: Knuth–Morris–Pratt, which is linear for
 * every text.
 */
function findPlaces(
  needle: Needle<unknown>,
  text: Uint8Array,
): (readonly [start: number, end: number])[] {
  const { bytes } = needle;
  needle.borders ??= computeBorders(bytes);
  const { borders } = needle;
  const places: [number, number][] = [];
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index];
    while (matched > 0 && byte !== bytes[matched]) matched = borders[matched - 1] as number;
    if (byte === bytes[matched]) matched++;
    if (matched < bytes.length) continue;
    matched = borders[matched - 1] as number;
    const [start, end] = [index + 1 - bytes.length, index + 1];
    const last = places.at(-1);
    if (last !== undefined && start < last[1]) last[1] = end;
    else places.push([start, end]);
  }
  return places;
}

/**
 * For each beginning of the needle, the length of its longest proper prefix that it also ends with.
 */
function computeBorders(bytes: Uint8Array): Int32Array {
  const borders = new Int32Array(bytes.length);
  for (let index = 1, length = 0; index < bytes.length; index++) {
    while (length > 0 && bytes[index] !== bytes[length]) length = borders[length - 1] as number;
    if (bytes[index] === bytes[length]) length++;
    borders[index] = length;
  }
  return borders;
}

function joinRanges<Label>(ranges: readonly SecretRange<Label>[]): SecretRange<Label>[] {
  const result: SecretRange<Label>[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}
