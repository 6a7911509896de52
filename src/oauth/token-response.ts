import { MAX_SECRET_LENGTH } from "../shared/secret-matcher.ts";
import { isRecord } from "../shared/values.ts";
import type { OAuthDefinition } from "./definition.ts";
import { isTooDeep } from "./response-body.ts";
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

type Body = Record<string, unknown>;

/** A token response, brought to the form of RFC 6749 §5. */
export type TokenResponse =
  | { kind: "tokens"; body: Body; deviations: readonly string[] }
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
  /** A success status without usable tokens. `reason` names members, never values. */
  | { kind: "invalid"; reason: string; deviations: readonly string[] }
  /** A redirect or an empty body, which every client refuses. */
  | { kind: "unusable"; reason: string };

/**
 * Names for members that were moved out of the way, and for values that were computed
 * (`expiresAtMs`, `lifetimeMs`, `endpoint`).
 */
const KEPT = {
  tokenType: "x_original_token_type",
  idToken: "x_id_token",
  expiresAtMs: "x_expires_at_ms",
  lifetimeMs: "x_lifetime_ms",
  endpoint: "x_endpoint",
} as const;

/** The original names of moved members. Computed values have none. */
const RECEIVED_AS: Readonly<Record<string, string | undefined>> = {
  [KEPT.tokenType]: undefined,
  [KEPT.idToken]: "id_token",
  [KEPT.expiresAtMs]: undefined,
  [KEPT.lifetimeMs]: undefined,
  [KEPT.endpoint]: undefined,
};

/** The names of the members that the response had before it was normalized. */
export function receivedMembers(body: Body): string[] {
  const names = Object.keys(body).filter((name) => body[name] !== undefined);
  return names.flatMap((name) => (name in RECEIVED_AS ? (RECEIVED_AS[name] ?? []) : name));
}

export interface ReadingOptions {
  /** Keeps `id_token` in its place, for a client that validates it. @default false */
  keepIdToken?: boolean | undefined;
  /** The access token of the account, for a refresh that may leave it unchanged. */
  keptAccessToken?: string | undefined;
}

/**
 * Reads a token response as real providers write it: parses it by its form, not by its content
 * type, recognizes errors
 * under any status, and brings members to their standard names and types. Each change is noted as a
 * deviation, which a
 * strict client would have refused.
 */
export function readTokenResponse(
  received: ReceivedTokenResponse,
  definition: OAuthDefinition,
  { keepIdToken = false, keptAccessToken }: ReadingOptions = {},
): TokenResponse {
  const { status } = received;
  if (status >= 300 && status < 400) return { kind: "unusable", reason: "a redirect" };
  const parsed = parseByShape(received.text);
  if (parsed === undefined && status < 400) return { kind: "unusable", reason: "an empty body" };
  const deviations = parsed?.deviations ?? [];
  const root = unwrapSingle(parsed?.value, deviations);

  const failure = readError(root, status);
  if (failure !== undefined) {
    if (status < 400)
      deviations.push(`The error came with status ${status}; RFC 6749 §5.2 says 400.`);
    return { kind: "error", ...failure, deviations };
  }
  if (!isRecord(root))
    return { kind: "invalid", reason: "the body is neither a JSON object nor a form", deviations };

  const container =
    definition.nestedResponseKey === undefined ? root : valueAt(root, definition.nestedResponseKey);
  if (!isRecord(container)) {
    return {
      kind: "invalid",
      reason: `there is no object at "${definition.nestedResponseKey}" next to ${namesOf(root)}`,
      deviations,
    };
  }
  noteEnvelope(received, container === root, deviations);
  const body = normalizeMembers(
    withDeclaredNames(container, definition),
    received.receivedAtMs,
    deviations,
  );
  if (definition.tokenResponse?.refreshKeepsToken === true)
    body["access_token"] ??= keptAccessToken;
  // An ID Token that is not validated must not be mistaken for an identity.
  if (!keepIdToken) moveIdToken(body);
  if (typeof body["access_token"] !== "string" || body["access_token"] === "") {
    const isEmpty = Object.hasOwn(container, "access_token") && (body["access_token"] ?? "") === "";
    return {
      kind: "invalid",
      reason: isEmpty
        ? "its access_token is empty"
        : `there is no access_token among ${namesOf(container)}`,
      deviations,
    };
  }
  // A line break in a token would end the header that carries it. Other characters (RFC 6749 §A.12)
  // cannot be sent in one.
  if (/\p{Cc}/u.test(body["access_token"]))
    return { kind: "invalid", reason: "the access_token holds control characters", deviations };
  if (/[^\0-\xff]/.test(body["access_token"])) {
    return {
      kind: "invalid",
      reason: "the access_token holds characters that no header can carry",
      deviations,
    };
  }
  const long = ["access_token", "refresh_token"].find(
    (name) => String(body[name] ?? "").length > MAX_SECRET_LENGTH,
  );
  if (long !== undefined)
    return { kind: "invalid", reason: `the ${long} is longer than 64 kB`, deviations };
  const endpointKey = definition.type === "OAuth2" ? definition.endpointKey : undefined;
  body[KEPT.endpoint] =
    endpointKey === undefined
      ? undefined
      : (valueAt(root, endpointKey) ?? valueAt(container, endpointKey));
  return { kind: "tokens", body, deviations };
}

