import type { Kysely } from "kysely";
import { packUpload } from "../../contract/registry/registry-models.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { findPack, findPart, listParts, readFile } from "./registry-store.ts";

/** A version that its maker has released to users. */
export interface PublishedVersion {
  id: number;
  name: string;
  version: string;
  bundle: string;
  sourceMap: string | undefined;
}

/** The version that users of a Pack have: that of its latest release. */
export async function readPublishedVersion(
  db: Kysely<ServiceSchema>,
  packId: number,
): Promise<PublishedVersion | undefined> {
  const pack = await findPack(db, packId);
  const release = pack === undefined ? undefined : (await listParts(db, packId, "release")).at(-1);
  const version =
    release === undefined
      ? undefined
      : await findPart(db, packId, "version", release.value.packVersion);
  const bytes = version === undefined ? undefined : await readFile(db, version.value.fileId);
  if (pack === undefined || version === undefined || bytes === undefined) return undefined;
  const { bundle, sourceMap } = packUpload.parse(JSON.parse(bytes.toString("utf8")));
  return { id: packId, name: pack.listing.name, version: version.id, bundle, sourceMap };
}
