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

type Body = Record<string, unknown>;

/** What a token response means, in the shape that RFC 6749 §5 gives it. */
export type TokenResponse =
  | { kind: "tokens"; body: Body; deviations: readonly string[] }
  /** RFC 6749 §5.2, whatever status and shape it came in. */
  | { kind: "error"; error: string; description: string; deviations: readonly string[] }
  /** A success status without usable tokens. `reason` names members, never values. */
  | { kind: "invalid"; reason: string; deviations: readonly string[] }
  /** A redirect or an empty body: handed on as it is, and refused by every client. */
  | { kind: "unusable"; reason: string };

/** Members under which the normaliser keeps what it moved. `expiresAtMs` and `endpoint` are its own findings. */
const KEPT = {
  tokenType: "x_original_token_type",
  idToken: "x_id_token",
  expiresAtMs: "x_expires_at_ms",
  endpoint: "x_endpoint",
} as const;

/** What was moved, by the name that it came under; our own findings came under none. */
const RECEIVED_AS: Readonly<Record<string, string | undefined>> = {
  [KEPT.tokenType]: undefined,
  [KEPT.idToken]: "id_token",
  [KEPT.expiresAtMs]: undefined,
  [KEPT.endpoint]: undefined,
};

/** The names of the members that a response had, out of its normalised form. */
export function receivedMembers(body: Body): string[] {
  const names = Object.keys(body).filter((name) => body[name] !== undefined);
  return names.flatMap((name) => (name in RECEIVED_AS ? (RECEIVED_AS[name] ?? []) : name));
}

export interface ReadingOptions {
  /** Leaves `id_token` in its place for a client that is going to validate it. @default false */
  keepIdToken?: boolean | undefined;
}

/**
 * Reads a token response as real providers write it (rules N1–N13): parsed by shape rather than by content type, errors
 * recognised under any status, members brought to their standard names and types. Every change is a deviation that a
 * strict client would have refused.
 */
export function readTokenResponse(
  received: ReceivedTokenResponse,
  definition: OAuthDefinition,
  { keepIdToken = false }: ReadingOptions = {},
): TokenResponse {
  const { status } = received;
  if (status >= 300 && status < 400) return { kind: "unusable", reason: "a redirect" };
  const parsed = parseByShape(received.text);
  if (parsed === undefined && status < 400) return { kind: "unusable", reason: "an empty body" };
  const deviations = parsed?.deviations ?? [];
  const root = unwrapSingle(parsed?.value, deviations);

  const failure = readError(root, status);
  if (failure !== undefined) {
    if (status < 400) deviations.push(`The error came with status ${status}; RFC 6749 §5.2 says 400.`);
    return { kind: "error", ...failure, deviations };
  }
  if (!isObject(root)) return { kind: "invalid", reason: "the body is neither a JSON object nor a form", deviations };

  const container = definition.nestedResponseKey === undefined ? root : valueAt(root, definition.nestedResponseKey);
  if (!isObject(container)) {
    return { kind: "invalid", reason: `there is no object at "${definition.nestedResponseKey}" beside ${namesOf(root)}`, deviations };
  }
  noteEnvelope(received, container === root, deviations);
  const body = normaliseMembers(container, received.receivedAtMs, deviations);
  // Rule 34: what nobody validates must not be mistaken for an identity.
  if (!keepIdToken) moveIdToken(body);
  if (typeof body["access_token"] !== "string" || body["access_token"] === "") {
    return { kind: "invalid", reason: `there is no access_token among ${namesOf(container)}`, deviations };
  }
  // A line break in a token would break out of the header that carries it.
  if (/\p{Cc}/u.test(body["access_token"])) return { kind: "invalid", reason: "the access_token holds control characters", deviations };
  const endpointKey = definition.type === "OAuth2" ? definition.endpointKey : undefined;
  body[KEPT.endpoint] = endpointKey === undefined ? undefined : (valueAt(root, endpointKey) ?? valueAt(container, endpointKey));
  return { kind: "tokens", body, deviations };
}

/**
 * Turns the members of a normalised response into a token set. The endpoint is still the provider's text: see `endpoint.ts`.
 * @param delimiter what joins scopes in this definition; white space always separates them
 * @param dpopKey what the request proved; kept when the server has bound the tokens to it (RFC 9449 §5)
 */
export function tokenSetFromBody(
  body: Body,
  delimiter: string,
  clientAuthentication: ClientAuthenticationMethod,
  dpopKey?: string | undefined,
): TokenSet {
  const { access_token, token_type, expires_in: _, refresh_token, scope, ...rest } = body;
  const { [KEPT.tokenType]: originalType, [KEPT.expiresAtMs]: expiresAtMs, [KEPT.endpoint]: endpoint, ...extra } = rest;
  const tokenType = typeof originalType === "string" ? originalType : typeof token_type === "string" ? token_type : "Bearer";
  return createTokenSet({
    accessToken: String(access_token),
    tokenType,
    ...(dpopKey !== undefined && /^dpop$/i.test(tokenType) ? { dpopKey } : {}),
    expiresAtMs: typeof expiresAtMs === "number" ? expiresAtMs : undefined,
    refreshToken: typeof refresh_token === "string" ? refresh_token : undefined,
    scopes: typeof scope === "string" ? scope.split(/\s+/).flatMap((part) => part.split(delimiter).filter(Boolean)) : undefined,
    endpoint: typeof endpoint === "string" ? endpoint : undefined,
    extra,
    clientAuthentication,
  });
}

