import type { Envelope, Page } from "../../contract/wire.ts";
import { listParts, type StoredPage } from "../doc-parts.ts";
import { findByIdOrName } from "../doc-store.ts";
import { HttpError } from "../http-error.ts";
import { listResponse } from "../list-response.ts";
import { limitOf } from "../query.ts";
import { createResources, isoTime } from "../resources.ts";
import { openDoc, type ServiceCall } from "../service-call.ts";

const MAX_LIMIT = 100;

export async function listPages(call: ServiceCall): Promise<Envelope<object>> {
  const { id: docId } = await openDoc(call);
  const pages = await listParts(call.state.storage.db, docId, "page");
  return await listResponse(call, {
    parameters: () => ({ limit: limitOf(call.query, MAX_LIMIT, 25) }),
    items: () => pages,
    keyOf: ({ position, id }) => [position, id],
    render: (page) => renderPage(call, docId, page, pages),
  });
}

export async function getPage(call: ServiceCall): Promise<Page> {
  const { id: docId } = await openDoc(call);
  const pages = await listParts(call.state.storage.db, docId, "page");
  const page = findByIdOrName(pages, call.params["pageIdOrName"] ?? "");
  if (page === undefined) throw new HttpError(404, "Could not find a page with the specified ID or name.");
  return renderPage(call, docId, page, pages);
}

function renderPage({ root }: ServiceCall, docId: string, page: StoredPage, pages: readonly StoredPage[]): Page {
  const resources = createResources(root);
  const above = ancestorsOf(page, pages);
  const [parent] = above;
  return {
    ...resources.page(docId, page),
    isHidden: page.isHidden,
    isEffectivelyHidden: [page, ...above].some(({ isHidden }) => isHidden),
    children: pages.filter(({ parentId }) => parentId === page.id).map((child) => resources.page(docId, child)),
    contentType: "canvas",
    ...(page.subtitle === undefined ? {} : { subtitle: page.subtitle }),
    ...(parent === undefined ? {} : { parent: resources.page(docId, parent) }),
    createdAt: isoTime(page.createdAtMs),
    updatedAt: isoTime(page.createdAtMs),
  };
}

/** The pages above, the nearest first. A circle in a seed ends where it closes. */
function ancestorsOf(page: StoredPage, pages: readonly StoredPage[]): StoredPage[] {
  const above: StoredPage[] = [];
  for (let at = parentOf(page, pages); at !== undefined && at !== page && !above.includes(at); at = parentOf(at, pages)) above.push(at);
  return above;
}

function parentOf({ parentId }: StoredPage, pages: readonly StoredPage[]): StoredPage | undefined {
  return pages.find(({ id }) => id === parentId);
}
