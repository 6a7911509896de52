import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sameSecret, sha256 } from "../../../shared/crypto.ts";
import { canParseUrl } from "../../../shared/urls.ts";
import { HttpError, sendJson, sendStoreError } from "../api/http-error.ts";
import { readBytes } from "../api/read-body.ts";
import type { ServiceCall } from "../api/service-call.ts";
import { sign } from "../api/signature.ts";
import { answerFault } from "../control/answer-fault.ts";
import type { Faults } from "../control/faults.ts";
import type { ServiceState } from "../state.ts";
import { findPart, readFile, type StoredUpload, saveFile, savePart } from "./registry-store.ts";

/** How long an upload URL is valid. */
const LIFETIME_MS = 15 * 60_000;
const MAX_UPLOAD_BYTES: Readonly<Record<StoredUpload["kind"], number>> = {
  version: 32_000_000,
  asset: 10_000_000,
  source: 5_000_000,
};
const UPLOADS = /^\/uploads\/(\d{1,9})\/([^/?]{1,200})(?:\?|$)/;
const FILES = /^\/files\/([0-9a-f]{64})(?:\?|$)/;
/** What decides how the bytes are shown later; the same header must come with them. */
const TYPE_HEADER = "x-upload-content-type";

/** Announces bytes. @returns where they go, with which headers */
export async function createUpload(
  call: ServiceCall,
  packId: number,
  upload: Omit<StoredUpload, "expiresAtMs" | "isReceived">,
  id: string = randomUUID(),
): Promise<{ id: string; uploadUrl: string; headers: Record<string, string> }> {
  const { state, root } = call;
  const expiresAtMs = state.clock.now() + LIFETIME_MS;
  const digest = upload.sha256.toLowerCase();
  await state.storage.transaction(async (transaction) => {
    // Someone who announces the same again must not make the bytes of the first one count as
    // missing.
    const known = (await findPart(transaction, packId, "upload", id))?.value;
    const isReceived =
      known?.isReceived === true && known.kind === upload.kind && known.sha256 === digest;
    await savePart(transaction, packId, "upload", id, {
      ...upload,
      sha256: digest,
      expiresAtMs,
      isReceived,
    });
  });
  const path = `/uploads/${packId}/${encodeURIComponent(id)}`;
  const signature = sign(state, `store ${path} ${expiresAtMs} ${digest}`);
  return {
    id,
    uploadUrl: `${new URL(root).origin}${path}?expires=${expiresAtMs}&signature=${signature}`,
    headers: { "content-type": "application/octet-stream", [TYPE_HEADER]: upload.mimeType },
  };
}

/** The bytes of an upload. @throws {HttpError} 400 when they have not arrived */
export async function receivedUpload(
  call: ServiceCall,
  packId: number,
  id: string,
  kind: StoredUpload["kind"],
): Promise<{ upload: StoredUpload; bytes: Buffer }> {
  const { db } = call.state.storage;
  const upload = (await findPart(db, packId, "upload", id))?.value;
  if (upload === undefined || upload.kind !== kind)
    throw new HttpError(404, "No upload with this name was announced.");
  const bytes = upload.isReceived ? await readFile(db, upload.sha256) : undefined;
  if (bytes === undefined)
    throw new HttpError(400, "The upload is missing. Send the file to the upload URL first.");
  return { upload, bytes };
}

/** The address of a file that everybody may read who knows it. */
export function fileUrl(
  { root, state }: Pick<ServiceCall, "root" | "state">,
  fileId: string,
  mimeType: string,
): string {
  const path = `/files/${fileId}`;
  return `${new URL(root).origin}${path}?type=${encodeURIComponent(mimeType)}&signature=${sign(state, `store ${path} ${mimeType}`)}`;
}

/**
 * Answers like a store of files on another host: by the signature of the address, without a token.
 * @returns false for other paths
 */
export function serveUploads(
  state: ServiceState,
  faults: Faults,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const url = request.url ?? "";
  const upload = request.method === "PUT" ? UPLOADS.exec(url) : null;
  const file = request.method === "GET" ? FILES.exec(url) : null;
  if (upload === null && file === null) return false;
  const work =
    upload === null
      ? sendFile(state, file?.[1] ?? "", url, response)
      : receive(
          state,
          faults,
          { packId: Number(upload[1]), id: upload[2] ?? "" },
          request,
          response,
        );
  work.catch((error: unknown) => sendStoreError(error, response));
  return true;
}

async function receive(
  state: ServiceState,
  faults: Faults,
  { packId, id: encodedId }: { packId: number; id: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path, query } = parseParts(request.url ?? "");
  const { db } = state.storage;
  const id = canParseUrl(`http://x/${encodedId}`) ? decodeSegment(encodedId) : encodedId;
  const upload = (await findPart(db, packId, "upload", id))?.value;
  const expires = query.get("expires") ?? "";
  const isSigned =
    upload !== undefined &&
    sameSecret(
      query.get("signature") ?? "",
      sign(state, `store ${path} ${expires} ${upload.sha256}`),
    );
  if (!isSigned || request.headers.authorization !== undefined)
    throw new HttpError(403, "The signature of the upload URL is not valid.");
  if (state.clock.now() > Number(expires)) throw new HttpError(403, "The upload URL has expired.");
  if (request.headers[TYPE_HEADER] !== upload.mimeType)
    throw new HttpError(403, `The header ${TYPE_HEADER} is missing or changed.`);
  const fault = faults.take({ operation: "putUpload", docId: undefined, limit: 0 });
  if (fault !== undefined && (await answerFault(fault, request, response))) return;
  const bytes = await readBytes(request, response, MAX_UPLOAD_BYTES[upload.kind]);
  if (sha256(bytes, "hex") !== upload.sha256)
    throw new HttpError(
      400,
      "The SHA-256 digest of the upload is different from the announced digest.",
    );
  await state.storage.transaction(async (transaction) => {
    await saveFile(transaction, bytes);
    await savePart(transaction, packId, "upload", id, { ...upload, isReceived: true });
  });
  if (fault?.drop === "after") response.socket?.destroy();
  else sendJson(response, 200, {});
}

async function sendFile(
  state: ServiceState,
  fileId: string,
  url: string,
  response: ServerResponse,
): Promise<void> {
  const { path, query } = parseParts(url);
  const type = query.get("type") ?? "";
  if (!sameSecret(query.get("signature") ?? "", sign(state, `store ${path} ${type}`)))
    throw new HttpError(403, "The signature of the address is not valid.");
  const bytes = await readFile(state.storage.db, fileId);
  if (bytes === undefined) throw new HttpError(404);
  // Another person's picture must not run as a page of this origin.
  response.setHeader(
    "Content-Security-Policy",
    "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  );
  response.setHeader("Content-Type", type);
  response.end(bytes);
}

function parseParts(url: string): { path: string; query: URLSearchParams } {
  const [path = "", search = ""] = url.split("?");
  return { path, query: new URLSearchParams(search) };
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
