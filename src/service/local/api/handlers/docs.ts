import type { Transaction } from "kysely";
import * as z from "zod";
import { isTimeZone } from "../../../../shared/time.ts";
import type { Envelope } from "../../../contract/models/model.ts";
import { createDocBody, updateDocBody } from "../../../contract/models/requests.ts";
import type { AcceptedEdit, Doc, Done } from "../../../contract/models/responses.ts";
import { copyDoc, copyRows } from "../../edits/copy-doc.ts";
import { findDoc, type StoredDoc, saveDocRecord } from "../../store/doc-store.ts";
import { stableId } from "../../store/ids.ts";
import {
  type DocFilter,
  findFolder,
  readDocCounts,
  listDocs as readDocs,
} from "../../store/list-docs.ts";
import { renderPublication } from "../../store/publication.ts";
import type { ServiceSchema } from "../../store/schema.ts";
import { renewService } from "../../store/versions.ts";
import { HttpError } from "../http-error.ts";
import { listResponse } from "../list-response.ts";
import { readMemberships, readWorkspace } from "../memberships.ts";
import { parseCallBody, readBoolean, readLimit } from "../request-input.ts";
import { createResources } from "../resources.ts";
import {
  forbidden,
  type OpenDoc,
  openDoc,
  openWholeDoc,
  requireDocMaker,
  requireWriteAccess,
  type ServiceCall,
} from "../service-call.ts";
import { newPageEdit } from "./pages.ts";
import { mayCopy } from "./sharing.ts";

const MAX_LIMIT = 100;
const HOME = "My docs";

export async function listDocs(call: ServiceCall): Promise<Envelope<Doc>> {
  const { query, caller, state } = call;
  const { db, engine } = state.storage;
  return await listResponse<RenderedDoc, Doc>(call, {
    parameters: () => {
      const isStarred = readBoolean(query, "isStarred");
      const texts = ["query", "sourceDoc", "workspaceId", "folderId"].map(
        (name) => [name, query.get(name) ?? ""] as const,
      );
      // False does not filter, except for stars.
      const flags = ["isOwner", "isPublished", "inGallery"].filter(
        (name) => readBoolean(query, name) === true,
      );
      return {
        limit: readLimit(query, MAX_LIMIT, 25),
        ...Object.fromEntries(flags.map((name) => [name, true])),
        ...(isStarred === undefined ? {} : { isStarred }),
        ...Object.fromEntries(texts.filter(([, text]) => text !== "")),
      };
    },
    async items(parameters, _seq, page) {
      const user = { ...(await readMemberships(db, caller)), userId: caller.userId };
      const filter: DocFilter = { ...parameters, docId: caller.docId };
      return await renderDocs(call, await readDocs(db, engine, user, filter, page));
    },
    // The latest change comes first.
    getSortKey: ({ doc }) => [-doc.updatedAtMs, doc.id],
    render: ({ shown }) => shown,
  });
}

export async function getDoc(call: ServiceCall): Promise<Doc> {
  return await renderDoc(call, await openDoc(call));
}

// The time zones that this machine knows.
const createBody = createDocBody.extend({
  timezone: z.string().refine(isTimeZone, "is not a known time zone").optional(),
});

/**
 * The document exists at once. Its first page is created by the edit whose request id is returned.
 */
export async function createDoc(call: ServiceCall): Promise<Doc & AcceptedEdit> {
  const { state, caller } = call;
  if (caller.docId !== undefined) throw forbidden();
  const { db } = state.storage;
  const workspace = await readWorkspace(db);
  const promoted = createPromotion(call, workspace);
  const body = parseCallBody(call, createBody, {});
  const source = body.sourceDoc === undefined ? undefined : await openSource(call, body.sourceDoc);
  if (source !== undefined && !mayCopy(source)) throw forbidden();
  const id = state.ids.doc();
  // A copy has the pages of its source.
  const page =
    source !== undefined && body.initialPage === undefined
      ? ({ kind: "none" } as const)
      : await newPageEdit(call, source?.id ?? id, body.initialPage ?? {});
  const record = {
    timeZone: body.timezone ?? source?.timeZone ?? "UTC",
    workspaceId: workspace.id,
    folder:
      body.folderId === undefined
        ? { id: stableId("fl-", HOME), name: HOME }
        : await requireFolder(call, body.folderId),
    sourceDocId: source?.id,
    iconName: source?.iconName,
  };
  const rows = source === undefined ? undefined : await copyRows(state.storage, source, id);
  const requestId = await state.edits.accept(id, caller.userId, page, async (transaction) => {
    await promoted?.(transaction);
    const nowMs = state.clock.now();
    const title = body.title ?? (source === undefined ? "Untitled" : `Copy of ${source.title}`);
    await transaction
      .insertInto("docs")
      .values({
        id,
        title,
        search_title: title.toLowerCase(),
        owner_id: caller.userId,
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
        seq: 1,
        deleted: 0,
        purged_seq: 1,
        structure: 0,
        record: JSON.stringify(record),
      })
      .execute();
    if (source !== undefined && rows !== undefined) await copyDoc(transaction, source, id, rows);
  });
  const created = await findDoc(db, id);
  if (created === undefined) throw new HttpError(404, "Doc has been deleted.");
  return { ...(await renderDoc(call, created)), requestId };
}

