/**
 * How a client authenticates at the token endpoint. `basic` sends the credentials raw,
 * `basic-strict` form-encodes them
 * first (RFC 6749 §2.3.1); `secret_as_user` sends only the secret; `private_key_jwt` sends a signed
 * assertion instead of a secret (RFC 7523 §2.2), and `private_key_jwt-url` one for the token URL;
 * `tls_client_auth` shows a certificate in the TLS handshake (RFC 8705 §2).
 */
export const ClientAuthenticationMethod = {
  Body: "body",
  Basic: "basic",
  BasicStrict: "basic-strict",
  PrivateKeyJwt: "private_key_jwt",
  PrivateKeyJwtUrl: "private_key_jwt-url",
  TlsClientAuth: "tls_client_auth",
  SecretAsUser: "secret_as_user",
  None: "none",
} as const;
export type ClientAuthenticationMethod =
  (typeof ClientAuthenticationMethod)[keyof typeof ClientAuthenticationMethod];

/** A registered client. Without a secret it is a public client. */
export interface ClientCredentials {
  clientId: string;
  /**
   * With `private_key_jwt`, the private key as PEM or JWK. With `tls_client_auth`, the certificate
   * and its private key as PEM.
   */
  clientSecret: string | undefined;
  /** For a client that registered itself. */
  registration?: ClientRegistration | undefined;
}

/** What a server answered to a registration (RFC 7591 §3.2.1). */
export interface ClientRegistration {
  /** The client is known only there. */
  issuer: string;
  redirectUri: string;
  /**
   * How the client authenticates: the method that the server answered, or the one that was asked
   * for.
   */
  method: RegisteredMethod;
  /** Undefined if the secret does not expire. */
  expiresAtMs: number | undefined;
}

/** Methods that a client can register, by their names in the IANA registry. */
export type RegisteredMethod = "client_secret_basic" | "client_secret_post" | "none";

/** The tokens of one account. `util.inspect` hides the secrets. */
export interface TokenSet {
  accessToken: string;
  /** As the provider named it; `Bearer` if it did not. */
  tokenType: string;
  /** Undefined means unknown, not "never": use the token until a 401, then refresh. */
  expiresAtMs: number | undefined;
  /** How long the access token lives from its issue, in milliseconds. Absent if unknown. */
  lifetimeMs?: number | undefined;
  refreshToken: string | undefined;
  /** The granted scopes, if the provider named them. */
  scopes: string[] | undefined;
  /**
   * The account's endpoint, if the definition has an `endpointKey`: an https origin with an
   * optional path.
   */
  endpoint: string | undefined;
  /** Other members of the token response, as the provider sent them. */
  extra: Record<string, unknown>;
  /**
   * The private key, as a JWK, that the tokens are bound to (RFC 9449). Absent for bearer tokens.
   */
  dpopKey?: string | undefined;
  /** The method that the token endpoint accepted; tried first next time. */
  clientAuthentication: ClientAuthenticationMethod;
  /** Whether the access token is renewed with itself (`tokenRenewal`). @default false */
  renewsItself?: boolean | undefined;
  /** The step that issued the access token. @default "grant" */
  step?: TokenStep | undefined;
}

/** The requests for a token: the grant, and the exchange of its token for the one of the API. */
export type TokenStep = "grant" | "exchange";

/** Makes a token set whose secrets `util.inspect` hides. */
export function createTokenSet(members: TokenSet): TokenSet {
  return hideSecrets({ ...members }, ["accessToken", "refreshToken", "extra", "dpopKey"]);
}

/**
 * The token set after a refresh. New values win. The refresh token, the granted scopes, the
 * endpoint and other response
 * members stay if the new response does not repeat them.
 */
export function mergeTokenSets(previous: TokenSet, renewed: TokenSet): TokenSet {
  return createTokenSet({
    ...renewed,
    refreshToken: renewed.refreshToken ?? previous.refreshToken,
    dpopKey: renewed.dpopKey ?? previous.dpopKey,
    scopes: renewed.scopes ?? previous.scopes,
    endpoint: renewed.endpoint ?? previous.endpoint,
    extra: { ...previous.extra, ...renewed.extra },
  });
}

/** Allows for clocks that differ and for the duration of a request. */
export const EXPIRY_LEEWAY_SECONDS = 60;

/**
 * How long before its expiry a token is renewed: 60 seconds, but at most a tenth of its lifetime.
 * One that is renewed with itself: half of its lifetime, because an expired one cannot be renewed.
 */
export function expiryLeewayMs({
  lifetimeMs = Number.POSITIVE_INFINITY,
  renewsItself = false,
}: TokenSet): number {
  if (renewsItself && Number.isFinite(lifetimeMs)) return lifetimeMs / 2;
  return Math.min(EXPIRY_LEEWAY_SECONDS * 1_000, lifetimeMs / 10);
}

/**
 * Whether a token is past its known expiry, or within `leewayMs` of it. An unknown expiry is never
 * past.
 */
export function isExpired(
  tokenSet: TokenSet,
  nowMs: number,
  leewayMs: number = expiryLeewayMs(tokenSet),
): boolean {
  return tokenSet.expiresAtMs !== undefined && tokenSet.expiresAtMs - leewayMs <= nowMs;
}

// The registered symbol of `node:util`'s inspect.custom; a symbol needs no import.
const inspectCustom = Symbol.for("nodejs.util.inspect.custom");

/**
 * Makes `console.log` and `util.inspect` show an object without its secrets. The object stays plain
 * data: the members are
 * readable, and a spread copy is an ordinary object again.
 * @param secretMembers members to show as `••••` if they are set
 */
export function hideSecrets<Members extends object>(
  target: Members,
  secretMembers: readonly (keyof Members)[],
): Members {
  return Object.defineProperty(target, inspectCustom, {
    enumerable: false,
    configurable: true,
    value: () => {
      const shown: Members = { ...target };
      for (const name of secretMembers) {
        if (shown[name] !== undefined) Object.assign(shown, { [name]: "••••" });
      }
      return shown;
    },
  });
}
