import * as z from "zod";
import type { AcceptedEdit, Doc, Envelope } from "../../contract/wire.ts";
import { parseBody } from "../body.ts";
import { copyDoc } from "../copy-doc.ts";
import { findDoc, listDocs as readDocs, type StoredDoc } from "../doc-store.ts";
import { HttpError } from "../http-error.ts";
import { stableId } from "../ids.ts";
import { listResponse } from "../list-response.ts";
import { booleanOf, limitOf } from "../query.ts";
import { createResources } from "../resources.ts";
import { accessTo, forbidden, openDoc, type ServiceCall } from "../service-call.ts";
import { isTimeZone } from "../time-zone.ts";

const MAX_LIMIT = 100;

export async function listDocs(call: ServiceCall): Promise<Envelope<object>> {
  const { query, caller, state } = call;
  const rendered = new Map<string, Doc>();
  return await listResponse<StoredDoc>(call, {
    parameters: () => {
      for (const name of ["isPublished", "isStarred", "inGallery"]) booleanOf(query, name);
      const texts = ["query", "sourceDoc", "workspaceId", "folderId"].map((name) => [name, query.get(name) ?? ""] as const);
      return {
        limit: limitOf(query, MAX_LIMIT, 25),
        // Decision 13: false is no filter.
        ...(booleanOf(query, "isOwner") === true ? { isOwner: true } : {}),
        ...Object.fromEntries(texts.filter(([, text]) => text !== "")),
      };
    },
    async items(parameters) {
      const visible: StoredDoc[] = [];
      for (const doc of await readDocs(state.storage.db)) {
        if (caller.docId !== undefined && caller.docId !== doc.id) continue;
        const access = await accessTo(call, doc);
        if (access === undefined || (parameters["isOwner"] === true && access !== "owner")) continue;
        if (!matches(doc, parameters)) continue;
        visible.push(doc);
        rendered.set(doc.id, await renderDoc(call, doc));
      }
      return visible;
    },
    // The last changed one comes first.
    keyOf: (doc) => [-doc.updatedAtMs, doc.id],
    render: (doc) => rendered.get(doc.id) ?? {},
  });
}

function matches(doc: StoredDoc, parameters: Readonly<Record<string, unknown>>): boolean {
  const is = (name: string, value: string | undefined) => parameters[name] === undefined || parameters[name] === value;
  const part = String(parameters["query"] ?? "").toLowerCase();
  return (
    doc.title.toLowerCase().includes(part) &&
    is("sourceDoc", doc.sourceDocId) &&
    is("workspaceId", doc.workspaceId) &&
    is("folderId", doc.folder.id)
  );
}

export async function getDoc(call: ServiceCall): Promise<Doc> {
  return await renderDoc(call, await openDoc(call));
}

const createBody = z.object({
  title: z.string().optional(),
  sourceDoc: z.string().optional(),
  timezone: z.string().refine(isTimeZone, "is not a known time zone").optional(),
  folderId: z.string().optional(),
  initialPage: z.looseObject({}).optional(),
});

/** The document exists at once; the request id can be followed like that of every other edit (decision 62). */
export async function createDoc(call: ServiceCall): Promise<Doc & AcceptedEdit> {
  const { state, caller } = call;
  if (caller.docId !== undefined) throw forbidden();
  const { db } = state.storage;
  const user = await db.selectFrom("users").select("record").where("id", "=", caller.userId).executeTakeFirstOrThrow();
  if (JSON.parse(user.record).role === "Editor") throw new HttpError(403, "Creating a doc requires the Doc Maker role.");
  const body = parseBody(createBody, call.body ?? {});
  const source = body.sourceDoc === undefined ? undefined : await openDoc({ ...call, params: { docId: body.sourceDoc } });
  const workspace = await db.selectFrom("workspaces").select("id").orderBy("position").executeTakeFirstOrThrow();
  const id = state.ids.doc();
  const nowMs = state.clock.now();
  const record = {
    timeZone: body.timezone ?? source?.timeZone ?? "UTC",
    workspaceId: workspace.id,
    folder: source?.folder ?? { id: stableId("fl-", "My docs"), name: "My docs" },
    sourceDocId: source?.id,
  };
  await state.storage.transaction(async (transaction) => {
    await transaction
      .insertInto("docs")
      .values({
        id,
        title: body.title ?? (source === undefined ? "Untitled" : `Copy of ${source.title}`),
        owner_id: caller.userId,
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
        seq: 1,
        deleted: 0,
        record: JSON.stringify(record),
      })
      .execute();
    if (source !== undefined) await copyDoc(transaction, source, id);
  });
  const requestId = await state.mutations.accept(id, caller.userId, { kind: "none" });
  const created = await findDoc(db, id);
  if (created === undefined) throw new HttpError(404, "Doc has been deleted.");
  return { ...(await renderDoc(call, created)), requestId };
}

async function renderDoc({ state, root }: ServiceCall, doc: StoredDoc): Promise<Doc> {
  const { db } = state.storage;
  const owner = await db.selectFrom("users").select(["name", "email"]).where("id", "=", doc.ownerId).executeTakeFirstOrThrow();
  const workspace = await db.selectFrom("workspaces").select("name").where("id", "=", doc.workspaceId).executeTakeFirst();
  return createResources(root).doc(doc, owner, workspace?.name ?? "");
}
