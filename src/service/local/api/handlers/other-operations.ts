import type { AcceptedEdit, MutationStatus, User } from "../../../contract/models/responses.ts";
import { findPart } from "../../store/doc-parts.ts";
import { encodeSegment } from "../encode-segment.ts";
import { HttpError } from "../http-error.ts";
import { readWorkspace } from "../memberships.ts";
import { createResources } from "../resources.ts";
import { openWholeDoc, requireWriteAccess, type ServiceCall } from "../service-call.ts";

export async function whoami({ state, caller, root }: ServiceCall): Promise<User> {
  return {
    name: caller.name,
    loginId: caller.email,
    type: "user",
    href: `${root}/users/${encodeSegment(caller.userId)}`,
    scoped: !caller.canRead || !caller.canWrite || caller.docId !== undefined,
    tokenName: caller.tokenName,
    workspace: createResources(root).workspace(await readWorkspace(state.storage.db)),
  };
}

export async function getMutationStatus({
  state,
  caller,
  params,
}: ServiceCall): Promise<MutationStatus> {
  const status = await state.edits.findStatus(params["requestId"] ?? "", caller.userId);
  if (status === undefined)
    throw new HttpError(404, "No request was found with the given id, or it has expired.");
  return status;
}

/**
 * Accepts the trigger. A rule of the seed with an address on this machine delivers what was sent
 * there.
 */
export async function triggerWebhookAutomation(call: ServiceCall): Promise<AcceptedEdit> {
  const doc = await openWholeDoc(call);
  requireWriteAccess(doc);
  const payload = call.body === undefined ? {} : call.body;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    throw new HttpError(400, "The request body must be a JSON object.");
  const rule = await findPart(
    call.state.storage.db,
    doc.id,
    "automation",
    call.params["ruleId"] ?? "",
  );
  if (rule === undefined)
    throw new HttpError(404, "Could not find an automation with the specified ID.");
  if (!rule.enabled) throw new HttpError(422, "The automation is disabled.");
  const { trigger = "webhook", deliverTo } = rule;
  if (trigger !== "webhook") throw new HttpError(422, "A webhook cannot start this automation.");
  const edit =
    deliverTo === undefined
      ? ({ kind: "none" } as const)
      : ({ kind: "deliver", url: deliverTo, payload, ruleId: rule.id } as const);
  return { requestId: await call.state.edits.accept(doc.id, call.caller.userId, edit) };
}
