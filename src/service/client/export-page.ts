import type { Open } from "../contract/models/model.ts";
import { isGzip } from "./bytes.ts";
import type { Call, Sender } from "./call-types.ts";
import { ExportFailedError, ServiceError } from "./errors.ts";
import type { Transport } from "./transport.ts";
import { decodeUtf8, gunzip } from "./unpack.ts";
import { type PollOptions, poll } from "./wait-for.ts";

export interface ExportPageOptions extends PageExportOptions {
  docId: string;
  pageIdOrName: string;
}

export interface PageExportOptions extends PollOptions {
  format: Open<"html" | "markdown">;
  /** The maximum size of the unpacked file. @default 100 MiB */
  maxBytes?: number | undefined;
  /**
   * The client calls this function after the start of the export, after each poll, and before the
   * download.
   */
  onProgress?: ((step: "begun" | "waiting" | "downloading") => void) | undefined;
}

const MAX_LINKS = 3;
const CANNOT_UNPACK =
  "This transport cannot download and unpack files. Inside a Pack, call exportPage from packsmith/service.";

/**
 * Exports a page inside a Pack. A Pack has no API to unpack a file, so this function contains the
 * necessary code. Declare the host of the download link as a network domain.
 * @throws {ServiceError} ExportFailedError
 */
export function exportPage(
  { call, transport }: Sender,
  { docId, pageIdOrName, ...options }: ExportPageOptions,
): Promise<string> {
  return downloadExport(call, { ...transport, readText }, { docId, pageIdOrName }, options);
}

async function readText(file: Uint8Array, maxBytes: number): Promise<string> {
  return decodeUtf8(isGzip(file) ? gunzip(file, maxBytes) : file);
}

/**
 * Returns the content of a page as text. The client starts an export, waits for the export, and
 * downloads the file without credentials. If the download link has expired, the client renews the
 * link up to two times.
 */
export async function downloadExport(
  call: Call,
  transport: Transport,
  page: { docId: string; pageIdOrName: string },
  { format, maxBytes = 100 * 1024 * 1024, onProgress, ...options }: PageExportOptions,
): Promise<string> {
  if (transport.download === undefined || transport.readText === undefined)
    throw new TypeError(CANNOT_UNPACK);
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
  const findLink = async (): Promise<string | undefined> => {
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
    const link = await (links === 0 ? poll(transport.timer, findLink, options) : findLink());
    if (link === undefined) throw fail("The export did not finish in time.");
    try {
      const { status, body } = await transport.download(link, signal);
      const text = status === 200 ? await transport.readText(body, maxBytes) : "";
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
