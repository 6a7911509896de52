import type { NextFunction, Request, Response } from "express";
import { isPackError } from "../../errors.ts";
import { errorBody, HttpError } from "./http-error.ts";

/** Every failure has the same body. What is not expected says nothing about the inside. */
export function sendError(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) {
    next(error);
    return;
  }
  const [status, message] = statusAndMessage(error);
  response.status(status).json(errorBody(status, message));
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
