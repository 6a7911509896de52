import type { Envelope } from "../../../contract/models/model.ts";
import type { PackSummary, UpdatePackBody } from "../../../contract/registry/registry-models.ts";
import { HttpError } from "../../api/http-error.ts";
import { type ListParameters, listResponse } from "../../api/list-response.ts";
import { readWorkspace } from "../../api/memberships.ts";
import { readBoolean, readChoice, readLimit } from "../../api/request-input.ts";
import { requireDocMaker, type ServiceCall } from "../../api/service-call.ts";
import { getBody } from "../check-request.ts";
import { findAccess, openPack, requireUnscoped } from "../pack-access.ts";
import { readListedSummary, readSummary } from "../pack-views.ts";
import type { StoredImage, StoredListing, StoredPack } from "../registry-store.ts";
import * as store from "../registry-store.ts";

const MAX_LIMIT = 100;
const SORTS = ["title", "createdAt", "updatedAt"] as const;

export async function listPacks(call: ServiceCall): Promise<Envelope<PackSummary>> {
  requireUnscoped(call);
  const { state, query } = call;
  const reachable: { pack: StoredPack; summary: PackSummary }[] = [];
  const parameters = () => ({
    limit: readLimit(query, MAX_LIMIT, 25),
    accessTypes: query.get("accessTypes") ?? query.get("accessType") ?? "edit,admin",
    sortBy: readChoice(query, "sortBy", SORTS) ?? "createdAt",
    direction: readChoice(query, "direction", ["ascending", "descending"]) ?? "ascending",
    workspaceId: query.get("onlyWorkspaceId") ?? "",
    parentWorkspaceIds: query.get("parentWorkspaceIds") ?? "",
    entrypoint: query.get("packEntrypoint") ?? "",
    isPrivate: readBoolean(query, "excludePublicPacks") === true,
  });
  return await listResponse(call, {
    parameters,
    async items(wanted) {
      const accessTypes = String(wanted["accessTypes"]).split(",");
      for (const pack of await store.listPacks(state.storage.db)) {
        // Whether a higher access is meant too is not known, so each is asked for by its name.
        if (!accessTypes.includes(await findAccess(call, pack)) || !isIn(pack, wanted)) continue;
        if (wanted["isPrivate"] === true && (await isPublic(call, pack))) continue;
        const summary = await readListedSummary(call, pack);
        reachable.push({ pack, summary });
      }
      const getSortKey = ({ pack, summary }: (typeof reachable)[number]) =>
        wanted["sortBy"] === "title"
          ? summary.name.toLowerCase()
          : wanted["sortBy"] === "updatedAt"
            ? pack.updatedAtMs
            : pack.id;
      reachable.sort((one, other) =>
        getSortKey(one) < getSortKey(other)
          ? -1
          : getSortKey(one) > getSortKey(other)
            ? 1
            : one.pack.id - other.pack.id,
      );
      return wanted["direction"] === "descending" ? reachable.reverse() : reachable;
    },
    // The place in the order, because it may go up or down.
    getSortKey: (item) => [reachable.indexOf(item), ""],
    render: ({ summary }) => summary,
  });
}

/** Whether a Pack is in the workspaces, and made for the products, that a list is limited to. */
function isIn({ listing }: StoredPack, wanted: ListParameters): boolean {
  const isWorkspace = (ids: unknown) =>
    ids === "" || String(ids).split(",").includes(listing.workspaceId);
  const entrypoints: readonly string[] = listing.packEntrypoints ?? ["docs"];
  return (
    isWorkspace(wanted["workspaceId"]) &&
    isWorkspace(wanted["parentWorkspaceIds"]) &&
    (wanted["entrypoint"] === "" || entrypoints.includes(String(wanted["entrypoint"])))
  );
}

async function isPublic({ state }: ServiceCall, { id }: StoredPack): Promise<boolean> {
  const permissions = await store.listParts(state.storage.db, id, "permission");
  return permissions.some(({ value }) => value.principal.type === "worldwide");
}

