import type { ServerResponse } from "node:http";
import { isPackError } from "../../../errors.ts";
import { errorBody, HttpError } from "./http-error.ts";
import { sendJson } from "./send-json.ts";

/** Every failure has the same body. What is not expected says nothing about the inside. */
export function sendError(error: unknown, response: ServerResponse): void {
  // Half an answer must not look like a whole one.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const [status, message] = statusAndMessage(error);
  sendJson(response, status, errorBody(status, message));
}

function statusAndMessage(error: unknown): [status: number, message: string] {
  if (error instanceof HttpError) return [error.status, error.message];
  if (isPackError(error, "DATABASE_BUSY") || isPackError(error, "DATABASE_UNREACHABLE"))
    return [503, "The database does not answer in time."];
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  // Too large a body is a 400 of the documented service.
  if (status === 413) return [400, "request entity too large"];
  return status >= 400 && status < 500 ? [400, "The request cannot be read."] : [500, "Internal Server Error"];
}
