import type { ConnectionRequirement } from "./enumerations.ts";
import type { BaseAuthentication, OAuth2Authentication, OAuth2ClientCredentialsAuthentication } from "./oauth.ts";

/** For a Pack whose requests need no account. */
export interface NoAuthentication {
  type: "None";
}

/** Sends `Authorization: Bearer <token>`. */
export interface HeaderBearerTokenAuthentication extends BaseAuthentication {
  type: "HeaderBearerToken";
}

/** Sends `Authorization: Bearer <token>`, to the document service's own domains only. */
export interface CodaApiBearerTokenAuthentication extends BaseAuthentication {
  type: "CodaApiHeaderBearerToken";
  /** Sets up the account without asking the user for a token. */
  shouldAutoAuthSetup?: boolean | undefined;
}

/** Sends the token in a custom header. */
export interface CustomHeaderTokenAuthentication extends BaseAuthentication {
  type: "CustomHeaderToken";
  /** The name of the header. */
  headerName: string;
  /** Text before the token, followed by a space. */
  tokenPrefix?: string | undefined;
}

/** Sends several tokens, each in its own custom header. */
export interface MultiHeaderTokenAuthentication extends BaseAuthentication {
  type: "MultiHeaderToken";
  /** The headers, each with the name and description that users see when they enter its token. */
  headers: { name: string; description: string; tokenPrefix?: string | undefined }[];
}

/** Sends the token in a URL parameter. Tokens in URLs leak into logs; prefer a header. */
export interface QueryParamTokenAuthentication extends BaseAuthentication {
  type: "QueryParamToken";
  /** The name of the URL parameter. */
  paramName: string;
}

/** Sends several tokens in URL parameters. */
export interface MultiQueryParamTokenAuthentication extends BaseAuthentication {
  type: "MultiQueryParamToken";
  /** The URL parameters, each with the description that users see when they enter its token. */
  params: { name: string; description: string }[];
}

/** Sends a user name and a password (RFC 7617). */
export interface WebBasicAuthentication extends BaseAuthentication {
  type: "WebBasic";
  /** What users see when they enter the name and the password. `usernameOnly` asks for no password. */
  uxConfig?:
    | { placeholderUsername?: string | undefined; placeholderPassword?: string | undefined; usernameOnly?: boolean | undefined }
    | undefined;
}

/** Values that the Pack's requests insert with templates such as `{{name-<invocationToken>}}`. */
export interface CustomAuthentication extends BaseAuthentication {
  type: "Custom";
  /** The values that users enter. */
  params: CustomAuthParameter[];
}

/** A value that a Custom authentication asks the user for. */
export interface CustomAuthParameter {
  /** The name in the template, such as `token` in `{{token-<invocationToken>}}`. */
  name: string;
  /** What users see when they enter the value. */
  description: string;
}

/** Signs requests with an access key (Signature Version 4). */
export interface AWSAccessKeyAuthentication extends BaseAuthentication {
  type: "AWSAccessKey";
  /** The service that requests are signed for, such as `s3`. */
  service: string;
}

/** Signs requests with the credentials of an assumed role. */
export interface AWSAssumeRoleAuthentication extends BaseAuthentication {
  type: "AWSAssumeRole";
  /** The service that requests are signed for, such as `s3`. */
  service: string;
}

/** Accepted for compatibility with existing Packs. */
export interface GoogleDomainWideDelegationAuthentication extends BaseAuthentication {
  type: "GoogleDomainWideDelegation";
  scopes: string[];
}

/** Accepted for compatibility with existing Packs. */
export interface GoogleServiceAccountAuthentication extends BaseAuthentication {
  type: "GoogleServiceAccount";
  scopes: string[];
}

/** Accepted for compatibility with existing Packs. */
export interface VariousAuthentication {
  type: "Various";
}

/** How the Pack's accounts authenticate. `type` decides which members there are. */
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

/** Authentications for an account of the Pack, which all its users share. */
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

/** How users' accounts authenticate, and whether a formula needs an account when it does not say so. */
export type UserAuthenticationDef = Authentication & DefaultRequirement;

interface DefaultRequirement {
  /** @default "required" */
  defaultConnectionRequirement?: ConnectionRequirement | undefined;
}

/** Accepted for compatibility with existing Packs. */
export type VariousSupportedAuthentication =
  | NoAuthentication
  | HeaderBearerTokenAuthentication
  | CustomHeaderTokenAuthentication
  | MultiHeaderTokenAuthentication
  | QueryParamTokenAuthentication
  | MultiQueryParamTokenAuthentication
  | WebBasicAuthentication;

/** Accepted for compatibility with existing Packs. */
export interface AdminAuthentication {
  name: string;
  displayName: string;
  description: string;
  authentication: Exclude<Authentication, NoAuthentication | VariousAuthentication>;
}
/** Accepted for compatibility with existing Packs. */
export type AdminAuthenticationDef = AdminAuthentication;
