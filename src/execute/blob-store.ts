import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isPackError, PackError } from "../errors.ts";
import type { HostFetchResult } from "../sandbox/host/run-requests.ts";
import type { LoopbackServer } from "../shared/loopback-server.ts";
import { canParseUrl } from "../shared/urls.ts";
import { toMembers } from "../shared/values.ts";
import type { HostFetcher } from "./fetch/fetcher.ts";

export interface BlobStoreOptions {
  /** Milliseconds. @default Date.now */
  now?: (() => number) | undefined;
  /** Limit of all blobs together. @default 100 MiB */
  maxBytes?: number | undefined;
  /** Limit of one blob. @default 25 MiB, the limit of a response */
  maxBlobBytes?: number | undefined;
  /** Port on 127.0.0.1. @default 0, a free one */
  port?: number | undefined;
}

export interface BlobOptions {
  contentType: string;
  /** Lifetime in milliseconds. @default 15 minutes */
  expiryMs?: number | undefined;
  /** Browsers save the blob under this name instead of showing it. */
  downloadFilename?: string | undefined;
}

/**
 * The temporary blob storage of one run or one server. Bytes are kept in memory under URLs that
 * cannot be guessed and that
 * only this machine reaches. The HTTP server starts with the first blob.
 */
export interface BlobStore extends AsyncDisposable {
  /**
   * @returns a URL that works until the blob expires or the store is disposed
   * @throws {PackError} BLOB_REFUSED, PORT_IN_USE
   */
  store(bytes: Uint8Array, options: BlobOptions): Promise<string>;
  /** Whether a URL belongs to a blob that has not expired. */
  has(url: string): boolean;
}

interface Blob extends BlobOptions {
  bytes: Uint8Array;
  expiresAtMs: number;
}

const DEFAULT_EXPIRY_MS = 15 * 60_000;
const MAX_EXPIRY_MS = 24 * 60 * 60_000;
const MAX_BYTES = 100 * 1024 * 1024;
const MAX_BLOB_BYTES = 25 * 1024 * 1024;
const PATH = "/blobs/";

