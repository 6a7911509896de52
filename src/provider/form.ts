import express, { type Request, type Response } from "express";
import { OAuthError } from "./oauth-error.ts";
import { type Parameters, readUniqueParameters } from "./parameters.ts";
import type { RecordedRequest, Recorder } from "./recorder.ts";

/** Largest request body, in bytes. */
const MAX_BODY_BYTES = 64_000;

/** Reads the body as text whatever it calls itself; the type is judged later, by rules of its own. */
export const readBody = express.text({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });

/**
 * The parameters of a form body: flat, each once (RFC 6749 §3.2).
 * @param repeatable names that may repeat all the same, such as those of checkboxes
 * @throws {OAuthError} invalid_request
 */
export function formParameters(
  request: Request,
  response: Response,
  recorder: Recorder,
  repeatable: readonly string[] = [],
): { parameters: Parameters; search: URLSearchParams } {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new OAuthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
  const search = new URLSearchParams(typeof request.body === "string" ? request.body : "");
  recorder.addForm(recordOf(response), search);
  return { parameters: readUniqueParameters(search, repeatable), search };
}

export function recordOf(response: Response): RecordedRequest {
  return response.locals["record"] as RecordedRequest;
}
