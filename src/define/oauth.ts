import type { PostSetupType, TokenExchangeCredentialsLocation } from "./enumerations.ts";
import type { MetadataFormulaDef } from "./formula.ts";
import type { CallbackParam, ConnectionVariable, ParamValue, Template, TokenRequestFormat } from "./oauth-parameters.ts";

/** Lets the user choose the account's endpoint from options that the Pack looks up with the new credentials. */
export interface SetEndpoint {
  type: PostSetupType.SetEndpoint;
  /** Unique within the definition. */
  name: string;
  /** The question that the user sees. */
  description: string;
  /** Lists the endpoints to choose from. */
  getOptions?: MetadataFormulaDef | undefined;
  /** Accepted from older Packs: `getOptions`. */
  getOptionsFormula?: MetadataFormulaDef | undefined;
}
/** Another name of `SetEndpoint`. */
export type SetEndpointDef = SetEndpoint;

/** A step between the exchange of credentials and the first use of the account. */
export type PostSetup = SetEndpoint;
/** Another name of `PostSetup`. */
export type PostSetupDef = PostSetup;

/** Members that every authentication with credentials has. */
export interface BaseAuthentication {
  /** Labels the account. An empty or absent result labels it with the creating user's name. */
  getConnectionName?: MetadataFormulaDef | undefined;
  /** Accepted from older Packs. */
  getConnectionUserId?: MetadataFormulaDef | undefined;
  /** Help page for setting up the account: an https URL. */
  instructionsUrl?: string | undefined;
  /** True when each account has an endpoint of its own; the user is then asked for it. @default false */
  requiresEndpointUrl?: boolean | undefined;
  /** Root domain that all endpoints share, when `requiresEndpointUrl` is true. */
  endpointDomain?: string | undefined;
  /** The network domains that receive credentials. Needed when the Pack declares several. */
  networkDomain?: string | string[] | undefined;
  /** Steps run after the account was set up. */
  postSetup?: PostSetup[] | undefined;
}

/** Algorithms of a client's signatures (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = "RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA";

/** An answer of the API that means "renew the token", although it is no 401. */
export interface RenewalSignal {
  /** Status of the answer, such as 403. A status below 300 needs `bodyPath`. */
  status: number;
  /** Path of a member of the JSON body, such as `"error.code"`. @default the status alone decides */
  bodyPath?: string | undefined;
  /** The value that the member has. @default any but null */
  equals?: string | number | boolean | undefined;
}

/** Members that both OAuth2 types share. */
export interface BaseOAuthAuthentication extends BaseAuthentication {
  /** Scopes that the Pack needs. None of them is empty or contains the delimiter (rule A3). */
  scopes?: string[] | undefined;
  /** Name of the parameter that carries the scopes. @default "scope" */
  scopeParamName?: string | undefined;
  /** Joins the scopes. @default " " */
  scopeDelimiter?: " " | "," | ";" | undefined;
  /** Where the client credentials go in a token request. `Automatic`: the body first, the Authorization header when that is refused. @default "Automatic" */
  credentialsLocation?: TokenExchangeCredentialsLocation | undefined;
  /**
   * How the client proves who it is. `private_key_jwt` (RFC 7523 §2.2): instead of sending a client secret, it signs a
   * short statement with a private key, which is asked for when an account is connected. Excludes `credentialsLocation`.
   * @default a client secret, where `credentialsLocation` says
   */
  clientAuthentication?: "private_key_jwt" | undefined;
  /**
   * Binds tokens to a key of the account, so that a stolen one is of no use (DPoP, RFC 9449). Only for a token in the
   * Authorization header. @default whether the discovered server advertises it
   */
  dpop?: boolean | undefined;
  /** Algorithm of the signatures, with `clientAuthentication` only. @default what the key is made for: RS256, PS256, ES256, ES384, ES512 or EdDSA */
  signingAlgorithm?: SigningAlgorithm | undefined;
  /** Path of the object in the token response that holds the tokens, such as `"data"` or `"data.auth"`. */
  nestedResponseKey?: string | undefined;
  /** Prefix in `Authorization: <tokenPrefix> <token>`; may be empty. @default "Bearer" */
  tokenPrefix?: string | undefined;
  /** When set, the access token is sent in this URL query parameter instead of a header. Tokens in URLs leak; prefer the header. */
  tokenQueryParam?: string | undefined;
  /** When set, the access token is sent in this header instead of `Authorization`, after `tokenPrefix` if there is one. */
  tokenHeaderName?: string | undefined;
  /**
   * Answers of the API after which the token is renewed and the request repeated once, besides a 401. For an API that reports
   * an expired token in its own way. Where a status means other things, too, add `bodyPath`: each such answer renews the token.
   */
  refreshOn?: readonly RenewalSignal[] | undefined;
  /** Resource indicator sent with authorization and token requests (RFC 8707): an absolute URL. */
  resource?: string | undefined;
  /**
   * The authorization server's issuer, an https URL: endpoints that the definition leaves out are discovered from it
   * (RFC 8414), and answers that name another issuer are refused (RFC 9207).
   */
  issuer?: string | undefined;
  /** Values that are asked for once per account and fill `{name}` in URLs, parameters and scopes. */
  connectionVariables?: readonly ConnectionVariable[] | undefined;
  /** API endpoint that is saved with the account, built from variables and kept callback parameters. */
  endpointUrl?: Template | undefined;
  /** Parameters added to the token request: the code exchange, or client credentials. They are not sent on refresh. */
  tokenParams?: Readonly<Record<string, ParamValue>> | undefined;
}

