export interface ServiceErrorOptions {
  operation: string;
  status: number;
  cause?: unknown;
}

/** The service refused a request. `message` is the text that it sent. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  /** The operation's name, such as `listRows`. */
  readonly operation: string;
  /** HTTP status; 0 when no response arrived. */
  readonly status: number;

  constructor(message: string, options: ServiceErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.operation = options.operation;
    this.status = options.status;
  }
}

/** 400: the request itself is wrong. */
export class InvalidRequestError extends ServiceError {
  override readonly name = "InvalidRequestError";
}
/** 401: the token is missing, unknown or expired. */
export class UnauthorizedError extends ServiceError {
  override readonly name = "UnauthorizedError";
}
/** 403: the token or its user may not do this. */
export class ForbiddenError extends ServiceError {
  override readonly name = "ForbiddenError";
}
/** 404: there is no such thing, or the token cannot see it. */
export class NotFoundError extends ServiceError {
  override readonly name = "NotFoundError";
}
/** 410: it was deleted. */
export class GoneError extends ServiceError {
  override readonly name = "GoneError";
}
/** 429: the rate limit of the operation's group was reached. */
export class RateLimitError extends ServiceError {
  override readonly name = "RateLimitError";
}
/** 500 and above: the service failed. */
export class ServerError extends ServiceError {
  override readonly name = "ServerError";
}
/** No response arrived. Whether an edit was accepted is unknown. */
export class ConnectionError extends ServiceError {
  override readonly name = "ConnectionError";
}
/** The response is not what the operation answers: `baseUrl` is probably not the root of the service. */
export class UnexpectedResponseError extends ServiceError {
  override readonly name = "UnexpectedResponseError";
}

const CLASSES: Readonly<Record<number, typeof ServiceError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  410: GoneError,
  429: RateLimitError,
};

/** Makes the error of a refused request out of its status and body. */
export function errorOf(operation: string, status: number, body: unknown): ServiceError {
  const Class = CLASSES[status] ?? (status >= 500 ? ServerError : ServiceError);
  return new Class(messageOf(body) ?? `The service answered with status ${status}.`, { operation, status });
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  return typeof body.message === "string" && body.message !== "" ? body.message : undefined;
}
