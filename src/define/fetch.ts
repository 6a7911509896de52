import type { UntypedBody } from "./untyped.ts";

/** The request methods that `fetch` accepts. */
export const ValidFetchMethods = ["GET", "PATCH", "POST", "PUT", "DELETE", "HEAD"] as const;
/** One of `ValidFetchMethods`. */
export type FetchMethodType = (typeof ValidFetchMethods)[number];

/** A request to one of the Pack's network domains. */
export interface FetchRequest {
  /** The method, such as `GET`. */
  method: FetchMethodType;
  /** An absolute URL, or a path that starts with `/` and is relative to the account's endpoint. */
  url: string;
  /** The body, as text or bytes. Ignored when `form` is set. */
  body?: string | Uint8Array | undefined;
  /** Fields of an `application/x-www-form-urlencoded` body. */
  form?: Record<string, string> | undefined;
  /** More headers. The account's credentials are added for you. */
  headers?: Record<string, string> | undefined;
  /** How long a GET response may be reused, in seconds; 0 turns the cache off. @default 300 */
  cacheTtlSecs?: number | undefined;
  /** Caches the response although the request is not a GET. @default false */
  forceCache?: boolean | undefined;
  /** Returns the body as bytes. @default false */
  isBinaryResponse?: boolean | undefined;
  /** Sends the request without the account's credentials. @default false */
  disableAuthentication?: boolean | undefined;
  /** Returns a redirect instead of following it. @default false */
  ignoreRedirects?: boolean | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  chunkResponse?: boolean | undefined;
}

/**
 * The response to a request.
 *
 * Declare the type of the body with the request, and the compiler checks what you read:
 * `fetch<{ total: number }>({ … })`. Without it, the members of the body have no types.
 */
export interface FetchResponse<Body = UntypedBody> {
  /** The status, such as 200. */
  status: number;
  /**
   * Parsed when it is JSON or XML; bytes with `isBinaryResponse`; otherwise text. Absent when
   * empty.
   */
  body?: Body;
  /** Names are in lower case. Credentials are removed. */
  headers: Record<string, string | string[] | undefined>;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface ChunkedResponseBody {
  chunks: Uint8Array[];
}

/** Sends a formula's requests. */
export interface Fetcher {
  /**
   * Sends a request to one of the Pack's network domains.
   * @throws {StatusCodeError} for a status of 400 and above
   * @example
   * ```ts
   * pack.addFormula({
   *   name: "CountTasks",
   *   description: "Counts your tasks.",
   *   parameters: [],
   *   resultType: ValueType.Number,
   *   execute: async (args, context) => {
   *     const { body } = await context.fetcher.fetch<{ total: number }>({
   *       method: "GET",
   *       url: "https://api.example.com/tasks",
   *       cacheTtlSecs: 60,
   *     });
   *     return body?.total ?? 0;
   *   },
   * });
   * ```
   */
  fetch<Body = UntypedBody>(request: FetchRequest): Promise<FetchResponse<Body>>;
}

interface BlobOptions {
  /** How long the URL works, in milliseconds. @default 900_000 */
  expiryMs?: number;
  /** The name that a download of the bytes gets. */
  downloadFilename?: string;
}
/** Stores bytes under a temporary URL, for images and files that a formula returns. */
export interface TemporaryBlobStorage {
  /**
   * Downloads a URL with the account's credentials and stores the bytes.
   * @returns the temporary URL of the bytes
   */
  storeUrl(
    url: string,
    options?: BlobOptions & {
      /** The media type of the bytes, such as `"image/png"`. @default that of the response */
      contentType?: string;
    },
    fetchOptions?: Pick<FetchRequest, "disableAuthentication" | "headers" | "cacheTtlSecs">,
  ): Promise<string>;
  /**
   * Stores bytes.
   * @returns the temporary URL of the bytes
   */
  storeBlob(bytes: Uint8Array, contentType: string, options?: BlobOptions): Promise<string>;
}
