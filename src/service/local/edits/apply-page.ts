import type { Kysely, Transaction } from "kysely";
import type { ContentLine } from "../../../shared/markdown/line.ts";
import { insertContent, removeContent } from "../content/edit-content.ts";
import {
  findPart,
  listParts,
  listSubtree,
  nextPartPosition,
  readLines,
  type StoredPage,
  savePart,
} from "../store/doc-parts.ts";
import { listTables } from "../store/doc-store.ts";
import { changePart, deletePages } from "../store/part-history.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { raiseStructure } from "../store/versions.ts";
import type { Edit } from "./edit.ts";

export interface PageTarget {
  db: Transaction<ServiceSchema>;
  docId: string;
  /** The snapshot that the edit makes. */
  seq: number;
  nowMs: number;
  /** Who sent the edit. */
  author: { name: string; email: string } | undefined;
  warnings: Set<string>;
}

export async function createPage(
  target: PageTarget,
  edit: Extract<Edit, { kind: "createPage" }>,
): Promise<void> {
  const { db, docId, nowMs, author, warnings } = target;
  const { parentId, name, subtitle, iconName, imageUrl, source, isHidden = false } = edit.page;
  if (parentId !== undefined && (await findPart(db, docId, "page", parentId)) === undefined) {
    warnings.add("The parent page was deleted before the edit was applied.");
    return;
  }
  const position = await nextPartPosition(db, docId, "page");
  const known = {
    subtitle,
    iconName,
    imageUrl,
    parentId,
    source,
    isHidden,
    createdAtMs: nowMs,
    createdBy: author,
  };
  await changePart(target, "page", { id: edit.pageId, name, position, ...known });
  if (source === undefined) await saveLines(target, edit.pageId, edit.lines);
  if (edit.warning !== undefined) warnings.add(edit.warning);
}

export async function updatePage(
  target: PageTarget,
  edit: Extract<Edit, { kind: "updatePage" }>,
): Promise<void> {
  const { db, docId, warnings } = target;
  const page = await presentPage(target, edit.pageId);
  if (page === undefined) return;
  const { isHidden, ...changes } = edit.changes;
  const known = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  const hides = isHidden !== undefined && (!isHidden || (await canBeHidden(target, page)));
  await touch(target, { ...page, ...known, ...(hides ? { isHidden } : {}) });
  if (edit.warning !== undefined) warnings.add(edit.warning);
  if (edit.content === undefined) return;
  const lines = insertContent(await readLines(db, docId, page.id), edit.content);
  if (lines === undefined) {
    warnings.add("The page has no element with this ID; the content was not changed.");
    return;
  }
  // Tables on the page are deleted too.
  if (edit.content.mode === "replace" && edit.content.elementId === undefined)
    await dropTables(db, docId, [page.id]);
  await saveLines(target, page.id, lines);
}

export async function deletePage(target: PageTarget, pageId: string): Promise<void> {
  const { db, docId, nowMs, warnings } = target;
  const pages = await listParts(db, docId, "page");
  const ids = listSubtree(pageId, pages);
  if (ids.length === 0) warnings.add("The page was deleted before the edit was applied.");
  // Another edit may have deleted the others since this one was accepted.
  if (ids.length === pages.length) {
    warnings.add("The last page of a doc cannot be deleted.");
    return;
  }
  await deletePages(target, ids, nowMs);
  await dropTables(db, docId, ids);
}

export async function deleteContent(
  target: PageTarget,
  edit: Extract<Edit, { kind: "deleteContent" }>,
): Promise<void> {
  const page = await presentPage(target, edit.pageId);
  if (page === undefined) return;
  const current = await readLines(target.db, target.docId, page.id);
  const { lines, unknown } = removeContent(current, edit.elementIds, edit.keepsOneLine);
  if (unknown.length > 0)
    target.warnings.add("The page has no element with one of the IDs; this ID was ignored.");
  await saveLines(target, page.id, lines);
  await touch(target, page);
}

async function presentPage(
  { db, docId, warnings }: PageTarget,
  pageId: string,
): Promise<StoredPage | undefined> {
  const page = await findPart(db, docId, "page", pageId);
  if (page === undefined) warnings.add("The page was deleted before the edit was applied.");
  return page;
}

/** The only page at the top level stays visible. */
async function canBeHidden({ db, docId }: PageTarget, page: StoredPage): Promise<boolean> {
  if (page.parentId !== undefined) return true;
  return (await listParts(db, docId, "page")).some(
    ({ id, parentId }) => parentId === undefined && id !== page.id,
  );
}

async function touch(target: PageTarget, page: StoredPage): Promise<void> {
  await changePart(target, "page", {
    ...page,
    updatedAtMs: target.nowMs,
    updatedBy: target.author,
  });
}

async function saveLines(
  target: PageTarget,
  pageId: string,
  lines: readonly ContentLine[],
): Promise<void> {
  await changePart(target, "content", { id: pageId, name: "", position: 0, lines });
}

/**
 * Deletes the tables and views that pages hold, and the views of those tables on
 * other pages.
 */
export async function dropTables(
  db: Kysely<ServiceSchema>,
  docId: string,
  pageIds: readonly string[],
): Promise<void> {
  const tables = await listTables(db, docId);
  const dropped = new Set(
    tables
      .filter(({ pageId }) => pageId !== undefined && pageIds.includes(pageId))
      .map(({ id }) => id),
  );
  for (const { id, parentTableId } of tables)
    if (parentTableId !== undefined && dropped.has(parentTableId)) dropped.add(id);
  if (dropped.size > 0) await raiseStructure(db, docId);
  for (const tableId of dropped) {
    await db
      .deleteFrom("doc_tables")
      .where("doc_id", "=", docId)
      .where("id", "=", tableId)
      .execute();
    await db
      .deleteFrom("columns")
      .where("doc_id", "=", docId)
      .where("table_id", "=", tableId)
      .execute();
    // Its rows can be many: the purge removes them in pieces.
    await savePart(db, docId, "droppedTable", { id: tableId, name: "", position: 0 });
  }
}
