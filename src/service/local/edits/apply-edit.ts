import type { Transaction } from "kysely";
import type { StoredColumn } from "../content/column.ts";
import { findDoc, listColumns, type StoredDoc, saveDocRecord } from "../store/doc-store.ts";
import { freeSlug, mergePublication, slugOf } from "../store/publication.ts";
import type { ServiceSchema } from "../store/schema.ts";
import {
  createPage,
  deleteContent,
  deletePage,
  type PageTarget,
  updatePage,
} from "./apply-page.ts";
import { pushButton } from "./apply-push.ts";
import { applyRows, type TableTarget } from "./apply-rows.ts";
import type { Edit, OutsideWork } from "./edit.ts";
import { DELETED_DOC } from "./finish-edits.ts";
import type { WarnedEdit } from "./plan-rows.ts";

export interface AppliedEdit {
  /** What could not be applied, as one text. */
  warning: string | undefined;
  work: OutsideWork | undefined;
}

export interface EditToApply {
  userId: string;
  edit: Edit;
  nowMs: number;
}

/** The edits of one document that one transaction applies. */
export interface EditBatch {
  /**
   * Applies edits as the next snapshot: one of any kind, or several that are applied together
   * (`runsOf`).
   * @returns what became of each
   */
  apply(edits: readonly EditToApply[]): Promise<AppliedEdit[]>;
  /** Stores which snapshot the document has now. */
  finish(): Promise<void>;
}

export function beginBatch(
  db: Transaction<ServiceSchema>,
  { engine, indexes }: Pick<TableTarget, "engine" | "indexes">,
  docId: string,
): EditBatch {
  let doc: Promise<StoredDoc | undefined> | undefined;
  let columnsOf = new Map<string, StoredColumn[]>();
  let seq: number | undefined;
  let updatedAtMs = 0;
  const readColumns = async (tableId: string) => {
    const columns = columnsOf.get(tableId) ?? (await listColumns(db, docId, tableId));
    columnsOf.set(tableId, columns);
    return columns;
  };
  const apply: EditBatch["apply"] = async (edits) => {
    const [first] = edits;
    if (first === undefined) return [];
    const { userId, edit, nowMs } = first;
    if (edit.kind === "none") return [{ warning: edit.warning, work: undefined }];
    if (edit.kind === "action" || edit.kind === "deliver")
      return [{ warning: undefined, work: edit }];
    doc ??= findDoc(db, docId);
    const found = await doc;
    if (found === undefined)
      return edits.map(() => ({
        warning: DELETED_DOC,
        work: undefined,
      }));
    if (edits.length > 1 && "tableId" in edit) {
      const columns = await readColumns(edit.tableId);
      // An edit can name a row that the one before it adds.
      if (columns.some(({ lookupTableId }) => lookupTableId === edit.tableId))
        return await applyEach(edits);
    }
    const warned = edits.map((each) => ({ edit: each.edit, warnings: new Set<string>() }));
    const warnings = warned[0]?.warnings ?? new Set();
    const before = seq ?? found.seq;
    let reached = before;
    const targetOf = async (tableId: string): Promise<TableTarget> => ({
      db,
      engine,
      indexes,
      columns: await readColumns(tableId),
      timeZone: found.timeZone,
      snapshot: { docId, tableId, seq: ++reached },
      nowMs,
    });
    let work: OutsideWork | undefined;
    switch (edit.kind) {
      case "insert":
      case "update":
      case "delete":
        await applyRows(await targetOf(edit.tableId), warned as WarnedEdit[]);
        break;
      case "push":
        work = await pushButton({ doc: { ...found, seq: before }, edit, warnings, targetOf });
        break;
      default:
        if (edit.kind === "publish") await publish(db, found, edit.settings, nowMs);
        else
          await applyToPage(
            { db, docId, seq: before + 1, nowMs, author: await authorOf(db, userId), warnings },
            edit,
          );
        // Such edits change what was read: tables go with their page.
        doc = undefined;
        columnsOf = new Map();
    }
    // A snapshot of its own for what is not rows, too.
    seq = Math.max(reached, before + 1);
    updatedAtMs = nowMs;
    return warned.map((each) => ({
      warning: each.warnings.size === 0 ? undefined : [...each.warnings].join(" "),
      work,
    }));
  };
  const applyEach: EditBatch["apply"] = async (edits) => {
    const outcomes: AppliedEdit[] = [];
    for (const each of edits) outcomes.push(...(await apply([each])));
    return outcomes;
  };
  return {
    apply,
    async finish() {
      if (seq === undefined) return;
      await db
        .updateTable("docs")
        .set({ seq, updated_at_ms: updatedAtMs })
        .where("id", "=", docId)
        .execute();
    },
  };
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
  await saveDocRecord(db, doc.id, {
    published: { ...merged, slug: await freeSlug(db, doc.id, merged.slug) },
  });
}

async function authorOf(
  db: Transaction<ServiceSchema>,
  userId: string,
): Promise<PageTarget["author"]> {
  return await db
    .selectFrom("users")
    .select(["name", "email"])
    .where("id", "=", userId)
    .executeTakeFirst();
}
