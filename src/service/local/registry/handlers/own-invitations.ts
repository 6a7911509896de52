import type { Envelope } from "../../../contract/models/model.ts";
import type { OwnInvitation } from "../../../contract/registry/registry-models.ts";
import type { RegistryResponse } from "../../../contract/registry/registry-operations.ts";
import { HttpError } from "../../api/http-error.ts";
import { listResponse } from "../../api/list-response.ts";
import { readLimit } from "../../api/request-input.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { stableId } from "../../store/ids.ts";
import { getBody } from "../check-request.ts";
import { requireUnscoped } from "../pack-access.ts";
import { readListedSummary, readMakers, readNetworkDomains } from "../pack-views.ts";
import { principalKey } from "../principal-key.ts";
import {
  deletePart,
  findPack,
  inPackTransaction,
  listPartsOfAllPacks,
  type Part,
  savePart,
} from "../registry-store.ts";

const MAX_LIMIT = 100;

type StoredInvitation = Part<"invitation"> & { packId: number };

/** The invitations of the caller that wait for a reply. */
export async function listOwnPackInvitations(call: ServiceCall): Promise<Envelope<OwnInvitation>> {
  requireUnscoped(call);
  return await listResponse(call, {
    parameters: () => ({ limit: readLimit(call.query, MAX_LIMIT, 25) }),
    items: async () =>
      await Promise.all((await findOwnInvitations(call)).map((each) => render(call, each))),
    getSortKey: ({ invitation: { packId, invitationId } }) => [packId, invitationId],
    render: (item) => item,
  });
}

/** Accepting gives the access of the invitation; the invitation is gone either way. */
export async function replyToPackInvitation(
  call: ServiceCall,
): Promise<RegistryResponse<"replyToPackInvitation">> {
  requireUnscoped(call);
  const { accept } = getBody<"replyToPackInvitation">(call);
  const invitation = (await findOwnInvitations(call)).find(
    ({ id }) => id === call.params["invitationId"],
  );
  if (invitation === undefined)
    throw new HttpError(404, "Could not find an invitation with the specified ID.");
  const { packId, id, value } = invitation;
  return await inPackTransaction(call.state.storage, packId, async (transaction) => {
    await deletePart(transaction, packId, "invitation", id);
    if (!accept) return {};
    const principal = { type: "user", email: value.inviteeEmail } as const;
    const permissionId = stableId("pperm-", String(packId), principalKey(principal));
    const permission = { principal, access: value.access };
    await savePart(transaction, packId, "permission", permissionId, permission);
    return { permissionId };
  });
}

async function findOwnInvitations({ state, caller }: ServiceCall): Promise<StoredInvitation[]> {
  const nowMs = state.clock.now();
  const invitations = await listPartsOfAllPacks(state.storage.db, "invitation");
  return invitations.filter(
    ({ value }) =>
      value.inviteeEmail.toLowerCase() === caller.email.toLowerCase() &&
      Date.parse(value.expiresAt) > nowMs,
  );
}

async function render(
  call: ServiceCall,
  { packId, value: invitation }: StoredInvitation,
): Promise<OwnInvitation> {
  const pack = await findPack(call.state.storage.db, packId);
  if (pack === undefined) throw new HttpError(404, "Could not find a Pack with the specified ID.");
  return {
    invitation,
    pack: await readListedSummary(call, pack),
    makers: await readMakers(call, pack),
    networkDomains: await readNetworkDomains(call, pack),
  };
}