/** Undefined for an empty body. What is neither JSON nor a form stays text. */
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
  // Only a form with a member that is known counts: a bare token with "=" in it must not become the name of a member.
  if (/^[\w.~%+[\]-]+=[^&<>]*(?:&[\w.~%+[\]-]+=[^&<>]*)*$/.test(trimmed) && /(?:^|&)(?:access_?token|error)=/i.test(trimmed)) {
    deviations.push("The body is form-encoded; RFC 6749 §5.1 says JSON.");
    return { value: Object.fromEntries(new URLSearchParams(trimmed)), deviations };
  }
  return { value: trimmed, deviations };
}

/** N7, before parsing: a number above 2^53 would lose digits. */
function quoteNumericTokens(json: string, deviations: string[]): string {
  return json.replace(/("(access_token|refresh_token|accessToken|refreshToken)"\s*:\s*)(-?\d+)(?=\s*[,}])/g, (_, start, name, digits) => {
    deviations.push(`${name} is a number.`);
    return `${start}"${digits}"`;
  });
}

/** N1 */
function unwrapSingle(value: unknown, deviations: string[]): unknown {
  if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return value;
  deviations.push("The body is an array with one object.");
  return value[0];
}

/** N3 */
function readError(root: unknown, status: number): { error: string; description: string } | undefined {
  const body = isObject(root) ? root : {};
  const nested = isObject(body["error"]) ? body["error"] : {};
  const named = firstText(body["error"], nested["type"], nested["message"]);
  if (named === undefined && body["ok"] !== false && status < 400) return undefined;
  return {
    error: named ?? (body["ok"] === false ? "error" : "server_error"),
    description: firstText(body["error_description"], nested["message"], body["message"]) ?? `HTTP ${status}`,
  };
}

function noteEnvelope({ status, contentType }: ReceivedTokenResponse, atRoot: boolean, deviations: string[]): void {
  if (status !== 200) deviations.push(`The status is ${status}; RFC 6749 §5.1 says 200.`);
  if (!/^application\/(?:.*\+)?json\b/i.test(contentType ?? "")) deviations.push(`The content type is ${contentType ?? "missing"}.`);
  if (!atRoot) deviations.push("The tokens are nested.");
}

/** N6–N11, in this order. */
function normaliseMembers(container: Body, receivedAtMs: number, deviations: string[]): Body {
  const body: Body = { ...container };
  const changed = (text: string) => deviations.push(text);

  for (const [name, standard] of Object.entries({ accessToken: "access_token", refreshToken: "refresh_token", expiresIn: "expires_in" })) {
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
  normaliseScope(body, changed);
  normaliseExpiry(body, receivedAtMs, changed);
  normaliseTokenType(body, changed);
  return body;
}

/** N12 */
function moveIdToken(body: Body): void {
  if (body["id_token"] === undefined) return;
  body[KEPT.idToken] = body["id_token"];
  delete body["id_token"];
}

/** N9 */
function normaliseScope(body: Body, changed: (text: string) => void): void {
  const { scope } = body;
  if (scope === undefined || typeof scope === "string") return;
  delete body["scope"];
  changed(`scope is ${Array.isArray(scope) ? "an array" : `of type ${typeof scope}`}.`);
  if (Array.isArray(scope)) body["scope"] = scope.filter((item) => typeof item === "string").join(" ");
}

/** N10, and the instant that the expiry means. */
function normaliseExpiry(body: Body, receivedAtMs: number, changed: (text: string) => void): void {
  const given = body["expires_in"];
  const seconds = secondsUntil(given, receivedAtMs) ?? secondsUntil(toInstant(body["expires_at"]), receivedAtMs);
  if (given !== undefined && given !== seconds)
    changed(`expires_in is ${typeof given === "number" ? "not a lifetime" : `of type ${typeof given}`}.`);
  if (given === undefined && seconds !== undefined) changed("The expiry is given as expires_at.");
  delete body["expires_in"];
  delete body[KEPT.expiresAtMs];
  if (seconds === undefined) return;
  body["expires_in"] = seconds;
  body[KEPT.expiresAtMs] = receivedAtMs + seconds * 1_000;
}

const EPOCH_SECONDS_FROM = 1e9;
const EPOCH_MILLISECONDS_FROM = 1e11;

function secondsUntil(value: unknown, nowMs: number): number | undefined {
  const number = typeof value === "string" ? numberOrInstant(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  const seconds =
    number > EPOCH_MILLISECONDS_FROM ? (number - nowMs) / 1_000 : number > EPOCH_SECONDS_FROM ? number - nowMs / 1_000 : number;
  // A lifetime that moves no clock is none.
  return nowMs + seconds * 1_000 > nowMs ? seconds : undefined;
}

/** `expires_at` is an instant; a small number there is no lifetime. */
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

/** N11 */
function normaliseTokenType(body: Body, changed: (text: string) => void): void {
  const type = body["token_type"];
  delete body[KEPT.tokenType];
  if (typeof type === "string" && /^(?:bearer|dpop)$/i.test(type)) {
    // One of the libraries hands no token_type on.
    if (/^dpop$/i.test(type)) body[KEPT.tokenType] = type;
    return;
  }
  changed(typeof type === "string" ? "token_type is not Bearer." : "token_type is missing.");
  body["token_type"] = "Bearer";
  body[KEPT.tokenType] = typeof type === "string" ? type : null;
}

/** The value at a dotted path, through own members only. */
function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

function namesOf(body: Body): string {
  const names = Object.keys(body).slice(0, 20);
  return names.length === 0 ? "no members" : names.map((name) => `"${name.slice(0, 40)}"`).join(", ");
}
