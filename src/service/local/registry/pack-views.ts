import { type PackSummary, packUpload } from "../../contract/registry/registry-models.ts";
import type { ServiceCall } from "../api/service-call.ts";
import type { StoredImage, StoredPack } from "./registry-store.ts";
import * as store from "./registry-store.ts";
import { fileUrl } from "./upload-store.ts";

/** The listing of a Pack, with addresses of its images. */
export async function readSummary(
  call: ServiceCall,
  { id, listing }: StoredPack,
): Promise<PackSummary> {
  const { db } = call.state.storage;
  const { logo, cover, exampleImages, agentImages, ...texts } = listing;
  const categories = (await store.listParts(db, id, "category")).map((part) => ({
    categoryId: part.id,
    categoryName: part.id,
  }));
  const createUrl = async ({ assetId }: StoredImage) => {
    const asset = await store.findPart(db, id, "asset", assetId);
    return asset === undefined ? "" : fileUrl(call, asset.value.fileId, asset.value.mimeType);
  };
  const withUrls = async (images: readonly StoredImage[]) =>
    await Promise.all(
      images.map(async (image) => ({ ...image, imageUrl: await createUrl(image) })),
    );
  return {
    id,
    ...texts,
    categories,
    ...(logo === undefined ? {} : { logoUrl: await createUrl(logo) }),
    ...(cover === undefined ? {} : { coverUrl: await createUrl(cover) }),
    ...(exampleImages === undefined ? {} : { exampleImages: await withUrls(exampleImages) }),
    ...(agentImages === undefined ? {} : { agentImages: await withUrls(agentImages) }),
  };
}

/** The same as an item of a list, which has no limits. */
export async function readListedSummary(call: ServiceCall, pack: StoredPack): Promise<PackSummary> {
  const {
    overallRateLimit: _,
    perConnectionRateLimit: __,
    ...summary
  } = await readSummary(call, pack);
  return summary;
}

export async function readMakers(
  { state }: ServiceCall,
  { id: packId }: StoredPack,
): Promise<{ name: string; loginId: string }[]> {
  const users = await state.storage.db.selectFrom("users").select(["name", "email"]).execute();
  const makers = await store.listParts(state.storage.db, packId, "maker");
  return makers.map(({ id }) => ({
    name: users.find(({ email }) => email === id)?.name ?? id,
    loginId: id,
  }));
}

/** The domains of the newest version; none without a version. */
export async function readNetworkDomains(
  { state }: ServiceCall,
  pack: StoredPack,
): Promise<string[]> {
  const { db } = state.storage;
  const newest = (await store.listParts(db, pack.id, "version")).at(-1);
  const bytes = newest === undefined ? undefined : await store.readFile(db, newest.value.fileId);
  if (bytes === undefined) return [];
  const { metadata } = packUpload.parse(JSON.parse(bytes.toString("utf8")));
  const { networkDomains } = metadata;
  return Array.isArray(networkDomains) ? networkDomains.map(String) : [];
}
