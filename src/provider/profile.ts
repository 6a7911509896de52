/** How a client authenticates at the token endpoint (names of the IANA registry, RFC 7591 §2). */
export type ClientAuthenticationMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "tls_client_auth"
  | "none";

/** A token response before it is sent. */
export interface TokenAnswer {
  status: number;
  headers: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  body: Record<string, unknown> | readonly unknown[] | string;
}

/** Facts for the functions of a profile. */
export interface AnswerFacts {
  nowMs: number;
  /** What the URLs of the provider's API begin with: its origin, and the path of its issuer. */
  apiOrigin: string;
}

type Members = Record<string, unknown>;
/**
 * Required parameters and their values. An empty value means any value, `{client_id}` means the
 * client's ID.
 */
export type DemandedParameters = Readonly<Record<string, string>>;

/** How PKCE (RFC 7636) is treated. */
export type PkceMode = "optional" | "required" | "S256" | "plain" | "ignored" | "refused";

/**
 * How a provider deviates from the specifications. Where a profile says nothing, the provider
 * follows them.
 */
export interface ProviderProfile {
  readonly name: string;
  /** What it simulates, in one line. */
  readonly summary: string;
  /** The grant that it is for. @default every grant */
  readonly grant?: "authorization_code" | "client_credentials" | undefined;
  /**
   * The members that a Pack's authentication needs for it. Placeholders such as `{tokenOrigin}`
   * mean parts of the definition.
   */
  readonly needs?: Readonly<Record<string, unknown>> | undefined;
  /**
   * What its refusals mean. After a `transient` one, the account need not be connected again.
   * @default "final"
   */
  readonly refusal?: "final" | "transient" | undefined;

  readonly client?: ClientQuirks | undefined;
  readonly scope?: ScopeQuirks | undefined;
  readonly authorization?: AuthorizationQuirks | undefined;
  readonly token?: TokenQuirks | undefined;
  readonly refresh?: RefreshQuirks | undefined;
  readonly answer?: AnswerQuirks | undefined;
  readonly resource?: ResourceQuirks | undefined;
}

export interface ClientQuirks {
  /** The only methods for clients at the token endpoint. */
  readonly methods?: readonly ClientAuthenticationMethod[] | undefined;
  /** Reads Basic credentials without the form-decoding of RFC 6749 §2.3.1. */
  readonly rawBasic?: boolean | undefined;
  /**
   * Expects the secret as the user name of Basic credentials, without a password and without the
   * client ID.
   */
  readonly secretAsUser?: boolean | undefined;
  /**
   * What assertions must say: the token URL as `aud`, or another one; another `iss` than the
   * client ID. @default any name of this server, and the client ID
   */
  readonly assertion?:
    | { readonly audience?: string | undefined; readonly issuer?: string | undefined }
    | undefined;
  /** Uses up the code of a request whose client authentication fails. */
  readonly burnsCode?: boolean | undefined;
}

export interface ScopeQuirks {
  /** @default "scope" */
  readonly parameter?: string | undefined;
  /** Separates scopes, in requests and in answers. @default " " */
  readonly delimiter?: string | undefined;
}

export interface AuthorizationQuirks {
  readonly parameters?: DemandedParameters | undefined;
  readonly pkce?: PkceMode | undefined;
  /** First path segment of the authorization and token endpoints, which answer only there. */
  readonly tenant?: string | undefined;
  /** Authorization requests must be pushed first (RFC 9126). */
  readonly pushed?: boolean | undefined;
  /**
   * Names of parameters, by their names in RFC 6749; in token requests, too. One with an empty name
   * must not be sent.
   */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** Parameters of the callback in addition to those of the protocol. */
  readonly callback?: Readonly<Record<string, string>> | undefined;
  /** The page reads the parameters in the fragment of its URL, not in the query. */
  readonly fragment?: boolean | undefined;
  /** `iss` of the callback (RFC 9207): missing, or of another server. */
  readonly issuer?: "none" | "other" | undefined;
  /** The name of the callback's code parameter. @default "code" */
  readonly codeParameter?: string | undefined;
}

