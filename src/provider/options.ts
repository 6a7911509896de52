import type { JsonWebKey } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Fault } from "./faults.ts";
import type { ClientAuthenticationMethod, PkceMode, ProviderProfile } from "./profile.ts";
import type { RecordedRequest } from "./state/recorder.ts";

export const GrantType = {
  AuthorizationCode: "authorization_code",
  RefreshToken: "refresh_token",
  ClientCredentials: "client_credentials",
  DeviceCode: "urn:ietf:params:oauth:grant-type:device_code",
} as const;
export type GrantType = (typeof GrantType)[keyof typeof GrantType];

/** Grants that a provider has only on demand. */
export const AdditionalGrantType = {
  Password: "password",
  TokenExchange: "urn:ietf:params:oauth:grant-type:token-exchange",
  JwtBearer: "urn:ietf:params:oauth:grant-type:jwt-bearer",
} as const;
export type AdditionalGrantType = (typeof AdditionalGrantType)[keyof typeof AdditionalGrantType];

/** Access tokens that are JWTs (RFC 9068). */
export interface JwtAccessTokens {
  /** Members in addition to those of RFC 9068 §2.2. */
  claims?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Pads the token to at least this many characters. At most 65_536. @default as long as its claims
   */
  minLength?: number | undefined;
}

export interface ProviderClient {
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string | undefined;
  /**
   * PEM or JWK of the key for its assertions (`private_key_jwt`, RFC 7523 §2.2). Such a client has
   * no secret.
   */
  publicKey?: string | JsonWebKey | undefined;
  /**
   * SHA-256 of its TLS certificate (`tls_client_auth`, RFC 8705 §2), as base64url of the DER. Such
   * a client has no secret. Needs
   * `mutualTlsPort`.
   */
  certificateThumbprint?: string | undefined;
  /** Binds its access tokens to its TLS certificate (RFC 8705 §3). @default false */
  certificateBoundTokens?: boolean | undefined;
  /** Its name on the consent page. @default the client ID */
  name?: string | undefined;
  /**
   * Where a browser may return after the logout (OpenID Connect RP-Initiated Logout). @default []
   */
  postLogoutRedirectUris?: readonly string[] | undefined;
  /**
   * Compared character by character; `http` on `127.0.0.1` or `[::1]` matches on any port (RFC 8252
   * §7.3). @default []
   */
  redirectUris?: readonly string[] | undefined;
  /**
   * A redirect URI also matches all paths below it, because each Pack has its own path. RFC 9700
   * §4.1.3 forbids this for real servers. @default false
   */
  anyPathBelow?: boolean | undefined;
  /**
   * Any port matches also on `localhost`, which RFC 8252 §8.3 advises against, and with https on
   * this machine. @default false
   */
  anyLocalhostPort?: boolean | undefined;
  /** @default authorization_code and refresh_token */
  grantTypes?: readonly GrantType[] | undefined;
  /**
   * @default basic and post with a secret, private_key_jwt with a key, tls_client_auth with a
   * certificate, none without any; `client_secret_jwt` only if it is listed
   */
  authenticationMethods?: readonly ClientAuthenticationMethod[] | undefined;
  /** Scopes that it may request. @default all scopes of the provider */
  scopes?: readonly string[] | undefined;
  /**
   * Whether it may introspect all tokens, not only its own, as a resource server (RFC 7662 §2.1).
   * @default false
   */
  introspectsAll?: boolean | undefined;
  /** Members added to its token responses. They cannot replace those of OAuth. */
  tokenResponse?: Readonly<Record<string, unknown>> | undefined;
}

/** A request to the API that the tokens of a provider are for. */
export interface ApiRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Whom a request to the API is for. */
export interface ApiCaller {
  sub: string;
  name: string;
  email: string | undefined;
  scopes: readonly string[];
}

/** The API of a rehearsal, on the port of its provider. */
export interface LocalApi {
  /** The JSON body of the answer; undefined for an empty one. */
  answer(request: ApiRequest, caller: ApiCaller): { status: number; body: unknown };
  /**
   * Whether a request carries the credentials of an account without OAuth. @default it needs an
   * access token of the provider
   */
  accepts?: ((request: ApiRequest) => boolean) | undefined;
  /** Credentials that the record of requests must not show. @default none */
  secrets?: readonly string[] | undefined;
}

export interface ProviderUser {
  id: string;
  name: string;
  email?: string | undefined;
  /** For the password grant. @default the user cannot use it */
  password?: string | undefined;
}

/** An endpoint that can have a second path. */
export type AliasedEndpoint = "authorize" | "token" | "refresh" | "par" | "me" | "mcp";

