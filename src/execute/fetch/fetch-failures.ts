import { StatusCodeError } from "../../define/pack-errors.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import type { HostFetchResult } from "../../sandbox/host/run-requests.ts";
import type { PackRequest } from "./fetch-request.ts";

const MAX_MESSAGE_LENGTH = 2_000;

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
  const failure = new StatusCodeError(status, body, original, {
    body: Buffer.from(exchange.bytes).toString("utf8"),
    headers,
  });
  if (failure.message.length > MAX_MESSAGE_LENGTH)
    failure.message = `${failure.message.slice(0, MAX_MESSAGE_LENGTH)}…`;
  const { message, statusCode, error, response } = failure;
  return {
    ok: false,
    failure: {
      name: "StatusCodeError",
      message,
      members: { statusCode, body, error, options: original, response },
    },
    error: new PackError(
      "FETCH_STATUS",
      `${request.method} to ${host} returned status ${body === undefined ? status : message}`,
      {
        details: { status, thrown: failure.name },
        hint:
          status === 401 || status === 403
            ? "Check that the account is connected and has the scopes that this request needs."
            : "Catch StatusCodeError in the formula, or check the request.",
        cause: failure,
      },
    ),
  };
}

/** @param clean removes secrets from the message that the Pack sees */
export function requestFailure(error: unknown, clean: (text: string) => string): HostFetchResult {
  const failure = isPackError(error)
    ? (error as PackError)
    : new PackError("FETCH_FAILED", "The request failed.", {
        details: { host: "" },
        hint: "If the request changes something, check whether the server carried it out before you send it again.",
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
