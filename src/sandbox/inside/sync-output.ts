import type { Codec, UnsendableValue } from "../codec.ts";
import type { EncodedRows, EncodeRows } from "../row-codec.ts";

/** The result of a sync in two parts. */
export interface SyncParts {
  rest: object;
  rows: readonly unknown[];
  count: number;
}

/** Sends the result of a sync in two parts, so that the host can start the next page before it has the rows. */
export interface SyncOutput {
  /** @returns `undefined` when the value is not a plain object with a `result` array */
  split(value: unknown): SyncParts | undefined;
  /**
   * @param restLength characters of the other part; the limit is for both
   * @returns a `RowsOutput` as text
   */
  write(rows: readonly unknown[], restLength: number): string;
}

/**
 * Creates the functions for the sandbox. Self-contained: the source text is evaluated inside it, where it captures the intrinsics
 * before the Pack can change them.
 * @param unsendableOf reads an error that the codec threw
 */
export function createSyncOutput(
  codec: Codec,
  encodeRows: EncodeRows,
  unsendableOf: (error: unknown) => Pick<UnsendableValue, "path" | "reason"> | undefined,
  maxLength: number,
): SyncOutput {
  const { stringify } = JSON;
  const { keys, defineProperty, getPrototypeOf, getOwnPropertyDescriptor } = Object;
  const ObjectPrototype = Object.prototype;
  const { isArray } = Array;
  const { isInteger } = Number;

  const written = (rows: readonly unknown[]): EncodedRows => {
    const tables = encodeRows(rows, maxLength);
    if (tables !== undefined) return tables;
    const text = codec.encode(rows, "result.result", maxLength);
    return { text: `{"rows":${text}}`, length: text.length };
  };

  const problem = (path: string, reason: string): string => `{"problem":{"path":${stringify(path)},"reason":${stringify(reason)}}}`;

  return {
    split(value) {
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
          if (name !== "result") defineProperty(rest, name, { value: (value as Record<string, unknown>)[name], enumerable: true });
        }
        return { rest, rows, count: count as number };
      } catch {
        return undefined;
      }
    },

    write(rows, restLength) {
      try {
        const { text, length } = written(rows);
        return length + restLength <= maxLength ? text : problem("result", `is larger than ${maxLength} characters`);
      } catch (error) {
        const { path, reason } = unsendableOf(error) ?? { path: "result.result", reason: "cannot be read" };
        return problem(path, reason);
      }
    },
  };
}