export async function createPack(call: ServiceCall): Promise<{ packId: number }> {
  requireUnscoped(call);
  requireDocMaker(call, "Creating a Pack");
  const { state, caller } = call;
  const { workspaceId, name, description, sourcePackId } = getBody<"createPack">(call);
  const workspace = await readWorkspace(state.storage.db);
  if (workspaceId !== undefined && workspaceId !== workspace.id)
    throw new HttpError(400, "Could not find a workspace with the specified ID.");
  const source =
    typeof sourcePackId === "number" ? await openSource(call, sourcePackId) : undefined;
  const nowMs = state.clock.now();
  const listing: StoredListing = {
    shortDescription: "",
    ...source?.listing,
    name: name ?? source?.listing.name ?? "Untitled",
    description: description ?? source?.listing.description ?? "",
    workspaceId: workspace.id,
  };
  const packId = await state.storage.transaction(async (transaction) => {
    const id = await store.insertPack(transaction, {
      ownerId: caller.userId,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      listing,
    });
    await store.savePart(transaction, id, "maker", caller.email, {});
    return id;
  });
  return { packId };
}

/** @throws {HttpError} 400: the operation declares no 404 */
async function openSource(call: ServiceCall, sourcePackId: number): Promise<StoredPack> {
  try {
    return await openPack({ ...call, params: { packId: String(sourcePackId) } }, "view");
  } catch (error) {
    if (error instanceof HttpError && error.status === 404)
      throw new HttpError(400, "Could not find the Pack to copy.");
    throw error;
  }
}

export async function getPack(call: ServiceCall): Promise<PackSummary> {
  return await readSummary(call, await openPack(call));
}

export async function updatePack(call: ServiceCall): Promise<PackSummary> {
  const pack = await openPack(call);
  const changes = getBody<"updatePack">(call);
  const images = await readImages(call, pack.id, changes);
  const { logo: _, cover: __, exampleImages: ___, agentImages: ____, ...plain } = changes;
  const { overallRateLimit, perConnectionRateLimit, packEntrypoints, ...texts } = plain;
  // A member that is null goes; one that is not there stays as it is.
  const given = {
    ...texts,
    ...images,
    ...withoutNull({ overallRateLimit, perConnectionRateLimit, packEntrypoints }),
  };
  const listing = {
    ...pack.listing,
    ...Object.fromEntries(Object.entries(given).filter(([name]) => name in changes)),
  };
  const updated = { ...pack, listing, updatedAtMs: call.state.clock.now() };
  await call.state.storage.transaction((transaction) => store.savePack(transaction, updated));
  return await readSummary(call, updated);
}

export async function deletePack(call: ServiceCall): Promise<Record<string, never>> {
  const { id } = await openPack(call, "admin");
  await call.state.storage.transaction((transaction) => store.deletePack(transaction, id));
  return {};
}

function withoutNull(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value ?? undefined]),
  );
}

async function readImages(
  call: ServiceCall,
  packId: number,
  changes: UpdatePackBody,
): Promise<Partial<StoredListing>> {
  const image = async (given: StoredImage | null | undefined) => {
    if (given === null || given === undefined) return undefined;
    const asset = await store.findPart(call.state.storage.db, packId, "asset", given.assetId);
    if (asset === undefined)
      throw new HttpError(
        400,
        `There is no uploaded image with the id ${given.assetId.slice(0, 100)}.`,
      );
    return { ...given, mimeType: asset.value.mimeType };
  };
  const images = async (given: readonly StoredImage[] | null | undefined) =>
    given === null || given === undefined
      ? undefined
      : ((await Promise.all(given.map(image))) as StoredImage[]);
  return {
    logo: await image(changes.logo),
    cover: await image(changes.cover),
    exampleImages: await images(changes.exampleImages),
    agentImages: await images(changes.agentImages),
  };
}
