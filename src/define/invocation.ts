import type { HttpStatusCode, InvocationErrorType } from "./enumerations.ts";
import type { InvocationSource } from "./sync-enumerations.ts";

/** Where the formula was called from. */
export interface InvocationLocation {
  /** Protocol and host of the document service, without a trailing slash. */
  protocolAndHost: string;
  source?: InvocationSource | undefined;
  /** Accepted for compatibility with existing Packs. */
  docId?: string | undefined;
  /** Accepted for compatibility with existing Packs. */
  userId?: number | undefined;
}

interface BaseInvocationError<Kind extends InvocationErrorType> {
  readonly type: Kind;
}
/** The previous attempt got a response with a status of 400 or above. */
export interface HttpStatusInvocationError extends BaseInvocationError<"HttpStatusError"> {
  readonly statusCode: HttpStatusCode | number;
}
/** The previous attempt was stopped by a rate limit. */
export type RateLimitExceededInvocationError = BaseInvocationError<"RateLimitExceeded">;
/** The previous attempt took too long. */
export type TimeoutInvocationError = BaseInvocationError<"Timeout">;
/** The previous attempt got a response that was larger than the platform allows. */
export type ResponseTooLargeInvocationError = BaseInvocationError<"ResponseTooLarge">;
/** The previous attempt failed for another reason. */
export type UnknownInvocationError = BaseInvocationError<"Unknown">;
/** Why the previous attempt failed. `type` decides which members there are. */
export type InvocationError =
  | HttpStatusInvocationError
  | RateLimitExceededInvocationError
  | TimeoutInvocationError
  | ResponseTooLargeInvocationError
  | UnknownInvocationError;

/** The values that were entered or received when the account was connected, without secrets. */
export interface ConnectionValues {
  readonly variables: Readonly<Record<string, string>>;
  readonly callbackParams: Readonly<Record<string, string>>;
}

/** Where the next page begins: what the formula returned as `continuation` with the previous page. */
export interface Continuation {
  [name: string]: string | number | { [name: string]: string | number };
}

/** Accepted for compatibility with existing Packs. */
export interface SyncStateService {
  getLatestRowVersions(rowIds: string[]): Promise<Record<string, string | undefined>>;
}
