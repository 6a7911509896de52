import type { Envelope } from "../../../contract/models/model.ts";
import {
  addPermissionBody,
  publishDocBody,
  updateAclSettingsBody,
} from "../../../contract/models/requests.ts";
import type {
  AcceptedEdit,
  AclSettings,
  Done,
  Permission,
  PrincipalSearch,
  SharingMetadata,
} from "../../../contract/models/responses.ts";
import {
  deletePart,
  findPart,
  listParts,
  nextPartPosition,
  type StoredPermission,
  savePart,
} from "../../store/doc-parts.ts";
import { type StoredDoc, saveDocRecord } from "../../store/doc-store.ts";
import { stableId } from "../../store/ids.ts";
import { principalKey } from "../../store/principal.ts";
import { CATEGORIES } from "../../store/publication.ts";
import { HttpError } from "../http-error.ts";
import { listResponse } from "../list-response.ts";
import { readWorkspace } from "../memberships.ts";
import { parseCallBody, readLimit } from "../request-input.ts";
import { forbidden, type OpenDoc, openWholeDoc, type ServiceCall } from "../service-call.ts";

const MAX_LIMIT = 100;
const MAX_FOUND = 20;
const DEFAULT_SETTINGS: AclSettings = {
  allowEditorsToChangePermissions: true,
  allowCopying: true,
  allowViewersToRequestEditing: true,
};

export async function getSharingMetadata(call: ServiceCall): Promise<SharingMetadata> {
  const doc = await openWholeDoc(call);
  const { isEnterprise = false } = await readWorkspace(call.state.storage.db);
  const canShare = mayShare(doc);
  const isMember = call.caller.isMember;
  return {
    canShare,
    canShareWithWorkspace: canShare && isMember,
    canShareWithOrg: canShare && isMember && isEnterprise,
    canCopy: mayCopy(doc),
  };
}

export async function getPermissions(call: ServiceCall): Promise<Envelope<Permission>> {
  const doc = await openWholeDoc(call);
  const permissions = [
    await ownerPermission(call, doc),
    ...(await listParts(call.state.storage.db, doc.id, "permission")),
  ];
  const { groups = [] } = await readWorkspace(call.state.storage.db);
  return await listResponse(call, {
    parameters: () => ({ limit: readLimit(call.query, MAX_LIMIT, 25) }),
    items: () => permissions,
    getSortKey: ({ position, id }) => [position, id],
    render: ({ id, access, principal }): Permission => {
      const group =
        principal.type === "group"
          ? groups.find((each) => each.id === principal.groupId)
          : undefined;
      return {
        id,
        access,
        principal:
          group === undefined
            ? principal
            : ({ ...principal, groupName: group.name } as typeof principal),
      };
    },
  });
}

/** The same principal again gets the new access under the same id. */
export async function addPermission(call: ServiceCall): Promise<Done> {
  const doc = await openSharable(call);
  const { access, principal } = parseCallBody(call, addPermissionBody);
  const { db } = call.state.storage;
  const { id: workspaceId, groups = [] } = await readWorkspace(db);
  if (principal.type === "group" && !groups.some(({ id }) => id === principal.groupId))
    throw new HttpError(400, "Invalid groupId: there is no such group.");
  if (principal.type === "workspace" && principal.workspaceId !== workspaceId)
    throw new HttpError(400, "Invalid workspaceId: there is no such workspace.");
  const id = stableId("perm-", doc.id, principalKey(principal));
  if (id === (await ownerPermission(call, doc)).id) return {};
  await call.state.storage.transaction(async (transaction) => {
    const known = await findPart(transaction, doc.id, "permission", id);
    const position = known?.position ?? (await nextPartPosition(transaction, doc.id, "permission"));
    await savePart(transaction, doc.id, "permission", {
      id,
      name: principalKey(principal),
      position,
      access,
      principal,
    });
  });
  return {};
}

