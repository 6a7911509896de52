import type { PostSetupType, TokenExchangeCredentialsLocation } from "./enumerations.ts";
import type { MetadataFormulaDef } from "./formula.ts";
import type {
  CallbackParam,
  ConnectionVariable,
  ParamValue,
  Template,
  TokenRequestFormat,
} from "./oauth-parameters.ts";

/**
 * Lets the user choose the account's endpoint. The Pack looks up the options with the new
 * credentials.
 */
export interface SetEndpoint {
  /** Chooses this kind of step: the user picks an endpoint. */
  type: PostSetupType.SetEndpoint;
  /** Unique within the definition. */
  name: string;
  /** The question that the user sees. */
  description: string;
  /** Lists the endpoints to choose from. */
  getOptions?: MetadataFormulaDef | undefined;
  /** @deprecated Accepted for compatibility with existing Packs: use `getOptions`. */
  getOptionsFormula?: MetadataFormulaDef | undefined;
}
/** Another name of `SetEndpoint`. */
export type SetEndpointDef = SetEndpoint;

/**
 * A step that runs after a user has entered the credentials of an account, before the account is
 * used.
 */
export type PostSetup = SetEndpoint;
/** Another name of `PostSetup`. */
export type PostSetupDef = PostSetup;

/** Members that every authentication with credentials has. */
export interface BaseAuthentication {
  /**
   * Returns the name of the account, which users see. Without this function, the account has the
   * name of the user who created it.
   */
  getConnectionName?: MetadataFormulaDef | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  getConnectionUserId?: MetadataFormulaDef | undefined;
  /** A help page about setting up the account: an https URL. */
  instructionsUrl?: string | undefined;
  /**
   * Each account has its own endpoint, which users enter when they connect the account.
   * @default false
   */
  requiresEndpointUrl?: boolean | undefined;
  /** The domain that all endpoints share, when `requiresEndpointUrl` is true. */
  endpointDomain?: string | undefined;
  /**
   * The network domains that receive the credentials. Required if the Pack declares several
   * domains.
   */
  networkDomain?: string | string[] | undefined;
  /** Steps that run after the account was set up. */
  postSetup?: PostSetup[] | undefined;
}

/** Algorithms that a client can sign with (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm =
  | "RS256"
  | "RS384"
  | "RS512"
  | "PS256"
  | "PS384"
  | "PS512"
  | "ES256"
  | "ES384"
  | "ES512"
  | "EdDSA";

/** A response of the API that means "refresh the token", although its status is not 401. */
export interface RenewalSignal {
  /**
   * The status of the response, such as 403. If the status is below 300, `bodyPath` is required.
   */
  status: number;
  /** Path of a member of the JSON body, such as `"error.code"`. @default only the status decides */
  bodyPath?: string | undefined;
  /** The value of that member. @default any value except null */
  equals?: string | number | boolean | undefined;
}

/**
 * Where the tokens are in a token response, if their names are not those of RFC 6749 §5.1. Paths
 * begin at the object of `nestedResponseKey`.
 */
export interface TokenResponseMembers {
  /** Path of the access token, such as `"api_key"`. @default "access_token" */
  accessToken?: string | undefined;
  /** Path of the refresh token. @default "refresh_token" */
  refreshToken?: string | undefined;
  /** Path of the lifetime. @default "expires_in" */
  expiresIn?: string | undefined;
  /** The unit of the lifetime. @default "seconds" */
  expiresInUnit?: "seconds" | "milliseconds" | undefined;
  /**
   * The response to a refresh may contain no access token, because the old one stays valid.
   * @default false
   */
  refreshKeepsToken?: boolean | undefined;
}

/** A second token request, right after the first. Its access token replaces the first one. */
export interface TokenExchange {
  /** Where the second request is sent: an https URL. */
  url: Template;
  /**
   * The method of the second request. With `POST`, the parameters are a form. With `GET`, they and
   * the client credentials are in the URL.
   * @default "POST"
   */
  method?: "POST" | "GET" | undefined;
  /** Sent as `grant_type`. @default none */
  grantType?: string | undefined;
  /** `{token}` is the access token of the first response. */
  params: Readonly<Record<string, ParamValue>>;
  /**
   * The client ID for this request, if it is not that of the first request. @default the account's
   * client
   */
  clientId?: Template | undefined;
  /**
   * The secret of that client: a template with a secret connection variable. Only with `clientId`.
   */
  clientSecret?: Template | undefined;
}

