import {
  apply,
  Bytes,
  charCodeAt,
  defineProperty,
  fromCharCode,
  getTime,
  hasOwn,
  IntrinsicDate,
  IntrinsicTypeError,
  is,
  isArray,
  isFiniteNumber,
  isView,
  keys,
  kindOf,
  min,
  slice,
  stringify,
  subarray,
  viewBuffer,
  viewLength,
  viewOffset,
} from "./intrinsics.ts";
import { isJsonSafe } from "./json-safe.ts";

/** Why a value cannot be sent between the sandbox and its host. */
export interface UnsendableValue {
  isUnsendable: true;
  /** Where in the value, such as `"result.items[3]"`. */
  path: string;
  /** The end of a sentence that begins with the path. */
  reason: string;
}

interface Ancestor {
  value: object;
  key: string | number;
  up: Ancestor | undefined;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const MAX_DEPTH = 500;

/**
 * Writes a value as JSON text, with tags for `undefined`, dates, bytes, `NaN`, infinities and `-0`.
 * Only own enumerable string
 * keys are written; prototypes and `toJSON` are ignored.
 * @throws {UnsendableValue} for functions, symbols, bigints, cycles, getters that throw, and text
 *   beyond `maxLength`
 */
export function encodeValue(root: unknown, name: string, maxLength: number): string {
  const plain = plainText(root);
  if (plain !== undefined && plain.length <= maxLength) return plain;
  if (plain !== undefined)
    throw unsendable(undefined, name, `is larger than ${maxLength} characters`);
  let length = 0;
  const write = (
    value: unknown,
    key: string | number,
    up: Ancestor | undefined,
    depth: number,
  ): string => {
    const text = writeValue(value, key, up, depth);
    if (typeof value !== "object") length += text.length;
    if (length > maxLength)
      throw unsendable(undefined, name, `is larger than ${maxLength} characters`);
    return text;
  };
  const writeValue = (
    value: unknown,
    key: string | number,
    up: Ancestor | undefined,
    depth: number,
  ): string => {
    switch (typeof value) {
      case "string":
        return stringify(value);
      case "boolean":
        return value ? "true" : "false";
      case "number":
        return isFiniteNumber(value) && !is(value, -0)
          ? `${value}`
          : `{"$":"number","v":"${is(value, -0) ? "-0" : value}"}`;
      case "undefined":
        return '{"$":"undefined"}';
      case "object":
        return value === null ? "null" : writeObject(value, key, up, depth);
      default:
        throw unsendable(up, key, `is a ${typeof value}, which is not data`);
    }
  };
  const writeObject = (
    value: object,
    key: string | number,
    up: Ancestor | undefined,
    depth: number,
  ): string => {
    if (depth > MAX_DEPTH)
      throw unsendable(up, key, `is nested more than ${MAX_DEPTH} levels deep`);
    for (let at = up; at !== undefined; at = at.up)
      if (at.value === value) throw unsendable(up, key, "refers to an object that contains it");
    const node: Ancestor = { value, key, up };
    try {
      if (isView(value) && kindOf(value) !== "[object DataView]") {
        const bytes = encodeBytes(
          new Bytes(viewBuffer(value), viewOffset(value), viewLength(value)),
        );
        length += bytes.length;
        return `{"$":"bytes","v":"${bytes}"}`;
      }
      const kind = kindOf(value);
      if (kind === "[object Date]") return `{"$":"date","v":${stringify(getTime(value))}}`;
      if (kind === "[object Map]" || kind === "[object Set]" || kind === "[object Promise]") {
        throw unsendable(up, key, `is a ${slice(kind, 8, -1)}, which is not data`);
      }
      if (isArray(value)) {
        let items = "";
        for (let index = 0; index < value.length; index++)
          items += (index === 0 ? "" : ",") + write(value[index], index, node, depth + 1);
        return `[${items}]`;
      }
      let members = "";
      const names = keys(value);
      for (let index = 0; index < names.length; index++) {
        const member = names[index] as string;
        length += member.length + 4;
        members += `${index === 0 ? "" : ","}${stringify(member)}:${write((value as Record<string, unknown>)[member], member, node, depth + 1)}`;
      }
      return hasOwn(value, "$") ? `{"$":"object","v":{${members}}}` : `{${members}}`;
    } catch (error) {
      if (typeof error === "object" && error !== null && hasOwn(error, "isUnsendable")) throw error;
      throw unsendable(up, key, "cannot be read: a getter or proxy of it throws");
    }
  };
  return write(root, name, undefined, 0);
}

/**
 * Restores a value from the result of `JSON.parse`, in place. A Pack can make up any tag, so their
 * contents are checked.
 * @param toBytes converts revived bytes. @default a `Uint8Array`
 * @throws {TypeError} for a tag that `encodeValue` does not write
 */
export function reviveValue(
  root: unknown,
  toBytes: (bytes: Uint8Array) => unknown = (bytes) => bytes,
): unknown {
  const reviveMembers = (value: Record<string, unknown>): Record<string, unknown> => {
    const names = keys(value);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const member = value[name];
      if (typeof member === "object" && member !== null) {
        defineProperty(value, name, {
          value: revive(member),
          writable: true,
          enumerable: true,
          configurable: true,
        });
      }
    }
    return value;
  };
  const revive = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = revive(value[index]);
      return value;
    }
    const members = value as Record<string, unknown>;
    if (!hasOwn(members, "$")) return reviveMembers(members);
    const content = members["v"];
    switch (members["$"]) {
      case "undefined":
        return undefined;
      case "date":
        if (content !== null && typeof content !== "number") break;
        return new IntrinsicDate(content ?? Number.NaN);
      case "number":
        return content === "NaN"
          ? Number.NaN
          : content === "-0"
            ? -0
            : content === "Infinity"
              ? 1 / 0
              : -1 / 0;
      case "bytes":
        // An object that claims to be a long text would take the memory and the time of that text.
        if (typeof content !== "string" || content.length % 4 !== 0) break;
        return toBytes(decodeBytes(content));
      case "object":
        if (typeof content !== "object" || content === null) break;
        return reviveMembers(content as Record<string, unknown>);
    }
    throw new IntrinsicTypeError("The value has an invalid tag.");
  };
  return revive(root);
}

