import type {
  ListedPrincipal,
  PackAccess,
  PackPermission,
} from "../../service/contract/registry/registry-models.ts";
import type { Listing } from "./listing-file.ts";
import { isKnownPrincipal, principalKey } from "./principal-key.ts";

/** A permission as the file has it. */
export type WrittenPermission = NonNullable<Listing["permissions"]>[number];

/** A permission as the registry has it. What the file does not know is kept as it is. */
export function writePermission(
  principal: ListedPrincipal,
  access: WrittenPermission["access"],
): WrittenPermission {
  if (!isKnownPrincipal(principal)) return { unknown: principal, access };
  switch (principal.type) {
    case "user":
      return { user: principal.email, access };
    case "workspace":
      return { workspace: principal.workspaceId, access };
    case "group":
      return { group: principal.groupId, access };
    case "nomosOrganization":
      return { nomosOrganization: principal.nomosOrganizationId, access };
    case "grammarlyInstitution":
      return { grammarlyInstitution: principal.grammarlyInstitutionId, access };
    case "worldwide":
      return { worldwide: true, access };
  }
}

export function readPermission(written: WrittenPermission): Omit<PackPermission, "id"> {
  return { principal: readPrincipal(written), access: written.access };
}

function readPrincipal(written: WrittenPermission): ListedPrincipal {
  if ("user" in written) return { type: "user", email: written.user };
  if ("workspace" in written) return { type: "workspace", workspaceId: written.workspace };
  if ("group" in written) return { type: "group", groupId: written.group };
  if ("nomosOrganization" in written)
    return { type: "nomosOrganization", nomosOrganizationId: written.nomosOrganization };
  if ("grammarlyInstitution" in written)
    return { type: "grammarlyInstitution", grammarlyInstitutionId: written.grammarlyInstitution };
  if ("worldwide" in written) return { type: "worldwide" };
  return written.unknown;
}

/** @param loginId the email address of a user */
export function isUser(principal: ListedPrincipal, loginId: string): boolean {
  return principalKey(principal) === principalKey({ type: "user", email: loginId });
}

export interface PermissionChanges {
  set: { permission: Omit<PackPermission, "id">; before: PackAccess | undefined }[];
  remove: PackPermission[];
  /** Changes of principals that this version does not know. */
  unknown: ListedPrincipal[];
}

/** What makes the permissions of a registry those of a file. */
export function comparePermissions(
  present: readonly PackPermission[],
  wanted: readonly Omit<PackPermission, "id">[],
): PermissionChanges {
  const find = <Item extends { principal: ListedPrincipal }>(
    items: readonly Item[],
    { principal }: { principal: ListedPrincipal },
  ) => items.find((item) => principalKey(item.principal) === principalKey(principal));
  const set = wanted.flatMap((permission) => {
    const before = find(present, permission)?.access;
    return before === permission.access ? [] : [{ permission, before }];
  });
  const remove = present.filter((permission) => find(wanted, permission) === undefined);
  const changed = [...set.map(({ permission }) => permission), ...remove];
  const unknown = changed
    .map(({ principal }) => principal)
    .filter((principal) => !isKnownPrincipal(principal));
  return { set, remove, unknown };
}
