import { MAX_SECRET_LENGTH } from "../shared/secret-matcher.ts";
import { isRecord } from "../shared/values.ts";
import { isTooDeep } from "./response-body.ts";
import type { ResponseReading } from "./step.ts";
import {
  type Body,
  findTokenPath,
  readExpiry,
  valueAt,
  withStandardNames,
} from "./token-members.ts";
import { type ClientAuthenticationMethod, createTokenSet, type TokenSet } from "./token-set.ts";

/** A response of a token endpoint, read but not interpreted. */
export interface ReceivedTokenResponse {
  status: number;
  contentType: string | undefined;
  text: string;
  receivedAtMs: number;
}

/** A token response that is kept until its tokens are stored. */
export interface PendingTokens extends ReceivedTokenResponse {
  /** For the response of an exchange: the tokens of the grant. */
  granted?: TokenSet | undefined;
}

/** The tokens of a response, by the names of this project. */
export interface IssuedTokens {
  accessToken: string;
  /** As the provider named it; `Bearer` if it did not. */
  tokenType: string;
  /** Undefined if the expiry is unknown. */
  expiresInSeconds: number | undefined;
  expiresAtMs: number | undefined;
  refreshToken: string | undefined;
  /** As the provider wrote them. */
  scope: string | undefined;
  /** The account's endpoint, not checked yet: see `endpoint.ts`. */
  endpoint: string | undefined;
  /** Not validated: it proves nothing yet. */
  idToken: string | undefined;
  /** Other members, as the provider sent them. */
  extra: Record<string, unknown>;
}

/** A token response, read. */
export type TokenResponse =
  /** `members` has all members that the response has, under their standard names. */
  | { kind: "tokens"; tokens: IssuedTokens; members: Body; deviations: readonly string[] }
  /**
   * An error of RFC 6749 §5.2, whatever its status and form were. `error` is undefined if the
   * response names none.
   */
  | {
      kind: "error";
      error: string | undefined;
      description: string | undefined;
      deviations: readonly string[];
    }
  /**
   * A success status without usable tokens. `reason` names members, never values. `tokenPath` leads
   * to a member that looks like the access token.
   */
  | {
      kind: "invalid";
      reason: string;
      tokenPath?: string | undefined;
      deviations: readonly string[];
    }
  /** A redirect, a part of a response or an empty body, which every client refuses. */
  | { kind: "unusable"; reason: string };

/**
 * Reads a token response as real providers write it: parses it by its form, not by its content
 * type, recognizes errors under any status, and finds the members under the names that the step
 * declares. Each difference is noted as a deviation, which a strict client would have refused.
 * @param keptAccessToken the access token that a refresh may leave unchanged
 */
export function readTokenResponse(
  received: ReceivedTokenResponse,
  reading: ResponseReading,
  keptAccessToken?: string | undefined,
): TokenResponse {
  const { status } = received;
  if (status >= 300 && status < 400) return { kind: "unusable", reason: "a redirect" };
  // RFC 9110 §15.3.7: only a part of the body.
  if (status === 206) return { kind: "unusable", reason: "a part of a response" };
  const parsed = parseByShape(received.text);
  if (parsed === undefined && status < 400) return { kind: "unusable", reason: "an empty body" };
  const deviations = parsed?.deviations ?? [];
  const root = unwrapSingle(parsed?.value, deviations);
  const failure = readError(root, status);
  if (failure !== undefined) {
    if (status < 400)
      deviations.push(`The error response has status ${status}; RFC 6749 §5.2 requires 400.`);
    return { kind: "error", ...failure, deviations };
  }
  const invalid = (reason: string): TokenResponse => ({
    kind: "invalid",
    reason,
    tokenPath: findTokenPath(root),
    deviations,
  });
  if (!isRecord(root)) return invalid("the body is neither a JSON object nor a form");
  const { nestedResponseKey: key } = reading;
  const container = key === undefined ? root : valueAt(root, key);
  if (!isRecord(container))
    return invalid(`there is no object at "${key}" next to ${formatNames(root)}`);
  noteEnvelope(received, container === root, deviations);
  return readMembers(root, container, { received, reading, keptAccessToken, deviations });
}

interface MemberReading {
  received: ReceivedTokenResponse;
  reading: ResponseReading;
  keptAccessToken: string | undefined;
  deviations: string[];
}

