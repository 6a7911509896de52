import type { FetchRequest } from "../../define/fetch.ts";
import { StatusCodeError } from "../../define/pack-errors.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import type { HostFetchResult } from "../../sandbox/host/run-requests.ts";
import { MAX_STATUS_MESSAGE } from "../../sandbox/protocol.ts";
import type { PackRequest } from "./fetch-request.ts";
import { decodeText } from "./fetch-response.ts";
import { readReason } from "./read-reason.ts";

const MAX_PATH_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 200;
const MAX_KEPT_BODY_LENGTH = 64 * 1024;

/**
 * The failure for a status of 400 and above: a `StatusCodeError` in the Pack, FETCH_STATUS when the
 * Pack does not catch it.
 */
export function statusFailure(
  request: PackRequest,
  host: string,
  exchange: TapedResponse,
  body: unknown,
): HostFetchResult {
  const { status, headers } = exchange;
  const { original } = request;
  const response = { body: decodeText(exchange.bytes, headers["content-type"]), headers };
  const failure = new StatusCodeError(status, body, original, response);
  if (failure.message.length > MAX_STATUS_MESSAGE)
    failure.message = `${failure.message.slice(0, MAX_STATUS_MESSAGE)}…`;
  const { message, statusCode, error } = failure;
  const reason = describeReason(status, failure.response?.body);
  return {
    ok: false,
    failure: {
      name: "StatusCodeError",
      message,
      members: { statusCode, body, error, options: original, response: failure.response },
    },
    error: new PackError(
      "FETCH_STATUS",
      `${request.method} to ${host}${readPath(original.url)} returned status ${status}${reason}`,
      {
        details: { status, thrown: failure.name },
        hint:
          status === 401 || status === 403
            ? "Check that the account is connected and has the scopes that this request needs."
            : "Correct the request, or catch StatusCodeError in the formula.",
        // The error of the run may be kept until the run ends.
        cause: hasLargeBody(original)
          ? new StatusCodeError(status, body, withoutBody(original), response)
          : failure,
      },
    ),
  };
}

function hasLargeBody({ body, form }: FetchRequest): boolean {
  const size = body?.length ?? Object.values(form ?? {}).join("").length;
  return size > MAX_KEPT_BODY_LENGTH;
}

function withoutBody({ body: _body, form: _form, ...rest }: FetchRequest): FetchRequest {
  return rest;
}

/** The path of a request, without a query, which may hold what is private. */
function readPath(url: string): string {
  const [path = ""] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").split(/[?#]/);
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}

/** What the server says about the failure; the beginning of JSON that says it in another way. */
function describeReason(status: number, body: unknown): string {
  if (typeof body !== "string") return "";
  const line = body.replaceAll(/\s+/g, " ").trim();
  const start = line.length > MAX_EXCERPT_LENGTH ? `${line.slice(0, MAX_EXCERPT_LENGTH)}…` : line;
  const reason = readReason({ status, responseBody: body }) ?? (/^[[{]/.test(start) ? start : "");
  return reason === "" ? "" : `: ${reason}`;
}

/** @param clean removes secrets from the message that the Pack sees */
export function requestFailure(error: unknown, clean: (text: string) => string): HostFetchResult {
  const failure = isPackError(error)
    ? (error as PackError)
    : new PackError("FETCH_FAILED", "The request failed.", {
        details: { host: "" },
        hint: "If the request changes data, check whether it took effect before you retry.",
        cause: error,
      });
  return {
    ok: false,
    failure: {
      name: failure.code === "FETCH_TOO_LARGE" ? "ResponseSizeTooLargeError" : "Error",
      message: clean(failure.message),
      members: { code: failure.code },
    },
    error: failure,
  };
}
