import type { UntypedBody } from "./untyped.ts";

/** The request methods that `fetch` accepts. */
export const ValidFetchMethods = ["GET", "PATCH", "POST", "PUT", "DELETE", "HEAD"] as const;
/** One of `ValidFetchMethods`. */
export type FetchMethodType = (typeof ValidFetchMethods)[number];

/** A request to a network domain of the Pack. */
export interface FetchRequest {
  /** The method of the request, such as `GET`. */
  method: FetchMethodType;
  /**
   * An absolute URL. If the account has an endpoint, you can also write a path that starts with
   * `/`.
   */
  url: string;
  /** The body, as a string or bytes. If `form` is set, `body` is ignored. */
  body?: string | Uint8Array | undefined;
  /** The fields of an `application/x-www-form-urlencoded` body. */
  form?: Record<string, string> | undefined;
  /** Additional headers. The credentials of the account are added automatically. */
  headers?: Record<string, string> | undefined;
  /**
   * The number of seconds to cache a GET response. 0 turns the cache off. @default 300
   */
  cacheTtlSecs?: number | undefined;
  /** Also caches the responses to requests other than GET. @default false */
  forceCache?: boolean | undefined;
  /** Returns the body as bytes. @default false */
  isBinaryResponse?: boolean | undefined;
  /** Sends the request without the credentials of the account. @default false */
  disableAuthentication?: boolean | undefined;
  /** Returns a redirect instead of following it. @default false */
  ignoreRedirects?: boolean | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  chunkResponse?: boolean | undefined;
}

/**
 * The response to a request.
 *
 * To give the body a type, declare it in the request: `fetch<{ total: number }>({ … })`.
 */
export interface FetchResponse<Body = UntypedBody> {
  /** The status of the response, such as 200. */
  status: number;
  /**
   * The body of the response. JSON and XML are parsed. With `isBinaryResponse`, the body contains
   * bytes. All other bodies are text. If the body is empty, this property is not set.
   */
  body?: Body;
  /** The headers of the response, without credentials. Header names are in lowercase. */
  headers: Record<string, string | string[] | undefined>;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface ChunkedResponseBody {
  chunks: Uint8Array[];
}

/** Sends the requests of a formula. */
export interface Fetcher {
  /**
   * Sends a request to a network domain of the Pack.
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
  /** The time for which the URL works, in milliseconds. @default 900_000 */
  expiryMs?: number;
  /** The file name of a download. */
  downloadFilename?: string;
}
/** Stores images and files, and returns a temporary URL for each. */
export interface TemporaryBlobStorage {
  /**
   * Downloads a URL with the account's credentials and stores the bytes.
   * @returns the temporary URL of the bytes
   */
  storeUrl(
    url: string,
    options?: BlobOptions & {
      /** The media type of the bytes, such as `"image/png"`. @default the type of the response */
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
