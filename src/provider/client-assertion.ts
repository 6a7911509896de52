import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { decodeJwt } from "./jwt.ts";
import { OAuthError } from "./oauth-error.ts";

/** RFC 7523 §2.2 */
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** Signatures that this server verifies (RFC 7518 §3.1, RFC 8037). `none` and the HMACs of a shared secret are not among them. */
export const ASSERTION_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"] as const;
/** RFC 7523 §3, point 4: how far away an expiry may be. */
const MAX_LIFETIME_SECONDS = 600;
/** How far two clocks may differ. */
const LEEWAY_SECONDS = 60;
const CURVES: Readonly<Record<string, string>> = { ES256: "prime256v1", ES384: "secp384r1", ES512: "secp521r1" };

/** What an assertion is checked against. */
export interface AssertionCheck {
  clientId: string;
  /** The key that the client registered. */
  publicKey: string | JsonWebKey;
  /** The names of this server, any of which an assertion may be for. */
  audiences: readonly string[];
  nowMs: number;
  /** Notes the identifier of an assertion; false when it was used before. */
  claimIdentifier(identifier: string): boolean;
}

/** The client that an assertion speaks for, before anything of it is believed. */
export function subjectOf(assertion: string): string | undefined {
  const subject = decodeJwt(assertion)?.claims["sub"];
  return typeof subject === "string" ? subject : undefined;
}

/**
 * Verifies what a client proves itself with (RFC 7523 §3): signature, issuer and subject, audience, lifetime, and that it
 * comes for the first time.
 * @throws {OAuthError} invalid_client
 */
export function verifyAssertion(assertion: string, check: AssertionCheck): void {
  const jwt = decodeJwt(assertion);
  if (jwt === undefined) throw refused("The client assertion is no JWT.");
  const { header, claims, signed, signature } = jwt;
  if (!isSignedBy(header["alg"], publicKeyOf(check.publicKey), signed, signature)) {
    throw refused("The signature of the client assertion is not that of the registered key.");
  }
  const { iss, sub, aud, exp, nbf, iat, jti } = claims;
  const nowSeconds = check.nowMs / 1_000;
  if (iss !== check.clientId || sub !== check.clientId) throw refused("iss and sub of the client assertion must be the client ID.");
  if (!(Array.isArray(aud) ? aud : [aud]).some((audience) => check.audiences.includes(String(audience)))) {
    throw refused(`The client assertion is for somebody else; its aud must be ${check.audiences.slice(0, 2).join(" or ")}.`);
  }
  if (typeof exp !== "number" || exp <= nowSeconds - LEEWAY_SECONDS) throw refused("The client assertion has expired.");
  if (exp > nowSeconds + MAX_LIFETIME_SECONDS) throw refused("The client assertion lives too long; ten minutes are the limit.");
  for (const instant of [nbf, iat]) {
    if (instant !== undefined && !(typeof instant === "number" && instant <= nowSeconds + LEEWAY_SECONDS)) {
      throw refused("The client assertion is from the future.");
    }
  }
  if (typeof jti !== "string" || jti === "") throw refused("The client assertion has no jti.");
  if (!check.claimIdentifier(jti)) throw refused("The client assertion was used before.");
}

function isSignedBy(algorithm: unknown, key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  const known = ASSERTION_ALGORITHMS.find((name) => name === algorithm);
  if (known === undefined) throw refused(`The algorithm of the client assertion must be one of ${ASSERTION_ALGORITHMS.join(", ")}.`);
  const type = key.asymmetricKeyType;
  const hash = `sha${known.slice(2)}`;
  // Algorithm and key must fit: a signature that is valid in another scheme proves nothing.
  if (known === "EdDSA") return type === "ed25519" && verify(null, signed, key, signature);
  if (known.startsWith("ES")) {
    const fits = type === "ec" && key.asymmetricKeyDetails?.namedCurve === CURVES[known];
    return fits && verify(hash, signed, { key, dsaEncoding: "ieee-p1363" }, signature);
  }
  if (known.startsWith("PS")) {
    const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
    return (type === "rsa" || type === "rsa-pss") && verify(hash, signed, { key, padding, saltLength }, signature);
  }
  return type === "rsa" && verify(hash, signed, key, signature);
}

function publicKeyOf(key: string | JsonWebKey): KeyObject {
  return createPublicKey(typeof key === "string" ? key : { key, format: "jwk" });
}

function refused(description: string): OAuthError {
  return new OAuthError("invalid_client", description);
}
