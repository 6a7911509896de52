import { sha256 } from "../../shared/crypto.ts";
import type { ProviderClient, ProviderUser } from "../options.ts";
import type { CodeChallenge } from "../request/pkce.ts";
import { BoundedMap } from "./bounded-map.ts";

/**
 * A consent of a user, or the grant of a client for itself. All tokens of a grant are revoked
 * together.
 */
export interface Grant {
  clientId: string;
  user: ProviderUser | undefined;
  scopes: readonly string[];
  resources: readonly string[];
  revoked: boolean;
  /** How the user has signed in; undefined without a browser. */
  login?: Login | undefined;
  /** Its access tokens serve only to be exchanged. */
  forExchange?: boolean | undefined;
}

/** A login of a user. */
export interface Login {
  atMs: number;
  /** The authentication context; undefined for an ordinary login. */
  acr: string | undefined;
}

/**
 * The claims about a login (OpenID Connect Core §2), in ID Tokens, JWT access tokens (RFC 9068
 * §2.2.1) and introspection (RFC 9470 §6.2).
 */
export function loginClaims({ login }: Grant): Record<string, unknown> {
  if (login === undefined) return {};
  return {
    auth_time: Math.floor(login.atMs / 1_000),
    ...(login.acr === undefined ? {} : { acr: login.acr }),
  };
}

export interface AuthorizationCode {
  grant: Grant;
  redirectUri: string;
  /** Whether the request asked for access while the user is away (`access_type=offline`). */
  offline: boolean;
  challenge: CodeChallenge | undefined;
  nonce: string | undefined;
  expiresAtMs: number;
  used: boolean;
}

export interface IssuedToken {
  kind: "access_token" | "refresh_token";
  grant: Grant;
  scopes: readonly string[];
  resources: readonly string[];
  /** The thumbprint of the key that it is bound to. */
  boundTo?: string | undefined;
  /** The thumbprint of the TLS certificate that it is bound to. */
  boundToCertificate?: string | undefined;
  issuedAtMs: number;
  expiresAtMs: number;
  /** Rotated or revoked. */
  spent: boolean;
}

/** The codes and tokens of one provider. */
export interface TokenStore {
  issueCode(code: Omit<AuthorizationCode, "used" | "expiresAtMs">): string;
  findCode(value: string): AuthorizationCode | undefined;
  /** @param value the token; a random one by default */
  issueToken(
    token: Pick<
      IssuedToken,
      "kind" | "grant" | "scopes" | "resources" | "boundTo" | "boundToCertificate"
    >,
    value?: string,
  ): string;
  /** Gives the access tokens of a grant their full lifetime again. */
  prolong(grant: Grant): void;
  findToken(value: string): IssuedToken | undefined;
  isAlive(token: IssuedToken): boolean;
  /** Whether a value is a code or token of this provider, valid or not. */
  knows(value: string): boolean;
  /** The tokens that can still be used or reused wrongly, without codes, which live for seconds. */
  keep(): KeptTokens;
  restore(kept: KeptTokens): void;
  clear(): void;
}

/** Tokens as they are kept in a file: by digest, and with the number of their grant. */
export interface KeptTokens {
  grants: Grant[];
  tokens: (Omit<IssuedToken, "grant"> & { digest: string; grant: number })[];
}

export interface TokenStoreOptions {
  now: () => number;
  randomText: (bytes: number) => string;
  /** Makes an access or refresh token. */
  tokenText: () => string;
  codeTtlSeconds: number;
  accessTokenTtlSeconds: number;
  refreshTokenTtlSeconds: number;
}

const MAX_CODES = 10_000;
const MAX_TOKENS = 100_000;

export function createTokenStore({
  now,
  randomText,
  tokenText,
  ...ttl
}: TokenStoreOptions): TokenStore {
  const codes = new BoundedMap<string, AuthorizationCode>(MAX_CODES);
  /** By digest, so that a copy of this state contains no token. */
  const tokens = new BoundedMap<string, IssuedToken>(MAX_TOKENS);
  const computeDigest = (value: string) => sha256(value, "hex");
  return {
    issueCode(code) {
      const value = randomText(32);
      codes.set(value, { ...code, used: false, expiresAtMs: now() + ttl.codeTtlSeconds * 1_000 });
      return value;
    },
    findCode: (value) => codes.get(value),
    issueToken(token, value = tokenText()) {
      const seconds =
        token.kind === "access_token" ? ttl.accessTokenTtlSeconds : ttl.refreshTokenTtlSeconds;
      tokens.set(computeDigest(value), {
        ...token,
        issuedAtMs: now(),
        expiresAtMs: now() + seconds * 1_000,
        spent: false,
      });
      return value;
    },
    prolong(grant) {
      for (const token of tokens.values()) {
        if (token.grant === grant && token.kind === "access_token")
          token.expiresAtMs = now() + ttl.accessTokenTtlSeconds * 1_000;
      }
    },
    findToken: (value) => tokens.get(computeDigest(value)),
    isAlive: (token) => !token.spent && !token.grant.revoked && token.expiresAtMs > now(),
    knows: (value) => codes.has(value) || tokens.has(computeDigest(value)),
    keep() {
      const alive = [...tokens].filter(([, { expiresAtMs }]) => expiresAtMs > now());
      const grants = [...new Set(alive.map(([, { grant }]) => grant))];
      const numbers = new Map(grants.map((grant, index) => [grant, index]));
      return {
        grants,
        tokens: alive.map(([digest, { grant, ...token }]) => ({
          ...token,
          digest,
          grant: numbers.get(grant) ?? -1,
        })),
      };
    },
    restore(kept) {
      for (const { digest, grant: number, ...token } of kept.tokens) {
        const grant = kept.grants[number];
        if (grant !== undefined) tokens.set(digest, { ...token, grant });
      }
    },
    clear() {
      codes.clear();
      tokens.clear();
    },
  };
}

/** Whether a client has no secret, no key and no certificate (RFC 6749 §2.1). */
export function isPublic({
  clientSecret,
  publicKey,
  certificateThumbprint,
}: ProviderClient): boolean {
  return (
    clientSecret === undefined && publicKey === undefined && certificateThumbprint === undefined
  );
}
