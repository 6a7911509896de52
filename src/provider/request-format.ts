import type { Request, Response } from "express";
import { formParameters, recordOf } from "./form.ts";
import { urlOf } from "./guards.ts";
import { OAuthError } from "./oauth-error.ts";
import { type Parameters, readUniqueParameters } from "./parameters.ts";
import type { Recorder } from "./recorder.ts";

/**
 * The parameters of a request that a client sends from server to server.
 * @throws {OAuthError} invalid_request when they come in another way than this endpoint knows
 */
export function readRequest(request: Request, response: Response, recorder: Recorder, format: "form" | "json" | "query"): Parameters {
  const { search, searchParams } = urlOf(request);
  if (format === "query") {
    if (request.body !== undefined && request.body !== "")
      throw new OAuthError("invalid_request", "Parameters belong in the URL, not in the body.");
    return readUniqueParameters(searchParams);
  }
  if (search !== "") throw new OAuthError("invalid_request", "Parameters belong in the body, not in the URL.");
  if (format === "form") return formParameters(request, response, recorder).parameters;
  const parameters = jsonParameters(request);
  recorder.addForm(recordOf(response), parameters);
  return readUniqueParameters(parameters);
}

/** One flat object; an array stands for a repeated parameter. */
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
    // Answered below, like JSON of another kind.
  }
  throw new OAuthError("invalid_request", "The body must be one flat JSON object.");
}
