import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Request, Response } from "express";
import { sameSecret } from "../../../../shared/crypto.ts";
import { writeMarkdown } from "../../../../shared/markdown/markdown.ts";
import { beginPageExportBody } from "../../../contract/models/requests.ts";
import type { PageExport } from "../../../contract/models/responses.ts";
import { writeHtml } from "../../content/html.ts";
import { parseDelay } from "../../edits/edit-settings.ts";
import type { ServiceState } from "../../state.ts";
import { findPart, listParts, readLines, savePart } from "../../store/doc-parts.ts";
import { encodeSegment } from "../encode-segment.ts";
import { HttpError } from "../http-error.ts";
import { parseCallBody } from "../request-input.ts";
import { createResources } from "../resources.ts";
import { openWholeDoc, type ServiceCall } from "../service-call.ts";
import { sign } from "../signature.ts";
import { findPage, requireCanvas } from "./pages.ts";

/** A small page is exported within this, whatever the latency of edits. */
const MAX_EXPORT_MS = 2_000;
const LINK_LIFETIME_MS = 300_000;
/** Where exports are downloaded, outside of the API and without a token. */
export const EXPORT_PATH = "/exports/:docId/:pageId/:exportId";

export async function beginPageContentExport(call: ServiceCall): Promise<PageExport> {
  const { state } = call;
  const doc = await openWholeDoc(call);
  const { outputFormat } = parseCallBody(call, beginPageExportBody);
  const page = await findPage(call, doc.id);
  requireCanvas(page.source?.type, "Only canvas pages can be exported.");
  const lines = await readLines(state.storage.db, doc.id, page.id);
  const body = outputFormat === "html" ? writeHtml(lines) : writeMarkdown(lines);
  const id = randomUUID();
  const beginMs = state.clock.now();
  const readyAtMs =
    beginMs + Math.min(MAX_EXPORT_MS, parseDelay(state.settings.latency, () => 0).delayMs);
  await state.storage.transaction(async (transaction) => {
    // Of two exports of one page at the same time, only the later one completes.
    for (const other of await listParts(transaction, doc.id, "export")) {
      if (other.pageId !== page.id || other.readyAtMs <= beginMs) continue;
      await savePart(transaction, doc.id, "export", {
        ...other,
        error: "A later export of the same page replaced this one.",
      });
    }
    await savePart(transaction, doc.id, "export", {
      id,
      name: "",
      position: 0,
      pageId: page.id,
      format: outputFormat,
      body,
      beginMs,
      readyAtMs,
    });
  });
  return { id, status: "inProgress", href: createHref(call, doc.id, page.id, id) };
}

/** Each request gets a new link. An export is found only under its own page. */
export async function getPageContentExportStatus(call: ServiceCall): Promise<PageExport> {
  const { state, root, params } = call;
  const doc = await openWholeDoc(call);
  const page = await findPage(call, doc.id);
  const exported = await findPart(state.storage.db, doc.id, "export", params["requestId"] ?? "");
  if (exported === undefined || exported.pageId !== page.id)
    throw new HttpError(404, "Could not find an export with the specified ID.");
  const { id, error, readyAtMs } = exported;
  const href = createHref(call, doc.id, page.id, id);
  if (error !== undefined) return { id, status: "failed", href, error };
  if (state.clock.now() < readyAtMs) return { id, status: "inProgress", href };
  const expires = String(state.clock.now() + LINK_LIFETIME_MS);
  const path = `/exports/${[doc.id, page.id, id].map(encodeSegment).join("/")}`;
  const signature = sign(state, `export ${path} ${expires}`);
  return {
    id,
    status: "complete",
    href,
    downloadLink: `${new URL(root).origin}${path}?expires=${expires}&signature=${signature}`,
  };
}

/**
 * Answers what a download link asks for, as a file store does: no token, and XML for what is
 * refused.
 */
export function serveExport(state: ServiceState) {
  return async (request: Request, response: Response): Promise<void> => {
    const [path = "", search] = request.originalUrl.split("?");
    const query = new URLSearchParams(search);
    const expires = query.get("expires") ?? "";
    const isSigned = sameSecret(
      query.get("signature") ?? "",
      sign(state, `export ${path} ${expires}`),
    );
    const { docId = "", exportId = "" } = request.params as Record<string, string>;
    const exported =
      isSigned &&
      Number(expires) >= state.clock.now() &&
      request.headers.authorization === undefined
        ? await findPart(state.storage.db, docId, "export", exportId)
        : undefined;
    if (exported === undefined) {
      const message = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>";
      response
        .status(403)
        .type("application/xml")
        .send(`<?xml version="1.0" encoding="UTF-8"?>\n${message}`);
      return;
    }
    response
      .set({ "Content-Type": "text/plain; charset=utf-8", "Content-Encoding": "gzip" })
      .end(gzipSync(exported.body));
  };
}

function createHref({ root }: ServiceCall, docId: string, pageId: string, id: string): string {
  return `${createResources(root).page(docId, { id: pageId, name: "" }).href}/export/${id}`;
}
