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
