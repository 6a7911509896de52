import { PACK_ACCESS, type PackAccess } from "../../contract/registry/registry-models.ts";
import { HttpError } from "../api/http-error.ts";
import { readMemberships } from "../api/memberships.ts";
import { forbidden, type ServiceCall } from "../api/service-call.ts";
import { findPack, listParts, type StoredPack } from "./registry-store.ts";

/**
 * The Pack of a request.
 * @throws {HttpError} 404 for a Pack that the caller cannot see, 403 for one that the caller may
 *   not use in this way
 */
export async function openPack(
  call: ServiceCall,
  needed: PackAccess = "edit",
): Promise<StoredPack> {
  requireUnscoped(call);
  const text = call.params["packId"] ?? "";
  const pack = /^\d{1,9}$/.test(text)
    ? await findPack(call.state.storage.db, Number(text))
    : undefined;
  const access = pack === undefined ? "none" : await findAccess(call, pack);
  if (pack === undefined || access === "none")
    throw new HttpError(404, "Could not find a Pack with the specified ID.");
  if (!reaches(access, needed))
    throw new HttpError(403, `This operation requires ${needed} access to the Pack.`);
  return pack;
}

/** A token for one document does not reach Packs. @throws {HttpError} 403 */
export function requireUnscoped({ caller }: ServiceCall): void {
  if (caller.docId !== undefined || caller.tableId !== undefined) throw forbidden();
}

export function reaches(access: PackAccess, needed: PackAccess): boolean {
  return PACK_ACCESS.indexOf(access) >= PACK_ACCESS.indexOf(needed);
}

/** What the caller may do: the most that a permission gives. The owner may do everything. */
export async function findAccess(
  { state, caller }: ServiceCall,
  pack: StoredPack,
): Promise<PackAccess> {
  if (pack.ownerId === caller.userId) return "admin";
  const { db } = state.storage;
  const { groupIds, workspaceIds } = await readMemberships(db, caller);
  const granted = (await listParts(db, pack.id, "permission")).flatMap(
    ({ value: { principal, access } }) => {
      const applies =
        principal.type === "worldwide" ||
        (principal.type === "user" &&
          principal.email.toLowerCase() === caller.email.toLowerCase()) ||
        (principal.type === "workspace" && workspaceIds.includes(principal.workspaceId)) ||
        (principal.type === "group" && groupIds.includes(principal.groupId));
      return applies ? [access] : [];
    },
  );
  return PACK_ACCESS.findLast((access) => granted.includes(access)) ?? "none";
}