/**
 * Exchanges an access token for a new one, for a provider that issues no refresh tokens. This
 * happens when half of the token's lifetime is over, because an expired token cannot be renewed.
 */
export interface TokenRenewal {
  /** Where the request is sent: an https URL. */
  url: Template;
  /** With `POST`, the parameters are a form. With `GET`, they are in the URL. @default "POST" */
  method?: "POST" | "GET" | undefined;
  /** Sent as `grant_type`. @default none */
  grantType?: string | undefined;
  /** `{token}` is the access token of the account. */
  params: Readonly<Record<string, ParamValue>>;
  /** Whether the request contains the client credentials. @default true */
  withClient?: boolean | undefined;
}

/** Members that both OAuth2 types share. */
export interface BaseOAuthAuthentication extends BaseAuthentication {
  /** Scopes that the Pack needs. A scope must not be empty or contain the delimiter. */
  scopes?: string[] | undefined;
  /** Name of the parameter that contains the scopes. @default "scope" */
  scopeParamName?: string | undefined;
  /** Joins the scopes. @default " " */
  scopeDelimiter?: " " | "," | ";" | undefined;
  /**
   * Where the client credentials are sent in a token request. `Automatic` tries the body first,
   * then the Authorization header.
   * @default "Automatic"
   */
  credentialsLocation?: TokenExchangeCredentialsLocation | undefined;
  /**
   * How the client authenticates. With `private_key_jwt` (RFC 7523 §2.2) it sends no client secret,
   * but signs a short
   * statement with a private key; you are asked for the key when you connect an account. With
   * `tls_client_auth` (RFC 8705 §2), it
   * shows a certificate in the TLS handshake; you are asked for certificate and key. With
   * `secret_as_user`, the Authorization
   * header has the client secret as the user name and no password. Excludes `credentialsLocation`.
   * @default a client secret, sent as `credentialsLocation` says
   */
  clientAuthentication?: "private_key_jwt" | "tls_client_auth" | "secret_as_user" | undefined;
  /**
   * Names of parameters in all requests of the user's login, by their names in RFC 6749:
   * `{ client_id: "client_key" }`. A revocation uses them, too. A parameter
   * with an empty name is not sent: `{ response_type: "" }`.
   * @default those of RFC 6749
   */
  parameterNames?: Readonly<Record<string, string>> | undefined;
  /**
   * Names of parameters in token requests and revocations, if they are not those of the
   * authorization request.
   * @default parameterNames
   */
  tokenParameterNames?: Readonly<Record<string, string>> | undefined;
  /** Where the tokens are in a token response. @default those of RFC 6749 §5.1 */
  tokenResponse?: TokenResponseMembers | undefined;
  /**
   * Exchanges the first access token for another one, such as one that lives longer.
   * @default none
   */
  tokenExchange?: TokenExchange | undefined;
  /**
   * Headers that are added to token requests, including refreshes. They cannot replace headers that
   * packsmith sets.
   * @default none
   */
  tokenHeaders?: Readonly<Record<string, Template>> | undefined;
  /**
   * Binds tokens to a key of the account, so that a stolen token is useless (DPoP, RFC 9449). Only
   * for a token in the
   * Authorization header.
   * @default on when the discovered server supports it
   */
  dpop?: boolean | undefined;
  /**
   * Algorithm of the signatures. Only with `clientAuthentication`.
   * @default the one that the key is made for: RS256, PS256, ES256, ES384, ES512 or EdDSA
   */
  signingAlgorithm?: SigningAlgorithm | undefined;
  /**
   * The `aud` of the client assertion. Only with `clientAuthentication: "private_key_jwt"`.
   * @default the server's issuer if it is known, and the token URL if the server refuses that
   */
  assertionAudience?: Template | undefined;
  /**
   * The `iss` of the client assertion. Only with `clientAuthentication: "private_key_jwt"`.
   * @default the client ID
   */
  assertionIssuer?: Template | undefined;
  /**
   * Path of the object in the token response that contains the tokens, such as `"data"` or
   * `"data.auth"`.
   */
  nestedResponseKey?: string | undefined;
  /** Prefix in `Authorization: <tokenPrefix> <token>`; may be empty. @default "Bearer" */
  tokenPrefix?: string | undefined;
  /**
   * Sends the access token in this URL query parameter instead of a header. Tokens in URLs leak
   * into logs; prefer the header.
   */
  tokenQueryParam?: string | undefined;
  /**
   * Sends the access token in this header instead of `Authorization`, after `tokenPrefix` if you
   * set it.
   */
  tokenHeaderName?: string | undefined;
  /**
   * Responses, in addition to 401, after which packsmith refreshes the token and sends the request
   * again, once. For an API that reports an expired token in another way. Add `bodyPath` when the
   * status can also mean something else.
   */
  refreshOn?: readonly RenewalSignal[] | undefined;
  /**
   * Resource indicator for authorization and token requests (RFC 8707): an absolute URL, usually
   * that of the API. If you leave out
   * `issuer` and all URLs, the authorization server is the one that this resource names in its metadata (RFC 9728).
   */
  resource?: string | undefined;
  /**
   * The authorization server's issuer, an https URL. Endpoints that you leave out are discovered
   * from it (RFC 8414), and
   * responses that name another issuer are refused (RFC 9207).
   */
  issuer?: string | undefined;
  /**
   * Questions that users answer when they connect an account. The answers replace `{name}` in URLs,
   * parameters and scopes.
   */
  connectionVariables?: readonly ConnectionVariable[] | undefined;
  /**
   * The API endpoint that is saved with the account. It may contain variables and callback
   * parameters.
   */
  endpointUrl?: Template | undefined;
  /**
   * Parameters added to the token request (code exchange or client credentials), but not to a
   * refresh. `{state}` is the state parameter of the login.
   */
  tokenParams?: Readonly<Record<string, ParamValue>> | undefined;
}

