import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import type { Request } from "express";
import { sha256 } from "../../shared/crypto.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { OAuthError } from "../answer.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { getOrigin } from "./guards.ts";
import { decodeJwt } from "./jwt.ts";

/**
 * The thumbprint of the key that a request's proof was signed with; undefined without a proof or
 * without DPoP (RFC 9449 §5, §7).
 * @throws {OAuthError} invalid_dpop_proof
 */
export function checkDpopKey(
  state: ProviderState,
  request: Request,
  accessToken?: string,
): string | undefined {
  const proof = request.headers["dpop"];
  const { dpop, issuer, apiOrigin, audiences } = state.policy;
  if (!dpop || typeof proof !== "string") return undefined;
  const names = [getOrigin(request), issuer, apiOrigin, ...audiences].filter(
    (name) => name !== undefined,
  );
  return verifyDpopProof(proof, {
    method: request.method,
    path: request.originalUrl.split("?", 1)[0] ?? "",
    origins: names.map((name) => new URL(name).origin),
    nowMs: state.clock.now(),
    accessToken,
    claimIdentifier: (identifier) => state.assertions.claim("dpop", identifier),
  });
}

/** The only accepted algorithm of proofs (RFC 9449 §4.3). */
export const DPOP_ALGORITHM = "ES256";
/** Allows for clocks that differ and for slow requests. */
const MAX_AGE_SECONDS = 300;

/** Facts to check a proof against (RFC 9449 §4.3). */
export interface DpopCheck {
  method: string;
  /** The path of the request. */
  path: string;
  /** The origins of this server. */
  origins: readonly string[];
  nowMs: number;
  /** At a resource: the token of the request. */
  accessToken?: string | undefined;
  /** Marks the identifier of a proof as used; false if it was used before. */
  claimIdentifier(identifier: string): boolean;
}

/**
 * Verifies the proof that the sender of a request holds a key.
 * @returns the thumbprint of the key (RFC 7638)
 * @throws {OAuthError} invalid_dpop_proof
 */
function verifyDpopProof(proof: string, check: DpopCheck): string {
  const jwt = decodeJwt(proof);
  if (jwt === undefined) throw createRefusal("The DPoP proof is not a JWT.");
  const { header, claims, signed, signature } = jwt;
  if (header["typ"] !== "dpop+jwt" || header["alg"] !== DPOP_ALGORITHM)
    throw createRefusal(`The DPoP proof must be a dpop+jwt with ${DPOP_ALGORITHM}.`);
  const { kty, crv, x, y, d } = (header["jwk"] ?? {}) as JsonWebKey;
  if (
    kty !== "EC" ||
    crv !== "P-256" ||
    typeof x !== "string" ||
    typeof y !== "string" ||
    d !== undefined
  ) {
    throw createRefusal(
      "The header of the DPoP proof does not contain a public key that matches its alg member.",
    );
  }
  if (!isSigned({ kty, crv, x, y }, signed, signature))
    throw createRefusal("The signature of the DPoP proof does not match its key.");
  const { htm, htu, iat, jti, ath } = claims;
  if (htm !== check.method || typeof htu !== "string" || !isOwnUrl(htu, check))
    throw createRefusal("The DPoP proof is for another request.");
  if (typeof iat !== "number" || Math.abs(iat - check.nowMs / 1_000) > MAX_AGE_SECONDS)
    throw createRefusal("The DPoP proof is too old, or was issued in the future.");
  if (check.accessToken !== undefined && ath !== sha256(check.accessToken, "base64url"))
    throw createRefusal("The DPoP proof is for another token.");
  if (typeof jti !== "string" || jti === "" || !check.claimIdentifier(jti))
    throw createRefusal("The DPoP proof was used before, or has no jti.");
  return sha256(JSON.stringify({ crv, kty, x, y }), "base64url");
}

function isSigned(jwk: JsonWebKey, signed: Buffer, signature: Buffer): boolean {
  try {
    return verify(
      "sha256",
      signed,
      { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
      signature,
    );
  } catch {
    return false;
  }
}

function isOwnUrl(text: string, { path, origins }: DpopCheck): boolean {
  if (!canParseUrl(text)) return false;
  const { origin, pathname, search, hash } = new URL(text);
  return origins.includes(origin) && pathname === path && search === "" && hash === "";
}

function createRefusal(description: string): OAuthError {
  return new OAuthError("invalid_dpop_proof", description);
}
