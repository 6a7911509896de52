import type { AcceptedEdit } from "../../contract/wire.ts";
import { listParts } from "../doc-parts.ts";
import { HttpError } from "../http-error.ts";
import { openDoc, requireWriteAccess, type ServiceCall } from "../service-call.ts";

/** Accepts the trigger; a rule has no steps that the local service could run. */
export async function triggerWebhookAutomation(call: ServiceCall): Promise<AcceptedEdit> {
  const doc = await openDoc(call);
  requireWriteAccess(doc);
  if (call.body !== undefined && (typeof call.body !== "object" || call.body === null || Array.isArray(call.body)))
    throw new HttpError(400, "The request body must be a JSON object.");
  const rules = await listParts(call.state.storage.db, doc.id, "automation");
  const rule = rules.find(({ id }) => id === call.params["ruleId"]);
  if (rule === undefined) throw new HttpError(404, "Could not find an automation with the specified ID.");
  if (!rule.enabled) throw new HttpError(422, "The automation is disabled.");
  return { requestId: await call.state.mutations.accept(doc.id, call.caller.userId, { kind: "none" }) };
}
