import type { FetchRequest } from "./fetch.ts";
import type { UntypedBody } from "./untyped.ts";

/**
 * An error whose message the user of the Pack sees. Its `name` is "Error": recognise it with
 * `instanceof` or by `isUserVisible`.
 * @example
 * ```ts
 * if (new Date().getUTCDay() === 0) throw new UserVisibleError("The market is closed on Sundays.");
 * ```
 */
export class UserVisibleError extends Error {
  /** Always true. It marks the error when several copies of this package are loaded. */
  readonly isUserVisible = true;
  /** The error behind it. Users do not see it. */
  readonly internalError: Error | undefined;

  constructor(message?: string, internalError?: Error) {
    super(message);
    this.internalError = internalError;
  }
}

/** The part of a response that a `StatusCodeError` contains. */
export interface StatusCodeErrorResponse {
  /** The body as text. */
  body: string;
  /** The headers, by name. */
  headers: Record<string, string | string[] | undefined>;
}

/**
 * A response with a status of 400 or above. Recognised by its name, because the runtime creates it
 * outside the Pack.
 * @example
 * ```ts
 * pack.addFormula({
 *   name: "TaskTitle",
 *   description: "Returns the title of a task.",
 *   parameters: [
 *     makeParameter({
 *       type: ParameterType.String,
 *       name: "id",
 *       description: "The id of the task.",
 *     }),
 *   ],
 *   resultType: ValueType.String,
 *   execute: async ([id], context) => {
 *     try {
 *       const { body } = await context.fetcher.fetch<{ title: string }>({
 *         method: "GET",
 *         url: `https://api.example.com/tasks/${id}`,
 *       });
 *       return body?.title ?? "";
 *     } catch (error) {
 *       if (error instanceof StatusCodeError && error.statusCode === 404)
 *         throw new UserVisibleError("There is no such task.");
 *       throw error;
 *     }
 *   },
 * });
 * ```
 */
export class StatusCodeError extends Error {
  /** Always `StatusCodeError`. */
  override name = "StatusCodeError";
  /** The status, such as 404. */
  readonly statusCode: number;
  /** Parsed when it is JSON. */
  readonly body: UntypedBody;
  /** The same as `body`. */
  readonly error: UntypedBody;
  /** The request. */
  readonly options: FetchRequest;
  /** The response, with its body as text. */
  readonly response: StatusCodeErrorResponse;

  constructor(
    statusCode: number,
    body: unknown,
    options: FetchRequest,
    response: StatusCodeErrorResponse,
  ) {
    super(`${statusCode} - ${JSON.stringify(body)}`);
    this.statusCode = statusCode;
    this.body = body;
    this.error = body;
    this.options = options;
    const text: unknown = response?.body;
    this.response = {
      ...response,
      body: typeof text === "object" ? JSON.stringify(text) : (text as string),
    };
  }

  /** Whether an error is a `StatusCodeError`. `error instanceof StatusCodeError` does the same. */
  static isStatusCodeError(error: unknown): error is StatusCodeError {
    return hasName(error, "StatusCodeError") && "statusCode" in error;
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    return StatusCodeError.isStatusCodeError(error);
  }
}

/**
 * Throw this error if the account does not have the scopes that it needs. The user is then asked to
 * grant them.
 */
export class MissingScopesError extends Error {
  /** Always `MissingScopesError`. */
  override name = "MissingScopesError";

  constructor(message?: string) {
    super(message || "Additional permissions are required");
  }

  /**
   * Whether an error is a `MissingScopesError`. Unlike `instanceof`, it also recognizes errors of
   * another copy of this package.
   */
  static isMissingScopesError(error: unknown): error is MissingScopesError {
    return hasName(error, "MissingScopesError");
  }
}

/** A response that is larger than the platform allows. */
export class ResponseSizeTooLargeError extends Error {
  /** Always `ResponseSizeTooLargeError`. */
  override name = "ResponseSizeTooLargeError";

  constructor(message?: string) {
    super(message || "Response size is too large");
  }

  /**
   * Whether an error is a `ResponseSizeTooLargeError`. Prefer it to `instanceof`: the runtime
   * creates the error outside the Pack.
   */
  static isResponseSizeTooLargeError(error: unknown): error is ResponseSizeTooLargeError {
    return hasName(error, "ResponseSizeTooLargeError");
  }
}

function hasName(error: unknown, name: string): error is Error {
  return typeof error === "object" && error !== null && (error as Error).name === name;
}

/**
 * Throws unless a condition is true. @throws {UserVisibleError} with the message, `Error` without
 * one
 */
export function assertCondition(condition: unknown, message?: string): asserts condition {
  if (!condition) throw failed(message, "Assertion failed");
}

/**
 * Checks that there is a value. @returns the value when it is neither null nor undefined. @throws
 * {UserVisibleError} with the message, `Error` without one
 */
export function ensureExists<Value>(value: Value | null | undefined, message?: string): Value {
  if (value === null || value === undefined)
    throw failed(message, `Expected a value and got ${String(value)}`);
  return value;
}

/**
 * Checks that there is text. @returns the text when it is not empty. @throws {UserVisibleError}
 * with the message, `Error` without one
 */
export function ensureNonEmptyString(value: string | null | undefined, message?: string): string {
  if (typeof value !== "string" || value === "")
    throw failed(message, "Expected a non-empty string");
  return value;
}

/** Marks a branch that cannot be reached. @throws {Error} always */
export function ensureUnreachable(value: never, message?: string): never {
  throw new Error(message ?? `Unreachable code was reached with ${String(value)}`);
}

function failed(message: string | undefined, fallback: string): Error {
  return message ? new UserVisibleError(message) : new Error(fallback);
}
