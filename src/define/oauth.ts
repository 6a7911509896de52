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
 * A step in which the user chooses the endpoint of the account. The Pack looks up the options with
 * the new credentials.
 */
export interface SetEndpoint {
  /** Set to `PostSetupType.SetEndpoint` to let the user choose an endpoint. */
  type: PostSetupType.SetEndpoint;
  /** The name of the step. The name must be unique in the definition. */
  name: string;
  /** The question that the user sees. */
  description: string;
  /** Returns the endpoints that the user can choose. */
  getOptions?: MetadataFormulaDef | undefined;
  /** @deprecated Accepted for compatibility with existing Packs: use `getOptions`. */
  getOptionsFormula?: MetadataFormulaDef | undefined;
}
/** Another name of `SetEndpoint`. */
export type SetEndpointDef = SetEndpoint;

/**
 * A step that runs after the user has entered an account's credentials, and before the account is
 * used for the first time.
 */
export type PostSetup = SetEndpoint;
/** Another name of `PostSetup`. */
export type PostSetupDef = PostSetup;

/** Properties that every authentication with credentials has. */
export interface BaseAuthentication {
  /**
   * Returns the account name that users see. The default is the name of the user who created the
   * account.
   */
  getConnectionName?: MetadataFormulaDef | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  getConnectionUserId?: MetadataFormulaDef | undefined;
  /** The https URL of a page that explains how to set up the account. */
  instructionsUrl?: string | undefined;
  /** Asks users for an endpoint when they connect an account. @default false */
  requiresEndpointUrl?: boolean | undefined;
  /** The domain of all endpoints, if `requiresEndpointUrl` is true. */
  endpointDomain?: string | undefined;
  /**
   * The network domains that receive the credentials. Required if the Pack declares several
   * domains.
   */
  networkDomain?: string | string[] | undefined;
  /** Steps that run after the user has entered the credentials. */
  postSetup?: PostSetup[] | undefined;
}

/** The algorithm of a signature (RFC 7518 §3.1, RFC 8037 §3.1). */
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

/**
 * An API response after which packsmith refreshes the token. After a response with status 401,
 * packsmith always refreshes the token.
 */
export interface RenewalSignal {
  /**
   * The status of the response, such as 403. If the status is below 300, `bodyPath` is required.
   */
  status: number;
  /**
   * The path of a field in the JSON body, such as `"error.code"`.
   * @default packsmith checks only the status
   */
  bodyPath?: string | undefined;
  /** The expected value of the field at `bodyPath`. @default any value except null */
  equals?: string | number | boolean | undefined;
}

/**
 * The paths of the tokens in a token response that differs from RFC 6749 §5.1. If you set
 * `nestedResponseKey`, each path starts at the object that `nestedResponseKey` selects.
 */
export interface TokenResponseMembers {
  /** The path of the access token, such as `"api_key"`. @default "access_token" */
  accessToken?: string | undefined;
  /** The path of the refresh token. @default "refresh_token" */
  refreshToken?: string | undefined;
  /** The path of the lifetime of the access token. @default "expires_in" */
  expiresIn?: string | undefined;
  /** The unit of the lifetime. @default "seconds" */
  expiresInUnit?: "seconds" | "milliseconds" | undefined;
  /**
   * Allows a refresh response that contains no access token. The old token then stays valid.
   * @default false
   */
  refreshKeepsToken?: boolean | undefined;
}

/**
 * A second token request that packsmith sends after the first. The access token of the second
 * response replaces the first token.
 */
export interface TokenExchange {
  /** The https URL of the second request. */
  url: Template;
  /**
   * The method of the second request. With `POST`, the body is a form. With `GET`, the URL contains
   * the parameters and the client credentials.
   * @default "POST"
   */
  method?: "POST" | "GET" | undefined;
  /** The value of `grant_type` in the request. @default none */
  grantType?: string | undefined;
  /** The parameters of the request. `{token}` is the access token of the first response. */
  params: Readonly<Record<string, ParamValue>>;
  /**
   * The client ID of the second request. Set this option if the second request needs a different
   * client ID.
   * @default the client of the account
   */
  clientId?: Template | undefined;
  /**
   * The client secret of the second request: a template with a secret connection variable. This
   * option requires `clientId`.
   */
  clientSecret?: Template | undefined;
}

