import { UserVisibleError } from "./errors.ts";

/** @throws {UserVisibleError} when a message is given and the condition does not hold, else `Error` */
export function assertCondition(condition: unknown, message?: string): asserts condition {
  if (!condition) throw failure(message, "The condition does not hold.");
}

/**
 * @returns the value, which is neither null nor undefined
 * @throws {UserVisibleError} when a message is given, else `Error`
 */
export function ensureExists<Value>(value: Value | null | undefined, message?: string): Value {
  if (value === null || value === undefined) throw failure(message, `Expected a value, not ${value}.`);
  return value;
}

/**
 * @returns the value, which is a string of at least one character
 * @throws {UserVisibleError} when a message is given, else `Error`
 */
export function ensureNonEmptyString(value: string | null | undefined, message?: string): string {
  if (typeof value !== "string" || value === "") throw failure(message, "Expected text, not nothing.");
  return value;
}

/** Proves to the compiler that all cases are handled. @throws {Error} always */
export function ensureUnreachable(value: never, message?: string): never {
  throw new Error(message ?? `Unexpected value: ${String(value)}.`);
}

function failure(message: string | undefined, fallback: string): Error {
  return message === undefined ? new Error(fallback) : new UserVisibleError(message);
}
