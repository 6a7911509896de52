import type { MetadataFormula, MetadataFormulaDef } from "./definition.ts";
import type { AuthenticationType, ConnectionRequirement, PostSetupType, TokenExchangeCredentialsLocation } from "./enumerations.ts";

/** A step that lets users choose the endpoint of their account. */
export interface SetEndpoint {
  type: PostSetupType.SetEndpoint;
  name: string;
  description: string;
  getOptions?: MetadataFormula;
  /** @deprecated Use `getOptions`. */
  getOptionsFormula?: MetadataFormula;
}
export type SetEndpointDef = Omit<SetEndpoint, "getOptions" | "getOptionsFormula"> & {
  getOptions?: MetadataFormulaDef;
  getOptionsFormula?: MetadataFormulaDef;
};
export type PostSetup = SetEndpoint;
export type PostSetupDef = SetEndpointDef;

/** Members that every authentication has, except None and Various. */
export interface BaseAuthentication {
  getConnectionName?: MetadataFormula;
  getConnectionUserId?: MetadataFormula;
  instructionsUrl?: string;
  requiresEndpointUrl?: boolean;
  endpointDomain?: string;
  postSetup?: PostSetup[];
  networkDomain?: string | string[];
}
interface NamedValue {
  name: string;
  description: string;
}

export interface NoAuthentication {
  type: AuthenticationType.None;
}
export interface VariousAuthentication {
  type: AuthenticationType.Various;
}
export interface HeaderBearerTokenAuthentication extends BaseAuthentication {
  type: AuthenticationType.HeaderBearerToken;
}
export interface CodaApiBearerTokenAuthentication extends BaseAuthentication {
  type: AuthenticationType.CodaApiHeaderBearerToken;
  deferConnectionSetup?: boolean;
  shouldAutoAuthSetup?: boolean;
}
export interface CustomHeaderTokenAuthentication extends BaseAuthentication {
  type: AuthenticationType.CustomHeaderToken;
  headerName: string;
  tokenPrefix?: string;
}
export interface MultiHeaderTokenAuthentication extends BaseAuthentication {
  type: AuthenticationType.MultiHeaderToken;
  headers: (NamedValue & { tokenPrefix?: string })[];
}
export interface QueryParamTokenAuthentication extends BaseAuthentication {
  type: AuthenticationType.QueryParamToken;
  paramName: string;
}
export interface MultiQueryParamTokenAuthentication extends BaseAuthentication {
  type: AuthenticationType.MultiQueryParamToken;
  params: NamedValue[];
}
/** Members of every OAuth 2.0 authentication. */
export interface BaseOAuthAuthentication extends BaseAuthentication {
  scopes?: string[];
  scopeParamName?: string;
  scopeDelimiter?: " " | "," | ";";
  tokenUrl?: string;
  nestedResponseKey?: string;
  credentialsLocation?: TokenExchangeCredentialsLocation;
  tokenPrefix?: string;
  tokenQueryParam?: string;
  resource?: string;
}
interface CodeAuthentication extends BaseOAuthAuthentication {
  type: AuthenticationType.OAuth2;
  additionalParams?: { [key: string]: any };
  endpointKey?: string;
  useProofKeyForCodeExchange?: boolean;
  pkceChallengeMethod?: "plain" | "S256";
}
export interface OAuth2StaticCodeAuthentication extends CodeAuthentication {
  authorizationUrl: string;
  tokenUrl: string;
  useDynamicClientRegistration?: false;
}
export interface OAuth2DynamicCodeAuthentication extends CodeAuthentication {
  authorizationUrl?: string;
  tokenUrl?: string;
  useDynamicClientRegistration: true;
}
export type OAuth2Authentication = OAuth2StaticCodeAuthentication | OAuth2DynamicCodeAuthentication;
export interface OAuth2ClientCredentialsAuthentication extends BaseOAuthAuthentication {
  type: AuthenticationType.OAuth2ClientCredentials;
  tokenUrl: string;
}
export interface WebBasicAuthentication extends BaseAuthentication {
  type: AuthenticationType.WebBasic;
  uxConfig?: { placeholderUsername?: string; placeholderPassword?: string; usernameOnly?: boolean };
}
export interface CustomAuthParameter extends NamedValue {}
export interface CustomAuthentication extends BaseAuthentication {
  type: AuthenticationType.Custom;
  params: CustomAuthParameter[];
}
export interface AWSAccessKeyAuthentication extends BaseAuthentication {
  type: AuthenticationType.AWSAccessKey;
  service: string;
}
export interface AWSAssumeRoleAuthentication extends BaseAuthentication {
  type: AuthenticationType.AWSAssumeRole;
  service: string;
}
export interface GoogleDomainWideDelegationAuthentication extends BaseAuthentication {
  type: AuthenticationType.GoogleDomainWideDelegation;
  scopes: string[];
}
export interface GoogleServiceAccountAuthentication extends BaseAuthentication {
  type: AuthenticationType.GoogleServiceAccount;
  scopes: string[];
}

type TokenAuthentication =
  | HeaderBearerTokenAuthentication
  | CustomHeaderTokenAuthentication
  | MultiHeaderTokenAuthentication
  | QueryParamTokenAuthentication
  | MultiQueryParamTokenAuthentication
  | WebBasicAuthentication;
/** How the Pack's own account authenticates. */
export type SystemAuthentication =
  | TokenAuthentication
  | AWSAccessKeyAuthentication
  | AWSAssumeRoleAuthentication
  | GoogleServiceAccountAuthentication
  | CustomAuthentication
  | OAuth2ClientCredentialsAuthentication;
export type AllowedAuthentication =
  | SystemAuthentication
  | CodaApiBearerTokenAuthentication
  | OAuth2Authentication
  | GoogleDomainWideDelegationAuthentication;
export type VariousSupportedAuthentication = NoAuthentication | TokenAuthentication;
/** How each user's account authenticates. */
export type Authentication = NoAuthentication | VariousAuthentication | AllowedAuthentication;

/** An authentication as you write it: its functions may be plain ones. */
export type AsAuthDef<A extends BaseAuthentication> = Omit<A, "getConnectionName" | "getConnectionUserId" | "postSetup"> & {
  getConnectionName?: MetadataFormulaDef;
  getConnectionUserId?: MetadataFormulaDef;
  postSetup?: PostSetupDef[];
};
// OAuth2 is one definition with either form, so that a variable may hold the form that it needs.
type AsAuthDefs<A extends BaseAuthentication> = A extends OAuth2Authentication ? never : A extends unknown ? AsAuthDef<A> : never;
export type SystemAuthenticationDef = AsAuthDefs<SystemAuthentication>;
export type AllowedAuthenticationDef = AsAuthDefs<AllowedAuthentication> | AsAuthDef<OAuth2Authentication>;
export type AuthenticationDef = NoAuthentication | VariousAuthentication | AllowedAuthenticationDef;
export type UserAuthenticationDef = AuthenticationDef & { defaultConnectionRequirement?: ConnectionRequirement };

export interface AdminAuthentication {
  authentication: AllowedAuthentication;
  name: string;
  displayName: string;
  description: string;
}
export interface AdminAuthenticationDef extends Omit<AdminAuthentication, "authentication"> {
  authentication: AllowedAuthenticationDef;
}
