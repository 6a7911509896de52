import { isRecord } from "./is-record.ts";

/**
 * An object that is read without trusting the types of its members: a definition, a document, an
 * answer.
 */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none for any other value. */
export function membersOf(value: unknown): Members {
  return isRecord(value) ? value : {};
}

/** The items of a list; none for any other value, whatever its declared type is. */
export function listOf<Item>(value: readonly Item[] | undefined): readonly Item[];
export function listOf(value: unknown): readonly unknown[];
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
