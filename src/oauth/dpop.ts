import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomUUID } from "node:crypto";
import { PackError } from "../errors.ts";
import { sha256 } from "../shared/crypto.ts";
import type { OAuthDefinition } from "./definition.ts";
import type { TokenSet } from "./token-set.ts";

/**
 * The algorithm of every DPoP proof. RFC 9449 §4.2 leaves the choice; all servers with DPoP know
 * this one.
 */
export const DPOP_ALGORITHM = "ES256";

/** The request that a DPoP proof is for (RFC 9449 §4.2). */
export interface DpopClaims {
  method: string;
  /** Where the request goes, as declared. Query and fragment are left out. */
  url: string;
  nowMs: number;
  /** The nonce of the server's last response. */
  nonce?: string | undefined;
  /** For a request to an API: the token that it carries. */
  accessToken?: string | undefined;
}

/**
 * Makes a private key for one account, as the text of a JWK. Tokens that are bound to it cannot be
 * used without it.
 */
export function createDpopKey(): string {
  return JSON.stringify(
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  );
}

/**
 * Whether the definition allows bound tokens: they are sent only in the Authorization header, with
 * the scheme DPoP (RFC 9449 §7.1).
 */
export function canBindTokens({
  tokenHeaderName,
  tokenQueryParam,
  tokenPrefix,
}: OAuthDefinition): boolean {
  return (
    tokenHeaderName === undefined &&
    !tokenQueryParam &&
    (tokenPrefix === undefined || /^(?:bearer|dpop)$/i.test(tokenPrefix))
  );
}

/**
 * Refuses a token that is not bound to the key, if the definition demands it, and one that is bound
 * to a key that no one has. There
 * is no silent fallback.
 * @throws {PackError} OAUTH_TOKEN_RESPONSE_INVALID
 */
export function requireBound(definition: OAuthDefinition, tokenSet: TokenSet): TokenSet {
  if (tokenSet.dpopKey !== undefined) return tokenSet;
  if (/^dpop$/i.test(tokenSet.tokenType)) {
    throw new PackError(
      "OAUTH_TOKEN_RESPONSE_INVALID",
      "The provider issued a token that is bound to a key (DPoP), but the request contained no key.",
      {
        details: { status: 200, reason: "token_type is DPoP" },
        hint: "Set dpop: true in the authentication definition.",
      },
    );
  }
  if (definition.dpop !== true) return tokenSet;
  throw new PackError(
    "OAUTH_TOKEN_RESPONSE_INVALID",
    "The authentication definition sets dpop: true, but the provider issued a token that is not bound to the key.",
    {
      details: { status: 200, reason: "token_type is not DPoP" },
      hint: "Allow DPoP for the client in the provider's settings, or remove dpop from the authentication definition.",
    },
  );
}

/**
 * Signs the proof that a request comes from the holder of the key (RFC 9449 §4.2). Each proof has
 * its own `jti`.
 */
export async function createDpopProof(
  dpopKey: string,
  { method, url, nowMs, nonce, accessToken }: DpopClaims,
): Promise<string> {
  const jwk = JSON.parse(dpopKey) as JsonWebKey;
  // Loaded only when something is signed.
  const { SignJWT } = await import("jose");
  return await new SignJWT({
    htm: method,
    htu: url.split(/[?#]/, 1)[0] ?? url,
    jti: randomUUID(),
    ...(nonce === undefined ? {} : { nonce }),
    ...(accessToken === undefined ? {} : { ath: sha256(accessToken, "base64url") }),
  })
    .setProtectedHeader({ typ: "dpop+jwt", alg: DPOP_ALGORITHM, jwk: publicHalf(jwk) })
    .setIssuedAt(Math.floor(nowMs / 1_000))
    .sign(createPrivateKey({ key: jwk, format: "jwk" }));
}

/**
 * The thumbprint of the key (RFC 7638), which binds the authorization request to it (RFC 9449 §10).
 */
export function computeThumbprint(dpopKey: string): string {
  const { crv, kty, x, y } = publicHalf(JSON.parse(dpopKey) as JsonWebKey);
  return sha256(JSON.stringify({ crv, kty, x, y }), "base64url");
}

/** The private member of a DPoP key, which must never be shown. */
export function findDpopSecret(dpopKey: string | undefined): string | undefined {
  return dpopKey === undefined ? undefined : (JSON.parse(dpopKey) as JsonWebKey).d;
}

function publicHalf({ kty = "EC", crv = "P-256", x = "", y = "" }: JsonWebKey) {
  return { kty, crv, x, y };
}
