import type { Envelope } from "../../../contract/models/model.ts";
import type { PackRelease } from "../../../contract/registry/registry-models.ts";
import { HttpError } from "../../api/http-error.ts";
import { listResponse } from "../../api/list-response.ts";
import { readLimit } from "../../api/request-input.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { getBody } from "../check-request.ts";
import { openPack } from "../pack-access.ts";
import {
  findPart,
  inPackTransaction,
  listParts,
  nextPosition,
  savePart,
} from "../registry-store.ts";
import { compareVersions } from "../version-order.ts";
import { findVersion } from "./versions.ts";

const MAX_LIMIT = 100;

export async function createPackRelease(call: ServiceCall): Promise<PackRelease> {
  const pack = await openPack(call);
  const { packVersion, releaseNotes = "" } = getBody<"createPackRelease">(call);
  const { value } = await findVersion(call, pack.id, packVersion);
  const createdAt = new Date(call.state.clock.now()).toISOString();
  return await inPackTransaction(call.state.storage, pack.id, async (transaction) => {
    const current = (await listParts(transaction, pack.id, "release")).at(-1)?.value.packVersion;
    if (current !== undefined && compareVersions(packVersion, current) <= 0)
      throw new HttpError(
        400,
        `Version ${packVersion} is not newer than ${current}, the current release.`,
      );
    const releaseId = await nextPosition(transaction, pack.id, "release");
    const release = {
      packId: pack.id,
      releaseId,
      packVersion,
      releaseNotes,
      createdAt,
      sdkVersion: value.sdkVersion,
    };
    await savePart(transaction, pack.id, "release", String(releaseId), release);
    return release;
  });
}

export async function listPackReleases(call: ServiceCall): Promise<Envelope<PackRelease>> {
  const pack = await openPack(call);
  const releases = (await listParts(call.state.storage.db, pack.id, "release")).reverse();
  return await listResponse(call, {
    parameters: () => ({ limit: readLimit(call.query, MAX_LIMIT, 25) }),
    items: () => releases,
    // The newest is first.
    getSortKey: ({ position, id }) => [-position, id],
    render: ({ value }) => value,
  });
}

export async function updatePackRelease(call: ServiceCall): Promise<PackRelease> {
  const pack = await openPack(call);
  const { releaseNotes } = getBody<"updatePackRelease">(call);
  const found = await findPart(
    call.state.storage.db,
    pack.id,
    "release",
    call.params["packReleaseId"] ?? "",
  );
  if (found === undefined)
    throw new HttpError(404, "Could not find a release with the specified ID.");
  const release = { ...found.value, ...(releaseNotes === undefined ? {} : { releaseNotes }) };
  await call.state.storage.transaction((transaction) =>
    savePart(transaction, pack.id, "release", found.id, release),
  );
  return release;
}
