import type { FetchRequest } from "./fetch.ts";
import type { UntypedBody } from "./untyped.ts";

/**
 * An error with a message that users see. Its `name` is "Error". To recognize it, use `instanceof`
 * or `isUserVisible`.
 * @example
 * ```ts
 * if (new Date().getUTCDay() === 0) throw new UserVisibleError("The market is closed on Sundays.");
 * ```
 */
export class UserVisibleError extends Error {
  /**
   * Always true. With this property, you can recognize the error even if several copies of this
   * package are loaded.
   */
  readonly isUserVisible = true;
  /** The original error. Users do not see this error. */
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
 * Thrown for a response with a status of 400 or above. Packs recognize this error by its name,
 * because the Pack runtime creates it outside the Pack.
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
  /** The status of the response, such as 404. */
  readonly statusCode: number;
  /** The body of the response. JSON is parsed. */
  readonly body: UntypedBody;
  /** The same as `body`. */
  readonly error: UntypedBody;
  /** The request. */
  readonly options: FetchRequest;
  /** The response with the body as a string. */
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

  /**
   * Returns whether an error is a `StatusCodeError`. `error instanceof StatusCodeError` does the
   * same.
   */
  static isStatusCodeError(error: unknown): error is StatusCodeError {
    return hasName(error, "StatusCodeError") && "statusCode" in error;
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    return StatusCodeError.isStatusCodeError(error);
  }
}

/**
 * Throw this error if the account lacks scopes. The document service then asks the user to grant
 * more scopes.
 */
export class MissingScopesError extends Error {
  /** Always `MissingScopesError`. */
  override name = "MissingScopesError";

  constructor(message?: string) {
    super(message || "Additional permissions are required");
  }

  /**
   * Returns whether an error is a `MissingScopesError`. This function also recognizes errors from
   * another copy of this package.
   */
  static isMissingScopesError(error: unknown): error is MissingScopesError {
    return hasName(error, "MissingScopesError");
  }
}

/** Thrown when a response is larger than the document service allows. */
export class ResponseSizeTooLargeError extends Error {
  /** Always `ResponseSizeTooLargeError`. */
  override name = "ResponseSizeTooLargeError";

  constructor(message?: string) {
    super(message || "Response size is too large");
  }

  /**
   * Returns whether an error is a `ResponseSizeTooLargeError`. Use this function instead of
   * `instanceof`, because the Pack runtime creates the error outside the Pack.
   */
  static isResponseSizeTooLargeError(error: unknown): error is ResponseSizeTooLargeError {
    return hasName(error, "ResponseSizeTooLargeError");
  }
}

function hasName(error: unknown, name: string): error is Error {
  return typeof error === "object" && error !== null && (error as Error).name === name;
}

/**
 * Throws an error if a condition is not true.
 * @throws {UserVisibleError} if you pass a message. Otherwise, throws `Error`.
 */
export function assertCondition(condition: unknown, message?: string): asserts condition {
  if (!condition) throw createFailure(message, "Assertion failed");
}

/**
 * Checks that a value is not null or undefined.
 * @returns the value
 * @throws {UserVisibleError} if you pass a message. Otherwise, throws `Error`.
 */
export function ensureExists<Value>(value: Value | null | undefined, message?: string): Value {
  if (value === null || value === undefined)
    throw createFailure(message, `Expected a value and got ${String(value)}`);
  return value;
}

/**
 * Checks that a string is not empty.
 * @returns the text
 * @throws {UserVisibleError} if you pass a message. Otherwise, throws `Error`.
 */
export function ensureNonEmptyString(value: string | null | undefined, message?: string): string {
  if (typeof value !== "string" || value === "")
    throw createFailure(message, "Expected a non-empty string");
  return value;
}

/**
 * Marks a branch of the code that is never reached.
 * @throws {Error} if the code reaches this branch
 */
export function ensureUnreachable(value: never, message?: string): never {
  throw new Error(message ?? `Unreachable code was reached with ${String(value)}`);
}

function createFailure(message: string | undefined, fallback: string): Error {
  return message ? new UserVisibleError(message) : new Error(fallback);
}
