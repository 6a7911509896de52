import type { BodyOf, OperationId, PathOf, QueryOf, ResponseOf } from "../contract/operations.ts";
import type { CancelSignal, Transport } from "./transport.ts";

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** What every call takes. */
export interface CallSettings {
  /**
   * Cancels the call, which then rejects with the signal's reason. An edit that was being sent may
   * have been accepted.
   */
  signal?: CancelSignal | undefined;
  /** Limit of the call, including its waits and repetitions, in milliseconds. @default 120_000 */
  deadlineMs?: number | undefined;
}

/** What every call that reads takes. */
export interface ReadSettings extends CallSettings {
  /**
   * How long a cached response may be used, in seconds. Only inside a Pack.
   * @default that of the fetcher, and 0 after a write of this client
   */
  cacheTtlSecs?: number | undefined;
  /**
   * `wait`: first waits for the latest edit that this client made in the document. `latest`: fails with
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
    /** Sent as JSON. */
    body?: BodyOf<Id> | undefined;
  };

/**
 * Sends the request of an operation and gives its body. @throws {ServiceError} for every other
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
