import type { ServiceResponse } from "./transport.ts";

export interface ServiceErrorOptions {
  operation: string;
  status: number;
  /** What the service calls this exchange in its own logs. */
  requestId?: string | undefined;
  executed?: "no" | "unknown" | undefined;
  cause?: unknown;
}

/** The service refused a request. `message` is the message from the service. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  /** The name of the operation, such as `listRows`. */
  readonly operation: string;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  /**
   * The ID of the request in the logs of the service, or the ID of the pending edit. Undefined if
   * the service sent no ID.
   */
  readonly requestId: string | undefined;
  /** `no`: the request changed nothing, and you can send the request again. */
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

/** 400: the request is not valid. */
export class InvalidRequestError extends ServiceError {
  override readonly name: string = "InvalidRequestError";
}
/** 400 for a read with `fresh: "latest"`: the service is still applying edits to the document. */
export class StaleDocError extends InvalidRequestError {
  override readonly name = "StaleDocError";
}
/** 401: the token is missing, unknown or expired. */
export class UnauthorizedError extends ServiceError {
  override readonly name = "UnauthorizedError";
}
/** 403: the token or the user does not have the necessary permission. */
export class ForbiddenError extends ServiceError {
  override readonly name = "ForbiddenError";
}
/** 404: the resource does not exist, or the token has no access to the resource. */
export class NotFoundError extends ServiceError {
  override readonly name = "NotFoundError";
}
/** 410: the resource was deleted. */
export class GoneError extends ServiceError {
  override readonly name = "GoneError";
}
/** 422: the automation cannot run. */
export class UnprocessableError extends ServiceError {
  override readonly name = "UnprocessableError";
}
/** 429: the requests exceeded the rate limit of the operation until the deadline of the call. */
export class RateLimitError extends ServiceError {
  override readonly name: string = "RateLimitError";
}
/**
 * 429 after three other calls gave up on the same rate limit within two minutes. The client does
 * not retry this call, because waiting does not help.
 */
export class RateLimitStuckError extends RateLimitError {
  override readonly name = "RateLimitStuckError";
}
/** 500 and above: the service failed. */
export class ServerError extends ServiceError {
  override readonly name = "ServerError";
}
/** No response arrived. `executed` shows whether the service may have accepted an edit. */
export class ConnectionError extends ServiceError {
  override readonly name = "ConnectionError";
}
/**
 * The call did not finish before the deadline. `executed` shows whether the service may have accepted
 * an edit.
 */
export class DeadlineError extends ServiceError {
  override readonly name = "DeadlineError";
}
/**
 * The response is not valid for this operation. Probably, `baseUrl` is not the root of the service.
 */
export class UnexpectedResponseError extends ServiceError {
  override readonly name = "UnexpectedResponseError";
}
/**
 * The service did not apply the edit `requestId` in time. The service may still apply the edit, so
 * wait for the edit again. Do not send the edit again.
 */
export class MutationPendingError extends ServiceError {
  override readonly name = "MutationPendingError";
}
/**
 * The service completed the edit `requestId` with this warning. The service did not apply all parts
 * of the edit.
 */
export class MutationWarningError extends ServiceError {
  override readonly name = "MutationWarningError";
}
/** The service could not export the page, or the client could not read the file. */
export class ExportFailedError extends ServiceError {
  override readonly name = "ExportFailedError";
}
/**
 * Several resources have this name. Use an ID from `ids` instead.
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
export function toServiceError(
  operation: string,
  { status, body, requestId, stuck }: ServiceResponse,
): ServiceError {
  const message = findMessage(body) ?? `The service answered with status ${status}.`;
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

function findMessage(body: unknown): string | undefined {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === "string" && message !== "" ? message : undefined;
}
