import { randomUUID } from "node:crypto";
import type { Envelope } from "../../../contract/models/model.ts";
import type {
  PackInvitation,
  PackPermission,
  RegistryUser,
} from "../../../contract/registry/registry-models.ts";
import { HttpError } from "../../api/http-error.ts";
import { listResponse } from "../../api/list-response.ts";
import { readLimit } from "../../api/request-input.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { stableId } from "../../store/ids.ts";
import { CATEGORIES } from "../../store/publication.ts";
import { getBody } from "../check-request.ts";
import { openPack } from "../pack-access.ts";
import { readMakers } from "../pack-views.ts";
import { principalKey } from "../principal-key.ts";
import {
  deletePart,
  findPart,
  listParts,
  type PartKind,
  type StoredPack,
  savePart,
} from "../registry-store.ts";

type Done = Record<string, never>;
const MAX_LIMIT = 100;
const INVITATION_MS = 30 * 24 * 3_600_000;

export async function listPackPermissions(
  call: ServiceCall,
): Promise<{ items: PackPermission[]; permissionUsers: RegistryUser[] }> {
  const pack = await openPack(call);
  const users = await call.state.storage.db
    .selectFrom("users")
    .select(["id", "name", "email"])
    .orderBy("position")
    .execute();
  const owner = users.find(({ id }) => id === pack.ownerId);
  const own = {
    id: ownerPermissionId(pack),
    principal: { type: "user", email: owner?.email ?? "" },
    access: "admin",
  } satisfies PackPermission;
  const others = await listParts(call.state.storage.db, pack.id, "permission");
  const items = [own, ...others.map(({ id, value }) => ({ id, ...value }))];
  const emails = new Set(
    items.flatMap(({ principal }) =>
      principal.type === "user" ? [principal.email.toLowerCase()] : [],
    ),
  );
  const known = users.filter(({ email }) => emails.has(email.toLowerCase()));
  return {
    items,
    permissionUsers: known.map(({ name, email }) => ({ name, loginId: email, type: "user" })),
  };
}

/** The same principal again gets the new access under the same id. */
export async function addPackPermission(call: ServiceCall): Promise<{ permissionId: string }> {
  const pack = await openPack(call, "admin");
  const { principal, access } = getBody<"addPackPermission">(call);
  const permissionId = stableId("pperm-", String(pack.id), principalKey(principal));
  await save(call, pack, "permission", permissionId, { principal, access });
  return { permissionId };
}

export async function deletePackPermission(call: ServiceCall): Promise<Done> {
  const pack = await openPack(call, "admin");
  const id = call.params["permissionId"] ?? "";
  if (id === ownerPermissionId(pack))
    throw new HttpError(403, "The permission of the owner cannot be deleted.");
  return await remove(call, pack, "permission", id, "a permission");
}

/** Only a permission that names the caller can be given up: not that of the owner, nor of a group. */
export async function leavePack(call: ServiceCall): Promise<Done> {
  const pack = await openPack(call, "view");
  const email = call.caller.email.toLowerCase();
  const permissions = await listParts(call.state.storage.db, pack.id, "permission");
  const own = permissions.find(
    ({ value: { principal } }) =>
      principal.type === "user" && principal.email.toLowerCase() === email,
  );
  if (own === undefined && pack.ownerId === call.caller.userId)
    throw new HttpError(403, "The owner of a Pack cannot leave it.");
  return await remove(call, pack, "permission", own?.id ?? "", "a permission of the user");
}

export async function listPackInvitations(call: ServiceCall): Promise<Envelope<PackInvitation>> {
  const pack = await openPack(call, "admin");
  const invitations = await listParts(call.state.storage.db, pack.id, "invitation");
  return await listResponse(call, {
    parameters: () => ({ limit: readLimit(call.query, MAX_LIMIT, 25) }),
    items: () => invitations,
    getSortKey: ({ position, id }) => [position, id],
    render: ({ value }) => value,
  });
}

