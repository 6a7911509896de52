export const ValidFetchMethods = ["GET", "PATCH", "POST", "PUT", "DELETE", "HEAD"] as const;
export type FetchMethodType = (typeof ValidFetchMethods)[number];

export interface FetchRequest {
  method: FetchMethodType;
  /** Absolute, or beginning with `/` and relative to the account's endpoint. */
  url: string;
  /** Text of the body. `form` wins over it. */
  body?: string | undefined;
  /** Members of an `application/x-www-form-urlencoded` body. */
  form?: Record<string, string> | undefined;
  headers?: Record<string, string> | undefined;
  /** How long a GET response may be reused, in seconds; 0 turns the cache off. @default 300 */
  cacheTtlSecs?: number | undefined;
  /** Caches a request that is not a GET. @default false */
  forceCache?: boolean | undefined;
  /** Returns the body as bytes. @default false */
  isBinaryResponse?: boolean | undefined;
  /** Sends the request without the account's credentials. @default false */
  disableAuthentication?: boolean | undefined;
  /** Returns a redirect instead of following it. @default false */
  ignoreRedirects?: boolean | undefined;
}

export interface FetchResponse<Body = unknown> {
  status: number;
  /** Parsed when it is JSON, else text; absent when empty. */
  body?: Body;
  /** Lower-case names. Credentials are removed. */
  headers: Record<string, string | string[] | undefined>;
}

export interface Fetcher {
  /**
   * Sends a request to a declared network domain.
   * @throws {StatusCodeError} for a status of 400 and above
   */
  fetch<Body = unknown>(request: FetchRequest): Promise<FetchResponse<Body>>;
}
