import { canParseUrl } from "../../../../shared/urls.ts";
import type { FeaturedDoc } from "../../../contract/registry/registry-models.ts";
import { findLinkedDoc, parseBrowserLink } from "../../api/handlers/links.ts";
import { createResources } from "../../api/resources.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { getBody } from "../check-request.ts";
import { openPack } from "../pack-access.ts";
import { findPart, savePart } from "../registry-store.ts";

const FEATURED = "featured";

export async function getPackFeaturedDocs(call: ServiceCall): Promise<{ items: FeaturedDoc[] }> {
  const pack = await openPack(call);
  const kept = await findPart(call.state.storage.db, pack.id, "featuredDocs", FEATURED);
  const items = (kept?.value ?? []).map(async ({ url, isPinned = false }): Promise<FeaturedDoc> => {
    const link = canParseUrl(url) ? parseBrowserLink(new URL(url)) : undefined;
    const doc = link === undefined ? undefined : await findLinkedDoc(call, link);
    return {
      doc: createResources(call.root).docReference(doc?.id ?? "unknown"),
      isPinned,
      ...(doc === undefined ? { docStatus: "docInaccessibleOrDoesNotExist" } : {}),
      publishedUrl: url,
    };
  });
  return { items: await Promise.all(items) };
}

export async function setPackFeaturedDocs(call: ServiceCall): Promise<Record<string, never>> {
  const pack = await openPack(call);
  const { items } = getBody<"setPackFeaturedDocs">(call);
  await call.state.storage.transaction((transaction) =>
    savePart(transaction, pack.id, "featuredDocs", FEATURED, items),
  );
  return {};
}
