import type { Authentication } from "../../define/authentication.ts";
import type { RenewalSignal } from "../../define/oauth.ts";
import { demandsLogin, parseTokenChallenge } from "../../oauth/challenge.ts";

/** The parts of an answer that can ask for a new token. */
export interface RefusedAnswer {
  status: number;
  /** With lower-case names. */
  headers: Readonly<Record<string, string>>;
  bytes: Uint8Array;
}

/** A larger body is a result, not a refusal. */
const MAX_BODY_BYTES = 1_000_000;

/**
 * Whether an answer means that the access token must be renewed: a 401 (RFC 6750 §3.1) that does
 * not demand another login
 * of the user, or a signal that the definition declares in `refreshOn`.
 */
export function asksForRenewal(authentication: Authentication, answer: RefusedAnswer): boolean {
  if (answer.status === 401)
    return !demandsLogin(parseTokenChallenge(answer.headers["www-authenticate"]));
  return declaredSignals(authentication).some((signal) => matches(signal, answer));
}

function declaredSignals(authentication: Authentication): readonly RenewalSignal[] {
  return "refreshOn" in authentication ? (authentication.refreshOn ?? []) : [];
}

function matches({ status, bodyPath, equals }: RenewalSignal, answer: RefusedAnswer): boolean {
  if (status !== answer.status) return false;
  // Without a body to check, a success must not be repeated.
  if (bodyPath === undefined) return status >= 400;
  const value = valueAt(parse(answer.bytes), bodyPath);
  return equals === undefined ? value !== undefined && value !== null : value === equals;
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_BODY_BYTES) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Follows a dotted path; a number names an element of a list. */
function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
