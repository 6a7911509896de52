import { isAscii, isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import { isRecord } from "../../../shared/values.ts";
import { giveWay } from "../store/give-way.ts";
import { HttpError } from "./http-error.ts";

/**
 * Reads the body of a request. @throws {HttpError} 400 for one that is larger, or that ends too
 * early
 */
export async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer> {
  const { "content-encoding": encoding = "identity", "content-length": length } = request.headers;
  if (encoding !== "identity") return await readInflated(request, response, maxBytes);
  if (Number(length ?? 0) > maxBytes) throw tooLarge();
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        // What is still to come is passed over, or no other request could follow on the connection.
        request.off("data", take).resume();
        reject(tooLarge());
      }
    };
    const failBroken = (): void => reject(new HttpError(400, "The request cannot be read."));
    request
      .on("data", take)
      .once("end", () => resolve(Buffer.concat(chunks)))
      .once("error", failBroken)
      .once("close", failBroken);
  });
}

/** Few clients compress what they send. */
async function readInflated(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer> {
  const { default: express } = await import("express");
  await new Promise<void>((resolve, reject) => {
    express.raw({ type: () => true, limit })(
      request as Request,
      response as Response,
      (error: unknown) => (error === undefined ? resolve() : reject(error)),
    );
  });
  const { body } = request as Request;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function tooLarge(): HttpError {
  return new HttpError(400, "request entity too large");
}

// No database keeps U+0000 in a text, and a link cannot be made of half a surrogate pair: what was
// stored with one could not be read.
const UNUSABLE = /[\0\p{Surrogate}]/u;
/** How either is written inside of JSON that is valid UTF-8. */
const ESCAPED = /\\u(?:0000|d[89a-f])/i;

/** Whether every database keeps the text, and links can be made of it. */
export function isStorable(text: string): boolean {
  return !UNUSABLE.test(text);
}

/** @throws {HttpError} 400 for a text that cannot be stored */
function requireText(text: string, name: string): void {
  if (isStorable(text)) return;
  const what = text.includes("\0") ? "the character U+0000" : "half of a surrogate pair";
  throw new HttpError(400, `${name.slice(0, 100)} has ${what}.`);
}

/** @throws {HttpError} 400 for bytes that are not UTF-8, and for a text that cannot be stored */
export function parseQuery(search: string): URLSearchParams {
  const query = new URLSearchParams(search);
  // Only an escaped or raw byte can be wrong.
  if (!/[%\x80-\uffff]/.test(search)) return query;
  if (!isUtf8(toBytes(search))) throw new HttpError(400, "The query is not valid UTF-8.");
  for (const [name, value] of query) requireText(value, name);
  return query;
}

function toBytes(search: string): Buffer {
  const text = search.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(text, "latin1");
}

/** Others have their turn before and after a larger one is looked at. */
const LARGE_BODY_BYTES = 200_000;

/** @returns undefined for an empty body @throws {HttpError} 400 */
export async function parseJsonBody(bytes: Buffer): Promise<unknown> {
  const text = decodeText(bytes);
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "The request body is not valid JSON.");
  }
  const isLarge = bytes.length > LARGE_BODY_BYTES;
  if (isLarge) await giveWay();
  requireMembers(value, ESCAPED.test(text));
  if (isLarge) await giveWay();
  return value;
}

/** @returns undefined for an empty body @throws {HttpError} 400 */
export function parseForm(bytes: Buffer): Record<string, string> | undefined {
  const text = decodeText(bytes);
  return text === "" ? undefined : Object.fromEntries(parseQuery(text));
}

function decodeText(bytes: Buffer): string {
  // Most bodies are ASCII, which is the same in Latin-1 and takes a tenth of the time to decode.
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) throw new HttpError(400, "The request body is not valid UTF-8.");
  return bytes.toString("utf8");
}

/**
 * Deeper than any body of the interface. Whoever walks through what is stored may do so with a
 * function that calls itself.
 */
const MAX_DEPTH = 500;

/**
 * @throws {HttpError} 400 for a body that is nested too deeply or, where there may be some, for a
 * text that cannot be stored
 */
function requireMembers(value: unknown, hasTexts: boolean, depth = 0): void {
  if (hasTexts && typeof value === "string") requireText(value, "A string in the request body");
  if (!Array.isArray(value) && !isRecord(value)) return;
  if (depth > MAX_DEPTH)
    throw new HttpError(400, `The request body is nested more than ${MAX_DEPTH} levels deep.`);
  if (Array.isArray(value)) {
    for (const member of value) requireMembers(member, hasTexts, depth + 1);
    return;
  }
  // It comes from JSON, so all its names are its own. A list of them would cost more than the walk.
  for (const name in value) {
    if (hasTexts) requireText(name, "A name in the request body");
    requireMembers(value[name], hasTexts, depth + 1);
  }
}
