import type { RateGroup } from "../contract/operations.ts";
import type { AnyOperationId } from "../contract/registry/registry-operations.ts";

/** An HTTP request without credentials. The transport adds the credentials. */
export interface ServiceRequest {
  operation: AnyOperationId;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The absolute URL, including the query. */
  url: string;
  /** The headers of the request, without credentials. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The request body as JSON text. */
  body?: string | undefined;
  /**
   * The maximum age of a cached response, in seconds. By default, the transport decides.
   */
  cacheTtlSecs?: number | undefined;
  /** The group of the rate limit for this request. */
  group: RateGroup;
  /**
   * The transport can send the request again, even if the service may have executed the request.
   */
  repeatable: boolean;
  /** The time limit of the call in milliseconds, including waits and retries. */
  deadlineMs?: number | undefined;
  signal?: CancelSignal | undefined;
  /**
   * Receives every attempt and every wait, if the transport retries requests.
   */
  observe?: ((event: Attempt | Wait) => void) | undefined;
}

/** An attempt to send a request. */
export interface Attempt {
  event: "attempt";
  operation: AnyOperationId;
  /** The number of the attempt. The first attempt is 1. */
  attempt: number;
  /**
   * The HTTP status, or 0 without a response. After status 429, the client waits, or the call ends.
   */
  status: number;
}

/** A wait before an attempt. */
export interface Wait {
  event: "wait";
  operation: AnyOperationId;
  /** The number of the attempt after this wait. */
  attempt: number;
  waitMs: number;
  /**
   * The reason for the wait: the limits of the client, a response with status 429, or a failed
   * attempt.
   */
  reason: "pace" | "rateLimit" | "failure";
}

/** The HTTP status. A transport throws only if no response arrived. */
export interface ServiceResponse {
  status: number;
  /** The parsed JSON, the text if the body is not JSON, or undefined without a body. */
  body: unknown;
  /** What the service calls this exchange in its own logs. */
  requestId?: string | undefined;
  /** Several calls gave up on this rate limit, so the client does not wait. */
  stuck?: boolean | undefined;
}

/**
 * The part of an `AbortSignal` that the client uses. A Pack does not need the types of Node or of a
 * browser.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface Timer {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits. If the signal is aborted, the promise can reject with the reason of the signal. */
  sleep(ms: number, signal?: CancelSignal): Promise<void>;
}

/** Sends the requests of a client. The client itself uses no API of Node or the Web. */
export interface Transport {
  send(request: ServiceRequest): Promise<ServiceResponse>;
  /**
   * Downloads a file from a link that needs no credentials. The response is never from a cache.
   */
  download?(url: string, signal?: CancelSignal): Promise<{ status: number; body: Uint8Array }>;
  /**
   * Unpacks a downloaded file, and returns the text.
   * @throws if the text has more than `maxBytes`
   */
  readText?(file: Uint8Array, maxBytes: number): Promise<string>;
  /** Undefined if the code cannot wait, for example inside a Pack. */
  timer?: Timer | undefined;
}