export interface ProviderOptions {
  /** Port on 127.0.0.1; 0 takes a free one. @default 0 */
  port?: number | undefined;
  /**
   * Serves https, too, on this port of 127.0.0.1, and asks clients for a TLS certificate there; 0
   * takes a free one. Its own certificate is
   * made for this run. The metadata names the endpoints there as `mtls_endpoint_aliases` (RFC 8705
   * §5). @default no https
   */
  mutualTlsPort?: number | undefined;
  /** Clients in addition to the default one and the resource server. @default [] */
  clients?: readonly ProviderClient[] | undefined;
  /** More redirect URIs of the default client. @default [] */
  redirectUris?: readonly string[] | undefined;
  /** Accounts on the login page. @default two local users */
  users?: readonly ProviderUser[] | undefined;
  /** The scopes of the provider. @default any scope */
  scopes?: readonly string[] | undefined;
  /**
   * Whether a confidential client must send a code challenge; a public client always must (RFC 9700
   * §2.1.1). @default "optional"
   */
  pkce?: PkceMode | undefined;
  /** Whether clients can register themselves (RFC 7591). @default true */
  registration?: boolean | undefined;
  /** Whether authorization requests must be pushed first (RFC 9126). @default "optional" */
  pushedRequests?: "required" | "optional" | undefined;
  /**
   * Documents of clients whose ID is a URL, for URLs that are not on this machine. @default none
   */
  clientDocuments?: Readonly<Record<string, unknown>> | undefined;
  /** How long a device must wait between two requests (RFC 8628 §3.2). @default 5 */
  deviceIntervalSeconds?: number | undefined;
  /** @default 3600 */
  accessTokenTtlSeconds?: number | undefined;
  /** @default 2_592_000 (30 days) */
  refreshTokenTtlSeconds?: number | undefined;
  /** @default 60 */
  codeTtlSeconds?: number | undefined;
  /**
   * Grants for all clients, in addition to those of the code flow, client credentials and devices.
   * @default none
   */
  grants?: readonly AdditionalGrantType[] | undefined;
  /**
   * Public keys (PEM or JWK) of the issuers whose assertions stand for users (RFC 7523 §2.1), by
   * `iss`. @default none
   */
  assertionIssuers?: Readonly<Record<string, string | JsonWebKey>> | undefined;
  /** Issues access tokens as JWTs. The public key to verify them is at `/jwks`. @default random text */
  jwtAccessTokens?: JwtAccessTokens | undefined;
  /** Answers requests of web pages of every origin (CORS). @default false */
  cors?: boolean | undefined;
  /** The scope that `/me` requires. @default none */
  meScope?: string | undefined;
  /**
   * Members added to every token response, such as `service_url`. They cannot replace those of
   * OAuth.
   */
  tokenResponse?: Readonly<Record<string, unknown>> | undefined;
  /** Deviations from the specifications, by name or as profiles. @default none */
  profiles?: readonly (string | ProviderProfile)[] | undefined;
  /**
   * Authentication contexts that a login can have (OpenID Connect Core §2, RFC 9470). @default that
   * of the profile
   */
  acrValues?: readonly string[] | undefined;
  /** Additional paths of endpoints, such as `{ token: "/oauth/v2/token" }`. @default none */
  paths?: Partial<Record<AliasedEndpoint, string>> | undefined;
  /**
   * More issuers on the same port, by path, such as `{ "/tenant-a": { scopes: ["read"] } }`: each
   * with its own clients, users, tokens,
   * profiles and requests. Their metadata is where RFC 8414 §3.1 and OpenID Connect Discovery §4
   * put that of an issuer with a path.
   * @default none
   */
  issuers?: Readonly<Record<string, IssuerOptions>> | undefined;
  /** Its issuer, if clients reach it through a route. @default its own origin */
  issuer?: string | undefined;
  /**
   * More accepted audiences of client assertions, such as a token URL that is routed to this
   * provider. @default none
   */
  audiences?: readonly string[] | undefined;
  /**
   * Answers all requests that are for none of the endpoints, and those that carry a token.
   * @default there is only `/me`
   */
  api?: LocalApi | undefined;
  /** The origin of its API, as sent to clients. @default its own origin */
  apiOrigin?: string | undefined;
  /** Faults of the next responses. @default [] */
  faults?: readonly Fault[] | undefined;
  /**
   * A file that keeps tokens (as digests), registered clients, the secrets of the default clients
   * and the signing key, so that they
   * survive a restart. Only the user can read it. One provider at a time. @default none: each run
   * begins without state
   */
  state?: string | undefined;
  /** Serves `controlUrl`: clock, request log, reset and faults over HTTP. @default true */
  control?: boolean | undefined;
  /** Called when a request was answered. @default nothing */
  onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** The real clock under the virtual one, in milliseconds. @default Date.now */
  now?: (() => number) | undefined;
  /** Random bytes for every identifier and token. @default node:crypto randomBytes */
  random?: ((bytes: number) => Uint8Array) | undefined;
  /**
   * Supports DPoP (RFC 9449): binds tokens to the client's key, and says so in the metadata.
   * @default false
   */
  dpop?: boolean | undefined;
  /** Waits for faults with a delay. @default a timer */
  sleep?: ((ms: number) => Promise<void>) | undefined;
}

/** The options of an issuer below another one, which decides about ports and origins. */
export type IssuerOptions = Omit<
  ProviderOptions,
  "port" | "mutualTlsPort" | "issuers" | "issuer" | "apiOrigin" | "api"
>;

export const DEFAULT_USERS: readonly ProviderUser[] = [
  { id: "user-1", name: "Local user", email: "local-user@users.example" },
  { id: "user-2", name: "Second local user", email: "second-local-user@users.example" },
];

/** The default client's redirect URIs. Any port and any path below them match. */
export const DEFAULT_REDIRECT_URIS: readonly string[] = [
  "http://127.0.0.1/oauth/callback",
  "http://[::1]/oauth/callback",
  "http://localhost/oauth/callback",
  "https://127.0.0.1/oauth/callback",
  "https://[::1]/oauth/callback",
  "https://localhost/oauth/callback",
];
