import { isPackError, PackError } from "../../errors.ts";
import type { PackReview } from "../../service/contract/registry/registry-models.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listAll, listVersions, unknownVersion } from "./registry-versions.ts";

const MAX_LISTED = 200;
/** Characters of the release notes that a review takes. */
const MAX_NOTES = 8_192;

export interface SubmittedReview {
  reviewId: string;
  version: string;
  /** True if the version was already waiting for a review. */
  isPending: boolean;
}

/**
 * Asks for the review of an uploaded version. It takes the place of a pending review of another
 * version. Repeating it changes nothing, also after an answer that was lost.
 * @param version an uploaded version; by default the newest
 * @throws {PackError} VERSION_UNKNOWN, USAGE_INVALID for notes that are too long, and those of the
 *   client
 */
export async function submitForReview(
  client: RegistryClient,
  packId: number,
  { version, notes }: { version?: string | undefined; notes?: string | undefined },
): Promise<SubmittedReview> {
  if (notes !== undefined && notes.length > MAX_NOTES) throw notesTooLong(notes.length);
  const chosen = await chooseVersion(client, packId, version);
  const findPending = async () =>
    (await listPending(client, packId)).find(({ packVersion }) => packVersion === chosen);
  const pending = await findPending();
  if (pending !== undefined)
    return { reviewId: pending.packReviewId, version: chosen, isPending: true };
  const { packReviewId } = await client
    .call("createPackReview", {
      path: { packId: String(packId) },
      body: { packVersion: chosen, ...(notes === undefined ? {} : { releaseNotes: notes }) },
    })
    .catch(async (error: unknown) => {
      const made = isPackError(error, "REGISTRY_UNREACHABLE") ? await findPending() : undefined;
      if (made === undefined) throw error;
      return made;
    });
  return { reviewId: packReviewId, version: chosen, isPending: false };
}

/**
 * Withdraws the pending review.
 * @returns the version that waited; undefined when none did
 * @throws {PackError} those of the client
 */
export async function withdrawReview(
  client: RegistryClient,
  packId: number,
): Promise<{ reviewId: string; version: string | undefined } | undefined> {
  const [pending] = await listPending(client, packId);
  if (pending === undefined) return undefined;
  await client.call("cancelPackReview", { path: { packId: String(packId) } });
  return { reviewId: pending.packReviewId, version: pending.packVersion };
}

async function listPending(client: RegistryClient, packId: number): Promise<PackReview[]> {
  const reviews = await listAll(MAX_LISTED, (page) =>
    client.call("listPackReviews", {
      path: { packId: String(packId) },
      query: { status: "pending", ...page },
    }),
  );
  return reviews.filter(({ packReviewStatus }) => packReviewStatus === "pending");
}

async function chooseVersion(
  client: RegistryClient,
  packId: number,
  version: string | undefined,
): Promise<string> {
  const versions = await listVersions(client, packId);
  const chosen = version ?? versions[0]?.packVersion;
  if (chosen !== undefined && versions.some(({ packVersion }) => packVersion === chosen))
    return chosen;
  throw unknownVersion(packId, version, versions);
}

function notesTooLong(length: number): PackError<"USAGE_INVALID"> {
  return new PackError(
    "USAGE_INVALID",
    `The notes have ${length} characters; a review accepts at most ${MAX_NOTES}.`,
    { details: undefined, hint: "Shorten the text of --notes." },
  );
}