/**
 * Turns the members of a normalized response into a token set. The endpoint is not checked yet: see
 * `endpoint.ts`.
 * @param delimiter separates scopes in this definition, in addition to white space
 * @param dpopKey the key of the request; kept if the server has bound the tokens to it (RFC 9449
 *   §5)
 */
export function tokenSetFromBody(
  body: Body,
  delimiter: string,
  clientAuthentication: ClientAuthenticationMethod,
  dpopKey?: string | undefined,
): TokenSet {
  const { access_token, token_type, expires_in: _, refresh_token, scope, ...rest } = body;
  const {
    [KEPT.tokenType]: originalType,
    [KEPT.expiresAtMs]: expiresAtMs,
    [KEPT.lifetimeMs]: lifetimeMs,
    ...others
  } = rest;
  const { [KEPT.endpoint]: endpoint, ...extra } = others;
  const tokenType =
    typeof originalType === "string"
      ? originalType
      : typeof token_type === "string"
        ? token_type
        : "Bearer";
  return createTokenSet({
    accessToken: String(access_token),
    tokenType,
    ...(dpopKey !== undefined && /^dpop$/i.test(tokenType) ? { dpopKey } : {}),
    expiresAtMs: typeof expiresAtMs === "number" ? expiresAtMs : undefined,
    ...(typeof lifetimeMs === "number" ? { lifetimeMs } : {}),
    refreshToken: typeof refresh_token === "string" ? refresh_token : undefined,
    scopes: typeof scope === "string" ? scopesOf(scope, delimiter) : undefined,
    endpoint: typeof endpoint === "string" ? endpoint : undefined,
    extra,
    clientAuthentication,
  });
}

/**
 * Some servers take scopes with spaces and return them with commas. A text with spaces keeps its
 * commas, which a scope may contain.
 */
function scopesOf(text: string, delimiter: string): string[] {
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
    deviations.push("The body is form-encoded; RFC 6749 §5.1 says JSON.");
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

/** Stands for the error of a response that names none, where a code must be. */
export const UNNAMED_ERROR = "server_error";

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
      ...[listed["message"], listed["detail"], body["detail"], body["title"], titleOf(root)],
    ),
  };
}

/**
 * The title of a page, which often names the gateway or firewall that answered; a short text as it
 * is.
 */
function titleOf(root: unknown): string | undefined {
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
  if (status !== 200) deviations.push(`The status is ${status}; RFC 6749 §5.1 says 200.`);
  if (!/^application\/(?:.*\+)?json\b/i.test(contentType ?? ""))
    deviations.push(`The content type is ${contentType ?? "missing"}.`);
  if (!atRoot) deviations.push("The tokens are nested.");
}

/**
 * The members of a response under their names of RFC 6749 §5.1, where the definition has other
 * paths for them.
 */
function withDeclaredNames(container: Body, { tokenResponse = {} }: OAuthDefinition): Body {
  const { accessToken, refreshToken, expiresIn, expiresInUnit } = tokenResponse;
  const body: Body = { ...container };
  for (const [standard, path] of Object.entries({
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: expiresIn,
  })) {
    if (path === undefined) continue;
    body[standard] = valueAt(container, path);
    delete body[path];
  }
  const lifetime = Number(body["expires_in"]);
  if (
    expiresInUnit === "milliseconds" &&
    body["expires_in"] !== undefined &&
    Number.isFinite(lifetime)
  )
    body["expires_in"] = lifetime / 1_000;
  return body;
}

