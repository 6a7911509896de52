import { randomUUID } from "node:crypto";
import type { Envelope } from "../../../contract/models/model.ts";
import type { ListingDraft, PackReview } from "../../../contract/registry/registry-models.ts";
import type { RegistryResponse } from "../../../contract/registry/registry-operations.ts";
import { HttpError } from "../../api/http-error.ts";
import { listResponse } from "../../api/list-response.ts";
import { readLimit } from "../../api/request-input.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { stableId } from "../../store/ids.ts";
import { getBody } from "../check-request.ts";
import { openPack } from "../pack-access.ts";
import { deletePart, findPart, listParts, savePart } from "../registry-store.ts";
import { findVersion } from "./versions.ts";

const DRAFT = "draft";
const MAX_LIMIT = 100;

export async function getPackListingDraft(call: ServiceCall): Promise<ListingDraft> {
  const pack = await openPack(call);
  return (await findPart(call.state.storage.db, pack.id, "draft", DRAFT))?.value ?? {};
}

export async function setPackListingDraft(
  call: ServiceCall,
): Promise<RegistryResponse<"setPackListingDraft">> {
  const pack = await openPack(call);
  const { listingData } = getBody<"setPackListingDraft">(call);
  const draft = { packListingDraftId: stableId("pdraft-", String(pack.id)), listingData };
  await call.state.storage.transaction((transaction) =>
    savePart(transaction, pack.id, "draft", DRAFT, draft),
  );
  return { packId: pack.id, ...draft };
}

export async function deletePackListingDraft(call: ServiceCall): Promise<Record<string, never>> {
  const pack = await openPack(call);
  await deletePart(call.state.storage.db, pack.id, "draft", DRAFT);
  return {};
}

export async function listPackReviews(call: ServiceCall): Promise<Envelope<PackReview>> {
  const pack = await openPack(call);
  const reviews = (await listParts(call.state.storage.db, pack.id, "review")).reverse();
  return await listResponse(call, {
    parameters: () => ({
      limit: readLimit(call.query, MAX_LIMIT, 25),
      status: call.query.get("status") ?? "",
    }),
    items: ({ status }) =>
      reviews.filter(({ value }) => status === "" || value.packReviewStatus === status),
    getSortKey: ({ position, id }) => [-position, id],
    render: ({ value }) => value,
  });
}

/** A new review takes the place of the pending one. Nobody reviews here: it stays pending. */
export async function createPackReview(call: ServiceCall): Promise<{ packReviewId: string }> {
  const pack = await openPack(call);
  const { packVersion } = getBody<"createPackReview">(call);
  if (packVersion !== undefined) await findVersion(call, pack.id, packVersion);
  const packReviewId = randomUUID();
  const submissionTimestamp = new Date(call.state.clock.now()).toISOString();
  await call.state.storage.transaction(async (transaction) => {
    for (const { id, value } of await listParts(transaction, pack.id, "review"))
      if (value.packReviewStatus === "pending")
        await savePart(transaction, pack.id, "review", id, {
          ...value,
          packReviewStatus: "superseded",
        });
    const review: PackReview = {
      packReviewId,
      packId: pack.id,
      submittedByUserId: call.caller.userId,
      packReviewStatus: "pending",
      submissionTimestamp,
      ...(packVersion === undefined ? {} : { packVersion }),
    };
    await savePart(transaction, pack.id, "review", packReviewId, review);
  });
  return { packReviewId };
}

export async function cancelPackReview(call: ServiceCall): Promise<Record<string, never>> {
  const pack = await openPack(call);
  const pending = (await listParts(call.state.storage.db, pack.id, "review")).find(
    ({ value }) => value.packReviewStatus === "pending",
  );
  if (pending === undefined) throw new HttpError(404, "No review is pending.");
  const review: PackReview = { ...pending.value, packReviewStatus: "canceled" };
  await call.state.storage.transaction((transaction) =>
    savePart(transaction, pack.id, "review", pending.id, review),
  );
  return {};
}

export async function getPackConfigurationSchema(
  call: ServiceCall,
): Promise<Record<string, unknown>> {
  await openPack(call);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    additionalProperties: false,
  };
}