/**
 * Exchanges an access token for a new one. Use this if the provider does not issue refresh tokens.
 * packsmith renews the token after half of its lifetime, because an expired token cannot be
 * renewed.
 */
export interface TokenRenewal {
  /** The https URL of the request. */
  url: Template;
  /**
   * The method of the request. With `POST`, the body is a form. With `GET`, the URL contains the
   * parameters. @default "POST"
   */
  method?: "POST" | "GET" | undefined;
  /** The value of `grant_type` in the request. @default none */
  grantType?: string | undefined;
  /** The parameters of the request. `{token}` is the access token of the account. */
  params: Readonly<Record<string, ParamValue>>;
  /** Sets whether the request contains the client credentials. @default true */
  withClient?: boolean | undefined;
}

/** Properties that both OAuth2 types share. */
export interface BaseOAuthAuthentication extends BaseAuthentication {
  /** The scopes that the Pack needs. A scope cannot be empty or contain the delimiter. */
  scopes?: string[] | undefined;
  /** The name of the parameter that contains the scopes. @default "scope" */
  scopeParamName?: string | undefined;
  /** The character between two scopes. @default " " */
  scopeDelimiter?: " " | "," | ";" | undefined;
  /**
   * The location of the client credentials in a token request. `Automatic` tries the body first,
   * then the Authorization header.
   * @default "Automatic"
   */
  credentialsLocation?: TokenExchangeCredentialsLocation | undefined;
  /**
   * The client authentication method. Set this option if the client does not send a client secret
   * in the usual way. With `private_key_jwt` (RFC 7523 §2.2), the client signs a JWT with a private
   * key. With `tls_client_auth` (RFC 8705 §2), the client presents a certificate in the TLS
   * handshake. You enter the key or the certificate when you connect an account. With
   * `secret_as_user`, the client secret is the user name in the Authorization header. You cannot
   * combine this option with `credentialsLocation`.
   * @default the client secret, sent where `credentialsLocation` specifies
   */
  clientAuthentication?: "private_key_jwt" | "tls_client_auth" | "secret_as_user" | undefined;
  /**
   * Renames parameters in all login requests and revocations. The keys are the names in RFC 6749:
   * `{ client_id: "client_key" }`. To leave out a parameter, set an empty name: `{ response_type:
   * "" }`.
   * @default the names in RFC 6749
   */
  parameterNames?: Readonly<Record<string, string>> | undefined;
  /**
   * Renames parameters in token requests and revocations. Set this option if the names differ
   * from those in the authorization request.
   * @default `parameterNames`
   */
  tokenParameterNames?: Readonly<Record<string, string>> | undefined;
  /** The paths of the tokens in a token response. @default the names in RFC 6749 §5.1 */
  tokenResponse?: TokenResponseMembers | undefined;
  /**
   * A second token request that exchanges the first access token for another access token.
   * @default none
   */
  tokenExchange?: TokenExchange | undefined;
  /**
   * Additional headers of token requests, including refreshes. You cannot replace headers that
   * packsmith sets.
   * @default none
   */
  tokenHeaders?: Readonly<Record<string, Template>> | undefined;
  /**
   * Binds tokens to the account's key, so that no one can use a stolen token (DPoP, RFC 9449).
   * The token must be in the Authorization header.
   * @default `true` if the metadata of the server lists DPoP
   */
  dpop?: boolean | undefined;
  /**
   * The signature algorithm. This option requires `clientAuthentication`.
   * @default the usual algorithm of the key: RS256, PS256, ES256, ES384, ES512 or EdDSA
   */
  signingAlgorithm?: SigningAlgorithm | undefined;
  /**
   * The `aud` of the client assertion. This option requires
   * `clientAuthentication: "private_key_jwt"`.
   * @default the server's issuer, or the token URL if the issuer is unknown or was rejected
   */
  assertionAudience?: Template | undefined;
  /**
   * The `iss` of the client assertion. This option requires
   * `clientAuthentication: "private_key_jwt"`.
   * @default the client ID
   */
  assertionIssuer?: Template | undefined;
  /**
   * The path of the object that contains the tokens in the token response, such as `"data"` or
   * `"data.auth"`.
   */
  nestedResponseKey?: string | undefined;
  /**
   * The prefix in `Authorization: <tokenPrefix> <token>`. The prefix can be empty. @default
   * "Bearer"
   */
  tokenPrefix?: string | undefined;
  /**
   * Sends the access token in this URL query parameter instead of a header. Servers often log URLs,
   * so prefer a header.
   */
  tokenQueryParam?: string | undefined;
  /**
   * Sends the access token in this header instead of `Authorization`. If you set `tokenPrefix`,
   * the header value starts with it.
   */
  tokenHeaderName?: string | undefined;
  /**
   * API responses that report an expired token with a status other than 401. After one of these
   * responses, packsmith refreshes the token and repeats the request once. If the status can have
   * other reasons, add `bodyPath`.
   */
  refreshOn?: readonly RenewalSignal[] | undefined;
  /**
   * The resource indicator in authorization and token requests (RFC 8707): an absolute URL, usually
   * the API URL. If you leave out `issuer` and all URLs, packsmith finds the authorization server
   * in the metadata of this resource (RFC 9728).
   */
  resource?: string | undefined;
  /**
   * The issuer of the authorization server: an https URL. packsmith discovers all endpoints that
   * you leave out (RFC 8414). It rejects responses from a different issuer (RFC 9207).
   */
  issuer?: string | undefined;
  /**
   * The questions that users answer when they connect an account. The answers replace `{name}` in
   * URLs, parameters and scopes.
   */
  connectionVariables?: readonly ConnectionVariable[] | undefined;
  /**
   * The account's API endpoint. It can contain variables and callback parameters.
   */
  endpointUrl?: Template | undefined;
  /**
   * Additional parameters of the token request (code exchange or client credentials). A refresh
   * does not contain these parameters. `{state}` is the state parameter of the login.
   */
  tokenParams?: Readonly<Record<string, ParamValue>> | undefined;
}

