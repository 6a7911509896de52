import { isPackError, PackError } from "../errors.ts";
import type { HostFetchResult } from "../sandbox/host/isolate.ts";
import type { BlobOptions, BlobStore } from "./blob-store.ts";
import type { HostFetcher } from "./fetcher.ts";

/**
 * Answers `temporaryBlobStorage.storeUrl` and `storeBlob` of a Pack. A URL is fetched under the rules of every other request,
 * with the account's credentials.
 * @returns never a rejection: a failure is a result
 */
export async function storeBlob(
  untrusted: unknown,
  { fetcher, blobs }: { fetcher: Pick<HostFetcher, "fetch">; blobs: BlobStore | undefined },
): Promise<HostFetchResult> {
  try {
    if (blobs === undefined) throw refused("this run has no storage", "Run it where there is one.");
    const request = membersOf(untrusted);
    const options = membersOf(request["options"]);
    if (request["url"] === undefined) {
      const { bytes, contentType } = request;
      if (!(bytes instanceof Uint8Array))
        throw refused("its bytes are no Buffer or Uint8Array", "Pass the bytes first, then their media type.");
      if (typeof contentType !== "string") throw refused("its media type is missing", 'Pass one after the bytes, such as "image/png".');
      return { ok: true, response: await blobs.store(bytes, blobOptions(options, contentType)) };
    }
    const { disableAuthentication, headers, cacheTtlSecs } = membersOf(request["fetchOptions"]);
    const fetched = await fetcher.fetch({
      method: "GET",
      url: request["url"],
      isBinaryResponse: true,
      ...{ disableAuthentication, headers, cacheTtlSecs },
    });
    if (!fetched.ok) return fetched;
    const response = fetched.response as { headers: Record<string, string>; body?: Uint8Array };
    const found = typeof options["contentType"] === "string" ? options["contentType"] : response.headers["content-type"];
    const bytes = response.body ?? new Uint8Array();
    return { ok: true, response: await blobs.store(bytes, blobOptions(options, found ?? "application/octet-stream")) };
  } catch (error) {
    const failure = isPackError(error)
      ? (error as PackError)
      : new PackError("INTERNAL", "The blob storage failed unexpectedly.", { details: undefined, cause: error });
    return { ok: false, failure: { name: "Error", message: failure.message, members: { code: failure.code } }, error: failure };
  }
}

function blobOptions({ expiryMs, downloadFilename }: Record<string, unknown>, contentType: string): BlobOptions {
  if (expiryMs !== undefined && typeof expiryMs !== "number") throw refused("expiryMs is no number", "Give milliseconds.");
  if (downloadFilename !== undefined && typeof downloadFilename !== "string")
    throw refused("downloadFilename is no text", "Give a file name.");
  return { contentType, expiryMs, downloadFilename };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function refused(reason: string, hint: string): PackError<"BLOB_REFUSED"> {
  return new PackError("BLOB_REFUSED", `The blob is not stored: ${reason}.`, { details: { reason }, hint });
}
