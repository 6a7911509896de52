import * as z from "zod";
import type { AcceptedEdit } from "../../contract/wire.ts";
import { parseCallBody } from "../body.ts";
import { saveDocRecord } from "../doc-store.ts";
import { HttpError } from "../http-error.ts";
import { CATEGORIES, PUBLISH_MODES } from "../publication.ts";
import type { ServiceCall } from "../service-call.ts";
import { openSharable } from "./sharing.ts";

const publishBody = z.object({
  slug: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,99}$/u, "must be letters, digits and dashes")
    .optional(),
  discoverable: z.boolean().optional(),
  earnCredit: z.boolean().optional(),
  categoryNames: z.array(z.string()).optional(),
  mode: z.enum(PUBLISH_MODES).optional(),
});

export async function listCategories(): Promise<{ items: { name: string }[] }> {
  return { items: CATEGORIES.map((name) => ({ name })) };
}

export async function publishDoc(call: ServiceCall): Promise<AcceptedEdit> {
  const doc = await openSharable(call);
  const settings = parseCallBody(call, publishBody, {});
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