/** The document that is copied, with the edits of it that are due. */
async function openSource(call: ServiceCall, docId: string): Promise<OpenDoc> {
  await call.state.edits.pump({ docId });
  return await openDoc({ ...call, params: { docId } });
}

/**
 * Creating a doc requires a Doc Maker. If the workspace lets any member create docs, an Editor
 * becomes a Doc Maker, and a user
 * with an address of one of its domains joins it.
 */
function createPromotion(
  { caller }: ServiceCall,
  {
    anyMemberMayCreateDocs = false,
    autoJoinDomains = [],
  }: Awaited<ReturnType<typeof readWorkspace>>,
): ((transaction: Transaction<ServiceSchema>) => Promise<void>) | undefined {
  if (caller.isMember && caller.role !== "Editor") return undefined;
  const joins = autoJoinDomains.some((domain) =>
    caller.email.toLowerCase().endsWith(`@${domain.toLowerCase()}`),
  );
  if (!anyMemberMayCreateDocs || (!caller.isMember && !joins))
    throw new HttpError(403, "Creating a doc requires the Doc Maker role.");
  return async (transaction) => {
    const role = caller.role === "Editor" ? "DocMaker" : caller.role;
    await transaction
      .updateTable("users")
      .set({ record: JSON.stringify({ role, isMember: true }) })
      .where("id", "=", caller.userId)
      .execute();
    await renewService(transaction);
  };
}

/** Folders are those that documents are in. @throws {HttpError} 400 for another one */
async function requireFolder(call: ServiceCall, folderId: string): Promise<StoredDoc["folder"]> {
  const { db, engine } = call.state.storage;
  const home = { id: stableId("fl-", HOME), name: HOME };
  const known = folderId === home.id ? home : await findFolder(db, engine, folderId);
  if (known === undefined) throw new HttpError(400, "Invalid folderId: there is no such folder.");
  return known;
}

export async function updateDoc(call: ServiceCall): Promise<Done> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  const { title, iconName } = parseCallBody(call, updateDocBody);
  if (title !== undefined) requireDocMaker(call, "Changing the title of a doc");
  await call.state.storage.transaction(async (transaction) => {
    if (iconName !== undefined) await saveDocRecord(transaction, doc.id, { iconName });
    await transaction
      .updateTable("docs")
      .set({
        updated_at_ms: call.state.clock.now(),
        ...(title === undefined ? {} : { title, search_title: title.toLowerCase() }),
      })
      .where("id", "=", doc.id)
      .execute();
  });
  return {};
}

/** Only the owner may. The answer has no request id: there is nothing to follow. */
export async function deleteDoc(call: ServiceCall): Promise<Done> {
  const doc = await openWholeDoc(call);
  if (doc.access !== "owner") throw forbidden();
  await call.state.storage.db
    .updateTable("docs")
    .set({ deleted: 1, updated_at_ms: call.state.clock.now() })
    .where("id", "=", doc.id)
    .execute();
  return {};
}

async function renderDoc(call: ServiceCall, doc: StoredDoc): Promise<Doc> {
  const [rendered] = await renderDocs(call, [doc]);
  if (rendered === undefined) throw new HttpError(404, "Doc has been deleted.");
  return rendered.shown;
}

interface RenderedDoc {
  doc: StoredDoc;
  shown: Doc;
}

async function renderDocs(
  { state, root }: ServiceCall,
  docs: readonly StoredDoc[],
): Promise<RenderedDoc[]> {
  if (docs.length === 0) return [];
  const { db } = state.storage;
  const ownerIds = [...new Set(docs.map(({ ownerId }) => ownerId))];
  const [owners, counts, workspace] = await Promise.all([
    db.selectFrom("users").select(["id", "name", "email"]).where("id", "in", ownerIds).execute(),
    readDocCounts(
      db,
      docs.map(({ id }) => id),
    ),
    readWorkspace(db),
  ]);
  const resources = createResources(root);
  const asObjects = state.settings.dialect === "public";
  return docs.map((doc) => {
    const owner = owners.find(({ id }) => id === doc.ownerId) ?? { name: "", email: "" };
    const { rows = 0, tables = 0, baseTables = 0, pages = 0 } = counts.get(doc.id) ?? {};
    const docSize = {
      totalRowCount: rows,
      tableAndViewCount: tables,
      pageCount: pages,
      overApiSizeLimit: false,
      baseTableCount: baseTables,
    };
    const published =
      doc.published === undefined
        ? {}
        : { published: renderPublication(resources.origin, doc.published, asObjects) };
    return { doc, shown: { ...resources.doc(doc, owner, workspace), docSize, ...published } };
  });
}