function normalizeMembers(container: Body, receivedAtMs: number, deviations: string[]): Body {
  const body: Body = { ...container };
  const changed = (text: string) => deviations.push(text);

  for (const [name, standard] of Object.entries({
    accessToken: "access_token",
    refreshToken: "refresh_token",
    expiresIn: "expires_in",
  })) {
    if (body[standard] !== undefined || body[name] === undefined) continue;
    body[standard] = body[name];
    delete body[name];
    changed(`${standard} is called ${name}.`);
  }
  for (const name of ["refresh_token", "id_token", "scope", "expires_in", "token_type"]) {
    if (body[name] !== null && body[name] !== "") continue;
    changed(`${name} is ${body[name] === null ? "null" : "empty"}.`);
    delete body[name];
  }
  if (body["refresh_token"] !== undefined && typeof body["refresh_token"] !== "string") {
    changed(`refresh_token is of type ${typeof body["refresh_token"]}.`);
    delete body["refresh_token"];
  }
  normalizeScope(body, changed);
  normalizeExpiry(body, receivedAtMs, changed);
  normalizeTokenType(body, changed);
  return body;
}

function moveIdToken(body: Body): void {
  if (body["id_token"] === undefined) return;
  body[KEPT.idToken] = body["id_token"];
  delete body["id_token"];
}

function normalizeScope(body: Body, changed: (text: string) => void): void {
  const { scope } = body;
  if (scope === undefined || typeof scope === "string") return;
  delete body["scope"];
  changed(`scope is ${Array.isArray(scope) ? "an array" : `of type ${typeof scope}`}.`);
  if (Array.isArray(scope))
    body["scope"] = scope.filter((item) => typeof item === "string").join(" ");
}

/** Brings the expiry to seconds in `expires_in`, and computes the instant. */
function normalizeExpiry(body: Body, receivedAtMs: number, changed: (text: string) => void): void {
  const given = body["expires_in"];
  const seconds =
    secondsUntil(given, receivedAtMs) ?? secondsUntil(toInstant(body["expires_at"]), receivedAtMs);
  if (given !== undefined && given !== seconds)
    changed(
      `expires_in is ${typeof given === "number" ? "not a lifetime" : `of type ${typeof given}`}.`,
    );
  if (given === undefined && seconds !== undefined) changed("The expiry is given as expires_at.");
  delete body["expires_in"];
  delete body[KEPT.expiresAtMs];
  delete body[KEPT.lifetimeMs];
  if (seconds === undefined) return;
  body["expires_in"] = seconds;
  body[KEPT.expiresAtMs] = receivedAtMs + seconds * 1_000;
  body[KEPT.lifetimeMs] = seconds * 1_000;
}

const EPOCH_SECONDS_FROM = 1e9;
const EPOCH_MILLISECONDS_FROM = 1e11;
/** The last instant that a `Date` can hold. */
const LAST_DATE_MS = 8.64e15;

function secondsUntil(value: unknown, nowMs: number): number | undefined {
  const number = typeof value === "string" ? numberOrInstant(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  const seconds =
    number > EPOCH_MILLISECONDS_FROM
      ? (number - nowMs) / 1_000
      : number > EPOCH_SECONDS_FROM
        ? number - nowMs / 1_000
        : number;
  // Zero, negative and very small values, and a date that no calendar has, mean that the expiry is
  // unknown.
  const expiresAtMs = nowMs + seconds * 1_000;
  return expiresAtMs > nowMs && expiresAtMs <= LAST_DATE_MS ? seconds : undefined;
}

/** `expires_at` is an instant. A small number there is ignored. */
function toInstant(value: unknown): number | undefined {
  const number = typeof value === "string" ? numberOrInstant(value) : value;
  return typeof number === "number" && number > EPOCH_SECONDS_FROM ? number : undefined;
}

function numberOrInstant(text: string): number | undefined {
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) {
    const instant = Date.parse(text);
    return Number.isNaN(instant) ? undefined : instant;
  }
  return text.trim() === "" ? undefined : Number(text);
}

function normalizeTokenType(body: Body, changed: (text: string) => void): void {
  const type = body["token_type"];
  delete body[KEPT.tokenType];
  if (typeof type === "string" && /^(?:bearer|dpop)$/i.test(type)) {
    // One of the libraries drops token_type, so DPoP is kept under another name.
    if (/^dpop$/i.test(type)) body[KEPT.tokenType] = type;
    return;
  }
  changed(typeof type === "string" ? "token_type is not Bearer." : "token_type is missing.");
  body["token_type"] = "Bearer";
  body[KEPT.tokenType] = typeof type === "string" ? type : null;
}

/** The value at a dotted path. Inherited members do not count. */
function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

function namesOf(body: Body): string {
  const names = Object.keys(body).slice(0, 20);
  return names.length === 0
    ? "no members"
    : names.map((name) => `"${name.slice(0, 40)}"`).join(", ");
}
