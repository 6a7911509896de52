import type { Fetcher } from "./fetch.ts";

/** Where a formula was invoked from. */
export interface InvocationLocation {
  /** Protocol and host of the document service, without a trailing slash. */
  protocolAndHost: string;
}

/** What a formula receives beside its arguments. It never holds a credential (rule 43). */
export interface ExecutionContext {
  /** Sends requests to the Pack's network domains, with the account's credentials. */
  readonly fetcher: Fetcher;
  /** The account's endpoint: an https origin with an optional path and no trailing slash. Absent when the account has none. */
  readonly endpoint?: string | undefined;
  readonly invocationLocation: InvocationLocation;
  /** IANA time zone of the document, such as `"Europe/Berlin"`. */
  readonly timezone: string;
  /** A random token that is unique to this invocation. */
  readonly invocationToken: string;
}
