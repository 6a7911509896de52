import type {
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "../define/oauth.ts";

/** The definitions that request tokens. */
export type OAuthDefinition = OAuth2Authentication | OAuth2ClientCredentialsAuthentication;

interface ScopeMembers {
  scopes?: string[] | undefined;
  scopeDelimiter?: string | undefined;
}

/** The scopes to request: the definition's and the extra ones, each once. */
export function requestedScopes(
  definition: ScopeMembers,
  extraScopes: readonly string[] = [],
): string[] {
  return [...new Set([...(definition.scopes ?? []), ...extraScopes])].filter(
    (scope) => scope !== "",
  );
}

/** The value of the scope parameter; undefined without scopes. */
export function joinScopes(
  definition: ScopeMembers,
  extraScopes?: readonly string[] | undefined,
): string | undefined {
  const scopes = requestedScopes(definition, extraScopes);
  return scopes.length === 0 ? undefined : scopes.join(definition.scopeDelimiter ?? " ");
}

/**
 * The parameters of a request with the names that the provider has for them (`parameterNames`). One
 * with an empty name is left out.
 */
export function renameParameters(
  params: URLSearchParams,
  { parameterNames }: Pick<OAuthDefinition, "parameterNames">,
): URLSearchParams {
  if (parameterNames === undefined) return params;
  const renameParameter = (name: string): string =>
    Object.hasOwn(parameterNames, name) ? (parameterNames[name] ?? name) : name;
  const named = [...params].map(([name, value]): [string, string] => [
    renameParameter(name),
    value,
  ]);
  return new URLSearchParams(named.filter(([name]) => name !== ""));
}
