import express, { type Request, type Response } from "express";
import { OAuthError } from "../answer.ts";
import type { RecordedRequest, Recorder } from "../state/recorder.ts";
import { parseRequestUrl } from "./guards.ts";
import { type Parameters, readUniqueParameters } from "./parameters.ts";

/**
 * The parameters of a direct request of a client.
 * @throws {OAuthError} invalid_request when they are not in the format of this endpoint
 */
export function readRequest(
  request: Request,
  response: Response,
  recorder: Recorder,
  format: "form" | "json" | "query",
): Parameters {
  const { search, searchParams } = parseRequestUrl(request);
  if (format === "query") {
    if (request.body !== undefined && request.body !== "")
      throw new OAuthError("invalid_request", "Parameters must be in the URL, not in the body.");
    return readUniqueParameters(searchParams);
  }
  if (search !== "")
    throw new OAuthError("invalid_request", "Parameters must be in the body, not in the URL.");
  if (format === "form") return formParameters(request, response, recorder).parameters;
  const parameters = jsonParameters(request);
  recorder.addForm(getRecord(response), parameters);
  return readUniqueParameters(parameters);
}

/** Reads a flat JSON object. An array means a repeated parameter. */
function jsonParameters(request: Request): URLSearchParams {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
    throw new OAuthError("invalid_request", "The body must be application/json.");
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(parseObject(String(request.body)))) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (!["string", "number", "boolean"].includes(typeof each))
        throw new OAuthError("invalid_request", "The body must be one flat JSON object.");
      parameters.append(name, String(each));
    }
  }
  return parameters;
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new OAuthError("invalid_request", "The body must be one flat JSON object.");
}

/** Largest request body, in bytes. */
const MAX_BODY_BYTES = 64_000;

/** Reads every body as text. Each endpoint checks the content type. */
export const readBody = express.text({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });

/**
 * The parameters of a form, each once (RFC 6749 §3.2).
 * @param repeatable names that may repeat, such as those of checkboxes
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
  recorder.addForm(getRecord(response), search);
  return { parameters: readUniqueParameters(search, repeatable), search };
}

export function getRecord(response: Response): RecordedRequest {
  return response.locals["record"] as RecordedRequest;
}