function readMembers(
  root: Body,
  container: Body,
  { received, reading, keptAccessToken, deviations }: MemberReading,
): TokenResponse {
  const { receivedAtMs } = received;
  const members = withStandardNames(container, reading.members, deviations);
  const expiry = readExpiry(members, receivedAtMs, deviations);
  noteTokenType(members["token_type"], deviations);
  const {
    access_token,
    token_type,
    expires_in: _,
    refresh_token,
    scope,
    id_token,
    ...extra
  } = members;
  const kept = reading.members.refreshKeepsToken === true ? keptAccessToken : undefined;
  const accessToken = access_token ?? kept;
  const refused = refuseTokens(accessToken, refresh_token, container);
  if (refused !== undefined) {
    const isMissing = accessToken === undefined;
    return {
      kind: "invalid",
      reason: refused,
      tokenPath: isMissing ? findTokenPath(root) : undefined,
      deviations,
    };
  }
  const { endpointKey } = reading;
  const endpoint =
    endpointKey === undefined
      ? undefined
      : (valueAt(root, endpointKey) ?? valueAt(container, endpointKey));
  const tokens: IssuedTokens = {
    accessToken: String(accessToken),
    tokenType: textOrNone(token_type) ?? "Bearer",
    ...expiry,
    refreshToken: textOrNone(refresh_token),
    scope: textOrNone(scope),
    endpoint: textOrNone(endpoint),
    idToken: textOrNone(id_token),
    extra,
  };
  return { kind: "tokens", tokens, members, deviations };
}

