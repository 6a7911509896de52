import type { Untyped } from "./untyped.ts";

/** The request methods that `fetch` takes. */
export const ValidFetchMethods = ["GET", "PATCH", "POST", "PUT", "DELETE", "HEAD"] as const;
/** One of `ValidFetchMethods`. */
export type FetchMethodType = (typeof ValidFetchMethods)[number];

/** A request to one of the Pack's network domains. */
export interface FetchRequest {
  method: FetchMethodType;
  /** Absolute, or beginning with `/` and relative to the account's endpoint. */
  url: string;
  /** Text or bytes of the body. `form` wins over it. */
  body?: string | Uint8Array | undefined;
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
  /** Accepted from older Packs. */
  chunkResponse?: boolean | undefined;
}

/** What came back. */
export interface FetchResponse<Body = Untyped> {
  status: number;
  /** Parsed when it is JSON or XML, bytes when they were asked for, else text; absent when empty. */
  body?: Body;
  /** Lower-case names. Credentials are removed. */
  headers: Record<string, string | string[] | undefined>;
}

/** Accepted from older Packs. */
export interface ChunkedResponseBody {
  chunks: Uint8Array[];
}

/** Sends requests for a formula. */
export interface Fetcher {
  /**
   * Sends a request to a declared network domain.
   * @throws {StatusCodeError} for a status of 400 and above
   */
  fetch<Body = Untyped>(request: FetchRequest): Promise<FetchResponse<Body>>;
}

/** Keeps bytes for a short time under a URL, for images and files that a formula returns. */
export interface TemporaryBlobStorage {
  /**
   * Downloads a URL with the account's credentials and keeps the bytes.
   * @param options `expiryMs` is 15 minutes by default
   * @returns the URL under which they can be had
   */
  storeUrl(
    url: string,
    options?: { expiryMs?: number; downloadFilename?: string; contentType?: string },
    fetchOptions?: Pick<FetchRequest, "disableAuthentication" | "headers" | "cacheTtlSecs">,
  ): Promise<string>;
  /**
   * Keeps bytes that the Pack has.
   * @param options `expiryMs` is 15 minutes by default
   * @returns the URL under which they can be had
   */
  storeBlob(bytes: Uint8Array, contentType: string, options?: { expiryMs?: number; downloadFilename?: string }): Promise<string>;
}
