import type { TokenResponseMembers } from "../define/oauth.ts";
import { isRecord } from "../shared/values.ts";

/** The members of an object of a response. */
export type Body = Record<string, unknown>;

/**
 * The members of a response under their names and with their types of RFC 6749 §5.1. What had
 * another one is noted.
 */
export function withStandardNames(
  container: Body,
  members: TokenResponseMembers,
  deviations: string[],
): Body {
  const body = withDeclaredNames(container, members);
  const noteDeviation = (text: string) => deviations.push(text);
  for (const [name, standard] of Object.entries({
    accessToken: "access_token",
    refreshToken: "refresh_token",
    expiresIn: "expires_in",
  })) {
    if (body[standard] !== undefined || body[name] === undefined) continue;
    body[standard] = body[name];
    delete body[name];
    noteDeviation(`${standard} is called ${name}.`);
  }
  for (const name of ["refresh_token", "id_token", "scope", "expires_in", "token_type"]) {
    if (body[name] !== null && body[name] !== "") continue;
    noteDeviation(`${name} is ${body[name] === null ? "null" : "empty"}.`);
    delete body[name];
  }
  if (body["refresh_token"] !== undefined && typeof body["refresh_token"] !== "string") {
    noteDeviation(`refresh_token is of type ${typeof body["refresh_token"]}.`);
    delete body["refresh_token"];
  }
  normalizeScope(body, noteDeviation);
  return body;
}

/** The members under their standard names, where the definition has other paths for them. */
function withDeclaredNames(
  container: Body,
  { accessToken, refreshToken, expiresIn, expiresInUnit }: TokenResponseMembers,
): Body {
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

function normalizeScope(body: Body, changed: (text: string) => void): void {
  const { scope } = body;
  if (scope === undefined || typeof scope === "string") return;
  delete body["scope"];
  changed(`scope is ${Array.isArray(scope) ? "an array" : `of type ${typeof scope}`}.`);
  if (Array.isArray(scope))
    body["scope"] = scope.filter((item) => typeof item === "string").join(" ");
}

/** When a token expires. */
export interface Expiry {
  expiresInSeconds: number | undefined;
  expiresAtMs: number | undefined;
}

/** The expiry of the members. `expires_in` becomes seconds, or is removed if it is unknown. */
export function readExpiry(members: Body, receivedAtMs: number, deviations: string[]): Expiry {
  const given = members["expires_in"];
  const seconds =
    secondsUntil(given, receivedAtMs) ??
    secondsUntil(toInstant(members["expires_at"]), receivedAtMs);
  if (given !== undefined && given !== seconds)
    deviations.push(
      `expires_in is ${typeof given === "number" ? "not a lifetime" : `of type ${typeof given}`}.`,
    );
  if (given === undefined && seconds !== undefined)
    deviations.push("The provider sends the expiry as expires_at.");
  delete members["expires_in"];
  if (seconds === undefined) return { expiresInSeconds: undefined, expiresAtMs: undefined };
  members["expires_in"] = seconds;
  return { expiresInSeconds: seconds, expiresAtMs: receivedAtMs + seconds * 1_000 };
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

/** The value at a dotted path. Inherited members do not count. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * The dotted path of the member that looks like the access token, for a definition that expects it
 * elsewhere: one with the standard name anywhere, otherwise one with a name that providers use.
 */
export function findTokenPath(root: unknown): string | undefined {
  return findMember(root, /^access_?token$/i, []) ?? findMember(root, LIKE_A_TOKEN, []);
}

const LIKE_A_TOKEN = /^(?:(?:access|api|auth|bearer|oauth|session|user)_?)?(?:token|key)$/i;
const MAX_DEPTH = 4;

function findMember(value: unknown, name: RegExp, path: readonly string[]): string | undefined {
  if (!isRecord(value) || path.length >= MAX_DEPTH) return undefined;
  const members = Object.entries(value).filter(([each]) => /^[\w-]{1,40}$/.test(each));
  const member = members.find(
    ([each, text]) => name.test(each) && typeof text === "string" && text !== "",
  );
  if (member !== undefined) return [...path, member[0]].join(".");
  for (const [each, nested] of members) {
    const deeper = findMember(nested, name, [...path, each]);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}
