import type { ProviderProfile } from "../profile.ts";

type Members = Record<string, unknown>;

/** Members of token responses that are missing, or have another type or meaning than RFC 6749 §5.1 gives them. */
export const TOKEN_MEMBER_PROFILES: readonly ProviderProfile[] = [
  answers("type-missing", "token_type is missing", without("token_type")),
  answers("type-lower-case", "token_type is bearer", set("token_type", "bearer")),
  answers("type-upper-case", "token_type is BEARER", set("token_type", "BEARER")),
  answers("type-own-word", "token_type is a word of its own: BearerToken", set("token_type", "BearerToken")),
  answers("type-bot", "token_type says whose token it is: bot", set("token_type", "bot")),
  answers("type-user", "token_type says whose token it is: user", set("token_type", "user")),
  answers("type-mac", "token_type is mac, for a token that is used like any other", set("token_type", "mac")),
  answers("type-empty", "token_type is empty", set("token_type", "")),
  answers("type-null", "token_type is null", set("token_type", null)),

  answers("expiry-text", "expires_in is text", ({ expires_in, ...rest }) => ({ ...rest, expires_in: String(expires_in) })),
  answers("expiry-empty", "expires_in is empty", set("expires_in", "")),
  answers("expiry-null", "expires_in is null", set("expires_in", null)),
  answers("expiry-missing", "expires_in is missing", without("expires_in")),
  answers("expiry-zero", "expires_in is 0 for a token without an end", set("expires_in", 0)),
  answers("expiry-negative", "expires_in is -1 for a token without an end", set("expires_in", -1)),
  answers("expiry-word", "expires_in is the word never", set("expires_in", "never")),
  answers(
    "expiry-date",
    "expires_in is a date",
    expiry((instantMs) => ({ expires_in: new Date(instantMs).toISOString() })),
  ),
  answers(
    "expiry-epoch",
    "expires_in is an instant in seconds since 1970",
    expiry((ms) => ({ expires_in: Math.floor(ms / 1_000) })),
  ),
  answers(
    "expiry-epoch-ms",
    "expires_in is an instant in milliseconds since 1970",
    expiry((ms) => ({ expires_in: ms })),
  ),
  answers(
    "expires-at",
    "gives the expiry as expires_at alone",
    expiry((ms) => ({ expires_at: Math.floor(ms / 1_000) })),
  ),

  answers("refresh-token-null", "refresh_token is null on refresh; the old one stays valid", set("refresh_token", null, "present"), "kept"),
  answers("refresh-token-empty", "refresh_token is empty on refresh; the old one stays valid", set("refresh_token", "", "present"), "kept"),
  answers("scope-null", "scope is null", set("scope", null)),
  answers("scope-empty", "scope is empty", set("scope", "")),
  answers("scope-array", "scope is an array", ({ scope, ...rest }) => ({ ...rest, scope: String(scope ?? "").split(" ") })),
  answers("scope-object", "scope is an object", set("scope", { read: true })),
  answers("id-token-null", "id_token is null", set("id_token", null)),
  answers("id-token-empty", "id_token is empty", set("id_token", "")),
  answers("id-token-foreign", "sends an id_token of another issuer that nobody asked for", set("id_token", foreignIdToken())),
  answers("id-token-broken", "sends an id_token that is none", set("id_token", "not-a-jwt")),
  answers("camel-case", "writes accessToken, refreshToken and expiresIn", ({ access_token, refresh_token, expires_in }) => ({
    accessToken: access_token,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    expiresIn: expires_in,
  })),
  answers("empty-error", "sends an empty error beside the tokens", set("error", "")),
  {
    name: "numeric-tokens",
    summary: "sends tokens as numbers",
    token: { numeric: true },
    answer: {
      members: ({ access_token, refresh_token, ...rest }) => ({
        ...rest,
        access_token: Number(access_token),
        ...(refresh_token === undefined ? {} : { refresh_token: Number(refresh_token) }),
      }),
    },
  },
  {
    name: "api-host",
    summary: "names the account's own API in the token response: api_host",
    grant: "authorization_code",
    needs: { endpointKey: "api_host" },
    resource: { shard: "shard-7" },
    answer: { members: (members, { apiOrigin }) => ({ ...members, api_host: `${apiOrigin}/shard-7` }) },
  },
];

type Mutator = NonNullable<NonNullable<ProviderProfile["answer"]>["members"]>;

function answers(name: string, summary: string, members: Mutator, token?: "kept"): ProviderProfile {
  const grant = token === undefined ? {} : ({ grant: "authorization_code", refresh: { token } } as const);
  return { name, summary, ...grant, answer: { members } };
}

/** @param when `present`: first tokens keep the member, because there it is what makes them renewable */
function set(name: string, value: unknown, when?: "present"): Mutator {
  return (members) => (when === "present" && members[name] !== undefined ? members : { ...members, [name]: value });
}

function without(name: string): Mutator {
  return ({ [name]: _, ...rest }) => rest;
}

function expiry(write: (instantMs: number) => Members): Mutator {
  return ({ expires_in, ...rest }, { nowMs }) => {
    // Another profile may have taken it away, or written it as a date.
    const seconds = Number(expires_in);
    return Number.isNaN(seconds)
      ? { ...rest, ...(expires_in === undefined ? {} : { expires_in }) }
      : { ...rest, ...write(nowMs + seconds * 1_000) };
  };
}

function foreignIdToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256" })}.${part({ iss: "https://other.example", aud: "nobody", sub: "1", iat: 1, exp: 2 })}.c2ln`;
}
