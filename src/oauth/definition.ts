import type { OAuth2Authentication, OAuth2ClientCredentialsAuthentication } from "../define/oauth.ts";
import { PackError } from "../errors.ts";

/** The definitions that end in a token request. */
export type OAuthDefinition = OAuth2Authentication | OAuth2ClientCredentialsAuthentication;

/**
 * @returns a URL of the definition that a flow cannot do without
 * @throws {PackError} OAUTH_URL_MISSING when the definition leaves it to discovery and none took place
 */
export function requiredUrl(definition: OAuth2Authentication, member: "authorizationUrl" | "tokenUrl"): string {
  const url = definition[member];
  if (url !== undefined) return url;
  throw new PackError("OAUTH_URL_MISSING", `The authentication has no ${member}.`, {
    details: { member },
    hint: `Add ${member} to the definition.`,
  });
}

interface ScopeMembers {
  scopes?: string[] | undefined;
  scopeDelimiter?: string | undefined;
}

/** The scopes that a request asks for: the definition's and the extra ones, each once. */
export function requestedScopes(definition: ScopeMembers, extraScopes: readonly string[] = []): string[] {
  return [...new Set([...(definition.scopes ?? []), ...extraScopes])].filter((scope) => scope !== "");
}

/** The value of the scope parameter; undefined when there is nothing to ask for. */
export function joinScopes(definition: ScopeMembers, extraScopes?: readonly string[] | undefined): string | undefined {
  const scopes = requestedScopes(definition, extraScopes);
  return scopes.length === 0 ? undefined : scopes.join(definition.scopeDelimiter ?? " ");
}