interface OAuth2CodeAuthentication extends BaseOAuthAuthentication {
  /** Set to `AuthenticationType.OAuth2` for OAuth 2.0 with a login in the browser. */
  type: "OAuth2";
  /**
   * The URL for pushed authorization requests (RFC 9126). Set this URL only if the server requires
   * pushed requests and has no metadata.
   * @default the URL in the metadata of the server
   */
  pushedAuthorizationUrl?: string | undefined;
  /**
   * The https URL of a client ID metadata document that you publish. This URL is then the client
   * ID. To print the document, run `packsmith auth client-metadata`. packsmith uses the URL if the
   * metadata of the server announces support for these documents, or if there is no metadata.
   */
  clientMetadataUrl?: string | undefined;
  /**
   * Extra parameters of the authorization request. They cannot replace parameters that packsmith
   * sets.
   */
  additionalParams?: Readonly<Record<string, ParamValue>> | undefined;
  /** The name of the redirect parameter that contains the authorization code. @default "code" */
  codeParamName?: string | undefined;
  /**
   * The path of the account endpoint in the token response. The endpoint is a host or an https URL.
   */
  endpointKey?: string | undefined;
  /**
   * The format of the token request. With `query`, the URL contains the code and the refresh token.
   * It also contains the client secret, unless `credentialsLocation` is `"AuthorizationHeader"`.
   * @default "form"
   */
  tokenRequestFormat?: TokenRequestFormat | undefined;
  /**
   * The redirect parameters that packsmith stores with the account. They replace placeholders such
   * as `{callback.name}`. For a text parameter, you can write only the name.
   */
  callbackParams?: readonly (string | CallbackParam)[] | undefined;
  /** The URL of refresh requests. @default `tokenUrl` */
  refreshUrl?: Template | undefined;
  /** Additional parameters of the refresh request. */
  refreshParams?: Readonly<Record<string, ParamValue>> | undefined;
  /**
   * A request that exchanges the access token for a new access token.
   * @default none, because packsmith refreshes the token with the refresh token
   */
  tokenRenewal?: TokenRenewal | undefined;
}

