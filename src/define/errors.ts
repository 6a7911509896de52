import type { FetchRequest } from "./fetch.ts";

// Errors cross the border between a Pack and what runs it, and between copies of this package: they are known by name.

/** An error whose message is written for the user of the Pack. */
export class UserVisibleError extends Error {
  override readonly name: string = "UserVisibleError";
  readonly isUserVisible = true;
  /** The cause, which users do not see. */
  readonly internalError: Error | undefined;

  constructor(message?: string, internalError?: Error) {
    super(message, internalError === undefined ? undefined : { cause: internalError });
    this.internalError = internalError;
  }
}

/** The response of a failed request. */
export interface StatusCodeErrorResponse {
  /** The body as text, or parsed. */
  body?: unknown;
  headers?: Record<string, string | string[] | undefined> | undefined;
}

/** What the fetcher throws for a status of 400 and above. */
export class StatusCodeError extends Error {
  override readonly name: string = "StatusCodeError";
  readonly statusCode: number;
  readonly body: unknown;
  /** The same value as `body`. */
  readonly error: unknown;
  /** The request. */
  readonly options: FetchRequest;
  readonly response: StatusCodeErrorResponse;

  constructor(statusCode: number, body: unknown, options: FetchRequest, response: StatusCodeErrorResponse) {
    super(`${statusCode} - ${JSON.stringify(body)}`);
    this.statusCode = statusCode;
    this.body = body;
    this.error = body;
    this.options = options;
    this.response = response;
  }

  static isStatusCodeError(error: unknown): error is StatusCodeError {
    return isNamed(error, "StatusCodeError");
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, "StatusCodeError");
  }
}

/** Throw it when an account lacks scopes: the user is asked for consent again. */
export class MissingScopesError extends Error {
  override readonly name: string = "MissingScopesError";

  constructor(message = "Additional permissions are required.") {
    super(message);
  }

  static isMissingScopesError(error: unknown): error is MissingScopesError {
    return isNamed(error, "MissingScopesError");
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, "MissingScopesError");
  }
}

/** What the fetcher throws for a response above the size limit. */
export class ResponseSizeTooLargeError extends Error {
  override readonly name: string = "ResponseSizeTooLargeError";

  constructor(message = "The response is too large.") {
    super(message);
  }

  static isResponseSizeTooLargeError(error: unknown): error is ResponseSizeTooLargeError {
    return isNamed(error, "ResponseSizeTooLargeError");
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, "ResponseSizeTooLargeError");
  }
}

function isNamed(error: unknown, name: string): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === name;
}
