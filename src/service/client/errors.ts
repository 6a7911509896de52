export interface ServiceErrorOptions {
  operation: string;
  status: number;
  /** What the service calls this exchange in its own logs. */
  requestId?: string | undefined;
  executed?: "no" | "unknown" | undefined;
  cause?: unknown;
}

/** The service refused a request. `message` is the text that it sent. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  /** The operation's name, such as `listRows`. */
  readonly operation: string;
  /** HTTP status; 0 when no response arrived. */
  readonly status: number;
  /**
   * What the service calls this exchange in its own logs, or the edit that is waited for; undefined
   * where it says nothing.
   */
  readonly requestId: string | undefined;
  /** `no`: the request changed nothing, and may be sent again. */
  readonly executed: "no" | "unknown";

  constructor(
    message: string,
    { operation, status, requestId, executed, cause }: ServiceErrorOptions,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.status = status;
    this.requestId = requestId;
    this.executed = executed ?? (status >= 400 && status < 500 ? "no" : "unknown");
  }
}

/** 400: the request itself is wrong. */
export class InvalidRequestError extends ServiceError {
  override readonly name: string = "InvalidRequestError";
}
/** 400 to a read with `fresh: "latest"`: edits of the document are still being applied. */
export class StaleDocError extends InvalidRequestError {
  override readonly name = "StaleDocError";
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
/** 422: the automation cannot run. */
export class UnprocessableError extends ServiceError {
  override readonly name = "UnprocessableError";
}
/** 429: the rate limit of the operation's group was reached, and waiting did not help in time. */
export class RateLimitError extends ServiceError {
  override readonly name: string = "RateLimitError";
}
/**
 * 429 after three calls in two minutes gave up on it: a limit that waiting does not clear. Nothing
 * was repeated.
 */
export class RateLimitStuckError extends RateLimitError {
  override readonly name = "RateLimitStuckError";
}
/** 500 and above: the service failed. */
export class ServerError extends ServiceError {
  override readonly name = "ServerError";
}
/** No response arrived. `executed` says whether an edit may have been accepted. */
export class ConnectionError extends ServiceError {
  override readonly name = "ConnectionError";
}
/**
 * The call did not finish before the deadline. `executed` says whether an edit may have been accepted.
 */
export class DeadlineError extends ServiceError {
  override readonly name = "DeadlineError";
}
/**
 * The response is not what the operation answers: `baseUrl` is probably not the root of the
 * service.
 */
export class UnexpectedResponseError extends ServiceError {
  override readonly name = "UnexpectedResponseError";
}
/**
 * The edit `requestId` was not applied in time. It is not lost: it may still be, so wait for it
 * again instead of repeating it.
 */
export class MutationPendingError extends ServiceError {
  override readonly name = "MutationPendingError";
}
/** The edit `requestId` was completed with this warning: a part of it was not applied. */
export class MutationWarningError extends ServiceError {
  override readonly name = "MutationWarningError";
}
/** The page could not be exported, or its file could not be read. */
export class ExportFailedError extends ServiceError {
  override readonly name = "ExportFailedError";
}
/**
 * Several resources have this name, and the service would take an arbitrary one. Use one of `ids`
 * instead.
 */
export class AmbiguousNameError extends ServiceError {
  override readonly name = "AmbiguousNameError";
  readonly ids: readonly string[];

  constructor(message: string, options: ServiceErrorOptions & { ids: readonly string[] }) {
    super(message, options);
    this.ids = options.ids;
  }
}

const CLASSES: Readonly<Record<number, typeof ServiceError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  410: GoneError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** Makes the error of a refused request out of its response. */
export function errorOf(
  operation: string,
  {
    status,
    body,
    requestId,
    stuck,
  }: { status: number; body: unknown; requestId?: string | undefined; stuck?: boolean | undefined },
): ServiceError {
  const message = messageOf(body) ?? `The service answered with status ${status}.`;
  const Class = stuck
    ? RateLimitStuckError
    : status === 400 && message.startsWith("Doc is not yet up to date")
      ? StaleDocError
      : (CLASSES[status] ?? (status >= 500 ? ServerError : ServiceError));
  return new Class(message, {
    operation,
    status,
    requestId,
    executed: status === 501 ? "no" : undefined,
  });
}

function messageOf(body: unknown): string | undefined {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === "string" && message !== "" ? message : undefined;
}