function isBlank(token: unknown): boolean {
  return (token ?? "") === "" || (typeof token === "string" && token.trim() === "");
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function noteTokenType(type: unknown, deviations: string[]): void {
  if (typeof type === "string" && /^(?:bearer|dpop)$/i.test(type)) return;
  deviations.push(
    typeof type === "string" ? "token_type is not Bearer." : "token_type is missing.",
  );
}

/** @returns why these tokens cannot be used, without a part of them */
function refuseTokens(
  accessToken: unknown,
  refreshToken: unknown,
  container: Body,
): string | undefined {
  if (typeof accessToken !== "string" || accessToken.trim() === "") {
    const isEmpty = Object.hasOwn(container, "access_token") && isBlank(accessToken);
    return isEmpty
      ? "its access_token is empty"
      : `there is no access_token among ${formatNames(container)}`;
  }
  // A line break in a token would end the header that carries it. Other characters (RFC 6749 §A.12)
  // cannot be sent in one.
  if (/\p{Cc}/u.test(accessToken)) return "the access_token contains control characters";
  if (/[^\0-\xff]/.test(accessToken))
    return "the access_token contains characters that are not allowed in a header";
  const long = Object.entries({ access_token: accessToken, refresh_token: refreshToken }).find(
    ([, token]) => String(token ?? "").length > MAX_SECRET_LENGTH,
  );
  return long === undefined ? undefined : `the ${long[0]} is longer than 64 kB`;
}

/**
 * A token set of the tokens of a response.
 * @param delimiter separates scopes in this definition, in addition to white space
 * @param dpopKey the key of the request; kept if the server has bound the tokens to it (RFC 9449
 *   §5)
 */
export function toTokenSet(
  { tokenType, expiresInSeconds, scope, idToken, extra, ...tokens }: IssuedTokens,
  delimiter: string,
  clientAuthentication: ClientAuthenticationMethod,
  dpopKey?: string | undefined,
): TokenSet {
  // A server may repeat it in an error, so a redactor must know it even if no one has validated it.
  const isUnknown = idToken !== undefined && extra["id_token"] !== idToken;
  return createTokenSet({
    ...tokens,
    extra: isUnknown ? { ...extra, unvalidated_id_token: idToken } : extra,
    tokenType,
    ...(dpopKey !== undefined && /^dpop$/i.test(tokenType) ? { dpopKey } : {}),
    ...(expiresInSeconds === undefined ? {} : { lifetimeMs: expiresInSeconds * 1_000 }),
    scopes: scope === undefined ? undefined : splitScopes(scope, delimiter),
    clientAuthentication,
  });
}

/**
 * Some servers take scopes with spaces and return them with commas. A text with spaces keeps its
 * commas, which a scope may contain.
 */
function splitScopes(text: string, delimiter: string): string[] {
  const separator = delimiter === " " && !/\s/.test(text.trim()) ? "," : delimiter;
  return text.split(/\s+/).flatMap((part) => part.split(separator).filter(Boolean));
}

/** @returns undefined for an empty body; a string for a body that is neither JSON nor a form */
function parseByShape(text: string): { value: unknown; deviations: string[] } | undefined {
  const deviations: string[] = [];
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed === "") return undefined;
  if (/^[[{"]/.test(trimmed)) {
    if (isTooDeep(trimmed)) return { value: trimmed, deviations };
    try {
      return { value: JSON.parse(quoteNumericTokens(trimmed, deviations)), deviations };
    } catch {
      return { value: trimmed, deviations };
    }
  }
  // Only a form with a known member counts: a bare token with "=" in it must not become the name of
  // a member.
  if (
    /^[\w.~%+[\]-]+=[^&<>]*(?:&[\w.~%+[\]-]+=[^&<>]*)*$/.test(trimmed) &&
    /(?:^|&)(?:access_?token|error)=/i.test(trimmed)
  ) {
    deviations.push("The body is form-encoded; RFC 6749 §5.1 requires JSON.");
    return { value: Object.fromEntries(new URLSearchParams(trimmed)), deviations };
  }
  return { value: trimmed, deviations };
}

/**
 * Turns numeric tokens into strings. Before parsing, because a number above 2^53 would lose digits.
 */
function quoteNumericTokens(json: string, deviations: string[]): string {
  return json.replace(
    /("(access_token|refresh_token|accessToken|refreshToken)"\s*:\s*)(-?\d+)(?=\s*[,}])/g,
    (_, start, name, digits) => {
      deviations.push(`${name} is a number.`);
      return `${start}"${digits}"`;
    },
  );
}

function unwrapSingle(value: unknown, deviations: string[]): unknown {
  if (!Array.isArray(value) || value.length !== 1 || !isRecord(value[0])) return value;
  deviations.push("The body is an array with one object.");
  return value[0];
}

function readError(
  root: unknown,
  status: number,
): { error: string | undefined; description: string | undefined } | undefined {
  const body = isRecord(root) ? root : {};
  const nested = isRecord(body["error"]) ? body["error"] : {};
  const [first] = Array.isArray(body["errors"]) ? body["errors"] : [];
  const listed = isRecord(first) ? first : {};
  const named = firstText(body["error"], nested["type"], nested["message"]);
  if (named === undefined && body["ok"] !== false && status < 400) return undefined;
  return {
    error: named ?? (body["ok"] === false ? "error" : undefined),
    // Problem details (RFC 9457) have "detail" and "title".
    description: firstText(
      ...[
        body["error_description"],
        nested["message"],
        body["message"],
        body["error_message"],
        body["errmsg"],
      ],
      ...[listed["message"], listed["detail"], body["detail"], body["title"], findTitle(root)],
    ),
  };
}

/**
 * The title of a page, which often names the gateway or firewall that answered; a short text as it
 * is.
 */
function findTitle(root: unknown): string | undefined {
  if (typeof root !== "string") return undefined;
  const title = /<title[^>]*>([^<]*)</i.exec(root.slice(0, MAX_TITLE_POSITION))?.[1];
  return (
    title ??
    (root.length <= MAX_PLAIN_TEXT && !root.includes("<") && !/^[[{"]/.test(root)
      ? root
      : undefined)
  );
}

const MAX_TITLE_POSITION = 10_000;
const MAX_PLAIN_TEXT = 200;

function noteEnvelope(
  { status, contentType }: ReceivedTokenResponse,
  atRoot: boolean,
  deviations: string[],
): void {
  if (status !== 200) deviations.push(`The status is ${status}; RFC 6749 §5.1 requires 200.`);
  if (!/^application\/(?:.*\+)?json\b/i.test(contentType ?? ""))
    deviations.push(`The content type is ${contentType ?? "missing"}.`);
  if (!atRoot) deviations.push("The tokens are nested.");
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

function formatNames(body: Body): string {
  const names = Object.keys(body).slice(0, 20);
  return names.length === 0
    ? "its members: it has none"
    : names.map((name) => `"${name.slice(0, 40)}"`).join(", ");
}
