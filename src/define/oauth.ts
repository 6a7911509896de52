import type { PostSetupType, TokenExchangeCredentialsLocation } from "./enumerations.ts";
import type { MetadataFormulaDef } from "./formula.ts";
import type { CallbackParam, ConnectionVariable, ParamValue, Template, TokenRequestFormat } from "./oauth-parameters.ts";

/** Lets the user choose the account's endpoint. The Pack looks up the options with the new credentials. */
export interface SetEndpoint {
  type: PostSetupType.SetEndpoint;
  /** Unique within the definition. */
  name: string;
  /** The question that the user sees. */
  description: string;
  /** Lists the endpoints to choose from. */
  getOptions?: MetadataFormulaDef | undefined;
  /** Accepted for compatibility with existing Packs: use `getOptions`. */
  getOptionsFormula?: MetadataFormulaDef | undefined;
}
/** Another name of `SetEndpoint`. */
export type SetEndpointDef = SetEndpoint;

/** A step after the account got its credentials and before it is used. */
export type PostSetup = SetEndpoint;
/** Another name of `PostSetup`. */
export type PostSetupDef = PostSetup;

/** Members that every authentication with credentials has. */
export interface BaseAuthentication {
  /** Returns the label of the account. Without one, the account is labelled with the name of the user who created it. */
  getConnectionName?: MetadataFormulaDef | undefined;
  /** Accepted for compatibility with existing Packs. */
  getConnectionUserId?: MetadataFormulaDef | undefined;
  /** A help page about setting up the account: an https URL. */
  instructionsUrl?: string | undefined;
  /** Each account has its own endpoint, and the user is asked for it. @default false */
  requiresEndpointUrl?: boolean | undefined;
  /** The domain that all endpoints share, when `requiresEndpointUrl` is true. */
  endpointDomain?: string | undefined;
  /** The network domains that receive the credentials. Needed when the Pack declares several. */
  networkDomain?: string | string[] | undefined;
  /** Steps that run after the account was set up. */
  postSetup?: PostSetup[] | undefined;
}

/** Algorithms that a client can sign with (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = "RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA";

/** A response of the API that means "refresh the token", although its status is not 401. */
export interface RenewalSignal {
  /** The status of the response, such as 403. A status below 300 needs `bodyPath`. */
  status: number;
  /** Path of a member of the JSON body, such as `"error.code"`. @default only the status decides */
  bodyPath?: string | undefined;
  /** The value of that member. @default any value except null */
  equals?: string | number | boolean | undefined;
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
   * Where the client credentials are sent in a token request. `Automatic` tries the body first, then the Authorization header.
   * @default "Automatic"
   */
  credentialsLocation?: TokenExchangeCredentialsLocation | undefined;
  /**
   * How the client authenticates. With `private_key_jwt` (RFC 7523 §2.2) it sends no client secret, but signs a short
   * statement with a private key; you are asked for the key when you connect an account. Excludes `credentialsLocation`.
   * @default a client secret, sent as `credentialsLocation` says
   */
  clientAuthentication?: "private_key_jwt" | undefined;
  /**
   * Binds tokens to a key of the account, so that a stolen token is useless (DPoP, RFC 9449). Only for a token in the
   * Authorization header. @default on when the discovered server supports it
   */
  dpop?: boolean | undefined;
  /**
   * Algorithm of the signatures. Only with `clientAuthentication`.
   * @default the one that the key is made for: RS256, PS256, ES256, ES384, ES512 or EdDSA
   */
  signingAlgorithm?: SigningAlgorithm | undefined;
  /** Path of the object in the token response that contains the tokens, such as `"data"` or `"data.auth"`. */
  nestedResponseKey?: string | undefined;
  /** Prefix in `Authorization: <tokenPrefix> <token>`; may be empty. @default "Bearer" */
  tokenPrefix?: string | undefined;
  /** Sends the access token in this URL query parameter instead of a header. Tokens in URLs leak into logs; prefer the header. */
  tokenQueryParam?: string | undefined;
  /** Sends the access token in this header instead of `Authorization`, after `tokenPrefix` if you set it. */
  tokenHeaderName?: string | undefined;
  /**
   * Responses, in addition to a 401, after which the token is refreshed and the request repeated once. For an API that
   * reports an expired token in its own way. Add `bodyPath` when the status can also mean something else.
   */
  refreshOn?: readonly RenewalSignal[] | undefined;
  /** Resource indicator for authorization and token requests (RFC 8707): an absolute URL. */
  resource?: string | undefined;
  /**
   * The authorization server's issuer, an https URL. Endpoints that you leave out are discovered from it (RFC 8414), and
   * responses that name another issuer are refused (RFC 9207).
   */
  issuer?: string | undefined;
  /** Values that each account is asked for once. They fill `{name}` in URLs, parameters and scopes. */
  connectionVariables?: readonly ConnectionVariable[] | undefined;
  /** The API endpoint that is saved with the account. It may contain variables and callback parameters. */
  endpointUrl?: Template | undefined;
  /** Parameters added to the token request (code exchange or client credentials), but not to a refresh. */
  tokenParams?: Readonly<Record<string, ParamValue>> | undefined;
}

