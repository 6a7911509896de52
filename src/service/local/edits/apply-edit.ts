import type { Transaction } from "kysely";
import { findDoc, listColumns, type StoredDoc, saveDocRecord } from "../store/doc-store.ts";
import { freeSlug, mergePublication, slugOf } from "../store/publication.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { createPage, deleteContent, deletePage, type PageTarget, updatePage } from "./apply-page.ts";
import { pushButton } from "./apply-push.ts";
import { deleteRows, insertRows, type TableTarget, updateRow } from "./apply-rows.ts";
import type { Edit, OutsideWork } from "./edit.ts";

export interface AppliedEdit {
  /** What could not be applied, as one text. */
  warning: string | undefined;
  work: OutsideWork | undefined;
}

export interface EditToApply {
  docId: string;
  userId: string;
  edit: Edit;
  nowMs: number;
}

/** Applies one edit as the next snapshot of its document. */
export async function applyEdit(db: Transaction<ServiceSchema>, { docId, userId, edit, nowMs }: EditToApply): Promise<AppliedEdit> {
  if (edit.kind === "none") return { warning: edit.warning, work: undefined };
  if (edit.kind === "action" || edit.kind === "deliver") return { warning: undefined, work: edit };
  const doc = await findDoc(db, docId);
  if (doc === undefined) return { warning: "The doc was deleted before the edit was applied.", work: undefined };
  const warnings = new Set<string>();
  let seq = doc.seq;
  const targetOf = async (tableId: string): Promise<TableTarget> => ({
    db,
    snapshot: { docId, tableId, seq: ++seq },
    columns: await listColumns(db, docId, tableId),
    nowMs,
    warnings,
  });
  let work: OutsideWork | undefined;
  switch (edit.kind) {
    case "insert":
      await insertRows(await targetOf(edit.tableId), edit);
      break;
    case "update":
      await updateRow(await targetOf(edit.tableId), edit);
      break;
    case "delete":
      await deleteRows(await targetOf(edit.tableId), edit.rowIds);
      break;
    case "push":
      work = await pushButton({ doc, edit, targetOf });
      break;
    case "publish":
      await publish(db, doc, edit.settings, nowMs);
      break;
    default:
      await applyToPage({ db, docId, seq: doc.seq + 1, nowMs, author: await authorOf(db, userId), warnings }, edit);
  }
  // A snapshot of its own for what is not rows, too.
  await db
    .updateTable("docs")
    .set({ seq: Math.max(seq, doc.seq + 1), updated_at_ms: nowMs })
    .where("id", "=", docId)
    .execute();
  return { warning: warnings.size === 0 ? undefined : [...warnings].join(" "), work };
}

function applyToPage(
  target: PageTarget,
  edit: Extract<Edit, { kind: "createPage" | "updatePage" | "deletePage" | "deleteContent" }>,
): Promise<void> {
  switch (edit.kind) {
    case "createPage":
      return createPage(target, edit);
    case "updatePage":
      return updatePage(target, edit);
    case "deletePage":
      return deletePage(target, edit.pageId);
    case "deleteContent":
      return deleteContent(target, edit);
  }
}

async function publish(
  db: Transaction<ServiceSchema>,
  doc: StoredDoc,
  settings: Extract<Edit, { kind: "publish" }>["settings"],
  nowMs: number,
): Promise<void> {
  const merged = mergePublication(doc.published, settings, { slug: slugOf(doc.title), nowMs });
  await saveDocRecord(db, doc.id, { published: { ...merged, slug: await freeSlug(db, doc.id, merged.slug) } });
}

async function authorOf(db: Transaction<ServiceSchema>, userId: string): Promise<PageTarget["author"]> {
  return await db.selectFrom("users").select(["name", "email"]).where("id", "=", userId).executeTakeFirst();
}
