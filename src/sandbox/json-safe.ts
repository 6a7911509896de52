import {
  ArrayPrototype,
  getPrototypeOf,
  is,
  isArray,
  isFiniteNumber,
  ObjectPrototype,
} from "./intrinsics.ts";

const MAX_DEPTH = 500;
const MAX_VALUES = 2_000_000;

/**
 * Whether `JSON.stringify` writes a value exactly: nothing in it needs a tag, and no `toJSON`
 * changes it. A value that contains
 * itself uses up the number of values that are checked.
 */
export function isJsonSafe(value: unknown): boolean {
  return check(value, { values: MAX_VALUES }, 0);
}

function check(value: unknown, left: { values: number }, depth: number): boolean {
  left.values -= 1;
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return isFiniteNumber(value) && !is(value, -0);
    case "object": {
      if (value === null) return true;
      if (
        depth > MAX_DEPTH ||
        left.values < 0 ||
        (value as { toJSON?: unknown }).toJSON !== undefined
      )
        return false;
      const prototype: unknown = getPrototypeOf(value);
      if (prototype === ArrayPrototype) {
        if (!isArray(value)) return false;
        for (let index = 0; index < value.length; index++)
          if (!check(value[index], left, depth + 1)) return false;
        return true;
      }
      if (prototype !== ObjectPrototype && prototype !== null) return false;
      for (const name in value) {
        if (name === "$" || !check((value as Record<string, unknown>)[name], left, depth + 1))
          return false;
      }
      return true;
    }
    default:
      return false;
  }
}