export async function deletePermission(call: ServiceCall): Promise<Done> {
  const doc = await openSharable(call);
  const id = call.params["permissionId"] ?? "";
  if (id === (await ownerPermission(call, doc)).id)
    throw new HttpError(403, "The permission of the owner cannot be deleted.");
  const isDeleted = await call.state.storage.transaction((transaction) =>
    deletePart(transaction, doc.id, "permission", id),
  );
  if (!isDeleted) throw new HttpError(404, "Could not find a permission with the specified ID.");
  return {};
}

/** Without a text, the result is empty. */
export async function searchPrincipals(call: ServiceCall): Promise<PrincipalSearch> {
  await openWholeDoc(call);
  const text = call.query.get("query")?.trim().toLowerCase() ?? "";
  if (text === "") return { users: [], groups: [] };
  const { db } = call.state.storage;
  const users = await db
    .selectFrom("users")
    .select(["name", "email"])
    .orderBy("position")
    .execute();
  const { groups = [] } = await readWorkspace(db);
  return {
    users: users
      .filter(
        ({ name, email }) =>
          name.toLowerCase().includes(text) || email.toLowerCase().includes(text),
      )
      .slice(0, MAX_FOUND)
      .map(({ name, email }) => ({ name, loginId: email, type: "user" })),
    groups: groups
      .filter(({ name }) => name.toLowerCase().includes(text))
      .slice(0, MAX_FOUND)
      .map(({ id, name }) => ({ type: "group", groupId: id, groupName: name })),
  };
}

export async function getAclSettings(call: ServiceCall): Promise<AclSettings> {
  return getSettings(await openWholeDoc(call));
}

export async function updateAclSettings(call: ServiceCall): Promise<AclSettings> {
  const doc = await openSharable(call);
  const changes = parseCallBody(call, updateAclSettingsBody);
  const given = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  const settings = { ...getSettings(doc), ...given };
  await call.state.storage.transaction((transaction) =>
    saveDocRecord(transaction, doc.id, { settings }),
  );
  return settings;
}

/** @throws {HttpError} 403 for a caller who may not share the document */
export async function openSharable(call: ServiceCall): Promise<OpenDoc> {
  const doc = await openWholeDoc(call);
  if (!mayShare(doc)) throw forbidden();
  return doc;
}

export function mayCopy(doc: OpenDoc): boolean {
  return doc.access === "owner" || doc.access === "write" || getSettings(doc).allowCopying;
}

function mayShare(doc: OpenDoc): boolean {
  return (
    doc.access === "owner" ||
    (doc.access === "write" && getSettings(doc).allowEditorsToChangePermissions)
  );
}

function getSettings({ settings }: StoredDoc): AclSettings {
  return { ...DEFAULT_SETTINGS, ...settings };
}

/** The owner has a permission, too, which is not stored. */
async function ownerPermission({ state }: ServiceCall, doc: StoredDoc): Promise<StoredPermission> {
  const { email } = await state.storage.db
    .selectFrom("users")
    .select("email")
    .where("id", "=", doc.ownerId)
    .executeTakeFirstOrThrow();
  const principal = { type: "email", email } as const;
  return {
    id: stableId("perm-", doc.id, principalKey(principal)),
    name: email,
    position: -1,
    access: "write",
    principal,
  };
}

export async function listCategories(): Promise<{ items: { name: string }[] }> {
  return { items: CATEGORIES.map((name) => ({ name })) };
}

export async function publishDoc(call: ServiceCall): Promise<AcceptedEdit> {
  const doc = await openSharable(call);
  const settings = parseCallBody(call, publishDocBody);
  const unknown = settings.categoryNames?.find(
    (name) => !CATEGORIES.some((category) => category === name),
  );
  if (unknown !== undefined)
    throw new HttpError(400, `Unknown category "${unknown.slice(0, 100)}".`);
  return {
    requestId: await call.state.edits.accept(doc.id, call.caller.userId, {
      kind: "publish",
      settings,
    }),
  };
}

export async function unpublishDoc(call: ServiceCall): Promise<Done> {
  const doc = await openSharable(call);
  await call.state.storage.transaction((transaction) =>
    saveDocRecord(transaction, doc.id, { published: undefined }),
  );
  return {};
}
