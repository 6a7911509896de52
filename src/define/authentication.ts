import type { ConnectionRequirement } from "./enumerations.ts";
import type {
  BaseAuthentication,
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "./oauth.ts";

/** The authentication of a Pack that needs no account. */
export interface NoAuthentication {
  /** Set to `AuthenticationType.None` for an API that needs no account. */
  type: "None";
}

/** Sends `Authorization: Bearer <token>`. */
export interface HeaderBearerTokenAuthentication extends BaseAuthentication {
  /**
   * Set to `AuthenticationType.HeaderBearerToken` to send a token in the `Authorization` header.
   */
  type: "HeaderBearerToken";
}

/**
 * Sends `Authorization: Bearer <token>`. Only the domains of the document service receive the
 * token.
 */
export interface CodaApiBearerTokenAuthentication extends BaseAuthentication {
  /**
   * Set to `AuthenticationType.CodaApiHeaderBearerToken` to send a token for the document service.
   */
  type: "CodaApiHeaderBearerToken";
  /** Sets up the account without asking the user for a token. */
  shouldAutoAuthSetup?: boolean | undefined;
}

/** Sends the token in a custom header. */
export interface CustomHeaderTokenAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.CustomHeaderToken` to send a token in a header that you name. */
  type: "CustomHeaderToken";
  /** The name of the header. */
  headerName: string;
  /** The text before the token. packsmith adds a space between them. */
  tokenPrefix?: string | undefined;
}

/** Sends several tokens, each in its own custom header. */
export interface MultiHeaderTokenAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.MultiHeaderToken` to send several tokens in headers. */
  type: "MultiHeaderToken";
  /** The headers, one for each token that users enter. */
  headers: {
    /** The name of the header. */
    name: string;
    /** The text that users see when they enter the token. */
    description: string;
    /** The text before the token. packsmith adds a space between them. */
    tokenPrefix?: string | undefined;
  }[];
}

/** Sends the token in a URL parameter. Servers often log URLs, so prefer a header. */
export interface QueryParamTokenAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.QueryParamToken` to send a token in the URL. */
  type: "QueryParamToken";
  /** The name of the URL parameter. */
  paramName: string;
}

/** Sends several tokens in URL parameters. */
export interface MultiQueryParamTokenAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.MultiQueryParamToken` to send several tokens in the URL. */
  type: "MultiQueryParamToken";
  /** The URL parameters, one for each token that users enter. */
  params: {
    /** The name of the URL parameter. */
    name: string;
    /** The text that users see when they enter the token. */
    description: string;
  }[];
}

/** Sends a user name and a password (RFC 7617). */
export interface WebBasicAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.WebBasic` to send a user name and a password. */
  type: "WebBasic";
  /** The texts that users see when they enter the user name and the password. */
  uxConfig?:
    | {
        /** The hint in the field of the user name, such as `"API key"`. */
        placeholderUsername?: string | undefined;
        /** The hint in the field of the password. */
        placeholderPassword?: string | undefined;
        /** Asks for no password. @default false */
        usernameOnly?: boolean | undefined;
      }
    | undefined;
}

/**
 * An authentication with custom values. To insert a value into a request, write a template such as
 * `{{name-<invocationToken>}}`.
 */
export interface CustomAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.Custom` to insert the values in your requests. */
  type: "Custom";
  /** The values that users enter. */
  params: CustomAuthParameter[];
}

/** A value that the user enters for a custom authentication. */
export interface CustomAuthParameter {
  /** The name in the template, such as `token` in `{{token-<invocationToken>}}`. */
  name: string;
  /** The text that users see when they enter the value. */
  description: string;
}

