import type { HttpStatusCode, InvocationErrorType } from "./enumerations.ts";
import type { InvocationSource } from "./sync-enumerations.ts";

/** Where the formula was called from. */
export interface InvocationLocation {
  /** Protocol and host of the document service, without a trailing slash. */
  protocolAndHost: string;
  source?: InvocationSource | undefined;
  /** Accepted from older Packs. */
  docId?: string | undefined;
  /** Accepted from older Packs. */
  userId?: number | undefined;
}

interface BaseInvocationError<Kind extends InvocationErrorType> {
  readonly type: Kind;
}
/** The attempt before ended with a status of 400 or above. */
export interface HttpStatusInvocationError extends BaseInvocationError<"HttpStatusError"> {
  readonly statusCode: HttpStatusCode | number;
}
/** The attempt before was held back by a rate limit. */
export type RateLimitExceededInvocationError = BaseInvocationError<"RateLimitExceeded">;
/** The attempt before took too long. */
export type TimeoutInvocationError = BaseInvocationError<"Timeout">;
/** The attempt before got more bytes than the platform allows. */
export type ResponseTooLargeInvocationError = BaseInvocationError<"ResponseTooLarge">;
/** The attempt before failed for another reason. */
export type UnknownInvocationError = BaseInvocationError<"Unknown">;
/** Why the attempt before this one failed; `type` decides the members. */
export type InvocationError =
  | HttpStatusInvocationError
  | RateLimitExceededInvocationError
  | TimeoutInvocationError
  | ResponseTooLargeInvocationError
  | UnknownInvocationError;

/** The non-secret answers that the user gave when the account was connected (connection variables and callback parameters). */
export interface ConnectionValues {
  readonly variables: Readonly<Record<string, string>>;
  readonly callbackParams: Readonly<Record<string, string>>;
}

/** Where the next page begins: whatever the formula returned as `continuation` for the page before. */
export interface Continuation {
  [name: string]: string | number | { [name: string]: string | number };
}

/** Accepted from older Packs. */
export interface SyncStateService {
  getLatestRowVersions(rowIds: string[]): Promise<Record<string, string | undefined>>;
}