interface WithProofKey {
  /**
   * Turns on Proof Key for Code Exchange (PKCE, RFC 7636). Set this option to `false` only if the
   * provider refuses PKCE.
   * @default true for a client without a secret, and if the metadata of the server lists S256
   */
  useProofKeyForCodeExchange: true;
  /**
   * The method of PKCE (RFC 7636 §4.2). Use `plain` only if the provider supports no other method.
   * @default "S256"
   */
  pkceChallengeMethod?: "plain" | "S256" | undefined;
}
interface WithoutProofKey {
  /**
   * Turns on Proof Key for Code Exchange (PKCE, RFC 7636). Set this option to `false` only if the
   * provider refuses PKCE.
   * @default true for a client without a secret, and if the metadata of the server lists S256
   */
  useProofKeyForCodeExchange?: false | undefined;
  /** This option requires `useProofKeyForCodeExchange: true`. */
  pkceChallengeMethod?: undefined;
}

interface StaticClient extends OAuth2CodeAuthentication {
  /**
   * The URL of the login page. packsmith adds the parameters of the request. If the URL has a
   * fragment that starts with a slash, such as `https://app.host.example/#/authorize`, the
   * parameters are added to the fragment.
   */
  authorizationUrl: string;
  /** The URL of the token request. */
  tokenUrl: string;
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration?: false | undefined;
}
interface DynamicClient extends OAuth2CodeAuthentication {
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration: true;
  /** The URL of the login page. packsmith discovers this URL if you leave it out. */
  authorizationUrl?: string | undefined;
  /** The URL of the token request. packsmith discovers this URL if you leave it out. */
  tokenUrl?: string | undefined;
}
interface DiscoveredServer extends OAuth2CodeAuthentication {
  /**
   * The issuer of the authorization server: an https URL. packsmith discovers all endpoints that
   * you leave out (RFC 8414).
   */
  issuer: string;
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration?: false | undefined;
  /** The URL of the login page. packsmith discovers this URL if you leave it out. */
  authorizationUrl?: string | undefined;
  /** The URL of the token request. packsmith discovers this URL if you leave it out. */
  tokenUrl?: string | undefined;
}

interface ServerOfResource extends OAuth2CodeAuthentication {
  /**
   * The absolute URL of the API. The metadata of the API (RFC 9728) names the authorization server.
   */
  resource: string;
  /** Registers a client when an account is connected (RFC 7591). @default false */
  useDynamicClientRegistration?: false | undefined;
  /** The URL of the login page. packsmith discovers this URL if you leave it out. */
  authorizationUrl?: string | undefined;
  /** The URL of the token request. packsmith discovers this URL if you leave it out. */
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

/** OAuth2 with the authorization code flow (RFC 6749 §4.1) and a registered client. */
export type OAuth2StaticCodeAuthentication = StaticClientWithProofKey | StaticClientWithoutProofKey;
/**
 * OAuth2 with a client that packsmith registers (RFC 7591). packsmith discovers all URLs that you
 * leave out.
 */
export type OAuth2DynamicCodeAuthentication =
  | DynamicClientWithProofKey
  | DynamicClientWithoutProofKey;
/**
 * OAuth2 with discovered endpoints: packsmith reads them from the metadata of the issuer (RFC 8414)
 * or the API (RFC 9728).
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
 * OAuth2 with the client credentials flow (RFC 6749 §4.4). You enter the client ID and the secret
 * when you connect an account.
 */
export interface OAuth2ClientCredentialsAuthentication extends BaseOAuthAuthentication {
  /** Set to `AuthenticationType.OAuth2ClientCredentials` for OAuth 2.0 without a user. */
  type: "OAuth2ClientCredentials";
  /** The URL where packsmith exchanges the client credentials for an access token. */
  tokenUrl: string;
  /**
   * Additional parameters of the token request. You cannot override parameters that packsmith sets.
   */
  additionalParams?: Readonly<Record<string, ParamValue>> | undefined;
  /**
   * The format of the token request. `query` needs `credentialsLocation: "AuthorizationHeader"`.
   * @default "form"
   */
  tokenRequestFormat?: TokenRequestFormat | undefined;
  /** The value of `grant_type` in the request. @default "client_credentials" */
  grantType?: string | undefined;
  // Members of the code flow, which this flow does not have.
  /**
   * This option is available only with `AuthenticationType.OAuth2`. With client credentials, no one
   * logs in with a browser.
   */
  authorizationUrl?: undefined;
  /** This option is available only with `AuthenticationType.OAuth2`. */
  useProofKeyForCodeExchange?: undefined;
  /** This option is available only with `AuthenticationType.OAuth2`. */
  pkceChallengeMethod?: undefined;
}
