import type * as z from "zod";
import { isListStyle, type NewLine, plainText } from "../../../../shared/markdown/line.ts";
import { parseMarkdown } from "../../../../shared/markdown/markdown.ts";
import type { Envelope } from "../../../contract/models/model.ts";
import {
  type CanvasContent,
  createPageBody,
  deletePageContentBody,
  type PageContent,
  updatePageBody,
} from "../../../contract/models/requests.ts";
import type { Page, PageContentItem, PageEdited } from "../../../contract/models/responses.ts";
import { withIds } from "../../content/edit-content.ts";
import { parseHtml } from "../../content/html.ts";
import type { Edit } from "../../edits/edit.ts";
import {
  findPart,
  findParts,
  listAncestors,
  listParts,
  listSubtree,
  type PageSource,
  type StoredPage,
  withRelatives,
} from "../../store/doc-parts.ts";
import { findDoc } from "../../store/doc-store.ts";
import { HttpError } from "../http-error.ts";
import { listResponse } from "../list-response.ts";
import { parseCallBody, readChoice, readLimit } from "../request-input.ts";
import { createResources, isoTime } from "../resources.ts";
import {
  accessTo,
  findNamed,
  openWholeDoc,
  requireDocMaker,
  requireWriteAccess,
  type ServiceCall,
} from "../service-call.ts";

const MAX_LIMIT = 100;
const MAX_CONTENT_LIMIT = 500;
/** How long a deleted page is 410 instead of 404. */
const GONE_MS = 24 * 60 * 60_000;

export async function listPages(call: ServiceCall): Promise<Envelope<Page>> {
  const { id: docId, seq: latest } = await openWholeDoc(call);
  let pages: StoredPage[] = [];
  const { db } = call.state.storage;
  return await listResponse(call, {
    seq: latest,
    parameters: () => ({ limit: readLimit(call.query, MAX_LIMIT, 25) }),
    items: async (_parameters, seq, page) => {
      const place = { docId, kind: "page", seq } as const;
      const listed = await findParts(db, place, page);
      pages = await withRelatives(db, place, listed);
      return listed;
    },
    getSortKey: ({ position, id }) => [position, id],
    render: (page) => renderPage(call, docId, page, pages),
  });
}

export async function getPage(call: ServiceCall): Promise<Page> {
  const { id: docId } = await openWholeDoc(call);
  const page = await findPage(call, docId);
  const { db } = call.state.storage;
  return renderPage(call, docId, page, await withRelatives(db, { docId, kind: "page" }, [page]));
}

export async function listPageContent(call: ServiceCall): Promise<Envelope<PageContentItem>> {
  const { id: docId, seq: latest } = await openWholeDoc(call);
  const page = await findPage(call, docId);
  const positions = new Map<string, number>();
  return await listResponse(call, {
    seq: latest,
    parameters: () => {
      readChoice(call.query, "contentFormat", ["plainText"]);
      return { limit: readLimit(call.query, MAX_CONTENT_LIMIT, 50), contentFormat: "plainText" };
    },
    items: async (_parameters, seq) => {
      const place = { docId, kind: "content", seq } as const;
      const [part] = await findParts(call.state.storage.db, place, { ids: [page.id] });
      const lines = part?.lines ?? [];
      for (const [at, { id }] of lines.entries()) positions.set(id, at);
      return lines;
    },
    getSortKey: ({ id }) => [positions.get(id) ?? 0, id],
    render: (line): PageContentItem => ({
      id: line.id,
      type: "line",
      itemContent: {
        style: line.style,
        format: "plainText",
        content: plainText(line),
        ...(isListStyle(line.style) ? { lineLevel: line.level ?? 0 } : {}),
      },
    }),
  });
}

/**
 * The page of the path. @throws {HttpError} 410 for one that was deleted a short time ago, else 404
 */
