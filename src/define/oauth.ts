import type { PostSetupType, TokenExchangeCredentialsLocation } from "./enumerations.ts";
import type { MetadataFunction } from "./metadata.ts";

/** Lets the user choose the account's endpoint from options that the Pack looks up with the new credentials. */
export interface SetEndpoint {
  type: PostSetupType.SetEndpoint;
  /** Unique within the definition. */
  name: string;
  /** The question that the user sees. */
  description: string;
  /** Lists the endpoints to choose from. */
  getOptions: MetadataFunction;
}

export type PostSetup = SetEndpoint;

/** Members that every authentication with credentials has. */
export interface BaseAuthentication {
  /** Labels the account. An empty or absent result labels it with the creating user's name. */
  getConnectionName?: MetadataFunction | undefined;
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
  /** Path of the object in the token response that holds the tokens, such as `"data"` or `"data.auth"`. */
  nestedResponseKey?: string | undefined;
  /** Prefix in `Authorization: <tokenPrefix> <token>`; may be empty. @default "Bearer" */
  tokenPrefix?: string | undefined;
  /** When set, the access token is sent in this URL query parameter instead of a header. Tokens in URLs leak; prefer the header. */
  tokenQueryParam?: string | undefined;
  /** Resource indicator sent with authorization and token requests (RFC 8707): an absolute URL. */
  resource?: string | undefined;
}

/** OAuth2 with the authorization code flow (RFC 6749 §4.1). */
export interface OAuth2Authentication extends BaseOAuthAuthentication {
  type: "OAuth2";
  /** Where the user is sent; the scope parameter is appended. */
  authorizationUrl: string;
  /** Where the code is exchanged for tokens. */
  tokenUrl: string;
  /** Extra parameters of the authorization request. They cannot replace protocol parameters (rule A6). */
  additionalParams?: Record<string, string | number | boolean> | undefined;
  /** Path of the token response member that holds the account's endpoint: a host or an https URL. */
  endpointKey?: string | undefined;
  /** Proof Key for Code Exchange (RFC 7636). Say `false` for the few providers that refuse it. @default false */
  useProofKeyForCodeExchange?: boolean | undefined;
  /** @default "S256" */
  pkceChallengeMethod?: "plain" | "S256" | undefined;
}

/** OAuth2 with the client credentials flow (RFC 6749 §4.4). The client ID and secret are asked for when an account is connected. */
export interface OAuth2ClientCredentialsAuthentication extends BaseOAuthAuthentication {
  type: "OAuth2ClientCredentials";
  /** Where the client credentials are exchanged for an access token. */
  tokenUrl: string;
}
