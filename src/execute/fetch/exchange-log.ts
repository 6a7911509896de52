import { isPackError } from "../../errors.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import { isSecretName, type Redactor } from "../../shared/redact.ts";
import { MAX_SECRET_LENGTH } from "../../shared/secret-matcher.ts";
import type { ExchangeDetail, RequestRecord } from "../request-record.ts";
import type { Hop } from "./fetch-policy.ts";
import { decodeText } from "./fetch-response.ts";

/** Reports what a run sent and received, without secrets. */
export interface ExchangeLog {
  start(hop: Hop, authentication: string | undefined, marks: ExchangeMarks): ExchangeEntry;
  /** Reports a request that the cache answered. */
  fromCache(hop: Hop, response: TapedResponse): void;
}

/** Why this exchange happened. */
export type ExchangeMarks = Partial<
  Pick<RequestRecord, "fromCache" | "retriedAfter401" | "retriedAfter429">
>;

/** One exchange in progress. Call `end` or `fail` once. */
export interface ExchangeEntry {
  /** @param bytes of the response that have arrived so far */
  count(bytes: number): void;
  end(response: TapedResponse): void;
  fail(error: unknown): void;
}

export interface ExchangeLogOptions {
  redactor: Redactor;
  now: () => number;
  onRequest(record: RequestRecord): void;
  onExchange: ((detail: ExchangeDetail) => void) | undefined;
}

const MAX_SHOWN_LENGTH = 10_000;
/** Of a secret in the longest form in which it is found: each character can become 16. */
const MAX_FORM_LENGTH = 16 * MAX_SECRET_LENGTH;
const MAX_SEARCHED_LENGTH = 2 * MAX_FORM_LENGTH;
const SHOWN_BODY =
  /^\s*(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/x-www-form-urlencoded)/i;

export function createExchangeLog({
  redactor,
  now,
  onRequest,
  onExchange,
}: ExchangeLogOptions): ExchangeLog {
  const start: ExchangeLog["start"] = (hop, authentication, marks) => {
    const startedAtMs = now();
    const record: RequestRecord = {
      method: hop.method,
      url: redactor.text(hop.url),
      durationMs: 0,
      requestBytes: hop.body === undefined ? 0 : Buffer.byteLength(hop.body),
      responseBytes: 0,
      fromCache: false,
      ...marks,
    };
    const finish = (response: TapedResponse | undefined): void => {
      record.durationMs = now() - startedAtMs;
      onRequest(record);
      onExchange?.({
        ...record,
        startedAtMs,
        authentication,
        requestHeaders: shownHeaders(hop.headers),
        requestBody: shownBody(hop.body, hop.headers),
        responseHeaders: response === undefined ? undefined : shownHeaders(response.headers),
        responseBody:
          response === undefined ? undefined : shownBody(response.bytes, response.headers),
      });
    };
    return {
      count: (bytes) => {
        record.responseBytes = bytes;
      },
      end: (response) => {
        record.status = response.status;
        record.responseBytes ||= response.bytes.byteLength;
        finish(response);
      },
      fail: (error) => {
        record.error = isPackError(error) ? error.code : "INTERNAL";
        finish(undefined);
      },
    };
  };

  const shownHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    redactor.value(headers) as Record<string, string>;

  const shownBody = (
    body: string | Uint8Array | undefined,
    headers: Readonly<Record<string, string>>,
  ): string | undefined => {
    if (body === undefined || body.length === 0) return undefined;
    const type =
      Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    if (typeof body !== "string" && !SHOWN_BODY.test(type)) return `[${body.byteLength} bytes]`;
    const start =
      typeof body === "string"
        ? body.slice(0, MAX_SEARCHED_LENGTH)
        : body.subarray(0, MAX_SEARCHED_LENGTH);
    const text = typeof start === "string" ? start : decodeText(start, type);
    const masked = hideNamed(redactor.text(text));
    if (body.length <= MAX_SEARCHED_LENGTH)
      return masked.length > MAX_SHOWN_LENGTH ? `${masked.slice(0, MAX_SHOWN_LENGTH)}…` : masked;
    // The end can be the first part of a secret. Masks are short, so the end can be near the start.
    const complete = masked.slice(0, Math.max(0, masked.length - MAX_FORM_LENGTH));
    return complete === ""
      ? `[${Buffer.byteLength(body)} bytes]`
      : `${complete.slice(0, MAX_SHOWN_LENGTH)}…`;
  };

  return {
    start,
    fromCache: (hop, response) => start(hop, undefined, { fromCache: true }).end(response),
  };
}

/**
 * Hides members and parameters with secret names. The redactor does not know a secret that the Pack
 * fetched itself.
 */
function hideNamed(text: string): string {
  return text
    .replace(
      /"([\w-]{1,60})"(\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/g,
      (found, name: string, colon: string) =>
        isSecretName(name) ? `"${name}"${colon}"••••"` : found,
    )
    .replace(/(^|&)([\w-]{1,60})=[^&\s]*/g, (found, before: string, name: string) =>
      isSecretName(name) ? `${before}${name}=••••` : found,
    );
}
