import type { ProviderState } from "../state/provider-state.ts";
import { type Grant, type IssuedToken, loginClaims } from "../state/token-store.ts";

export interface AccessTokenFacts {
  grant: Grant;
  scopes: readonly string[];
  resources: readonly string[];
  boundTo: string | undefined;
  boundToCertificate: string | undefined;
  issuer: string;
}

const MAX_LENGTH = 65_536;

/**
 * An access token as a JWT (RFC 9068), if the provider issues such ones: signed with the key of
 * `/jwks`, and as long as its options say.
 * @returns undefined for a random token
 */
export function accessTokenText(
  state: ProviderState,
  { grant, scopes, resources, issuer, ...bound }: AccessTokenFacts,
): string | undefined {
  const { jwtAccessTokens, accessTokenTtlSeconds, apiOrigin } = state.policy;
  if (jwtAccessTokens === undefined) return undefined;
  const { claims = {}, minLength = 0 } = jwtAccessTokens;
  const iat = Math.floor(state.clock.now() / 1_000);
  const members = {
    iss: issuer,
    sub: grant.user?.id ?? grant.clientId,
    aud: resources.length > 1 ? resources : (resources[0] ?? apiOrigin ?? issuer),
    client_id: grant.clientId,
    iat,
    exp: iat + accessTokenTtlSeconds,
    jti: state.randomText(16),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...confirmation(bound),
    ...loginClaims(grant),
    ...claims,
  };
  const plain = state.idTokens.sign(members, "at+jwt");
  const missing = Math.min(minLength, MAX_LENGTH) - plain.length;
  if (missing <= 0) return plain;
  // Four characters of a token hold three bytes of its claims. The longest token has exactly the
  // length that clients accept.
  const room = (plain.split(".")[1] ?? "").length + missing;
  const bytes = minLength < MAX_LENGTH ? Math.ceil((room * 3) / 4) : Math.floor((room * 3) / 4);
  const padded = { ...members, padding: "" };
  const padding = "x".repeat(Math.max(0, bytes - Buffer.byteLength(JSON.stringify(padded))));
  return state.idTokens.sign({ ...padded, padding }, "at+jwt");
}

/**
 * What a token is bound to, as a member of JWTs and introspection answers (RFC 7800, RFC 9449 §6,
 * RFC 8705 §3).
 */
export function confirmation({
  boundTo,
  boundToCertificate,
}: Pick<IssuedToken, "boundTo" | "boundToCertificate">): Record<string, unknown> {
  if (boundTo === undefined && boundToCertificate === undefined) return {};
  return {
    cnf: {
      ...(boundTo === undefined ? {} : { jkt: boundTo }),
      ...(boundToCertificate === undefined ? {} : { "x5t#S256": boundToCertificate }),
    },
  };
}
