import type { IsJsonSafe } from "./json-safe.ts";

/** Why a value cannot be sent between the sandbox and its host. */
export interface UnsendableValue {
  isUnsendable: true;
  /** Where in the value, such as `"result.items[3]"`. */
  path: string;
  /** The end of a sentence that begins with the path. */
  reason: string;
}

export interface Codec {
  /**
   * Writes a value as JSON text, with tags for `undefined`, dates, bytes, `NaN`, infinities and `-0`. Only own enumerable
   * string keys are written; prototypes and `toJSON` are ignored.
   * @throws {UnsendableValue} for functions, symbols, bigints, cycles, getters that throw, and text beyond `maxLength`
   */
  encode(value: unknown, name: string, maxLength: number): string;
  /** Restores the value from the result of `JSON.parse`, in place. */
  revive(parsed: unknown): unknown;
}

/**
 * Creates the codec for values that enter or leave the sandbox. The function is self-contained: its source text is also
 * evaluated inside the sandbox, where it captures the intrinsics before the Pack can change them.
 * @param isJsonSafe from `createJsonSafeCheck`
 * @param toBytes converts revived bytes. @default a `Uint8Array`
 */
export function createCodec(isJsonSafe: IsJsonSafe, toBytes: (bytes: Uint8Array) => unknown = (bytes) => bytes): Codec {
  type Ancestor = { value: object; key: string | number; up: Ancestor | undefined };
  const quote = JSON.stringify;
  const { isArray } = Array;
  const { keys, is, defineProperty } = Object;
  const { isFinite: isFiniteNumber } = Number;
  const { isView } = ArrayBuffer;
  const { min } = Math;
  const { fromCharCode } = String;
  const Bytes = Uint8Array;
  const DateOf = Date;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call) as (method: unknown) => (...args: unknown[]) => unknown;
  const apply = Reflect.apply;
  const getTime = uncurry(Date.prototype.getTime) as (date: unknown) => number;
  const charCodeAt = uncurry(String.prototype.charCodeAt) as (text: string, index: number) => number;
  const hasOwn = uncurry(Object.prototype.hasOwnProperty) as (value: object, key: string) => boolean;
  const kindOf = uncurry(Object.prototype.toString) as (value: unknown) => string;
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
  const getterOf = (name: string) => uncurry(Object.getOwnPropertyDescriptor(typedArray, name)?.get) as (view: unknown) => unknown;
  const bufferOf = getterOf("buffer") as (view: unknown) => ArrayBuffer;
  const offsetOf = getterOf("byteOffset") as (view: unknown) => number;
  const lengthOf = getterOf("byteLength") as (view: unknown) => number;
  const subarray = uncurry(Uint8Array.prototype.subarray) as (bytes: Uint8Array, from: number, to: number) => Uint8Array;
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const MAX_DEPTH = 500;
  const MAX_PLAIN_VALUES = 2_000_000;

  /** @returns `undefined` when the value must be written member by member */
  const plainText = (value: unknown): string | undefined => {
    try {
      // The same text as `writeValue`, but much faster.
      return isJsonSafe(value, { values: MAX_PLAIN_VALUES }) ? quote(value) : undefined;
    } catch {
      return undefined;
    }
  };

  const unsendable = (node: Ancestor | undefined, key: string | number, reason: string): UnsendableValue => {
    let path = typeof key === "number" ? `[${key}]` : node === undefined ? key : `.${key}`;
    for (let at = node; at !== undefined; at = at.up) {
      path = (typeof at.key === "number" ? `[${at.key}]` : at.up === undefined ? at.key : `.${at.key}`) + path;
    }
    return { isUnsendable: true, path, reason };
  };

  const encodeBytes = (bytes: Uint8Array): string => {
    const length = lengthOf(bytes);
    const characters = new Bytes(((length + 2 - ((length + 2) % 3)) / 3) * 4);
    let at = 0;
    for (let index = 0; index < length; index += 3) {
      const left = length - index;
      const triple =
        ((bytes[index] ?? 0) << 16) | ((left > 1 ? (bytes[index + 1] ?? 0) : 0) << 8) | (left > 2 ? (bytes[index + 2] ?? 0) : 0);
      characters[at++] = charCodeAt(ALPHABET, triple >> 18);
      characters[at++] = charCodeAt(ALPHABET, (triple >> 12) & 63);
      characters[at++] = left > 1 ? charCodeAt(ALPHABET, (triple >> 6) & 63) : 61;
      characters[at++] = left > 2 ? charCodeAt(ALPHABET, triple & 63) : 61;
    }
    let text = "";
    // In pieces: one concatenation for each character would need more memory than the sandbox has.
    for (let from = 0; from < at; from += 8192) {
      text += apply(fromCharCode, undefined, subarray(characters, from, min(from + 8192, at))) as string;
    }
    return text;
  };

  const decodeBytes = (text: string): Uint8Array => {
    const values = new Bytes(128);
    for (let index = 0; index < 64; index++) values[charCodeAt(ALPHABET, index)] = index;
    const { length } = text;
    const padding = text[length - 1] !== "=" ? 0 : text[length - 2] === "=" ? 2 : 1;
    const bytes = new Bytes((length / 4) * 3 - padding);
    let at = 0;
    for (let index = 0; index < length; index += 4) {
      let quad = 0;
      for (let part = 0; part < 4; part++) quad = (quad << 6) | (values[charCodeAt(text, index + part) & 127] ?? 0);
      bytes[at++] = quad >> 16;
      bytes[at++] = (quad >> 8) & 255;
      bytes[at++] = quad & 255;
    }
    return bytes;
  };

  return {
    encode(root, name, maxLength) {
      const plain = plainText(root);
      if (plain !== undefined && plain.length <= maxLength) return plain;
      if (plain !== undefined) throw unsendable(undefined, name, `is larger than ${maxLength} characters`);
      let length = 0;
      const write = (value: unknown, key: string | number, up: Ancestor | undefined, depth: number): string => {
        const text = writeValue(value, key, up, depth);
        if (typeof value !== "object") length += text.length;
        if (length > maxLength) throw unsendable(undefined, name, `is larger than ${maxLength} characters`);
        return text;
      };
      const writeValue = (value: unknown, key: string | number, up: Ancestor | undefined, depth: number): string => {
        switch (typeof value) {
          case "string":
            return quote(value);
          case "boolean":
            return value ? "true" : "false";
          case "number":
            return isFiniteNumber(value) && !is(value, -0) ? `${value}` : `{"$":"number","v":"${is(value, -0) ? "-0" : value}"}`;
          case "undefined":
            return '{"$":"undefined"}';
          case "object":
            return value === null ? "null" : writeObject(value, key, up, depth);
          default:
            throw unsendable(up, key, `is a ${typeof value}, which is not data`);
        }
      };
      const writeObject = (value: object, key: string | number, up: Ancestor | undefined, depth: number): string => {
        if (depth > MAX_DEPTH) throw unsendable(up, key, `is nested more than ${MAX_DEPTH} levels deep`);
        for (let at = up; at !== undefined; at = at.up)
          if (at.value === value) throw unsendable(up, key, "refers to an object that contains it");
        const node: Ancestor = { value, key, up };
        try {
          if (isView(value) && kindOf(value) !== "[object DataView]") {
            const bytes = encodeBytes(new Bytes(bufferOf(value), offsetOf(value), lengthOf(value)));
            length += bytes.length;
            return `{"$":"bytes","v":"${bytes}"}`;
          }
          const kind = kindOf(value);
          if (kind === "[object Date]") return `{"$":"date","v":${quote(getTime(value))}}`;
          if (kind === "[object Map]" || kind === "[object Set]" || kind === "[object Promise]") {
            throw unsendable(up, key, `is a ${kind.slice(8, -1)}, which is not data`);
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
            members += `${index === 0 ? "" : ","}${quote(member)}:${write((value as Record<string, unknown>)[member], member, node, depth + 1)}`;
          }
          return hasOwn(value, "$") ? `{"$":"object","v":{${members}}}` : `{${members}}`;
        } catch (error) {
          if (typeof error === "object" && error !== null && hasOwn(error, "isUnsendable")) throw error;
          throw unsendable(up, key, "cannot be read: a getter or proxy of it throws");
        }
      };
      return write(root, name, undefined, 0);
    },

    revive(root) {
      const reviveMembers = (value: Record<string, unknown>): Record<string, unknown> => {
        const names = keys(value);
        for (let index = 0; index < names.length; index++) {
          const name = names[index] as string;
          const member = value[name];
          if (typeof member === "object" && member !== null) {
            defineProperty(value, name, { value: revive(member), writable: true, enumerable: true, configurable: true });
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
            return new DateOf(content === null ? Number.NaN : (content as number));
          case "number":
            return content === "NaN" ? Number.NaN : content === "-0" ? -0 : content === "Infinity" ? 1 / 0 : -1 / 0;
          case "bytes":
            return toBytes(decodeBytes(content as string));
          default:
            return typeof content === "object" && content !== null ? reviveMembers(content as Record<string, unknown>) : undefined;
        }
      };
      return revive(root);
    },
  };
}
