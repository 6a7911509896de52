import type { Request } from "express";
import { GrantType } from "../options.ts";
import { Path } from "../paths.ts";
import type { PkceMode } from "../profile.ts";
import { ASSERTION_ALGORITHMS } from "../request/client-authentication.ts";
import { DPOP_ALGORITHM } from "../request/dpop.ts";
import { getBase, getIssuer } from "../request/guards.ts";
import { ID_TOKEN_ALGORITHM } from "../request/jwt.ts";
import type { ProviderState } from "../state/provider-state.ts";

/** RFC 8414 §2, also served under the path of OpenID Connect Discovery. */
export function authorizationServerMetadata(
  state: ProviderState,
  request: Request,
): Record<string, unknown> {
  const { policy } = state;
  const [issuer, base] = [getIssuer(state, request), getBase(state, request)];
  const mutualTls = state.mutualTlsBase;
  const secretMethods = [
    ...["client_secret_basic", "client_secret_post", "private_key_jwt"],
    ...(mutualTls === undefined ? [] : ["tls_client_auth"]),
  ];
  return {
    issuer,
    authorization_endpoint: base + Path.Authorize,
    token_endpoint: base + Path.Token,
    introspection_endpoint: base + Path.Introspect,
    revocation_endpoint: base + Path.Revoke,
    pushed_authorization_request_endpoint: base + Path.PushedRequest,
    require_pushed_authorization_requests: policy.pushedRequestsRequired,
    device_authorization_endpoint: base + Path.DeviceAuthorization,
    ...(policy.registration ? { registration_endpoint: base + Path.Register } : {}),
    end_session_endpoint: base + Path.EndSession,
    userinfo_endpoint: base + Path.Me,
    ...(policy.scopes === undefined ? {} : { scopes_supported: policy.scopes }),
    ...(policy.acrValues.length === 0 ? {} : { acr_values_supported: policy.acrValues }),
    ...(policy.dpop ? { dpop_signing_alg_values_supported: [DPOP_ALGORITHM] } : {}),
    ...(mutualTls === undefined
      ? {}
      : {
          mtls_endpoint_aliases: aliases(mutualTls),
          tls_client_certificate_bound_access_tokens: true,
        }),
    jwks_uri: base + Path.Keys,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [ID_TOKEN_ALGORITHM],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: [...Object.values(GrantType), ...policy.grants],
    token_endpoint_auth_methods_supported: [...secretMethods, "none"],
    introspection_endpoint_auth_methods_supported: secretMethods,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: [...secretMethods, "none"],
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    ...pkceMethods(policy.pkce),
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported:
      policy.profile.authorization?.issuer === undefined,
  };
}

/** RFC 8705 §5: the endpoints that ask for a certificate. */
function aliases(base: string): Record<string, string> {
  return {
    token_endpoint: base + Path.Token,
    introspection_endpoint: base + Path.Introspect,
    revocation_endpoint: base + Path.Revoke,
    pushed_authorization_request_endpoint: base + Path.PushedRequest,
    device_authorization_endpoint: base + Path.DeviceAuthorization,
    userinfo_endpoint: base + Path.Me,
  };
}

function pkceMethods(mode: PkceMode): Record<string, unknown> {
  if (mode === "refused" || mode === "ignored") return {};
  return {
    code_challenge_methods_supported:
      mode === "S256" || mode === "plain" ? [mode] : ["S256", "plain"],
  };
}