interface OAuth2CodeAuthentication extends BaseOAuthAuthentication {
  type: "OAuth2";
  /** Extra parameters of the authorization request. They cannot replace protocol parameters (rule A6). */
  additionalParams?: Readonly<Record<string, ParamValue>> | undefined;
  /** Path of the token response member that holds the account's endpoint: a host or an https URL. */
  endpointKey?: string | undefined;
  /** How the token request is written. @default "form" */
  tokenRequestFormat?: Exclude<TokenRequestFormat, "query"> | undefined;
  /** Parameters of the redirect that are kept with the account and fill `{callback.name}`. A name alone keeps text. */
  callbackParams?: readonly (string | CallbackParam)[] | undefined;
  /** Where tokens are refreshed. @default tokenUrl */
  refreshUrl?: Template | undefined;
  /** Parameters added to the refresh request. */
  refreshParams?: Readonly<Record<string, ParamValue>> | undefined;
}

interface WithProofKey {
  /** Proof Key for Code Exchange (RFC 7636). Say `false` for the few providers that refuse it. @default false */
  useProofKeyForCodeExchange: true;
  /** @default "S256" */
  pkceChallengeMethod?: "plain" | "S256" | undefined;
}
interface WithoutProofKey {
  /** Proof Key for Code Exchange (RFC 7636). Say `false` for the few providers that refuse it. @default false */
  useProofKeyForCodeExchange?: false | undefined;
  /** Only with `useProofKeyForCodeExchange: true`. */
  pkceChallengeMethod?: undefined;
}

interface StaticClient extends OAuth2CodeAuthentication {
  /** Where the user is sent; the scope parameter is appended. */
  authorizationUrl: string;
  /** Where the code is exchanged for tokens. */
  tokenUrl: string;
  useDynamicClientRegistration?: false | undefined;
}
interface DynamicClient extends OAuth2CodeAuthentication {
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration: true;
  /** Where the user is sent. Discovered when it is left out. */
  authorizationUrl?: string | undefined;
  /** Where the code is exchanged for tokens. Discovered when it is left out. */
  tokenUrl?: string | undefined;
}
interface DiscoveredServer extends OAuth2CodeAuthentication {
  issuer: string;
  useDynamicClientRegistration?: false | undefined;
  /** Where the user is sent. Discovered when it is left out. */
  authorizationUrl?: string | undefined;
  /** Where the code is exchanged for tokens. Discovered when it is left out. */
  tokenUrl?: string | undefined;
}

interface StaticClientWithProofKey extends StaticClient, WithProofKey {}
interface StaticClientWithoutProofKey extends StaticClient, WithoutProofKey {}
interface DynamicClientWithProofKey extends DynamicClient, WithProofKey {}
interface DynamicClientWithoutProofKey extends DynamicClient, WithoutProofKey {}
interface DiscoveredServerWithProofKey extends DiscoveredServer, WithProofKey {}
interface DiscoveredServerWithoutProofKey extends DiscoveredServer, WithoutProofKey {}

/** OAuth2 with the authorization code flow (RFC 6749 §4.1) and a client that was registered beforehand. */
export type OAuth2StaticCodeAuthentication = StaticClientWithProofKey | StaticClientWithoutProofKey;
/** OAuth2 with a client that registers itself (RFC 7591): the URLs are discovered unless they are given. */
export type OAuth2DynamicCodeAuthentication = DynamicClientWithProofKey | DynamicClientWithoutProofKey;
/** OAuth2 whose endpoints are discovered from the issuer (RFC 8414). */
export type OAuth2DiscoveredCodeAuthentication = DiscoveredServerWithProofKey | DiscoveredServerWithoutProofKey;
/** OAuth2 with the authorization code flow (RFC 6749 §4.1). */
export type OAuth2Authentication = OAuth2DiscoveredCodeAuthentication | OAuth2DynamicCodeAuthentication | OAuth2StaticCodeAuthentication;

/** OAuth2 with the client credentials flow (RFC 6749 §4.4). The client ID and secret are asked for when an account is connected. */
export interface OAuth2ClientCredentialsAuthentication extends BaseOAuthAuthentication {
  type: "OAuth2ClientCredentials";
  /** Where the client credentials are exchanged for an access token. */
  tokenUrl: string;
  /** Extra parameters of the token request. They cannot replace protocol parameters (rule A6). */
  additionalParams?: Readonly<Record<string, ParamValue>> | undefined;
  /** How the token request is written. `query` needs `credentialsLocation: "AuthorizationHeader"`. @default "form" */
  tokenRequestFormat?: TokenRequestFormat | undefined;
  /** Sent as `grant_type`. @default "client_credentials" */
  grantType?: string | undefined;
  // Members of the code flow, which this one does not have.
  authorizationUrl?: undefined;
  useProofKeyForCodeExchange?: undefined;
  pkceChallengeMethod?: undefined;
}
