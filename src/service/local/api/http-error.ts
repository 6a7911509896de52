import { type ServerResponse, STATUS_CODES } from "node:http";
import { isPackError } from "../../../errors.ts";
import type { ErrorBody } from "../../contract/models/responses.ts";

/** Ends a request with a status and the text of its error body. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** More members of the error body. */
  readonly more: object;

  constructor(
    status: number,
    message: string = STATUS_CODES[status] ?? "Error",
    more: object = {},
  ) {
    super(message);
    this.status = status;
    this.more = more;
  }
}

export function errorBody(
  status: number,
  message: string = STATUS_CODES[status] ?? "Error",
): ErrorBody {
  return { statusCode: status, statusMessage: STATUS_CODES[status] ?? "Error", message };
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  const bytes = Buffer.byteLength(text);
  response.setHeader("Content-Length", bytes);
  // As a text it leaves together with the headers. Where every character is one byte, none has to
  // be encoded.
  response.end(
    response.req.method === "HEAD" ? "" : text,
    bytes === text.length ? "latin1" : "utf8",
  );
}

const causes = new WeakMap<ServerResponse, unknown>();

/** What made a response an error, for the log. */
export function getCause(response: ServerResponse): unknown {
  return causes.get(response);
}

/** Every failure has the same body. What is not expected says nothing about the inside. */
export function sendError(error: unknown, response: ServerResponse): void {
  sendFailure(error, response, (status, message) =>
    sendJson(response, status, {
      ...errorBody(status, message),
      ...(error instanceof HttpError ? error.more : {}),
    }),
  );
}

/** As a store of files answers: in XML, with a code. */
export function sendStoreError(error: unknown, response: ServerResponse): void {
  sendFailure(error, response, (status, message) => {
    const text = message.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const code = STORE_CODES[status] ?? "InternalError";
    response.writeHead(status, { "Content-Type": "application/xml" });
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>`,
    );
  });
}

const STORE_CODES: Readonly<Record<number, string>> = {
  400: "InvalidRequest",
  403: "AccessDenied",
  404: "NoSuchKey",
  503: "SlowDown",
};

function sendFailure(
  error: unknown,
  response: ServerResponse,
  send: (status: number, message: string) => void,
): void {
  causes.set(response, error);
  // An incomplete response must not look complete.
  if (response.headersSent) response.destroy();
  else send(...statusAndMessage(error));
}

function statusAndMessage(error: unknown): [status: number, message: string] {
  if (error instanceof HttpError) return [error.status, error.message];
  if (isPackError(error, "DATABASE_BUSY") || isPackError(error, "DATABASE_UNREACHABLE"))
    return [503, "The database does not respond in time."];
  // RFC 4918 §11.5
  if (isPackError(error, "DATABASE_FULL")) return [507, "There is no space left for the database."];
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  // Too large a body is a 400 of the documented service.
  if (status === 413) return [400, "request entity too large"];
  return status >= 400 && status < 500
    ? [400, "The request cannot be read."]
    : [500, "Internal Server Error"];
}