/** Signs requests with an access key (Signature Version 4). */
export interface AWSAccessKeyAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.AWSAccessKey` to sign requests with an access key. */
  type: "AWSAccessKey";
  /** The service that requests are signed for, such as `s3`. */
  service: string;
}

/** Signs requests with the credentials of an assumed role. */
export interface AWSAssumeRoleAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.AWSAssumeRole` to sign requests with a role's credentials. */
  type: "AWSAssumeRole";
  /** The service that requests are signed for, such as `s3`. */
  service: string;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface GoogleDomainWideDelegationAuthentication extends BaseAuthentication {
  type: "GoogleDomainWideDelegation";
  scopes: string[];
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface GoogleServiceAccountAuthentication extends BaseAuthentication {
  type: "GoogleServiceAccount";
  scopes: string[];
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface VariousAuthentication {
  type: "Various";
}

/** The authentication of accounts. The other properties depend on `type`. */
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

/** An authentication for the Pack's own account. All users share this account. */
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

/**
 * The authentication of user accounts. It can also set whether formulas need an account by default.
 */
export type UserAuthenticationDef = Authentication & DefaultRequirement;

interface DefaultRequirement {
  /**
   * Sets whether formulas and tables without `connectionRequirement` need an account.
   * @default "required"
   */
  defaultConnectionRequirement?: ConnectionRequirement | undefined;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export type VariousSupportedAuthentication =
  | NoAuthentication
  | HeaderBearerTokenAuthentication
  | CustomHeaderTokenAuthentication
  | MultiHeaderTokenAuthentication
  | QueryParamTokenAuthentication
  | MultiQueryParamTokenAuthentication
  | WebBasicAuthentication;

/** @deprecated Accepted for compatibility with existing Packs. */
export interface AdminAuthentication {
  name: string;
  displayName: string;
  description: string;
  authentication: Exclude<Authentication, NoAuthentication | VariousAuthentication>;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export type AdminAuthenticationDef = AdminAuthentication;

/** Authentications without OAuth: the user enters the credentials that requests carry. */
export type SecretAuthentication = Exclude<
  Authentication,
  | OAuth2Authentication
  | OAuth2ClientCredentialsAuthentication
  | { type: "None" | "GoogleDomainWideDelegation" | "GoogleServiceAccount" | "Various" }
>;

/** One credential that the user enters. */
export interface SecretField {
  name: string;
  /** The prompt. */
  label: string;
  /**
   * Hides the value in the prompt and in all output. All values are stored encrypted, also those
   * that are not hidden.
   */
  isHidden: boolean;
  isOptional: boolean;
}

/** Whether the user enters the credentials of this authentication. */
export function isSecretAuthentication(
  authentication: Authentication | undefined,
): authentication is SecretAuthentication {
  switch (authentication?.type) {
    case undefined:
    case "None":
    case "OAuth2":
    case "OAuth2ClientCredentials":
    case "GoogleDomainWideDelegation":
    case "GoogleServiceAccount":
    case "Various":
      return false;
    default:
      return true;
  }
}

/** @returns the credentials of an account, in the order of the prompts */
export function listSecretFields(authentication: SecretAuthentication): SecretField[] {
  switch (authentication.type) {
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
    case "CustomHeaderToken":
    case "QueryParamToken":
      return [makeHidden("token", "API token")];
    case "MultiHeaderToken":
      return authentication.headers.map(({ name, description }) => makeNamed(name, description));
    case "MultiQueryParamToken":
    case "Custom":
      return authentication.params.map(({ name, description }) => makeNamed(name, description));
    case "WebBasic": {
      const { placeholderUsername, placeholderPassword, usernameOnly } =
        authentication.uxConfig ?? {};
      // Without a password, the user name is the secret.
      const username = {
        name: "username",
        label: placeholderUsername || "User name",
        isHidden: usernameOnly === true,
        isOptional: false,
      };
      return usernameOnly === true
        ? [username]
        : [username, makeOptional(makeHidden("password", placeholderPassword || "Password"))];
    }
    case "AWSAccessKey":
      return AWS_KEY;
    case "AWSAssumeRole":
      return [
        { name: "roleArn", label: "ARN of the role", isHidden: false, isOptional: false },
        makeOptional({
          name: "externalId",
          label: "External ID",
          isHidden: false,
          isOptional: true,
        }),
        ...AWS_KEY,
        makeOptional(makeHidden("sessionToken", "Session token of these keys")),
      ];
  }
}

/** Where a request carries the credentials of an account. */
export interface SecretPlaces {
  /** Headers with one credential each, and the word before it. */
  headers?: readonly { header: string; prefix?: string | undefined; field: string }[];
  /** Query parameters with one credential each. */
  query?: readonly { parameter: string; field: string }[];
  /** User name and password are in the Authorization header (RFC 7617). */
  isBasic?: boolean;
  /** The Pack writes `{{NAME-TOKEN}}` in these parts of a request for these credentials. */
  templates?: { fields: readonly string[]; parts: readonly ("url" | "headers" | "body")[] };
}

/** @returns where credentials go; nowhere for requests that are signed instead */
export function listSecretPlaces(authentication: SecretAuthentication): SecretPlaces {
  switch (authentication.type) {
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
      return { headers: [{ header: "Authorization", prefix: "Bearer", field: "token" }] };
    case "CustomHeaderToken": {
      const { headerName: header, tokenPrefix: prefix } = authentication;
      return { headers: [{ header, prefix, field: "token" }] };
    }
    case "MultiHeaderToken":
      return {
        headers: authentication.headers.map(({ name, tokenPrefix: prefix }) => ({
          header: name,
          prefix,
          field: name,
        })),
      };
    case "QueryParamToken":
      return { query: [{ parameter: authentication.paramName, field: "token" }] };
    case "MultiQueryParamToken":
      return {
        query: authentication.params.map(({ name }) => ({ parameter: name, field: name })),
      };
    case "WebBasic":
      return { isBasic: true, templates: { fields: ["username", "password"], parts: ["body"] } };
    case "Custom": {
      const fields = authentication.params.map(({ name }) => name);
      return { templates: { fields, parts: ["url", "headers", "body"] } };
    }
    case "AWSAccessKey":
    case "AWSAssumeRole":
      return {};
  }
}

const AWS_KEY: SecretField[] = [
  { name: "accessKeyId", label: "Access key ID", isHidden: false, isOptional: false },
  makeHidden("secretAccessKey", "Secret access key"),
];

function makeHidden(name: string, label: string): SecretField {
  return { name, label, isHidden: true, isOptional: false };
}

/** Names of values that only identify a person or a resource. */
export const PUBLIC_FIELD_NAME =
  /^(user|email|login|domain|subdomain|host|account|tenant|region|org|organization|workspace|site)[_-]?(id|name)?$/i;

function makeNamed(name: string, description: string): SecretField {
  return {
    name,
    label: description || name,
    isHidden: !PUBLIC_FIELD_NAME.test(name),
    isOptional: false,
  };
}

function makeOptional(field: SecretField): SecretField {
  return { ...field, isOptional: true };
}