export async function createPackInvitation(call: ServiceCall): Promise<{ invitationId: string }> {
  const pack = await openPack(call, "admin");
  const { email, access } = getBody<"createPackInvitation">(call);
  const known = (await listParts(call.state.storage.db, pack.id, "invitation")).find(
    ({ value }) => value.inviteeEmail.toLowerCase() === email.toLowerCase(),
  );
  const invitationId = known?.id ?? randomUUID();
  const nowMs = call.state.clock.now();
  const times = {
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + INVITATION_MS).toISOString(),
  };
  await save(call, pack, "invitation", invitationId, {
    invitationId,
    packId: pack.id,
    inviteeEmail: email,
    inviterUserId: call.caller.userId,
    access,
    ...times,
  });
  return { invitationId };
}

export async function updatePackInvitation(call: ServiceCall): Promise<Done> {
  const pack = await openPack(call, "admin");
  const { access } = getBody<"updatePackInvitation">(call);
  const found = await findPart(
    call.state.storage.db,
    pack.id,
    "invitation",
    call.params["invitationId"] ?? "",
  );
  if (found === undefined) throw createMissingError("an invitation");
  await save(call, pack, "invitation", found.id, { ...found.value, access });
  return {};
}

export async function deletePackInvitation(call: ServiceCall): Promise<Done> {
  return await remove(
    call,
    await openPack(call, "admin"),
    "invitation",
    call.params["invitationId"] ?? "",
    "an invitation",
  );
}

export async function listPackMakers(
  call: ServiceCall,
): Promise<{ makers: { name: string; loginId: string }[] }> {
  return { makers: await readMakers(call, await openPack(call)) };
}

export async function addPackMaker(call: ServiceCall): Promise<Done> {
  const pack = await openPack(call, "admin");
  const { loginId } = getBody<"addPackMaker">(call);
  const user = await call.state.storage.db
    .selectFrom("users")
    .select("email")
    .where("email", "=", loginId)
    .executeTakeFirst();
  if (user === undefined) throw new HttpError(400, "There is no user with this loginId.");
  await save(call, pack, "maker", loginId, {});
  return {};
}

export async function deletePackMaker(call: ServiceCall): Promise<Done> {
  return await remove(
    call,
    await openPack(call, "admin"),
    "maker",
    call.params["loginId"] ?? "",
    "a maker",
  );
}

export async function listPackCategories(
  call: ServiceCall,
): Promise<{ categories: { categoryId: string; categoryName: string }[] }> {
  const pack = await openPack(call);
  const categories = await listParts(call.state.storage.db, pack.id, "category");
  return { categories: categories.map(({ id }) => ({ categoryId: id, categoryName: id })) };
}

export async function addPackCategory(call: ServiceCall): Promise<Done> {
  const pack = await openPack(call);
  const { categoryName } = getBody<"addPackCategory">(call);
  if (!CATEGORIES.some((category) => category === categoryName))
    throw new HttpError(400, `Unknown category "${categoryName.slice(0, 100)}".`);
  await save(call, pack, "category", categoryName, {});
  return {};
}

export async function deletePackCategory(call: ServiceCall): Promise<Done> {
  return await remove(
    call,
    await openPack(call),
    "category",
    call.params["categoryName"] ?? "",
    "a category",
  );
}

async function save(
  call: ServiceCall,
  pack: StoredPack,
  ...part: Parameters<typeof savePart> extends [unknown, unknown, ...infer Rest] ? Rest : never
) {
  await call.state.storage.transaction((transaction) => savePart(transaction, pack.id, ...part));
}

async function remove(
  call: ServiceCall,
  pack: StoredPack,
  kind: PartKind,
  id: string,
  what: string,
): Promise<Done> {
  if (!(await deletePart(call.state.storage.db, pack.id, kind, id))) throw createMissingError(what);
  return {};
}

function createMissingError(what: string): HttpError {
  return new HttpError(404, `Could not find ${what} with the specified ID.`);
}

function ownerPermissionId({ id, ownerId }: StoredPack): string {
  return stableId("pperm-", String(id), ownerId);
}
