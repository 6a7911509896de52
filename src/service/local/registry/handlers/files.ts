import { randomUUID } from "node:crypto";
import { ASSET_TYPES } from "../../../contract/registry/registry-models.ts";
import { HttpError } from "../../api/http-error.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { getBody } from "../check-request.ts";
import { openPack } from "../pack-access.ts";
import { listParts, savePart } from "../registry-store.ts";
import { createUpload, fileUrl, receivedUpload } from "../upload-store.ts";
import { findVersion } from "./versions.ts";

export async function uploadPackAsset(call: ServiceCall) {
  const pack = await openPack(call);
  const { packAssetType, imageHash, mimeType, filename } = getBody<"uploadPackAsset">(call);
  const upload = {
    kind: "asset",
    sha256: imageHash,
    mimeType,
    filename,
    assetType: packAssetType,
  } as const;
  const { id, uploadUrl, headers } = await createUpload(call, pack.id, upload);
  return {
    uploadUrl,
    packAssetUploadedPathName: `/packs/${pack.id}/assets/${id}`,
    headers,
  };
}

/** The id of an asset is the last part of the path under which it was announced. */
export async function completePackAsset(
  call: ServiceCall,
): Promise<{ requestId: string; assetId: string }> {
  const pack = await openPack(call);
  const assetId = call.params["packAssetId"] ?? "";
  const assetType = ASSET_TYPES.find((type) => type === call.params["packAssetType"]);
  const { upload } = await receivedUpload(call, pack.id, assetId, "asset");
  if (assetType === undefined || upload.assetType !== assetType)
    throw new HttpError(400, "The type of the image is different from the announced type.");
  const { sha256, mimeType, filename } = upload;
  const asset = { fileId: sha256, mimeType, filename, assetType };
  await call.state.storage.transaction((transaction) =>
    savePart(transaction, pack.id, "asset", assetId, asset),
  );
  return { requestId: randomUUID(), assetId };
}

export async function uploadPackSourceCode(call: ServiceCall) {
  const pack = await openPack(call);
  const { payloadHash, filename } = getBody<"uploadPackSourceCode">(call);
  const upload = {
    kind: "source",
    sha256: payloadHash,
    mimeType: "text/plain; charset=utf-8",
    filename,
  } as const;
  const { id, uploadUrl, headers } = await createUpload(
    call,
    pack.id,
    upload,
    sourceId(payloadHash, filename),
  );
  return { uploadUrl, uploadedPathName: id, headers };
}

export async function completePackSourceCode(call: ServiceCall): Promise<{ requestId: string }> {
  const pack = await openPack(call);
  const { filename, codeHash } = getBody<"completePackSourceCode">(call);
  const packVersion = call.params["packVersion"] ?? "";
  await findVersion(call, pack.id, packVersion);
  const { upload } = await receivedUpload(call, pack.id, sourceId(codeHash, filename), "source");
  const source = { fileId: upload.sha256, filename, packVersion };
  await call.state.storage.transaction((transaction) =>
    savePart(transaction, pack.id, "source", `${packVersion} ${filename}`, source),
  );
  return { requestId: randomUUID() };
}

export async function getPackSourceCode(
  call: ServiceCall,
): Promise<{ files: { filename: string; url: string }[] }> {
  const pack = await openPack(call);
  const packVersion = call.params["packVersion"] ?? "";
  await findVersion(call, pack.id, packVersion);
  const sources = (await listParts(call.state.storage.db, pack.id, "source")).filter(
    ({ value }) => value.packVersion === packVersion,
  );
  const createUrl = (fileId: string) => fileUrl(call, fileId, "text/plain; charset=utf-8");
  return {
    files: sources.map(({ value: { filename, fileId } }) => ({ filename, url: createUrl(fileId) })),
  };
}

function sourceId(digest: string, filename: string): string {
  return `source-${digest.toLowerCase()}-${filename}`;
}
