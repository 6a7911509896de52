import { isPackError } from "../../errors.ts";
import { isRecord } from "../../shared/values.ts";
import type { RegistryClient } from "../registry/registry-client.ts";
import type { Listing } from "./listing-file.ts";

type FeaturedDocs = NonNullable<Listing["featuredDocs"]>;
interface ShownDoc {
  isPinned: boolean;
  /** Addresses and ids by which the registry names the document, the best first. */
  names: string[];
}

/** @returns the documents that a listing shows, by links; without those that have none */
export async function readFeaturedDocs(
  client: RegistryClient,
  packId: number,
): Promise<FeaturedDocs> {
  const docs = await listFeaturedDocs(client, packId).catch((error: unknown) => {
    if (isPackError(error, "REGISTRY_FAILED") && error.details.status === 404) return [];
    throw error;
  });
  return docs.flatMap(({ names, isPinned }) => {
    const url = names.find((name) => /^https?:/.test(name));
    return url === undefined ? [] : [{ url, ...(isPinned ? { isPinned } : {}) }];
  });
}

/** Whether a listing shows these documents in this order. */
export async function hasFeaturedDocs(
  client: RegistryClient,
  packId: number,
  docs: FeaturedDocs,
): Promise<boolean> {
  const shown = await listFeaturedDocs(client, packId);
  return (
    shown.length === docs.length &&
    docs.every(({ url, isPinned = false }, at) => {
      const doc = shown[at];
      return doc?.isPinned === isPinned && doc.names.some((name) => isSameDoc(url, name));
    })
  );
}

async function listFeaturedDocs(client: RegistryClient, packId: number): Promise<ShownDoc[]> {
  const path = { packId: String(packId) };
  const { items } = await client.call("getPackFeaturedDocs", { path });
  return items.map(({ doc, isPinned, publishedUrl }) => {
    const { browserLink, id } = isRecord(doc) ? doc : { browserLink: undefined, id: doc };
    const names = [publishedUrl, browserLink, id].filter((name) => typeof name === "string");
    return { isPinned: isPinned === true, names };
  });
}

/** The link of a document may have any title before the id of the document. */
function isSameDoc(url: string, name: string): boolean {
  if (url === name) return true;
  const id = readDocId(url);
  return id !== undefined && (id === name || id === readDocId(name));
}

function readDocId(url: string): string | undefined {
  return /\/d\/(?:[^/?#]*_d|_d)([\w-]+)/.exec(url)?.[1];
}
