import { createHmac, timingSafeEqual } from "node:crypto";
import { HttpError } from "./http-error.ts";
import type { ServiceCall } from "./service-call.ts";

/** Parameters that a token implies, so that the next request needs no other. */
export type ListParameters = Readonly<Record<string, string | number | boolean>>;

export interface TokenContent {
  use: "page" | "sync";
  parameters: ListParameters;
  /** The snapshot that the listing reads (decision 5), or after which changes are wanted. */
  seq: number;
  /** The last item that was listed: what it is ordered by, and its id. */
  after?: readonly [value: string | number, id: string] | undefined;
}

const LIFETIME_MS = 24 * 60 * 60_000;
const MAX_TOKEN_LENGTH = 8_192;

/** Writes a token that is good for the same caller and the same path alone (decision 6). */
export function writeToken(call: ServiceCall, content: TokenContent): string {
  const issuedAtMs = call.state.clock.now();
  // The rest goes first: V8 makes a hidden class anew, and keeps it for long, whenever a member is added to a copy.
  const text = Buffer.from(JSON.stringify({ path: call.path, userId: call.caller.userId, issuedAtMs, ...content })).toString("base64url");
  return `${text}.${sign(call, text)}`;
}

/** @throws {HttpError} 400 for a token that is altered, foreign, of another list, or too old (decisions 6, 7 and 44) */
export function readToken(call: ServiceCall, token: string, use: TokenContent["use"]): TokenContent {
  const [text = "", signature = "", ...rest] = token.length > MAX_TOKEN_LENGTH ? [] : token.split(".");
  const expected = Buffer.from(sign(call, text));
  const given = Buffer.from(signature);
  if (rest.length > 0 || expected.length !== given.length || !timingSafeEqual(expected, given)) throw invalid();
  const content = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  if (content.use !== use || content.path !== call.path || content.userId !== call.caller.userId) throw invalid();
  if (use === "page" && call.state.clock.now() - content.issuedAtMs > LIFETIME_MS) throw invalid();
  return content;
}

function sign(call: ServiceCall, text: string): string {
  return createHmac("sha256", call.state.pageTokenKey).update(text).digest("base64url");
}

function invalid(): HttpError {
  return new HttpError(400, "Invalid pageToken.");
}
