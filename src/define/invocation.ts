import type { HttpStatusCode, InvocationErrorType, InvocationSource } from "./enumerations.ts";

/** The place from which the formula was called. */
export interface InvocationLocation {
  /** The protocol and host of the document service, without a slash at the end. */
  protocolAndHost: string;
  /** The caller of the formula: a document or an assistant. */
  source?: InvocationSource | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  docId?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  userId?: number | undefined;
}

interface BaseInvocationError<Kind extends InvocationErrorType> {
  /** The kind of failure. */
  readonly type: Kind;
}
/** The previous attempt got a response with a status of 400 or above. */
export interface HttpStatusInvocationError extends BaseInvocationError<"HttpStatusError"> {
  /** The status of the response, such as 404. */
  readonly statusCode: HttpStatusCode | number;
}
/** A rate limit stopped the previous attempt. */
export type RateLimitExceededInvocationError = BaseInvocationError<"RateLimitExceeded">;
/** The previous attempt took too long. */
export type TimeoutInvocationError = BaseInvocationError<"Timeout">;
/** The previous attempt got a response that was larger than the document service allows. */
export type ResponseTooLargeInvocationError = BaseInvocationError<"ResponseTooLarge">;
/** The previous attempt failed for another reason. */
export type UnknownInvocationError = BaseInvocationError<"Unknown">;
/** The error of the previous attempt. The other properties depend on `type`. */
export type InvocationError =
  | HttpStatusInvocationError
  | RateLimitExceededInvocationError
  | TimeoutInvocationError
  | ResponseTooLargeInvocationError
  | UnknownInvocationError;

/** The values that packsmith stored when the user connected the account, without secrets. */
export interface ConnectionValues {
  /** The answers to `connectionVariables`, by name. Secrets are left out. */
  readonly variables: Readonly<Record<string, string>>;
  /** The stored redirect parameters, by name. */
  readonly callbackParams: Readonly<Record<string, string>>;
}

/**
 * The place where the next page starts: the `continuation` that the formula returned with the
 * previous page.
 */
export interface Continuation {
  [name: string]: string | number | { [name: string]: string | number };
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface SyncStateService {
  getLatestRowVersions(rowIds: string[]): Promise<Record<string, string | undefined>>;
}