export async function findPage(call: ServiceCall, docId: string): Promise<StoredPage> {
  const { storage, clock } = call.state;
  const idOrName = call.params["pageIdOrName"] ?? "";
  const named = await findParts(storage.db, { docId, kind: "page" }, { idOrName });
  const page = findNamed(call, named, idOrName);
  if (page !== undefined) return page;
  const deleted = await findParts(storage.db, { docId, kind: "deletedPage" }, { idOrName });
  const isGone = deleted.some(({ deletedAtMs }) => clock.now() - deletedAtMs <= GONE_MS);
  throw isGone
    ? new HttpError(410, "Page has been deleted.")
    : new HttpError(404, "Could not find a page with the specified ID or name.");
}

function renderPage(
  { root }: ServiceCall,
  docId: string,
  page: StoredPage,
  pages: readonly StoredPage[],
): Page {
  const resources = createResources(root);
  const above = listAncestors(page, pages);
  const [parent] = above;
  const { subtitle, iconName, imageUrl, createdBy, updatedBy = createdBy } = page;
  const people = [createdBy, updatedBy].flatMap((person) =>
    person === undefined ? [] : [personValue(person)],
  );
  const [author, editor] = people;
  return {
    ...resources.page(docId, page),
    isHidden: page.isHidden,
    isEffectivelyHidden: [page, ...above].some(({ isHidden }) => isHidden),
    children: pages
      .filter(({ parentId }) => parentId === page.id)
      .map((child) => resources.page(docId, child)),
    contentType: page.source?.type ?? "canvas",
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(iconName === undefined ? {} : { icon: resources.icon(iconName) }),
    ...(imageUrl === undefined
      ? {}
      : { image: { browserLink: imageUrl, type: findImageType(imageUrl), width: 0, height: 0 } }),
    ...(parent === undefined ? {} : { parent: resources.page(docId, parent) }),
    ...(author === undefined
      ? {}
      : {
          authors: [...new Map(people.map((person) => [person.email, person])).values()],
          createdBy: author,
        }),
    createdAt: isoTime(page.createdAtMs),
    updatedAt: isoTime(page.updatedAtMs ?? page.createdAtMs),
    ...(editor === undefined ? {} : { updatedBy: editor }),
  };
}

function personValue({ name, email }: { name: string; email: string }) {
  return { "@context": "http://schema.org/", "@type": "Person", name, email };
}

function findImageType(url: string): string {
  const extension = /\.(png|jpe?g|gif|webp|svg)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "png";
  return `image/${{ jpg: "jpeg", svg: "svg+xml" }[extension] ?? extension}`;
}

/** The page exists as soon as the edit is applied. */
export async function createPage(call: ServiceCall): Promise<PageEdited> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  requireDocMaker(call, "Creating a page");
  const edit = await newPageEdit(call, doc.id, parseCallBody(call, createPageBody));
  return await accept(call, doc.id, edit.pageId, edit);
}

export async function newPageEdit(
  call: ServiceCall,
  docId: string,
  body: z.infer<typeof createPageBody>,
) {
  const { ids } = call.state;
  const { page, lines, warning } = await readNewPage(call, docId, body);
  return {
    kind: "createPage",
    pageId: ids.page(),
    page,
    lines: withIds(lines, ids.element),
    warning,
  } as const;
}

export async function updatePage(call: ServiceCall): Promise<PageEdited> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  const { contentUpdate, ...changes } = parseCallBody(call, updatePageBody);
  if (changes.name !== undefined || changes.iconName !== undefined)
    requireDocMaker(call, "Changing the title or icon of a page");
  const page = await findPage(call, doc.id);
  if (contentUpdate === undefined)
    return await accept(call, doc.id, page.id, { kind: "updatePage", pageId: page.id, changes });
  requireCanvas(page.source?.type, "Only the content of canvas pages can be updated.");
  const { lines, warning } = readCanvas(contentUpdate.canvasContent);
  const { insertionMode: mode, elementId } = contentUpdate;
  const content = { mode, elementId, lines: withIds(lines, call.state.ids.element) };
  return await accept(call, doc.id, page.id, {
    kind: "updatePage",
    pageId: page.id,
    changes,
    content,
    warning,
  });
}

