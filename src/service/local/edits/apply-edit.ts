import type { Transaction } from "kysely";
import type { StoredColumn } from "../content/column.ts";
import { findDoc, listColumns, type StoredDoc, saveDocRecord } from "../store/doc-store.ts";
import { createSlug, freeSlug, mergePublication } from "../store/publication.ts";
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
   * (`splitIntoRuns`).
   * @returns what became of each
   */
  apply(edits: readonly EditToApply[]): Promise<AppliedEdit[]>;
  /** Stores which snapshot the document has now. */
  finish(): Promise<void>;
}

/** A document while edits of it are applied in one transaction. */
interface BatchState extends Pick<TableTarget, "db" | "engine" | "indexes"> {
  docId: string;
  /** Read once; undefined before that, and after an edit that changes it. */
  doc: StoredDoc | undefined;
  columns: Map<string, StoredColumn[]>;
  /** The snapshot after the last edit; undefined before the first one. */
  seq: number | undefined;
  updatedAtMs: number;
}

export function beginBatch(
  db: Transaction<ServiceSchema>,
  { engine, indexes }: Pick<TableTarget, "engine" | "indexes">,
  docId: string,
): EditBatch {
  const columns = new Map<string, StoredColumn[]>();
  const place = { db, engine, indexes, docId };
  const state: BatchState = { ...place, doc: undefined, columns, seq: undefined, updatedAtMs: 0 };
  return {
    apply: (edits) => applyEdits(state, edits),
    async finish() {
      if (state.seq === undefined) return;
      await db
        .updateTable("docs")
        .set({ seq: state.seq, updated_at_ms: state.updatedAtMs })
        .where("id", "=", docId)
        .execute();
    },
  };
}

async function applyEdits(
  state: BatchState,
  edits: readonly EditToApply[],
): Promise<AppliedEdit[]> {
  const [first] = edits;
  if (first === undefined) return [];
  const { edit, nowMs } = first;
  if (edit.kind === "none") return [{ warning: edit.warning, work: undefined }];
  if (edit.kind === "action" || edit.kind === "deliver")
    return [{ warning: undefined, work: edit }];
  state.doc ??= await findDoc(state.db, state.docId);
  const { doc } = state;
  if (doc === undefined) return edits.map(() => ({ warning: DELETED_DOC, work: undefined }));
  if (edits.length > 1 && "tableId" in edit && (await refersToItself(state, edit.tableId)))
    return await applyEach(state, edits);
  const before = state.seq ?? doc.seq;
  // A snapshot of its own for what is not rows, too.
  state.seq = before + 1;
  state.updatedAtMs = nowMs;
  const warned = edits.map((each) => ({ edit: each.edit, warnings: new Set<string>() }));
  const work = await applyKind(state, { ...doc, seq: before }, first, warned);
  return warned.map(({ warnings }) => ({
    warning: warnings.size === 0 ? undefined : [...warnings].join(" "),
    work,
  }));
}

async function applyEach(state: BatchState, edits: readonly EditToApply[]): Promise<AppliedEdit[]> {
  const outcomes: AppliedEdit[] = [];
  for (const each of edits) outcomes.push(...(await applyEdits(state, [each])));
  return outcomes;
}

/** Whether an edit of a table can name a row that the one before it adds. */
async function refersToItself(state: BatchState, tableId: string): Promise<boolean> {
  const columns = await readColumns(state, tableId);
  return columns.some(({ lookupTableId }) => lookupTableId === tableId);
}

/** Applies edits of one kind to a document as it is before them. */
async function applyKind(
  state: BatchState,
  doc: StoredDoc,
  { userId, edit, nowMs }: EditToApply,
  warned: { edit: Edit; warnings: Set<string> }[],
): Promise<OutsideWork | undefined> {
  const { db, engine, indexes, docId } = state;
  const warnings = warned[0]?.warnings ?? new Set();
  let reached = doc.seq;
  const readTarget = async (tableId: string): Promise<TableTarget> => {
    const columns = await readColumns(state, tableId);
    state.seq = ++reached;
    const snapshot = { docId, tableId, seq: reached };
    return { db, engine, indexes, columns, timeZone: doc.timeZone, snapshot, nowMs };
  };
  switch (edit.kind) {
    case "insert":
    case "update":
    case "delete":
      await applyRows(await readTarget(edit.tableId), warned as WarnedEdit[]);
      return undefined;
    case "push":
      return await pushButton({ doc, edit, warnings, readTarget });
    case "publish":
      await publish(db, doc, edit.settings, nowMs);
      break;
    case "createPage":
    case "updatePage":
    case "deletePage":
    case "deleteContent": {
      const author = await findAuthor(db, userId);
      await applyToPage({ db, docId, seq: doc.seq + 1, nowMs, author, warnings }, edit);
    }
  }
  // Such edits change what was read: tables go with their page.
  state.doc = undefined;
  state.columns.clear();
  return undefined;
}

async function readColumns(
  { db, docId, columns }: BatchState,
  tableId: string,
): Promise<StoredColumn[]> {
  const known = columns.get(tableId) ?? (await listColumns(db, docId, tableId));
  columns.set(tableId, known);
  return known;
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
  const merged = mergePublication(doc.published, settings, { slug: createSlug(doc.title), nowMs });
  await saveDocRecord(db, doc.id, {
    published: { ...merged, slug: await freeSlug(db, doc.id, merged.slug) },
  });
}

async function findAuthor(
  db: Transaction<ServiceSchema>,
  userId: string,
): Promise<PageTarget["author"]> {
  return await db
    .selectFrom("users")
    .select(["name", "email"])
    .where("id", "=", userId)
    .executeTakeFirst();
}
