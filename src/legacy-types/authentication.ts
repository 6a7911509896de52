import type { MetadataFormula, MetadataFormulaDef } from "./definition.ts";
import type {
  AuthenticationType,
  PostSetupType,
  TokenExchangeCredentialsLocation,
} from "./enumerations.ts";

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
