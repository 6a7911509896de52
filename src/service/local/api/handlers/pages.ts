import { isListStyle, plainText } from "../../../../shared/markdown/line.ts";
import type { Envelope, Page, PageContentItem } from "../../../contract/wire.ts";
import { listParts, type StoredPage } from "../../store/doc-parts.ts";
import { ancestorsOf } from "../../store/page-tree.ts";
import { partsAt } from "../../store/part-history.ts";
import { HttpError } from "../http-error.ts";
import { listResponse } from "../list-response.ts";
import { choiceOf, limitOf } from "../query.ts";
import { createResources, isoTime } from "../resources.ts";
import { findNamed, openWholeDoc, type ServiceCall } from "../service-call.ts";

const MAX_LIMIT = 100;
const MAX_CONTENT_LIMIT = 500;
/** How long a deleted page is known to have been there (decision 70). */
const GONE_MS = 24 * 60 * 60_000;

export async function listPages(call: ServiceCall): Promise<Envelope<object>> {
  const { id: docId, seq: latest } = await openWholeDoc(call);
  let pages: StoredPage[] = [];
  return await listResponse(call, {
    seq: latest,
    parameters: () => ({ limit: limitOf(call.query, MAX_LIMIT, 25) }),
    items: async (_parameters, seq) => {
      pages = await partsAt(call.state.storage.db, { docId, kind: "page", seq });
      return pages;
    },
    keyOf: ({ position, id }) => [position, id],
    render: (page) => renderPage(call, docId, page, pages),
  });
}

export async function getPage(call: ServiceCall): Promise<Page> {
  const { id: docId } = await openWholeDoc(call);
  const { page, pages } = await findPage(call, docId);
  return renderPage(call, docId, page, pages);
}

export async function listPageContent(call: ServiceCall): Promise<Envelope<object>> {
  const { id: docId, seq: latest } = await openWholeDoc(call);
  const { page } = await findPage(call, docId);
  const positions = new Map<string, number>();
  return await listResponse(call, {
    seq: latest,
    parameters: () => {
      choiceOf(call.query, "contentFormat", ["plainText"]);
      return { limit: limitOf(call.query, MAX_CONTENT_LIMIT, 50), contentFormat: "plainText" };
    },
    items: async (_parameters, seq) => {
      const [part] = await partsAt(call.state.storage.db, { docId, kind: "content", seq, id: page.id });
      const lines = part?.lines ?? [];
      for (const [at, { id }] of lines.entries()) positions.set(id, at);
      return lines;
    },
    keyOf: ({ id }) => [positions.get(id) ?? 0, id],
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

/** The page of the path. @throws {HttpError} 410 for one that was deleted a short time ago, else 404 (decision 70) */
export async function findPage(call: ServiceCall, docId: string): Promise<{ page: StoredPage; pages: StoredPage[] }> {
  const { storage, clock } = call.state;
  const wanted = call.params["pageIdOrName"] ?? "";
  const pages = await listParts(storage.db, docId, "page");
  const page = findNamed(call, pages, wanted);
  if (page !== undefined) return { page, pages };
  const deleted = await listParts(storage.db, docId, "deletedPage");
  const isGone = deleted.some(({ id, name, deletedAtMs }) => (id === wanted || name === wanted) && clock.now() - deletedAtMs <= GONE_MS);
  throw isGone ? new HttpError(410, "Page has been deleted.") : new HttpError(404, "Could not find a page with the specified ID or name.");
}

function renderPage({ root }: ServiceCall, docId: string, page: StoredPage, pages: readonly StoredPage[]): Page {
  const resources = createResources(root);
  const above = ancestorsOf(page, pages);
  const [parent] = above;
  const { subtitle, iconName, imageUrl, createdBy, updatedBy = createdBy } = page;
  const people = [createdBy, updatedBy].flatMap((person) => (person === undefined ? [] : [personValue(person)]));
  const [author, editor] = people;
  return {
    ...resources.page(docId, page),
    isHidden: page.isHidden,
    isEffectivelyHidden: [page, ...above].some(({ isHidden }) => isHidden),
    children: pages.filter(({ parentId }) => parentId === page.id).map((child) => resources.page(docId, child)),
    contentType: page.source?.type ?? "canvas",
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(iconName === undefined ? {} : { icon: resources.icon(iconName) }),
    ...(imageUrl === undefined ? {} : { image: { browserLink: imageUrl, type: imageTypeOf(imageUrl), width: 0, height: 0 } }),
    ...(parent === undefined ? {} : { parent: resources.page(docId, parent) }),
    ...(author === undefined ? {} : { authors: [...new Map(people.map((person) => [person.email, person])).values()], createdBy: author }),
    createdAt: isoTime(page.createdAtMs),
    updatedAt: isoTime(page.updatedAtMs ?? page.createdAtMs),
    ...(editor === undefined ? {} : { updatedBy: editor }),
  };
}

function personValue({ name, email }: { name: string; email: string }) {
  return { "@context": "http://schema.org/", "@type": "Person", name, email };
}

function imageTypeOf(url: string): string {
  const extension = /\.(png|jpe?g|gif|webp|svg)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "png";
  return `image/${{ jpg: "jpeg", svg: "svg+xml" }[extension] ?? extension}`;
}
