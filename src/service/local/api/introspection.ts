import { isPackError } from "../../../errors.ts";
import { authenticateRequest } from "../../../oauth/client-authentication.ts";
import { isTooDeep, readLimitedText } from "../../../oauth/response-body.ts";
import { sendOut } from "../../../oauth/send-out.ts";
import { FORM_TYPE } from "../../../oauth/step.ts";
import { systemLookup } from "../../../oauth/url-policy.ts";
import { isRecord } from "../../../shared/values.ts";
import { HttpError } from "./http-error.ts";
import { requirePrivateHttp } from "./introspection-url.ts";

/** Where tokens of an authorization server are looked up (RFC 7662), and as which client. */
export interface TokenIntrospection {
  /** https, or http to a private address. */
  url: string;
  clientId: string;
  clientSecret: string;
  /**
   * The issuer of the server, for the metadata of the API (RFC 9728). @default the origin of `url`
   */
  issuer?: string | undefined;
}

/** What the server says about a token that is active. */
export interface IntrospectedToken {
  scopes: readonly string[];
  /** The user of the token, or else its client. */
  name: string;
}

const TIMEOUT_MS = 5_000;
/** How far the clocks of two machines may differ. */
const CLOCK_LEEWAY_SECONDS = 60;
const MAX_BODY_BYTES = 64 * 1_024;

/**
 * Asks for the state of a token. The answer is never kept, so that a revoked token stops working at
 * once.
 * @returns undefined for a token that is not active
 * @throws {HttpError} 503 when the authorization server gives no usable answer
 */
export async function introspectToken(
  introspection: TokenIntrospection,
  token: string,
  nowMs: number,
): Promise<IntrospectedToken | undefined> {
  return readIntrospection(await post(introspection, token), nowMs);
}

/**
 * What an introspection response (RFC 7662 §2.2) says. Its members have the types of the RFC: a
 * server that writes others may mean something else.
 * @returns undefined for a token that is not active, or not at this time
 * @throws {HttpError} 503 when a member that decides has another type
 */
export function readIntrospection(
  body: Readonly<Record<string, unknown>>,
  nowMs: number,
): IntrospectedToken | undefined {
  const active = requireType(body, "active", "boolean");
  if (active === undefined) throw createUnusableError("active is missing");
  if (!active) return undefined;
  const expiresAt = requireType(body, "exp", "number");
  const startsAt = requireType(body, "nbf", "number");
  const scope = requireType(body, "scope", "string");
  const now = nowMs / 1_000;
  if (expiresAt !== undefined && expiresAt + CLOCK_LEEWAY_SECONDS <= now) return undefined;
  if (startsAt !== undefined && startsAt - CLOCK_LEEWAY_SECONDS > now) return undefined;
  const [name = "Unknown client"] = ["name", "username", "client_id"]
    .map((member) => body[member])
    .filter((value) => typeof value === "string" && value !== "");
  return { scopes: scope?.split(" ").filter(Boolean) ?? [], name: String(name) };
}

interface MemberTypes {
  boolean: boolean;
  number: number;
  string: string;
}

/** @returns undefined for a member that is missing or null */
function requireType<Type extends keyof MemberTypes>(
  body: Readonly<Record<string, unknown>>,
  member: string,
  type: Type,
): MemberTypes[Type] | undefined {
  const value = Object.hasOwn(body, member) ? (body[member] ?? undefined) : undefined;
  if (value === undefined) return undefined;
  if (typeof value !== type) throw createUnusableError(`${member} is not a ${type}`);
  return value as MemberTypes[Type];
}

function createUnusableError(reason?: string): HttpError {
  const why = reason === undefined ? "" : `: ${reason}`;
  return new HttpError(503, `The introspection endpoint did not give a usable response${why}.`);
}

async function post(
  { url, clientId, clientSecret }: TokenIntrospection,
  token: string,
): Promise<Record<string, unknown>> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await requirePrivateHttp(new URL(url), systemLookup);
    const params = new URLSearchParams({ token, token_type_hint: "access_token" });
    const headers = new Headers({ accept: "application/json", "content-type": FORM_TYPE });
    // RFC 6749 §2.3.1: form-encode before base64, or a "+" in the secret is read as a space.
    authenticateRequest({ clientId, clientSecret }, "basic-strict", { params, headers });
    const response = await sendOut(url, {
      method: "POST",
      headers: Object.fromEntries(headers),
      body: params.toString(),
      signal,
    });
    const { host } = new URL(url);
    const text = await readLimitedText(response, { maxBodyBytes: MAX_BODY_BYTES, host, hint: "" });
    const answer: unknown = JSON.parse(text);
    if (response.status !== 200 || isTooDeep(text) || !isRecord(answer))
      throw new Error("no introspection response");
    return answer;
  } catch (error) {
    throw createUnusableError(findReason(error));
  }
}

function findReason(error: unknown): string | undefined {
  const details: unknown = isPackError(error) ? error.details : undefined;
  return isRecord(details) && typeof details["reason"] === "string" ? details["reason"] : undefined;
}
