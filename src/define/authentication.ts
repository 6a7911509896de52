import type { BaseAuthentication, OAuth2Authentication, OAuth2ClientCredentialsAuthentication } from "./oauth.ts";

/** Requests carry no credentials. */
export interface NoAuthentication {
  type: "None";
}

/** Sends `Authorization: Bearer <token>`. */
export interface HeaderBearerTokenAuthentication extends BaseAuthentication {
  type: "HeaderBearerToken";
}

/** As HeaderBearerToken, to the document service's own domains only. */
export interface CodaApiBearerTokenAuthentication extends BaseAuthentication {
  type: "CodaApiHeaderBearerToken";
  /** Connects the account without asking the user. @default false */
  shouldAutoAuthSetup?: boolean | undefined;
  deferConnectionSetup?: boolean | undefined;
}

/** Sends `<headerName>: [<tokenPrefix> ]<token>`. */
export interface CustomHeaderTokenAuthentication extends BaseAuthentication {
  type: "CustomHeaderToken";
  /** An HTTP token (RFC 9110 §5.6.2). */
  headerName: string;
  tokenPrefix?: string | undefined;
}

/** Sends several headers, each with a token of its own. */
export interface MultiHeaderTokenAuthentication extends BaseAuthentication {
  type: "MultiHeaderToken";
  /** Their names are unique, ignoring case (rule 5). */
  headers: CustomHeader[];
}

export interface CustomHeader {
  /** An HTTP token (RFC 9110 §5.6.2). */
  name: string;
  /** What the user is asked for. */
  description: string;
  tokenPrefix?: string | undefined;
}

/** Sends the token in the URL: `?<paramName>=<token>`. Tokens in URLs leak; prefer a header. */
export interface QueryParamTokenAuthentication extends BaseAuthentication {
  type: "QueryParamToken";
  paramName: string;
}

/** Sends several tokens in the URL. */
export interface MultiQueryParamTokenAuthentication extends BaseAuthentication {
  type: "MultiQueryParamToken";
  /** Their names are unique (rule 6). */
  params: CustomAuthParameter[];
}

/** A credential that the user is asked for. */
export interface CustomAuthParameter {
  name: string;
  /** What the user is asked for. */
  description: string;
}

/** Sends user name and password in a Basic `Authorization` header. */
export interface WebBasicAuthentication extends BaseAuthentication {
  type: "WebBasic";
  /** How the form that asks for them looks. */
  uxConfig?:
    | { placeholderUsername?: string | undefined; placeholderPassword?: string | undefined; usernameOnly?: boolean | undefined }
    | undefined;
}

/** Fills placeholders `{{<name>-<invocationToken>}}` in URL, body, form and headers. */
export interface CustomAuthentication extends BaseAuthentication {
  type: "Custom";
  /** Their names are unique (rule 7). */
  params: CustomAuthParameter[];
}

/** Signs requests with an access key (Signature Version 4). */
export interface AWSAccessKeyAuthentication extends BaseAuthentication {
  type: "AWSAccessKey";
  /** The service code, such as `"s3"`. */
  service: string;
}

/** Signs requests with the credentials of an assumed role (Signature Version 4). */
export interface AWSAssumeRoleAuthentication extends BaseAuthentication {
  type: "AWSAssumeRole";
  /** The service code, such as `"s3"`. */
  service: string;
}

export interface GoogleDomainWideDelegationAuthentication extends BaseAuthentication {
  type: "GoogleDomainWideDelegation";
  scopes: string[];
}

export interface GoogleServiceAccountAuthentication extends BaseAuthentication {
  type: "GoogleServiceAccount";
  scopes: string[];
}

export interface VariousAuthentication {
  type: "Various";
}

/** How a Pack signs its requests, one form for each `AuthenticationType`. */
export type Authentication =
  | NoAuthentication
  | HeaderBearerTokenAuthentication
  | CodaApiBearerTokenAuthentication
  | CustomHeaderTokenAuthentication
  | MultiHeaderTokenAuthentication
  | QueryParamTokenAuthentication
  | MultiQueryParamTokenAuthentication
  | OAuth2Authentication
  | OAuth2ClientCredentialsAuthentication
  | WebBasicAuthentication
  | CustomAuthentication
  | AWSAccessKeyAuthentication
  | AWSAssumeRoleAuthentication
  | GoogleDomainWideDelegationAuthentication
  | GoogleServiceAccountAuthentication
  | VariousAuthentication;

/** An authentication that works without a person: the Pack's own account (rule 24). */
export type SystemAuthentication = Exclude<
  Authentication,
  | NoAuthentication
  | CodaApiBearerTokenAuthentication
  | OAuth2Authentication
  | GoogleDomainWideDelegationAuthentication
  | VariousAuthentication
>;