/** Creates an empty store. */
export function createBlobStore(options: BlobStoreOptions = {}): BlobStore {
  const { now = Date.now, maxBytes = MAX_BYTES, maxBlobBytes = MAX_BLOB_BYTES, port = 0 } = options;
  const blobs = new Map<string, Blob>();
  let server: Promise<LoopbackServer> | undefined;

  const find = (path: string): Blob | undefined => {
    const id = path.startsWith(PATH) ? path.slice(PATH.length) : "";
    const blob = blobs.get(id);
    if (blob === undefined || blob.expiresAtMs > now()) return blob;
    blobs.delete(id);
    return undefined;
  };
  const start = async (): Promise<LoopbackServer> => {
    // Loaded on demand: most runs store nothing.
    const { listenOnLoopback } = await import("../shared/loopback-server.ts");
    return await listenOnLoopback((request, response) => answer(request, response, find), port);
  };
  const bytesHeld = (): number => {
    for (const id of [...blobs.keys()]) find(PATH + id);
    return [...blobs.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  };

  return {
    async store(bytes, blob) {
      const { contentType, expiryMs = DEFAULT_EXPIRY_MS } = blob;
      if (
        !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w-]+=(?:[\w!#$&^.+-]+|"[^"\\\r\n]*"))*$/.test(
          contentType,
        )
      ) {
        throw createRefusal(
          `${JSON.stringify(contentType.slice(0, 100))} is not a media type`,
          'Pass a media type, such as "image/png".',
        );
      }
      if (!(expiryMs > 0 && expiryMs <= MAX_EXPIRY_MS)) {
        throw createRefusal(
          "its lifetime is not between a millisecond and a day",
          "Remove expiryMs to store the value for 15 minutes.",
        );
      }
      if (bytes.byteLength > maxBlobBytes)
        throw createRefusal(`it is larger than ${maxBlobBytes} bytes`, "Store a smaller blob.");
      if (bytesHeld() + bytes.byteLength > maxBytes) {
        throw createRefusal(
          `the storage would hold more than ${maxBytes} bytes`,
          "Store fewer blobs at a time, or set a shorter lifetime.",
        );
      }
      const id = randomBytes(18).toString("base64url");
      blobs.set(id, { ...blob, bytes: Uint8Array.from(bytes), expiresAtMs: now() + expiryMs });
      server ??= start();
      return `http://127.0.0.1:${(await server).port}${PATH}${id}`;
    },
    has: (url) => canParseUrl(url) && find(new URL(url).pathname) !== undefined,
    async [Symbol.asyncDispose]() {
      blobs.clear();
      await (await server?.catch(() => undefined))?.close();
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  find: (path: string) => Blob | undefined,
): void {
  const blob =
    request.method === "GET" || request.method === "HEAD" ? find(request.url ?? "") : undefined;
  if (blob === undefined) {
    response
      .writeHead(404, { "content-type": "text/plain" })
      .end("This blob does not exist or has expired.\n");
    return;
  }
  response.writeHead(200, {
    "content-type": blob.contentType,
    "content-length": blob.bytes.byteLength,
    "cache-control": "private, no-store",
    // The bytes are untrusted: a browser must not guess their type or run them.
    "x-content-type-options": "nosniff",
    "content-security-policy":
      "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; media-src 'self'",
    ...(blob.downloadFilename === undefined
      ? {}
      : { "content-disposition": formatDisposition(blob.downloadFilename) }),
  });
  response.end(request.method === "HEAD" ? undefined : blob.bytes);
}

/** RFC 6266: an ASCII name that every browser reads, and the exact name (RFC 8187). */
function formatDisposition(name: string): string {
  const plain = name.replace(/[^\w.() -]/g, "_").slice(0, 200);
  // Half a surrogate pair cannot be encoded; the buffer replaces it.
  const valid = Buffer.from(name.slice(0, 200)).toString();
  const exact = encodeURIComponent(valid).replace(
    /['()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/**
 * Answers `temporaryBlobStorage.storeUrl` and `storeBlob` of a Pack. A URL is fetched under the
 * rules of every other request,
 * with the account's credentials.
 * @returns never a rejection: a failure is part of the result
 */
export async function storeBlob(
  untrusted: unknown,
  { fetcher, blobs }: { fetcher: Pick<HostFetcher, "fetch">; blobs: BlobStore | undefined },
): Promise<HostFetchResult> {
  try {
    if (blobs === undefined)
      throw createRefusal(
        "this run has no blob storage",
        "Run the formula with packsmith execute or packsmith dev.",
      );
    const request = toMembers(untrusted);
    const options = toMembers(request["options"]);
    if (request["url"] === undefined) {
      const { bytes, contentType } = request;
      if (!(bytes instanceof Uint8Array))
        throw createRefusal(
          "its bytes are not a Buffer or Uint8Array",
          "Pass the bytes first, then their media type.",
        );
      if (typeof contentType !== "string")
        throw createRefusal(
          "its media type is missing",
          'Pass the media type after the bytes, such as "image/png".',
        );
      return { ok: true, response: await blobs.store(bytes, blobOptions(options, contentType)) };
    }
    const { disableAuthentication, headers, cacheTtlSecs } = toMembers(request["fetchOptions"]);
    const fetched = await fetcher.fetch({
      method: "GET",
      url: request["url"],
      isBinaryResponse: true,
      disableAuthentication,
      headers,
      cacheTtlSecs,
    });
    if (!fetched.ok) return fetched;
    const response = fetched.response as { headers: Record<string, string>; body?: Uint8Array };
    const found =
      typeof options["contentType"] === "string"
        ? options["contentType"]
        : response.headers["content-type"];
    const bytes = response.body ?? new Uint8Array();
    return {
      ok: true,
      response: await blobs.store(bytes, blobOptions(options, found ?? "application/octet-stream")),
    };
  } catch (error) {
    const failure = isPackError(error)
      ? (error as PackError)
      : new PackError("INTERNAL", "The blob storage failed unexpectedly.", {
          details: undefined,
          cause: error,
        });
    return {
      ok: false,
      failure: { name: "Error", message: failure.message, members: { code: failure.code } },
      error: failure,
    };
  }
}

function blobOptions(
  { expiryMs, downloadFilename }: Record<string, unknown>,
  contentType: string,
): BlobOptions {
  if (expiryMs !== undefined && typeof expiryMs !== "number")
    throw createRefusal("expiryMs is not a number", "Pass milliseconds.");
  if (downloadFilename !== undefined && typeof downloadFilename !== "string")
    throw createRefusal("downloadFilename is not text", "Pass a file name.");
  return { contentType, expiryMs, downloadFilename };
}

function createRefusal(reason: string, hint: string): PackError<"BLOB_REFUSED"> {
  return new PackError("BLOB_REFUSED", `The blob is not stored: ${reason}.`, {
    details: { reason },
    hint,
  });
}
