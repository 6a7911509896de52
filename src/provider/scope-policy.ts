import { OAuthError } from "./oauth-error.ts";
import type { ProviderClient } from "./options.ts";
import { printable } from "./parameters.ts";

/** Whether the provider has these scopes and the client may ask for them. @throws {OAuthError} invalid_scope */
export function checkScopes(scopes: readonly string[], client: ProviderClient, known: readonly string[] | undefined): void {
  for (const scope of scopes) {
    if (known !== undefined && !known.includes(scope))
      throw new OAuthError("invalid_scope", `The scope ${printable(scope)} does not exist.`);
    if (client.scopes !== undefined && !client.scopes.includes(scope))
      throw new OAuthError("invalid_scope", `The client may not ask for the scope ${printable(scope)}.`);
  }
}

/** Whether every scope was granted before. @throws {OAuthError} invalid_scope */
export function checkNarrowed(scopes: readonly string[], granted: readonly string[]): void {
  const wider = scopes.find((scope) => !granted.includes(scope));
  if (wider !== undefined) throw new OAuthError("invalid_scope", `The scope ${printable(wider)} was not granted.`);
}
