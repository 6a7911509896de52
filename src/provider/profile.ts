/** How a client proves itself at the token endpoint (names of the IANA registry, RFC 7591 §2). */
export type ClientAuthenticationMethod = "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";

/** A token response before it is written to the socket. */
export interface TokenAnswer {
  status: number;
  headers: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  body: Record<string, unknown> | readonly unknown[] | string;
}

/** What the members of a token response may depend on. */
export interface AnswerFacts {
  nowMs: number;
  /** Where the provider says that its API is. */
  apiOrigin: string;
}

type Members = Record<string, unknown>;
/** Names and the values that they must have. An empty value stands for any, `{client_id}` for the client's ID. */
export type DemandedParameters = Readonly<Record<string, string>>;

/** How proof keys (RFC 7636) are treated. */
export type PkceMode = "optional" | "required" | "S256" | "plain" | "ignored" | "refused";

/** How a provider departs from the strict one. What a profile leaves out stays strict. */
export interface ProviderProfile {
  readonly name: string;
  /** What it imitates, in one line. */
  readonly summary: string;
  /** The grant that it concerns. @default every grant */
  readonly grant?: "authorization_code" | "client_credentials" | undefined;
  /** The members of a Pack's authentication that cope with it. Placeholders such as `{tokenOrigin}` stand for parts of the definition. */
  readonly needs?: Readonly<Record<string, unknown>> | undefined;
  /** What its refusals mean: `transient` ones are no reason to connect again. @default "final" */
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
  /** The only methods that any client may use at the token endpoint. */
  readonly methods?: readonly ClientAuthenticationMethod[] | undefined;
  /** Reads Basic credentials as they are, without the form-decoding of RFC 6749 §2.3.1. */
  readonly rawBasic?: boolean | undefined;
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
  /** First path segment under which alone the authorization and token endpoints answer. */
  readonly tenant?: string | undefined;
  /** Parameters that the callback carries besides those of the protocol. */
  readonly callback?: Readonly<Record<string, string>> | undefined;
  /** `iss` of the callback (RFC 9207): left out, or that of another server. */
  readonly issuer?: "none" | "other" | undefined;
  /** What the callback calls the code. @default "code" */
  readonly codeParameter?: string | undefined;
}

export interface TokenQuirks {
  /** How parameters must be sent. @default "form" */
  readonly format?: "form" | "json" | "query" | undefined;
  /** Demanded when tokens are first asked for, not on refresh. */
  readonly parameters?: DemandedParameters | undefined;
  /** @default the grant's name in its RFC */
  readonly clientCredentialsGrantType?: string | undefined;
  /** Issues tokens that are decimal numbers. */
  readonly numeric?: boolean | undefined;
}

export interface RefreshQuirks {
  /** Refreshes at an address of its own, `/refresh`. */
  readonly ownEndpoint?: boolean | undefined;
  readonly parameters?: DemandedParameters | undefined;
  /** `kept`: the old refresh token stays valid and no new one is sent. `none`: there is none. `offline`: only for `access_type=offline`. @default rotated */
  readonly token?: "kept" | "none" | "offline" | undefined;
}

/** Reshapes token responses, in this order: members, container, envelope. */
export interface AnswerQuirks {
  readonly members?: ((members: Members, facts: AnswerFacts) => Members) | undefined;
  /** Where the members are, as a dotted path. */
  readonly container?: string | undefined;
  /** Members beside the outermost container. */
  readonly beside?: Members | undefined;
  readonly envelope?: ((answer: TokenAnswer) => TokenAnswer) | undefined;
  readonly error?: ((answer: TokenAnswer) => TokenAnswer) | undefined;
}

/** How the protected resource wants the access token. */
export interface ResourceQuirks {
  /** Word before the token; may be empty. @default "Bearer" */
  readonly scheme?: string | undefined;
  /** @default "authorization" */
  readonly header?: string | undefined;
  /** Query parameter that carries the token instead of a header. */
  readonly query?: string | undefined;
  /** First path segment of the account's own API, which alone answers. */
  readonly shard?: string | undefined;
}

/** What a provider with `issuer: "other"` calls itself in callbacks. */
export const OTHER_ISSUER = "https://other-issuer.example";

/** The profile of a provider without any. */
export const STRICT: ProviderProfile = { name: "strict", summary: "keeps to the specifications in every point" };
