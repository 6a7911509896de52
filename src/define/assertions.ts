import { UserVisibleError } from "./pack-errors.ts";

/** Narrows a condition to true. @throws {UserVisibleError} with the message, `Error` without one */
export function assertCondition(condition: unknown, message?: string): asserts condition {
  if (!condition) throw failed(message, "Assertion failed");
}

/** @returns the value when it is neither null nor undefined. @throws {UserVisibleError} with the message, `Error` without one */
export function ensureExists<Value>(value: Value | null | undefined, message?: string): Value {
  if (value === null || value === undefined) throw failed(message, `Expected a value and got ${String(value)}`);
  return value;
}

/** @returns the text when it is not empty. @throws {UserVisibleError} with the message, `Error` without one */
export function ensureNonEmptyString(value: string | null | undefined, message?: string): string {
  if (typeof value !== "string" || value === "") throw failed(message, "Expected a non-empty string");
  return value;
}

/** For the branch that cannot be reached. @throws {Error} always */
export function ensureUnreachable(value: never, message?: string): never {
  throw new Error(message ?? `Unreachable code was reached with ${String(value)}`);
}

function failed(message: string | undefined, fallback: string): Error {
  return message === undefined ? new Error(fallback) : new UserVisibleError(message);
}