/** @returns `undefined` when the value must be written member by member */
function plainText(value: unknown): string | undefined {
  try {
    // The same text as that of `writeValue`, but much faster.
    return isJsonSafe(value) ? stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

function unsendable(
  node: Ancestor | undefined,
  key: string | number,
  reason: string,
): UnsendableValue {
  let path = typeof key === "number" ? `[${key}]` : node === undefined ? key : `.${key}`;
  for (let at = node; at !== undefined; at = at.up) {
    path =
      (typeof at.key === "number" ? `[${at.key}]` : at.up === undefined ? at.key : `.${at.key}`) +
      path;
  }
  return { isUnsendable: true, path, reason };
}

function encodeBytes(bytes: Uint8Array): string {
  const length = viewLength(bytes);
  const characters = new Bytes(((length + 2 - ((length + 2) % 3)) / 3) * 4);
  let at = 0;
  for (let index = 0; index < length; index += 3) {
    const left = length - index;
    const triple =
      ((bytes[index] ?? 0) << 16) |
      ((left > 1 ? (bytes[index + 1] ?? 0) : 0) << 8) |
      (left > 2 ? (bytes[index + 2] ?? 0) : 0);
    characters[at++] = charCodeAt(ALPHABET, triple >> 18);
    characters[at++] = charCodeAt(ALPHABET, (triple >> 12) & 63);
    characters[at++] = left > 1 ? charCodeAt(ALPHABET, (triple >> 6) & 63) : 61;
    characters[at++] = left > 2 ? charCodeAt(ALPHABET, triple & 63) : 61;
  }
  let text = "";
  // In pieces: one concatenation for each character would need more memory than the sandbox has.
  for (let from = 0; from < at; from += 8192) {
    text += apply(
      fromCharCode,
      undefined,
      subarray(characters, from, min(from + 8192, at)),
    ) as string;
  }
  return text;
}

function decodeBytes(text: string): Uint8Array {
  const values = new Bytes(128);
  for (let index = 0; index < 64; index++) values[charCodeAt(ALPHABET, index)] = index;
  const { length } = text;
  const padding = text[length - 1] !== "=" ? 0 : text[length - 2] === "=" ? 2 : 1;
  const bytes = new Bytes((length / 4) * 3 - padding);
  let at = 0;
  for (let index = 0; index < length; index += 4) {
    let quad = 0;
    for (let part = 0; part < 4; part++)
      quad = (quad << 6) | (values[charCodeAt(text, index + part) & 127] ?? 0);
    bytes[at++] = quad >> 16;
    bytes[at++] = (quad >> 8) & 255;
    bytes[at++] = quad & 255;
  }
  return bytes;
}