interface OAuth2CodeAuthentication extends BaseOAuthAuthentication {
  /** Chooses this kind of authentication: OAuth 2.0 with a login in the browser. */
  type: "OAuth2";
  /**
   * Where the authorization request is sent before the browser opens (RFC 9126). Only for a server
   * that requires it and whose
   * metadata is not read.
   * @default the metadata's, if it is read
   */
  pushedAuthorizationUrl?: string | undefined;
  /**
   * The client ID, if it is the URL of a document that describes the client (OAuth Client ID
   * Metadata Document): an https URL that
   * you publish. `packsmith auth client-metadata` prints the document. Used when the server
   * supports it, or when its metadata
   * is not read.
   */
  clientMetadataUrl?: string | undefined;
  /**
   * Extra parameters of the authorization request. They cannot replace parameters that packsmith
   * sets.
   */
  additionalParams?: Readonly<Record<string, ParamValue>> | undefined;
  /** Name of the redirect's parameter that contains the authorization code. @default "code" */
  codeParamName?: string | undefined;
  /**
   * Path of the member of the token response that contains the account's endpoint: a host or an
   * https URL.
   */
  endpointKey?: string | undefined;
  /**
   * How the token request is written. With `query`, the code and the refresh token are in the URL,
   * and so is the client secret unless `credentialsLocation` is `"AuthorizationHeader"`.
   * @default "form"
   */
  tokenRequestFormat?: TokenRequestFormat | undefined;
  /**
   * Parameters of the redirect that are saved with the account and fill `{callback.name}`. A plain
   * name saves text.
   */
  callbackParams?: readonly (string | CallbackParam)[] | undefined;
  /** Where tokens are refreshed. @default tokenUrl */
  refreshUrl?: Template | undefined;
  /** Parameters added to the refresh request. */
  refreshParams?: Readonly<Record<string, ParamValue>> | undefined;
  /**
   * Renews the access token with itself.
   * @default it is refreshed with the refresh token
   */
  tokenRenewal?: TokenRenewal | undefined;
}

interface WithProofKey {
  /**
   * Proof Key for Code Exchange (RFC 7636). Set it to `false` for the few providers that refuse it.
   * @default true for a client without a secret, and where the server's metadata lists S256
   */
  useProofKeyForCodeExchange: true;
  /**
   * How the challenge is made from the secret (RFC 7636 §4.2). Use `plain` only if the provider
   * knows nothing else.
   * @default "S256"
   */
  pkceChallengeMethod?: "plain" | "S256" | undefined;
}
interface WithoutProofKey {
  /**
   * Proof Key for Code Exchange (RFC 7636). Set it to `false` for the few providers that refuse it.
   * @default true for a client without a secret, and where the server's metadata lists S256
   */
  useProofKeyForCodeExchange?: false | undefined;
  /** Only with `useProofKeyForCodeExchange: true`. */
  pkceChallengeMethod?: undefined;
}

