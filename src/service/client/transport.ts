import type { RateGroup } from "../contract/operations.ts";
import type { AnyOperationId } from "../contract/registry/registry-operations.ts";

/** One HTTP request, ready to be sent. The transport adds the credentials. */
export interface ServiceRequest {
  operation: AnyOperationId;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute, with its query. */
  url: string;
  /** Headers of the request itself; never credentials. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Text of a JSON body. */
  body?: string | undefined;
  /**
   * How long the response may come from a cache, in seconds; the transport's own default when
   * absent.
   */
  cacheTtlSecs?: number | undefined;
  /** The rate limit that the request counts against. */
  group: RateGroup;
  /** The request may be sent again when it is unknown whether it was executed. */
  repeatable: boolean;
  /** Limit of the call, including its waits and repetitions, in milliseconds. */
  deadlineMs?: number | undefined;
  signal?: CancelSignal | undefined;
  /**
   * Receives every attempt and every wait of the request, where the transport makes more than one.
   */
  observe?: ((event: Attempt | Wait) => void) | undefined;
}

/** A request was sent once. */
export interface Attempt {
  event: "attempt";
  operation: AnyOperationId;
  /** 1 for the first one. */
  attempt: number;
  /** 0 when no response arrived. A status of 429 is followed by a wait, or ends the call. */
  status: number;
}

/** A request waits before it is sent. */
export interface Wait {
  event: "wait";
  operation: AnyOperationId;
  /** The attempt that comes after it. */
  attempt: number;
  waitMs: number;
  /** The client's own pace, a 429, or a failure before. */
  reason: "pace" | "rateLimit" | "failure";
}

/** Any status: a transport throws only when there is no response at all. */
export interface ServiceResponse {
  status: number;
  /** Parsed JSON, else text, else undefined. */
  body: unknown;
  /** What the service calls this exchange in its own logs. */
  requestId?: string | undefined;
  /** So many calls met the rate limit that waiting does not help. */
  stuck?: boolean | undefined;
}

/**
 * The part of an `AbortSignal` that is used, so that a Pack's types need neither those of Node nor
 * those of a browser.
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
  /** May reject with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: CancelSignal): Promise<void>;
}

/** How requests leave. The client itself uses no API of Node or the Web. */
export interface Transport {
  send(request: ServiceRequest): Promise<ServiceResponse>;
  /**
   * Fetches a file by a link that carries its own permission: without credentials, and never out of
   * a cache.
   */
  download?(url: string, signal?: CancelSignal): Promise<{ status: number; body: Uint8Array }>;
  /** The text of a downloaded file, unpacked. @throws when it has more than `maxBytes` */
  readText?(file: Uint8Array, maxBytes: number): Promise<string>;
  /** Absent where code cannot wait, as inside a Pack. */
  timer?: Timer | undefined;
}