interface OAuth2CodeAuthentication extends BaseOAuthAuthentication {
  type: "OAuth2";
  /** Extra parameters of the authorization request. They cannot replace parameters of the protocol. */
  additionalParams?: Readonly<Record<string, ParamValue>> | undefined;
  /** Path of the member of the token response that contains the account's endpoint: a host or an https URL. */
  endpointKey?: string | undefined;
  /** How the token request is written. @default "form" */
  tokenRequestFormat?: Exclude<TokenRequestFormat, "query"> | undefined;
  /** Parameters of the redirect that are saved with the account and fill `{callback.name}`. A plain name saves text. */
  callbackParams?: readonly (string | CallbackParam)[] | undefined;
  /** Where tokens are refreshed. @default tokenUrl */
  refreshUrl?: Template | undefined;
  /** Parameters added to the refresh request. */
  refreshParams?: Readonly<Record<string, ParamValue>> | undefined;
}

interface WithProofKey {
  /** Proof Key for Code Exchange (RFC 7636). Set it to `false` for the few providers that refuse it. @default false */
  useProofKeyForCodeExchange: true;
  /** @default "S256" */
  pkceChallengeMethod?: "plain" | "S256" | undefined;
}
interface WithoutProofKey {
  /** Proof Key for Code Exchange (RFC 7636). Set it to `false` for the few providers that refuse it. @default false */
  useProofKeyForCodeExchange?: false | undefined;
  /** Only with `useProofKeyForCodeExchange: true`. */
  pkceChallengeMethod?: undefined;
}

interface StaticClient extends OAuth2CodeAuthentication {
  /** Where the user is sent. The scope parameter is appended. */
  authorizationUrl: string;
  /** Where the code is exchanged for tokens. */
  tokenUrl: string;
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
  issuer: string;
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

/** OAuth2 with the authorization code flow (RFC 6749 §4.1) and a client that was registered beforehand. */
export type OAuth2StaticCodeAuthentication = StaticClientWithProofKey | StaticClientWithoutProofKey;
/** OAuth2 with a client that is registered automatically (RFC 7591). URLs that you leave out are discovered. */
export type OAuth2DynamicCodeAuthentication = DynamicClientWithProofKey | DynamicClientWithoutProofKey;
/** OAuth2 with endpoints that are discovered from the issuer (RFC 8414). */
export type OAuth2DiscoveredCodeAuthentication = DiscoveredServerWithProofKey | DiscoveredServerWithoutProofKey;
/** OAuth2 with the authorization code flow (RFC 6749 §4.1). */
export type OAuth2Authentication = OAuth2DiscoveredCodeAuthentication | OAuth2DynamicCodeAuthentication | OAuth2StaticCodeAuthentication;

/**
 * OAuth2 with the client credentials flow (RFC 6749 §4.4). You are asked for the client ID and the secret when you connect an
 * account.
 */
export interface OAuth2ClientCredentialsAuthentication extends BaseOAuthAuthentication {
  type: "OAuth2ClientCredentials";
  /** Where the client credentials are exchanged for an access token. */
  tokenUrl: string;
  /** Extra parameters of the token request. They cannot replace parameters of the protocol. */
  additionalParams?: Readonly<Record<string, ParamValue>> | undefined;
  /** How the token request is written. `query` needs `credentialsLocation: "AuthorizationHeader"`. @default "form" */
  tokenRequestFormat?: TokenRequestFormat | undefined;
  /** Sent as `grant_type`. @default "client_credentials" */
  grantType?: string | undefined;
  // Members of the code flow, which this flow does not have.
  authorizationUrl?: undefined;
  useProofKeyForCodeExchange?: undefined;
  pkceChallengeMethod?: undefined;
}
