import type * as z from "zod";
import type { NewLine } from "../../../../shared/markdown/line.ts";
import { parseMarkdown } from "../../../../shared/markdown/markdown.ts";
import type { createPageBody } from "../../../contract/models/request-models.ts";
import type { CanvasContent, PageContent } from "../../../contract/requests.ts";
import { parseHtml } from "../../content/html.ts";
import { findPart, listParts, type PageSource } from "../../store/doc-parts.ts";
import { findDoc } from "../../store/doc-store.ts";
import { HttpError } from "../http-error.ts";
import { accessTo, type ServiceCall } from "../service-call.ts";

/** What a page is made of, read when its edit is accepted. */
export interface ReadPage {
  page: { name: string; subtitle?: string | undefined; iconName?: string | undefined; imageUrl?: string | undefined } & {
    parentId?: string | undefined;
    source?: PageSource | undefined;
  };
  lines: readonly NewLine[];
  warning: string | undefined;
}

/** @throws {HttpError} 400 for a parent or a source that is not there (decision 72) */
export async function readNewPage(call: ServiceCall, docId: string, body: z.infer<typeof createPageBody>): Promise<ReadPage> {
  const { name = "Untitled", subtitle, iconName, imageUrl, parentPageId, pageContent: content } = body;
  const { db } = call.state.storage;
  if (parentPageId !== undefined && (await findPart(db, docId, "page", parentPageId)) === undefined)
    throw new HttpError(400, "Invalid parentPageId: there is no page with that ID.");
  const page = { name, subtitle, iconName, imageUrl, parentId: parentPageId };
  if (content?.type === "embed") {
    const { url, renderMethod } = content;
    return { page: { ...page, source: { type: "embed", url, renderMethod } }, lines: [], warning: undefined };
  }
  if (content?.type === "syncPage")
    return { page: { ...page, source: await readSyncSource(call, content) }, lines: [], warning: undefined };
  return { page, ...(content === undefined ? { lines: [], warning: undefined } : readCanvas(content.canvasContent)) };
}

/** HTML that is broken is read as far as it goes (decision 77). */
export function readCanvas({ format, content }: CanvasContent): { lines: NewLine[]; warning: string | undefined } {
  if (format === "markdown") return { lines: parseMarkdown(content), warning: undefined };
  const { lines, isBroken } = parseHtml(content);
  return { lines, warning: isBroken ? "Initial page HTML was invalid." : undefined };
}

async function readSyncSource(call: ServiceCall, content: Extract<PageContent, { type: "syncPage" }>): Promise<PageSource> {
  const { sourceDocId } = content;
  const { db } = call.state.storage;
  const source = await findDoc(db, sourceDocId);
  if (source === undefined || (await accessTo(call, source)) === undefined)
    throw new HttpError(400, "Invalid sourceDocId: there is no such doc.");
  if (content.mode === "document") return { type: "syncPage", mode: content.mode, sourceDocId };
  const { mode, sourcePageId, includeSubpages = false } = content;
  const pages = await listParts(db, sourceDocId, "page");
  if (!pages.some(({ id }) => id === sourcePageId)) throw new HttpError(400, "Invalid sourcePageId: there is no page with that ID.");
  return { type: "syncPage", mode, sourceDocId, sourcePageId, includeSubpages };
}
