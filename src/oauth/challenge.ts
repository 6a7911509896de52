/** What a protected resource says about the token that it wants (RFC 6750 §3, RFC 9728 §5.1). */
export interface TokenChallenge {
  /** Such as `invalid_token` or `insufficient_scope`. */
  error: string | undefined;
  /** The scopes that the request needs; undefined if the challenge names none. */
  scopes: readonly string[] | undefined;
  /** Where the resource publishes its metadata. */
  resourceMetadata: string | undefined;
  /** The login that the resource demands (RFC 9470 §3). */
  login: LoginDemand;
}

/** How a user has to log in (RFC 9470 §4). Without members, in any way. */
export interface LoginDemand {
  /** Authentication contexts, separated by spaces, the preferred one first. */
  acrValues?: string | undefined;
  /** How long ago the user may have logged in. */
  maxAgeSeconds?: number | undefined;
}

/**
 * Whether a resource refuses a token because of how or when the user logged in. Renewing the token
 * changes neither (RFC 9470 §3).
 */
export function demandsLogin(challenge: TokenChallenge | undefined): challenge is TokenChallenge {
  return challenge?.error === "insufficient_user_authentication";
}

/** Longer headers are cut: no server needs more for its challenges. */
const MAX_LENGTH = 8_192;
const TOKEN_SCHEMES = new Set(["bearer", "dpop"]);
const WORD = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const VALUE = /[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y;
/** Credentials of a scheme without parameters (`token68`, RFC 9110 §11.2). */
const BARE = / +[A-Za-z0-9\-._~+/]+=*[ \t]*(?=,|$)/y;
const SPACE = /[\s,]*/y;

/**
 * Reads the challenge for an access token from `WWW-Authenticate`: the first one with an error,
 * otherwise the first. A server that takes
 * bearer and bound tokens sends a challenge for each, and the error in that of the token it refused
 * (RFC 9449 §7.1). Several
 * challenges, and several headers joined with commas, are allowed (RFC 9110 §11.6.1). What cannot
 * be read is skipped.
 */
export function parseTokenChallenge(header: string | null | undefined): TokenChallenge | undefined {
  const challenges = parseChallenges((header ?? "").slice(0, MAX_LENGTH)).filter(({ scheme }) =>
    TOKEN_SCHEMES.has(scheme),
  );
  const challenge = challenges.find(({ params }) => params.has("error")) ?? challenges[0];
  if (challenge === undefined) return undefined;
  const { params } = challenge;
  const scopes = params.get("scope")?.split(/\s+/).filter(Boolean);
  return {
    error: params.get("error"),
    scopes: scopes === undefined || scopes.length === 0 ? undefined : scopes,
    resourceMetadata: challenges
      .find((other) => other.params.has("resource_metadata"))
      ?.params.get("resource_metadata"),
    login: readLogin(params.get("acr_values"), params.get("max_age")),
  };
}

/** Values that no request could carry are left out. */
function readLogin(acrValues = "", maxAge = ""): LoginDemand {
  return {
    ...(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(acrValues) ? { acrValues } : {}),
    ...(/^\d{1,9}$/.test(maxAge) ? { maxAgeSeconds: Number(maxAge) } : {}),
  };
}

interface Challenge {
  /** In lower case. */
  scheme: string;
  /** By lower-case name; the first of a repeated one. */
  params: Map<string, string>;
}

function parseChallenges(text: string): Challenge[] {
  const challenges: Challenge[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    take(SPACE);
    const word = take(WORD)?.[0].toLowerCase();
    if (word === undefined) {
      at++;
      continue;
    }
    const value = take(VALUE);
    if (value === null) {
      challenges.push({ scheme: word, params: new Map() });
      take(BARE);
      continue;
    }
    const params = challenges.at(-1)?.params;
    if (params?.has(word) === false)
      params.set(word, value[1]?.replace(/\\(.)/g, "$1") ?? value[2] ?? "");
  }
  return challenges;
}
