import { STATUS_CODES } from "node:http";
import type { ErrorBody } from "../../contract/models/responses.ts";

/** Ends a request with a status and the text of its error body. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;

  constructor(status: number, message: string = STATUS_CODES[status] ?? "Error") {
    super(message);
    this.status = status;
  }
}

export function errorBody(status: number, message: string = STATUS_CODES[status] ?? "Error"): ErrorBody {
  return { statusCode: status, statusMessage: STATUS_CODES[status] ?? "Error", message };
}
