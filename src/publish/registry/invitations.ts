import { isPackError, PackError } from "../../errors.ts";
import type {
  OwnInvitation,
  PackInvitation,
} from "../../service/contract/registry/registry-models.ts";
import type { OwnInvitationSummary } from "./own-invitation.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listAll } from "./registry-versions.ts";

const MAX_LISTED = 200;

/** What an invitation can give: everything but `none`. */
export type InvitationAccess = Exclude<PackInvitation["access"], "none">;

export interface Invited {
  invitationId: string;
  /** `changed`: the invitation had another access before. */
  outcome: "invited" | "changed" | "unchanged";
}

/**
 * Invites someone to a Pack. Repeating it changes nothing, also after an answer that was lost.
 * @throws {PackError} those of the client
 */
export async function invite(
  client: RegistryClient,
  packId: number,
  { email, access }: { email: string; access: InvitationAccess },
): Promise<Invited> {
  const path = { packId: String(packId) };
  const pending = await findInvitation(client, packId, email);
  if (pending !== undefined) {
    const { invitationId } = pending;
    if (pending.access === access) return { invitationId, outcome: "unchanged" };
    await client.call("updatePackInvitation", {
      path: { ...path, invitationId },
      body: { access },
    });
    return { invitationId, outcome: "changed" };
  }
  const { invitationId } = await client
    .call("createPackInvitation", { path, body: { email, access } })
    .catch(async (error: unknown) => {
      const made = await findInvitation(client, packId, email).catch(() => undefined);
      if (made === undefined) throw error;
      return made;
    });
  return { invitationId, outcome: "invited" };
}

/**
 * Withdraws the pending invitation of someone.
 * @returns false when there is none
 * @throws {PackError} those of the client
 */
export async function withdrawInvitation(
  client: RegistryClient,
  packId: number,
  email: string,
): Promise<boolean> {
  const pending = await findInvitation(client, packId, email);
  if (pending === undefined) return false;
  const path = { packId: String(packId), invitationId: pending.invitationId };
  await client.call("deletePackInvitation", { path });
  return true;
}

/** The invitations of the user of the token that wait for a reply. */
export async function listOwnInvitations(client: RegistryClient): Promise<OwnInvitationSummary[]> {
  const items = await listAll(MAX_LISTED, (query) =>
    client.call("listOwnPackInvitations", { query }),
  );
  return items.map(describeInvitation);
}

/**
 * Accepts or declines an invitation.
 * @param id of the invitation, or of its Pack
 * @throws {PackError} INVITATION_UNKNOWN, and those of the client
 */
export async function replyToInvitation(
  client: RegistryClient,
  id: string,
  accept: boolean,
): Promise<OwnInvitationSummary> {
  const invitations = await listOwnInvitations(client);
  const invitation = invitations.find(
    ({ invitationId, packId }) => invitationId === id || String(packId) === id,
  );
  if (invitation === undefined) throw unknownInvitation(client, id, invitations);
  const { invitationId } = invitation;
  try {
    await client.call("replyToPackInvitation", { path: { invitationId }, body: { accept } });
  } catch (error) {
    if (!isPackError(error, "REGISTRY_UNREACHABLE")) throw error;
    // The reply may have arrived although its answer was lost: then the invitation is gone.
    const pending = await listOwnInvitations(client);
    if (pending.some((each) => each.invitationId === invitationId)) throw error;
  }
  return invitation;
}

/**
 * Gives up the access of the user of the token to a Pack.
 * @returns false when there is no such Pack for the user (any more)
 * @throws {PackError} those of the client
 */
export async function leavePack(client: RegistryClient, packId: number): Promise<boolean> {
  try {
    await client.call("leavePack", { path: { packId: String(packId) } });
    return true;
  } catch (error) {
    // Also the answer to a repeated request whose first answer was lost.
    const { cause } = error as { cause?: { status?: unknown } };
    if (isPackError(error) && cause?.status === 404) return false;
    throw error;
  }
}

async function findInvitation(
  client: RegistryClient,
  packId: number,
  email: string,
): Promise<PackInvitation | undefined> {
  const invitations = await listAll(MAX_LISTED, (query) =>
    client.call("listPackInvitations", { path: { packId: String(packId) }, query }),
  );
  return invitations.find(({ inviteeEmail }) => inviteeEmail.toLowerCase() === email.toLowerCase());
}

function describeInvitation({
  invitation: { invitationId, packId, access, expiresAt },
  pack,
  makers,
  networkDomains,
}: OwnInvitation): OwnInvitationSummary {
  const emails = makers.map(({ loginId }) => loginId);
  return {
    invitationId,
    packId,
    packName: pack.name,
    access,
    expiresAt,
    makers: emails,
    networkDomains,
  };
}

function unknownInvitation(
  { registry }: RegistryClient,
  id: string,
  invitations: readonly OwnInvitationSummary[],
): PackError<"INVITATION_UNKNOWN"> {
  const known = invitations.map(({ packId, packName }) => `${packId} (${packName})`);
  return new PackError(
    "INVITATION_UNKNOWN",
    `There is no invitation ${id.slice(0, 60)} for you at ${registry.origin}.`,
    {
      details: { invitation: id },
      hint:
        known.length === 0
          ? "You have no pending invitation. Ask the sender for a new invitation."
          : `You have invitations to: ${known.join(", ")}. Run packsmith config invitations to list them.`,
    },
  );
}
