import { encodeValue } from "../codec.ts";
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  isInteger,
  keys,
  ObjectPrototype,
  stringify,
} from "../intrinsics.ts";
import { MAX_VALUE_LENGTH } from "../protocol.ts";
import { findUnsendable } from "./errors.ts";

/**
 * The result of a sync in two parts, so that the host can start the next page before it has the
 * rows.
 */
export interface SyncParts {
  rest: object;
  rows: readonly unknown[];
  count: number;
}

/** @returns `undefined` when the value is not a plain object with a `result` array */
export function splitSync(value: unknown): SyncParts | undefined {
  try {
    if (getPrototypeOf(value) !== ObjectPrototype) return undefined;
    const rows: unknown = getOwnPropertyDescriptor(value, "result")?.value;
    if (!isArray(rows)) return undefined;
    const count: unknown = rows.length;
    // A proxy may return any length.
    if (!isInteger(count)) return undefined;
    const rest = {};
    const names = keys(value as object);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      if (name !== "result")
        defineProperty(rest, name, {
          value: (value as Record<string, unknown>)[name],
          enumerable: true,
        });
    }
    return { rest, rows, count: count as number };
  } catch {
    return undefined;
  }
}

/**
 * @param restLength characters of the other part; the limit is for both
 * @returns a `RowsOutput` as text
 */
export function writeRows(rows: readonly unknown[], restLength: number): string {
  try {
    const text = encodeValue(rows, "result.result", MAX_VALUE_LENGTH);
    if (text.length + restLength <= MAX_VALUE_LENGTH) return `{"rows":${text}}`;
    return problem("result", `is larger than ${MAX_VALUE_LENGTH} characters`);
  } catch (error) {
    const { path, reason } = findUnsendable(error) ?? {
      path: "result.result",
      reason: "cannot be read",
    };
    return problem(path, reason);
  }
}

function problem(path: string, reason: string): string {
  return `{"problem":{"path":${stringify(path)},"reason":${stringify(reason)}}}`;
}