interface StaticClient extends OAuth2CodeAuthentication {
  /**
   * Where the user is sent. The scope parameter is appended. If the URL has a fragment that begins
   * with a slash, as in `https://app.host.example/#/authorize`, all parameters are in the fragment.
   */
  authorizationUrl: string;
  /** Where the code is exchanged for tokens. */
  tokenUrl: string;
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration?: false | undefined;
}
interface DynamicClient extends OAuth2CodeAuthentication {
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration: true;
  /** Where the user is sent. Discovered when you leave it out. */
  authorizationUrl?: string | undefined;
  /** Where the code is exchanged for tokens. Discovered when you leave it out. */
  tokenUrl?: string | undefined;
}
interface DiscoveredServer extends OAuth2CodeAuthentication {
  /**
   * The authorization server's issuer, an https URL. Its metadata (RFC 8414) has the endpoints that
   * you leave out.
   */
  issuer: string;
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration?: false | undefined;
  /** Where the user is sent. Discovered when you leave it out. */
  authorizationUrl?: string | undefined;
  /** Where the code is exchanged for tokens. Discovered when you leave it out. */
  tokenUrl?: string | undefined;
}

interface ServerOfResource extends OAuth2CodeAuthentication {
  /**
   * The API that the tokens are for: an absolute URL. Its metadata (RFC 9728) names the
   * authorization server.
   */
  resource: string;
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration?: false | undefined;
  /** Where the user is sent. Discovered when you leave it out. */
  authorizationUrl?: string | undefined;
  /** Where the code is exchanged for tokens. Discovered when you leave it out. */
  tokenUrl?: string | undefined;
}

interface StaticClientWithProofKey extends StaticClient, WithProofKey {}
interface StaticClientWithoutProofKey extends StaticClient, WithoutProofKey {}
interface DynamicClientWithProofKey extends DynamicClient, WithProofKey {}
interface DynamicClientWithoutProofKey extends DynamicClient, WithoutProofKey {}
interface DiscoveredServerWithProofKey extends DiscoveredServer, WithProofKey {}
interface DiscoveredServerWithoutProofKey extends DiscoveredServer, WithoutProofKey {}
interface ServerOfResourceWithProofKey extends ServerOfResource, WithProofKey {}
interface ServerOfResourceWithoutProofKey extends ServerOfResource, WithoutProofKey {}

/**
 * OAuth2 with the authorization code flow (RFC 6749 §4.1) and a client that was registered
 * beforehand.
 */
export type OAuth2StaticCodeAuthentication = StaticClientWithProofKey | StaticClientWithoutProofKey;
/**
 * OAuth2 with a client that is registered automatically (RFC 7591). URLs that you leave out are
 * discovered.
 */
export type OAuth2DynamicCodeAuthentication =
  | DynamicClientWithProofKey
  | DynamicClientWithoutProofKey;
/**
 * OAuth2 with endpoints that are discovered: from the issuer (RFC 8414), or from the API that the
 * tokens are for (RFC 9728).
 */
export type OAuth2DiscoveredCodeAuthentication =
  | DiscoveredServerWithProofKey
  | DiscoveredServerWithoutProofKey
  | ServerOfResourceWithProofKey
  | ServerOfResourceWithoutProofKey;
/** OAuth2 with the authorization code flow (RFC 6749 §4.1). */
export type OAuth2Authentication =
  | OAuth2DiscoveredCodeAuthentication
  | OAuth2DynamicCodeAuthentication
  | OAuth2StaticCodeAuthentication;

/**
 * OAuth2 with the client credentials flow (RFC 6749 §4.4). You are asked for the client ID and the
 * secret when you connect an
 * account.
 */
export interface OAuth2ClientCredentialsAuthentication extends BaseOAuthAuthentication {
  /** Chooses this kind of authentication: OAuth 2.0 without a user. */
  type: "OAuth2ClientCredentials";
  /** Where the client credentials are exchanged for an access token. */
  tokenUrl: string;
  /** Extra parameters of the token request. They cannot replace parameters that packsmith sets. */
  additionalParams?: Readonly<Record<string, ParamValue>> | undefined;
  /**
   * How the token request is written. `query` needs `credentialsLocation: "AuthorizationHeader"`.
   * @default "form"
   */
  tokenRequestFormat?: TokenRequestFormat | undefined;
  /** Sent as `grant_type`. @default "client_credentials" */
  grantType?: string | undefined;
  // Members of the code flow, which this flow does not have.
  /** Only for `AuthenticationType.OAuth2`. Client credentials need no login in a browser. */
  authorizationUrl?: undefined;
  /** Only for `AuthenticationType.OAuth2`. */
  useProofKeyForCodeExchange?: undefined;
  /** Only for `AuthenticationType.OAuth2`. */
  pkceChallengeMethod?: undefined;
}
