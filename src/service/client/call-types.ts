import type { BodyOf, OperationId, PathOf, QueryOf, ResponseOf } from "../contract/operations.ts";
import type { CancelSignal, Transport } from "./transport.ts";

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** The settings of every call. */
export interface CallSettings {
  /**
   * Cancels the call. The call then rejects with the reason of the signal. The service may have
   * accepted an edit that the client was sending.
   */
  signal?: CancelSignal | undefined;
  /** The time limit of the call in milliseconds, including waits and retries. @default 120_000 */
  deadlineMs?: number | undefined;
}

/** The settings of every call that reads. */
export interface ReadSettings extends CallSettings {
  /**
   * The maximum age of a cached response, in seconds. Only inside a Pack.
   * @default the value of the fetcher, or 0 after a write of this client
   */
  cacheTtlSecs?: number | undefined;
  /**
   * `wait`: first waits for the latest edit that this client made in the document. `latest`: fails
   * with
   * `StaleDocError` while any edit of the document is being applied.
   */
  fresh?: "wait" | "latest" | undefined;
}

export type PathOption<Id extends OperationId> = keyof PathOf<Id> extends never
  ? { path?: undefined }
  : {
      /** Values of the path parameters, not encoded. */
      path: PathOf<Id>;
    };

export type CallOptions<Id extends OperationId> = ReadSettings &
  PathOption<Id> & {
    query?: QueryOf<Id> | undefined;
    /** The request body. The client sends the body as JSON. */
    body?: BodyOf<Id> | undefined;
  };

/**
 * Sends the request of an operation, and returns the body of the response.
 * @throws {ServiceError} for every other
 * status than success
 */
export type Call = <Id extends OperationId>(
  operation: Id,
  ...options: object extends CallOptions<Id>
    ? [options?: CallOptions<Id>]
    : [options: CallOptions<Id>]
) => Promise<ResponseOf<Id>>;

/** The part of a client that sends requests. */
export interface Sender {
  call: Call;
  transport: Transport;
}
