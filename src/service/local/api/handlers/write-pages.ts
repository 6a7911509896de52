import type * as z from "zod";
import { createPageBody, deletePageContentBody, updatePageBody } from "../../../contract/models/requests.ts";
import type { PageEdited } from "../../../contract/models/responses.ts";
import { withIds } from "../../content/edit-content.ts";
import type { Edit } from "../../edits/edit.ts";
import { subtreeOf } from "../../store/page-tree.ts";
import { parseCallBody } from "../body.ts";
import { HttpError } from "../http-error.ts";
import { openWholeDoc, requireDocMaker, requireWriteAccess, type ServiceCall } from "../service-call.ts";
import { readCanvas, readNewPage } from "./page-body.ts";
import { findPage } from "./pages.ts";

/** The page is there once the edit is applied (decision 54). */
export async function createPage(call: ServiceCall): Promise<PageEdited> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  requireDocMaker(call, "Creating a page");
  const edit = await newPageEdit(call, doc.id, parseCallBody(call, createPageBody, {}));
  return await accept(call, doc.id, edit.pageId, edit);
}

export async function newPageEdit(call: ServiceCall, docId: string, body: z.infer<typeof createPageBody>) {
  const { ids } = call.state;
  const { page, lines, warning } = await readNewPage(call, docId, body);
  return { kind: "createPage", pageId: ids.page(), page, lines: withIds(lines, ids.element), warning } as const;
}

export async function updatePage(call: ServiceCall): Promise<PageEdited> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  const { contentUpdate, ...changes } = parseCallBody(call, updatePageBody, {});
  if (changes.name !== undefined || changes.iconName !== undefined) requireDocMaker(call, "Changing the title or icon of a page");
  const { page } = await findPage(call, doc.id);
  if (contentUpdate === undefined) return await accept(call, doc.id, page.id, { kind: "updatePage", pageId: page.id, changes });
  requireCanvas(page.source?.type, "Only the content of canvas pages can be updated.");
  const { lines, warning } = readCanvas(contentUpdate.canvasContent);
  const { insertionMode: mode, elementId } = contentUpdate;
  const content = { mode, elementId, lines: withIds(lines, call.state.ids.element) };
  return await accept(call, doc.id, page.id, { kind: "updatePage", pageId: page.id, changes, content, warning });
}

/** What is below a page goes with it; a document keeps at least one page (decision 69). */
export async function deletePage(call: ServiceCall): Promise<PageEdited> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  const { page, pages } = await findPage(call, doc.id);
  if (subtreeOf(page.id, pages).length === pages.length) throw new HttpError(400, "The last page of a doc cannot be deleted.");
  return await accept(call, doc.id, page.id, { kind: "deletePage", pageId: page.id });
}

/** Without ids the whole content goes. */
export async function deletePageContent(call: ServiceCall): Promise<PageEdited> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  const { elementIds = [] } = parseCallBody(call, deletePageContentBody, {});
  const { page } = await findPage(call, doc.id);
  requireCanvas(page.source?.type, "Only the content of canvas pages can be deleted.");
  const keepsOneLine = call.state.settings.dialect === "public";
  return await accept(call, doc.id, page.id, { kind: "deleteContent", pageId: page.id, elementIds, keepsOneLine });
}

/** @throws {HttpError} 400 (decisions 75 and 79) */
export function requireCanvas(type: string | undefined, message: string): void {
  if (type !== undefined) throw new HttpError(400, message);
}

async function accept({ state, caller }: ServiceCall, docId: string, id: string, edit: Edit): Promise<PageEdited> {
  return { requestId: await state.mutations.accept(docId, caller.userId, edit), id };
}
