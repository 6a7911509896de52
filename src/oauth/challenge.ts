/** What a protected resource says about the token that it wants (RFC 6750 §3, RFC 9728 §5.1). */
export interface TokenChallenge {
  /** Such as `invalid_token` or `insufficient_scope`. */
  error: string | undefined;
  /** The scopes that the request needs; undefined if the challenge names none. */
  scopes: readonly string[] | undefined;
  /** Where the resource publishes its metadata. */
  resourceMetadata: string | undefined;
  /** The parameters of the login that the resource demands (RFC 9470 §3): `acr_values`, `max_age`. */
  login: readonly (readonly [name: string, value: string])[];
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
 * Reads the first challenge for an access token from `WWW-Authenticate`. Several challenges, and several headers joined with
 * commas, are allowed (RFC 9110 §11.6.1). What cannot be read is skipped.
 */
export function tokenChallengeOf(header: string | null | undefined): TokenChallenge | undefined {
  const challenge = challengesOf((header ?? "").slice(0, MAX_LENGTH)).find(({ scheme }) => TOKEN_SCHEMES.has(scheme));
  if (challenge === undefined) return undefined;
  const { params } = challenge;
  const scopes = params.get("scope")?.split(/\s+/).filter(Boolean);
  return {
    error: params.get("error"),
    scopes: scopes === undefined || scopes.length === 0 ? undefined : scopes,
    resourceMetadata: params.get("resource_metadata"),
    login: ["acr_values", "max_age"].flatMap((name) => {
      const value = params.get(name);
      return value === undefined || value === "" ? [] : [[name, value] as const];
    }),
  };
}

interface Challenge {
  /** In lower case. */
  scheme: string;
  /** By lower-case name; the first of a repeated one. */
  params: Map<string, string>;
}

function challengesOf(text: string): Challenge[] {
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
    if (params?.has(word) === false) params.set(word, value[1]?.replace(/\\(.)/g, "$1") ?? value[2] ?? "");
  }
  return challenges;
}
