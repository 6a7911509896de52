import { publishDocBody } from "../../../contract/models/requests.ts";
import type { AcceptedEdit } from "../../../contract/models/responses.ts";
import { saveDocRecord } from "../../store/doc-store.ts";
import { CATEGORIES } from "../../store/publication.ts";
import { parseCallBody } from "../body.ts";
import { HttpError } from "../http-error.ts";
import type { ServiceCall } from "../service-call.ts";
import { openSharable } from "./sharing.ts";

export async function listCategories(): Promise<{ items: { name: string }[] }> {
  return { items: CATEGORIES.map((name) => ({ name })) };
}

export async function publishDoc(call: ServiceCall): Promise<AcceptedEdit> {
  const doc = await openSharable(call);
  const settings = parseCallBody(call, publishDocBody, {});
  const unknown = settings.categoryNames?.find((name) => !CATEGORIES.some((category) => category === name));
  // Decision 89.
  if (unknown !== undefined) throw new HttpError(400, `Unknown category "${unknown.slice(0, 100)}".`);
  return { requestId: await call.state.mutations.accept(doc.id, call.caller.userId, { kind: "publish", settings }) };
}

export async function unpublishDoc(call: ServiceCall): Promise<object> {
  const doc = await openSharable(call);
  await call.state.storage.transaction((transaction) => saveDocRecord(transaction, doc.id, { published: undefined }));
  return {};
}
