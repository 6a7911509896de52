import type { ConnectionRequirement } from "./enumerations.ts";
import type { BaseAuthentication, OAuth2Authentication, OAuth2ClientCredentialsAuthentication } from "./oauth.ts";

/** The Pack calls no API that needs an account. */
export interface NoAuthentication {
  type: "None";
}

/** Sends `Authorization: Bearer <token>`. */
export interface HeaderBearerTokenAuthentication extends BaseAuthentication {
  type: "HeaderBearerToken";
}

/** The same, to the document service's own domains. */
export interface CodaApiBearerTokenAuthentication extends BaseAuthentication {
  type: "CodaApiHeaderBearerToken";
  /** Sets the account up without asking the user for a token. */
  shouldAutoAuthSetup?: boolean | undefined;
}

/** Sends the token in a header of its own. */
export interface CustomHeaderTokenAuthentication extends BaseAuthentication {
  type: "CustomHeaderToken";
  headerName: string;
  /** Written before the token, with a space. */
  tokenPrefix?: string | undefined;
}

/** Sends several tokens, each in a header of its own. */
export interface MultiHeaderTokenAuthentication extends BaseAuthentication {
  type: "MultiHeaderToken";
  headers: { name: string; description: string; tokenPrefix?: string | undefined }[];
}

/** Sends the token in a URL parameter. Tokens in URLs leak; prefer a header. */
export interface QueryParamTokenAuthentication extends BaseAuthentication {
  type: "QueryParamToken";
  paramName: string;
}

/** Sends several tokens in URL parameters. */
export interface MultiQueryParamTokenAuthentication extends BaseAuthentication {
  type: "MultiQueryParamToken";
  params: { name: string; description: string }[];
}

/** Sends user name and password (RFC 7617). */
export interface WebBasicAuthentication extends BaseAuthentication {
  type: "WebBasic";
  uxConfig?:
    | { placeholderUsername?: string | undefined; placeholderPassword?: string | undefined; usernameOnly?: boolean | undefined }
    | undefined;
}

/** Values that the Pack's requests name in templates, `{{name-<invocationToken>}}`. */
export interface CustomAuthentication extends BaseAuthentication {
  type: "Custom";
  params: CustomAuthParameter[];
}

/** A value that a Custom authentication asks for. */
export interface CustomAuthParameter {
  name: string;
  description: string;
}

/** Signs requests with an access key (Signature Version 4). */
export interface AWSAccessKeyAuthentication extends BaseAuthentication {
  type: "AWSAccessKey";
  service: string;
}

/** Signs requests with the credentials of an assumed role. */
export interface AWSAssumeRoleAuthentication extends BaseAuthentication {
  type: "AWSAssumeRole";
  service: string;
}

/** Accepted from older Packs. */
export interface GoogleDomainWideDelegationAuthentication extends BaseAuthentication {
  type: "GoogleDomainWideDelegation";
  scopes: string[];
}

/** Accepted from older Packs. */
export interface GoogleServiceAccountAuthentication extends BaseAuthentication {
  type: "GoogleServiceAccount";
  scopes: string[];
}

/** Accepted from older Packs. */
export interface VariousAuthentication {
  type: "Various";
}

/** How accounts of a Pack prove themselves; `type` decides the members. */
export type Authentication =
  | NoAuthentication
  | HeaderBearerTokenAuthentication
  | CodaApiBearerTokenAuthentication
  | CustomHeaderTokenAuthentication
  | MultiHeaderTokenAuthentication
  | QueryParamTokenAuthentication
  | MultiQueryParamTokenAuthentication
  | WebBasicAuthentication
  | CustomAuthentication
  | AWSAccessKeyAuthentication
  | AWSAssumeRoleAuthentication
  | OAuth2Authentication
  | OAuth2ClientCredentialsAuthentication
  | GoogleDomainWideDelegationAuthentication
  | GoogleServiceAccountAuthentication
  | VariousAuthentication;
/** Another name of `Authentication`. */
export type AuthenticationDef = Authentication;

/** Authentications that the Pack itself can have, instead of each user. */
export type SystemAuthentication = Exclude<
  Authentication,
  | NoAuthentication
  | CodaApiBearerTokenAuthentication
  | OAuth2Authentication
  | GoogleDomainWideDelegationAuthentication
  | VariousAuthentication
>;
/** Another name of `SystemAuthentication`. */
export type SystemAuthenticationDef = SystemAuthentication;

/** How users' accounts prove themselves, and whether formulas need an account when they do not say so themselves. */
export type UserAuthenticationDef = Authentication & DefaultRequirement;

interface DefaultRequirement {
  /** @default "required" */
  defaultConnectionRequirement?: ConnectionRequirement | undefined;
}

/** Accepted from older Packs. */
export type VariousSupportedAuthentication =
  | NoAuthentication
  | HeaderBearerTokenAuthentication
  | CustomHeaderTokenAuthentication
  | MultiHeaderTokenAuthentication
  | QueryParamTokenAuthentication
  | MultiQueryParamTokenAuthentication
  | WebBasicAuthentication;

/** Accepted from older Packs. */
export interface AdminAuthentication {
  name: string;
  displayName: string;
  description: string;
  authentication: Exclude<Authentication, NoAuthentication | VariousAuthentication>;
}
/** Accepted from older Packs. */
export type AdminAuthenticationDef = AdminAuthentication;
