import { type FetchMethodType, type FetchRequest, ValidFetchMethods } from "../../define/fetch.ts";
import { PackError } from "../../errors.ts";

/** A request of a Pack whose shape has been checked. */
export interface PackRequest {
  method: FetchMethodType;
  url: string;
  /** A copy: the Pack's own object is never changed. */
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  disableAuthentication: boolean;
  ignoreRedirects: boolean;
  isBinaryResponse: boolean;
  /** How long the response may be reused, in seconds. 0 means never. */
  cacheTtlSeconds: number;
  /** The request as the Pack wrote it, for `StatusCodeError.options`. It has no credentials. */
  original: FetchRequest;
}

/** Characters of a text of the Pack in an error: it may be of any length. */
const MAX_SHOWN = 2_000;

const FORBIDDEN_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "keep-alive",
  "proxy-authorization",
]);

/**
 * Checks the shape of a request that a Pack passed to `fetch`.
 * @throws {PackError} FETCH_URL_INVALID when a member is invalid; the message names it
 */
export function parsePackRequest(untrusted: unknown): PackRequest {
  if (typeof untrusted !== "object" || untrusted === null)
    throw invalid("", "A request must be an object with `method` and `url`.");
  const request = untrusted as Record<string, unknown>;
  const url = request["url"];
  if (typeof url !== "string" || url === "")
    throw invalid("", "A request needs a `url`: an absolute URL, or a path that starts with /.");
  const method =
    typeof request["method"] === "string" ? request["method"].toUpperCase() : undefined;
  if (!isMethod(method))
    throw invalid(url, `A request needs a \`method\`: one of ${ValidFetchMethods.join(", ")}.`);
  const headers = readHeaders(request["headers"], url);
  const body = readBody(request, headers, url);
  if (body !== undefined && (method === "GET" || method === "HEAD"))
    throw invalid(url, `A ${method} request must not have a body.`);
  return {
    method,
    url,
    headers,
    body,
    disableAuthentication: request["disableAuthentication"] === true,
    ignoreRedirects: request["ignoreRedirects"] === true,
    isBinaryResponse: request["isBinaryResponse"] === true,
    cacheTtlSeconds: readCacheTtl(request, method, url),
    original: untrusted as FetchRequest,
  };
}

/**
 * A GET is cached for five minutes, another method only with `forceCache`, and nothing for more
 * than a day.
 */
function readCacheTtl(
  request: Record<string, unknown>,
  method: FetchMethodType,
  url: string,
): number {
  const given = request["cacheTtlSecs"];
  if (given !== undefined && given !== null && !(typeof given === "number" && given >= 0)) {
    throw invalid(url, "`cacheTtlSecs` must be a number of seconds.");
  }
  if (method !== "GET" && request["forceCache"] !== true) return 0;
  return Math.min((given as number | undefined | null) ?? DEFAULT_TTL_SECONDS, MAX_TTL_SECONDS);
}

function isMethod(method: string | undefined): method is FetchMethodType {
  return (ValidFetchMethods as readonly (string | undefined)[]).includes(method);
}

function readHeaders(untrusted: unknown, url: string): Record<string, string> {
  if (untrusted === undefined || untrusted === null) return {};
  if (typeof untrusted !== "object" || Array.isArray(untrusted))
    throw invalid(url, "`headers` must be an object with string values.");
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(untrusted)) {
    if (value === undefined || value === null) continue;
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw invalid(url, `${JSON.stringify(name.slice(0, MAX_SHOWN))} is not a valid header name.`);
    if (FORBIDDEN_HEADERS.has(name.toLowerCase()))
      throw invalid(url, `A Pack cannot set the header ${name}.`);
    const text =
      typeof value === "string"
        ? value
        : typeof value === "number" || typeof value === "boolean"
          ? String(value)
          : undefined;
    if (text === undefined || /[^\t\x20-\x7e\x80-\xff]/.test(text))
      throw invalid(url, `The value of the header ${name.slice(0, MAX_SHOWN)} is not allowed.`);
    headers.push([name, text]);
  }
  return Object.fromEntries(headers);
}

function readBody(
  request: Record<string, unknown>,
  headers: Record<string, string>,
  url: string,
): string | Uint8Array | undefined {
  const form = request["form"];
  if (typeof form === "object" && form !== null) {
    setDefault(headers, "Content-Type", "application/x-www-form-urlencoded");
    const members = Object.entries(form).filter(
      ([, value]) => value !== undefined && value !== null,
    );
    return new URLSearchParams(
      members.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
  }
  const body = request["body"];
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw invalid(url, "`body` must be a string or bytes. Convert an object with JSON.stringify.");
}

function setDefault(headers: Record<string, string>, name: string, value: string): void {
  if (!Object.keys(headers).some((key) => key.toLowerCase() === name.toLowerCase()))
    headers[name] = value;
}

function invalid(url: string, message: string): PackError<"FETCH_URL_INVALID"> {
  return new PackError("FETCH_URL_INVALID", message, {
    details: { url: url.slice(0, MAX_SHOWN) },
    hint: "Correct the request in the formula.",
  });
}

/** How long a GET response is reused when the request does not set `cacheTtlSecs`. */
export const DEFAULT_TTL_SECONDS = 300;

/** The platform keeps nothing longer. */
export const MAX_TTL_SECONDS = 86_400;
