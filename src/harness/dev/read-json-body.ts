import type { IncomingMessage } from "node:http";
import { badRequest } from "./router.ts";

/** A file as base64 may be 25 MiB before its encoding. */
const MAX_BODY_BYTES = 36 * 1024 * 1024;

/** @throws {PackError} USAGE_INVALID when it is no JSON, or too long */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    if (bytes > MAX_BODY_BYTES) throw badRequest("The request is longer than 36 MiB.");
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8")) as unknown;
  } catch {
    throw badRequest("The request is no JSON.");
  }
}
