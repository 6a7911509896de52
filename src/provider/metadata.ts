import { Path } from "./pages.ts";
import type { ProviderState } from "./provider-state.ts";

/** RFC 8414 §2, also served under the path of OpenID Connect Discovery. */
export function authorizationServerMetadata(issuer: string, { policy }: ProviderState): Record<string, unknown> {
  const secretMethods = ["client_secret_basic", "client_secret_post"];
  return {
    issuer,
    authorization_endpoint: issuer + Path.Authorize,
    token_endpoint: issuer + Path.Token,
    introspection_endpoint: issuer + Path.Introspect,
    revocation_endpoint: issuer + Path.Revoke,
    userinfo_endpoint: issuer + Path.Me,
    ...(policy.scopes === undefined ? {} : { scopes_supported: policy.scopes }),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
    token_endpoint_auth_methods_supported: [...secretMethods, "none"],
    introspection_endpoint_auth_methods_supported: secretMethods,
    revocation_endpoint_auth_methods_supported: [...secretMethods, "none"],
    code_challenge_methods_supported: ["S256", "plain"],
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    authorization_response_iss_parameter_supported: true,
  };
}
