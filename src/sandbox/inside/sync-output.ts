import type { UnsendableValue, Codec } from "../codec.ts";
import type { EncodeRows, EncodedRows } from "../row-codec.ts";

/** The answer of a sync in two parts. */
export interface SyncParts {
  rest: object;
  rows: readonly unknown[];
  count: number;
}

/** Gives a sync's answer out in two parts: the host begins the next page when it has the first. */
export interface SyncOutput {
  /** @returns `undefined` when the answer is not of the plain kind whose `result` can be told apart */
  split(value: unknown): SyncParts | undefined;
  /** @returns a `RowsOutput` as text @param restLength characters of the other part: the limit is that of both */
  write(rows: readonly unknown[], restLength: number): string;
}

/**
 * Creates the functions for the sandbox. Self-contained: the source text is evaluated inside it, where it captures the intrinsics
 * before the Pack can change them.
 * @param unsendableOf reads what the codec threw
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
        // A proxy may say anything.
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
