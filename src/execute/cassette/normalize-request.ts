import type { TapedRequest } from "../../oauth/tape.ts";
import { isSecretName } from "../../shared/redact.ts";
import { type RecordedBody, type RecordedExchange, recordBody } from "./cassette-format.ts";
import type { SecretPlaceholders } from "./secret-placeholders.ts";

/** A time this close to the clock counts as "now". */
const NOW_WINDOW_MS = 10 * 60_000;
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const INVOCATION = new RegExp(
  `((?:\\{\\{|%7B%7B)(?:(?!\\}\\}|%7D%7D)[^\\s"]){1,100}-)${UUID}(?=\\}\\}|%7D%7D)`,
  "gi",
);
const ISO_TIME =
  /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d{1,9})?)?(?:Z|(?:[+-]|%2B)\d\d(?::|%3A)?\d\d)?/gi;
const EPOCH = /(?<![\w.-])\d{10}(?:\d{3})?(?![\w.-])/g;
/** Parameters of a token request that change with each request, or that are secret. */
const TOKEN_PARAMETERS = new Set([
  "code",
  "token",
  "assertion",
  "subject_token",
  "actor_token",
  "nonce",
  "state",
  "RoleArn",
  "ExternalId",
]);

/**
 * The parts of a request that identify it in a recording. Parts that change from run to run
 * (secrets, the invocation token, the
 * current time, the order of members) are replaced or sorted.
 */
export function normalizeRequest(
  request: TapedRequest,
  { secrets, nowMs }: { secrets: SecretPlaceholders; nowMs: number },
): RecordedExchange["request"] {
  const stabilize = (text: string): string =>
    withoutNow(secrets.hide(text.replace(INVOCATION, "$1invocation")), nowMs);
  const isToken = request.purpose === "token";
  const body = normalizeBody(request, stabilize, isToken);
  const url = stabilize(isToken ? withoutTokenParameters(request.url) : request.url);
  return { method: request.method, url, ...(body === undefined ? {} : { body }) };
}

/** Equal for two requests that are the same. */
export function requestKey({ method, url, body }: RecordedExchange["request"]): string {
  return JSON.stringify([method, url, body]);
}

function normalizeBody(
  { body }: TapedRequest,
  stable: (text: string) => string,
  isToken: boolean,
): RecordedBody | undefined {
  if (body === undefined || body.length === 0) return undefined;
  const recorded = typeof body === "string" ? body : recordBody(body);
  if (typeof recorded !== "string") return recorded;
  const json = parseJson(recorded);
  if (json !== undefined)
    return stable(JSON.stringify(sortMembers(isToken ? withoutTokenMembers(json) : json)));
  if (!isToken) return stable(recorded);
  const parameters = [...new URLSearchParams(recorded)].map(([name, value]): [string, string] => [
    name,
    isVolatile(name) ? "{{secret}}" : value,
  ]);
  return stable(decodeURIComponent(String(new URLSearchParams(parameters)).replaceAll("+", "%20")));
}

function isVolatile(name: string): boolean {
  return isSecretName(name) || TOKEN_PARAMETERS.has(name);
}

function withoutTokenParameters(url: string): string {
  return url.replace(/([?&])([^=&#]+)=[^&#]*/g, (found, before: string, name: string) =>
    isVolatile(name) ? `${before}${name}={{secret}}` : found,
  );
}

function withoutTokenMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isVolatile(name) ? "{{secret}}" : member]),
  );
}

/** Objects and lists only: a number or a text is what it is. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(
    names.map((name) => [name, sortMembers((value as Record<string, unknown>)[name])]),
  );
}

function withoutNow(text: string, nowMs: number): string {
  const isNow = (timeMs: number): boolean => Math.abs(timeMs - nowMs) <= NOW_WINDOW_MS;
  return text
    .replace(ISO_TIME, (found) => {
      const time = found.replace(/%3A/gi, ":").replace(/%2B/gi, "+");
      // Without a zone the time zone is unknown; UTC is the best guess.
      return isNow(Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`))
        ? "{{now}}"
        : found;
    })
    .replace(EPOCH, (found) =>
      isNow(Number(found) * (found.length === 10 ? 1_000 : 1)) ? "{{now}}" : found,
    );
}
