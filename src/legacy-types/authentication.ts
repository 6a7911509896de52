import type { MetadataFormula, MetadataFormulaDef } from "./definition.ts";
import type {
  AuthenticationType,
  ConnectionRequirement,
  PostSetupType,
  TokenExchangeCredentialsLocation,
} from "./enumerations.ts";
import type {
  AdminAuthentication,
  CodaApiBearerTokenAuthentication,
  GoogleDomainWideDelegationAuthentication,
  NoAuthentication,
  SystemAuthentication,
  VariousAuthentication,
} from "./shared-types.ts";

export interface SetEndpoint {
  type: PostSetupType.SetEndpoint;
  name: string;
  description: string;
  getOptions?: MetadataFormula;
  /** @deprecated Use `getOptions`. */
  getOptionsFormula?: MetadataFormula;
}
/** The step as you write it: its functions may be plain ones. */
export type SetEndpointDef = Omit<SetEndpoint, "getOptions" | "getOptionsFormula"> & {
  getOptions?: MetadataFormulaDef;
  getOptionsFormula?: MetadataFormulaDef;
};
export type PostSetup = SetEndpoint;
/** A step after the account got its credentials, as you write it. */
export type PostSetupDef = SetEndpointDef;

export interface BaseAuthentication {
  getConnectionName?: MetadataFormula;
  getConnectionUserId?: MetadataFormula;
  instructionsUrl?: string;
  requiresEndpointUrl?: boolean;
  endpointDomain?: string;
  postSetup?: PostSetup[];
  networkDomain?: string | string[];
}
export interface BaseOAuthAuthentication extends BaseAuthentication {
  scopes?: string[];
  scopeParamName?: string;
  scopeDelimiter?: " " | "," | ";";
  /** Where the code or the client credentials are exchanged for tokens. */
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
/** An authentication with credentials. */
export type AllowedAuthentication =
  | SystemAuthentication
  | CodaApiBearerTokenAuthentication
  | OAuth2Authentication
  | GoogleDomainWideDelegationAuthentication;

/** An authentication as you write it: its functions may be plain ones. */
export type AsAuthDef<A extends BaseAuthentication> = Omit<
  A,
  "getConnectionName" | "getConnectionUserId" | "postSetup"
> & {
  /**
   * Returns the label of the account. Without one, the account is labelled with the name of the
   * user who created it.
   */
  getConnectionName?: MetadataFormulaDef;
  /** @deprecated Accepted for compatibility with existing Packs. */
  getConnectionUserId?: MetadataFormulaDef;
  /** Steps that run after the account was set up. */
  postSetup?: PostSetupDef[];
};
// OAuth2 is one definition with either form, so that a variable may hold the form that it needs.
type AsAuthDefs<A extends BaseAuthentication> = A extends OAuth2Authentication
  ? never
  : A extends unknown
    ? AsAuthDef<A>
    : never;
/** How the Pack's own account authenticates, as you write it for `setSystemAuthentication`. */
export type SystemAuthenticationDef = AsAuthDefs<SystemAuthentication>;
/** An authentication with credentials, as you write it. */
export type AllowedAuthenticationDef =
  | AsAuthDefs<AllowedAuthentication>
  | AsAuthDef<OAuth2Authentication>;
/** How each user's account authenticates, as you write it for `setUserAuthentication`. */
export type AuthenticationDef = NoAuthentication | VariousAuthentication | AllowedAuthenticationDef;
export type UserAuthenticationDef = AuthenticationDef & {
  defaultConnectionRequirement?: ConnectionRequirement;
};
export interface AdminAuthenticationDef extends Omit<AdminAuthentication, "authentication"> {
  authentication: AllowedAuthenticationDef;
}
