import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import type { Request } from "express";
import { sha256 } from "../../shared/sha256.ts";
import { OAuthError } from "../answer.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { originOf } from "./guards.ts";
import { decodeJwt } from "./jwt.ts";

/**
 * The key that a request proves to hold; undefined without a proof, and on a server without DPoP (RFC 9449 §5, §7).
 * @throws {OAuthError} invalid_dpop_proof
 */
export function dpopKeyOf(state: ProviderState, request: Request, accessToken?: string): string | undefined {
  const proof = request.headers["dpop"];
  const { dpop, issuer, apiOrigin, audiences } = state.policy;
  if (!dpop || typeof proof !== "string") return undefined;
  const names = [originOf(request), issuer, apiOrigin, ...audiences].filter((name) => name !== undefined);
  return verifyDpopProof(proof, {
    method: request.method,
    path: request.originalUrl.split("?", 1)[0] ?? "",
    origins: names.map((name) => new URL(name).origin),
    nowMs: state.clock.now(),
    accessToken,
    claimIdentifier: (identifier) => state.assertions.claim("dpop", identifier),
  });
}

/** The algorithm of proofs that this server verifies (RFC 9449 §4.3). */
export const DPOP_ALGORITHM = "ES256";
/** How far two clocks may differ, and how long a proof travels. */
const MAX_AGE_SECONDS = 300;

/** What a proof is checked against (RFC 9449 §4.3). */
export interface DpopCheck {
  method: string;
  /** The path that was asked for. */
  path: string;
  /** The origins by which this server may be called. */
  origins: readonly string[];
  nowMs: number;
  /** The token that came with it, at a resource. */
  accessToken?: string | undefined;
  /** Notes the identifier of a proof; false when it was used before. */
  claimIdentifier(identifier: string): boolean;
}

/**
 * Verifies that the sender of a request holds a key.
 * @returns the thumbprint of the key (RFC 7638)
 * @throws {OAuthError} invalid_dpop_proof
 */
function verifyDpopProof(proof: string, check: DpopCheck): string {
  const jwt = decodeJwt(proof);
  if (jwt === undefined) throw refused("The proof is no JWT.");
  const { header, claims, signed, signature } = jwt;
  if (header["typ"] !== "dpop+jwt" || header["alg"] !== DPOP_ALGORITHM)
    throw refused(`The proof must be a dpop+jwt with ${DPOP_ALGORITHM}.`);
  const { kty, crv, x, y, d } = (header["jwk"] ?? {}) as JsonWebKey;
  if (kty !== "EC" || crv !== "P-256" || typeof x !== "string" || typeof y !== "string" || d !== undefined) {
    throw refused("The header of the proof has no public key for its algorithm.");
  }
  if (!isSigned({ kty, crv, x, y }, signed, signature)) throw refused("The signature of the proof is not that of its key.");
  const { htm, htu, iat, jti, ath } = claims;
  if (htm !== check.method || typeof htu !== "string" || !isOwnUrl(htu, check)) throw refused("The proof is for another request.");
  if (typeof iat !== "number" || Math.abs(iat - check.nowMs / 1_000) > MAX_AGE_SECONDS)
    throw refused("The proof is too old, or from the future.");
  if (check.accessToken !== undefined && ath !== sha256(check.accessToken, "base64url")) throw refused("The proof is for another token.");
  if (typeof jti !== "string" || jti === "" || !check.claimIdentifier(jti)) throw refused("The proof was used before, or has no jti.");
  return sha256(JSON.stringify({ crv, kty, x, y }), "base64url");
}

function isSigned(jwk: JsonWebKey, signed: Buffer, signature: Buffer): boolean {
  try {
    return verify("sha256", signed, { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" }, signature);
  } catch {
    return false;
  }
}

function isOwnUrl(text: string, { path, origins }: DpopCheck): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, pathname, search, hash } = new URL(text);
  return origins.includes(origin) && pathname === path && search === "" && hash === "";
}

function refused(description: string): OAuthError {
  return new OAuthError("invalid_dpop_proof", description);
}
