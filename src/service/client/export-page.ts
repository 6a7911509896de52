import type { Open } from "../contract/models/model.ts";
import type { ServiceClient } from "./client.ts";
import { ExportFailedError, ServiceError } from "./errors.ts";
import { decodeUtf8, gunzip, isGzip } from "./unpack.ts";
import { type PollOptions, poll } from "./wait-for.ts";

export interface ExportPageOptions extends PollOptions {
  docId: string;
  pageIdOrName: string;
  format: Open<"html" | "markdown">;
  /** Limit of the unpacked file. @default 100 MiB */
  maxBytes?: number | undefined;
  /**
   * Called when the export has begun, after each look for its end, and before its file is
   * downloaded.
   */
  onProgress?: ((step: "begun" | "waiting" | "downloading") => void) | undefined;
}

const MAX_LINKS = 3;

/**
 * The content of a page as one text: begins an export, waits for it, downloads the file without
 * credentials and unpacks it.
 * A link that has expired is renewed twice. Inside a Pack the link's host has to be one of the
 * network domains.
 * @throws {ServiceError} ExportFailedError
 */
export async function exportPage(
  { call, transport }: Pick<ServiceClient, "call" | "transport">,
  {
    docId,
    pageIdOrName,
    format,
    maxBytes = 100 * 1024 * 1024,
    onProgress,
    ...options
  }: ExportPageOptions,
): Promise<string> {
  const page = { docId, pageIdOrName };
  const { signal } = options;
  const begun = await call("beginPageContentExport", {
    path: page,
    body: { outputFormat: format },
    signal,
  });
  onProgress?.("begun");
  const facts = { operation: "getPageContentExportStatus", status: 0, requestId: begun.id };
  const fail = (message: string, cause?: unknown) =>
    new ExportFailedError(message, { ...facts, cause });
  const linkOf = async (): Promise<string | undefined> => {
    const { downloadLink, error } = await call("getPageContentExportStatus", {
      path: { ...page, requestId: begun.id },
      cacheTtlSecs: 0,
      signal,
    });
    // The status is any text: what counts is whether there is a link or an error.
    if (error) throw fail(error);
    onProgress?.(downloadLink === undefined ? "waiting" : "downloading");
    return downloadLink;
  };
  let reason: unknown;
  for (let links = 0; links < MAX_LINKS; links++) {
    const link = await (links === 0 ? poll(transport.timer, linkOf, options) : linkOf());
    if (link === undefined) throw fail("The export did not end in time.");
    if (transport.download === undefined)
      throw new TypeError("The transport cannot download files.");
    try {
      const { status, body } = await transport.download(link, signal);
      const text = status === 200 ? decodeUtf8(isGzip(body) ? gunzip(body, maxBytes) : body) : "";
      // A storage server answers an expired link with XML.
      if (status === 200 && !text.startsWith("<?xml")) return text;
      reason = `status ${status}`;
    } catch (error) {
      if (error instanceof ServiceError || signal?.aborted) throw error;
      reason = error;
    }
  }
  throw fail(
    `The exported file cannot be read: ${reason instanceof Error ? reason.message : reason}.`,
    reason,
  );
}