/** A request of the provider's own that issues an access token for another one. */
export interface TokenSwap {
  /** An `exchange` gives the token that the API accepts; a `renewal` prolongs such a token. */
  readonly kind: "exchange" | "renewal";
  readonly path: string;
  readonly method: "GET" | "POST";
  /** Undefined if there is none. */
  readonly grantType?: string | undefined;
  /** The parameter with the token. */
  readonly parameter: string;
  readonly parameters?: DemandedParameters | undefined;
  /** Whether the client must authenticate; otherwise it must not. @default true */
  readonly withClient?: boolean | undefined;
}

export interface TokenQuirks {
  /** Names of parameters of token requests. @default those of the authorization request */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** @default none */
  readonly swaps?: readonly TokenSwap[] | undefined;
  /** How clients must send parameters. @default "form" */
  readonly format?: "form" | "json" | "query" | undefined;
  /** Required in the first token request, not on refresh. */
  readonly parameters?: DemandedParameters | undefined;
  /** @default the grant's name in its RFC */
  readonly clientCredentialsGrantType?: string | undefined;
  /** Required headers of token requests, and their values. An empty value means any value. */
  readonly headers?: DemandedParameters | undefined;
  /** The API accepts a token only after it was exchanged (RFC 8693). */
  readonly exchange?: boolean | undefined;
  /** Issues decimal numbers as tokens. */
  readonly numeric?: boolean | undefined;
}

export interface RefreshQuirks {
  /** Has a separate endpoint for refreshing, `/refresh`. */
  readonly ownEndpoint?: boolean | undefined;
  readonly parameters?: DemandedParameters | undefined;
  /**
   * `kept`: the old refresh token stays valid and no new one is sent. `none`: no refresh token.
   * `offline`: only for `access_type=offline`. @default rotated
   */
  readonly token?: "kept" | "none" | "offline" | undefined;
  /** A refresh prolongs the access token, and its response contains none. */
  readonly prolongs?: boolean | undefined;
}

/** Reshapes token responses, in this order: members, container, envelope. */
export interface AnswerQuirks {
  readonly members?: ((members: Members, facts: AnswerFacts) => Members) | undefined;
  /** Dotted path of the object with the members. */
  readonly container?: string | undefined;
  /** Members next to the outermost container. */
  readonly beside?: Members | undefined;
  readonly envelope?: ((answer: TokenAnswer) => TokenAnswer) | undefined;
  readonly error?: ((answer: TokenAnswer) => TokenAnswer) | undefined;
}

/** How the protected resource expects the access token. */
export interface ResourceQuirks {
  /** Word before the token; may be empty. @default "Bearer" */
  readonly scheme?: string | undefined;
  /** @default "authorization" */
  readonly header?: string | undefined;
  /** Query parameter that carries the token instead of a header. */
  readonly query?: string | undefined;
  /** First path segment of the account's API, which answers only there. */
  readonly shard?: string | undefined;
  /**
   * Where the metadata of the resources is (RFC 9728): at its well-known path and in the challenge;
   * only at the path; only at the
   * root; only at an address in the challenge; nowhere; or it is that of another resource.
   * @default "path"
   */
  readonly metadata?: "path" | "unannounced" | "root" | "elsewhere" | "none" | "other" | undefined;
  /** The scope that calls of a tool of the MCP server need. Listing needs none. @default none */
  readonly callScope?: string | undefined;
  /** The login that the resources demand of the user (RFC 9470). @default any */
  readonly login?:
    | { readonly acr?: string | undefined; readonly maxAgeSeconds?: number | undefined }
    | undefined;
}

/** As the audience of assertions: the token URL. */
export const TOKEN_URL = "{tokenUrl}";

/** `iss` in callbacks of a provider with `issuer: "other"`. */
export const OTHER_ISSUER = "https://other-issuer.example";

/** The profile of a provider that follows the specifications. */
export const STRICT: ProviderProfile = {
  name: "strict",
  summary: "follows the specifications exactly",
};