/** Also deletes the pages below it. A document keeps at least one page. */
export async function deletePage(call: ServiceCall): Promise<PageEdited> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  const page = await findPage(call, doc.id);
  const pages = await listParts(call.state.storage.db, doc.id, "page");
  if (listSubtree(page.id, pages).length === pages.length)
    throw new HttpError(400, "The last page of a doc cannot be deleted.");
  return await accept(call, doc.id, page.id, { kind: "deletePage", pageId: page.id });
}

/** Without ids, deletes all content. */
export async function deletePageContent(call: ServiceCall): Promise<PageEdited> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  const { elementIds = [] } = parseCallBody(call, deletePageContentBody, {});
  const page = await findPage(call, doc.id);
  requireCanvas(page.source?.type, "Only the content of canvas pages can be deleted.");
  const keepsOneLine = call.state.settings.dialect === "public";
  return await accept(call, doc.id, page.id, {
    kind: "deleteContent",
    pageId: page.id,
    elementIds,
    keepsOneLine,
  });
}

/** @throws {HttpError} 400 for a page of another type */
export function requireCanvas(type: string | undefined, message: string): void {
  if (type !== undefined) throw new HttpError(400, message);
}

async function accept(
  { state, caller }: ServiceCall,
  docId: string,
  id: string,
  edit: Edit,
): Promise<PageEdited> {
  return { requestId: await state.edits.accept(docId, caller.userId, edit), id };
}

/** What a page is made of, read when its edit is accepted. */
export interface ReadPage {
  page: {
    name: string;
    subtitle?: string | undefined;
    iconName?: string | undefined;
    imageUrl?: string | undefined;
  } & {
    parentId?: string | undefined;
    source?: PageSource | undefined;
  };
  lines: readonly NewLine[];
  warning: string | undefined;
}

/** @throws {HttpError} 400 for a parent or a source that does not exist */
export async function readNewPage(
  call: ServiceCall,
  docId: string,
  body: z.infer<typeof createPageBody>,
): Promise<ReadPage> {
  const {
    name = "Untitled",
    subtitle,
    iconName,
    imageUrl,
    parentPageId,
    pageContent: content,
  } = body;
  const { db } = call.state.storage;
  if (parentPageId !== undefined && (await findPart(db, docId, "page", parentPageId)) === undefined)
    throw new HttpError(400, "Invalid parentPageId: there is no page with that ID.");
  const page = { name, subtitle, iconName, imageUrl, parentId: parentPageId };
  if (content?.type === "embed") {
    const { url, renderMethod } = content;
    return {
      page: { ...page, source: { type: "embed", url, renderMethod } },
      lines: [],
      warning: undefined,
    };
  }
  if (content?.type === "syncPage")
    return {
      page: { ...page, source: await readSyncSource(call, content) },
      lines: [],
      warning: undefined,
    };
  return {
    page,
    ...(content === undefined
      ? { lines: [], warning: undefined }
      : readCanvas(content.canvasContent)),
  };
}

/** Broken HTML is read as far as possible. */
export function readCanvas({ format, content }: CanvasContent): {
  lines: NewLine[];
  warning: string | undefined;
} {
  if (format === "markdown") return { lines: parseMarkdown(content), warning: undefined };
  const { lines, isBroken } = parseHtml(content);
  return { lines, warning: isBroken ? "Initial page HTML was invalid." : undefined };
}

async function readSyncSource(
  call: ServiceCall,
  content: Extract<PageContent, { type: "syncPage" }>,
): Promise<PageSource> {
  const { sourceDocId } = content;
  const { db } = call.state.storage;
  const source = await findDoc(db, sourceDocId);
  if (source === undefined || (await accessTo(call, source)) === undefined)
    throw new HttpError(400, "Invalid sourceDocId: there is no such doc.");
  if (content.mode === "document") return { type: "syncPage", mode: content.mode, sourceDocId };
  const { mode, sourcePageId, includeSubpages = false } = content;
  const pages = await listParts(db, sourceDocId, "page");
  if (!pages.some(({ id }) => id === sourcePageId))
    throw new HttpError(400, "Invalid sourcePageId: there is no page with that ID.");
  return { type: "syncPage", mode, sourceDocId, sourcePageId, includeSubpages };
}
