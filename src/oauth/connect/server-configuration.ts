import { allowInsecureRequests, Configuration, clockSkew, clockTolerance, customFetch, None } from "openid-client";
import { type ClientCredentials, EXPIRY_LEEWAY_SECONDS } from "../token-set.ts";

/** Where an authorization server is. */
export interface AuthorizationServer {
  /** When known (RFC 9207): compared with `iss` of every callback. */
  issuer?: string | undefined;
  /** Whether the server promises an `iss` in every callback. @default false */
  issuerPromised?: boolean | undefined;
  authorizationUrl?: string | undefined;
  tokenUrl?: string | undefined;
  revocationUrl?: string | undefined;
  deviceAuthorizationUrl?: string | undefined;
  /** Whether the server binds tokens to a key that signs as packsmith does (RFC 9449 §5.1). @default false */
  dpopAdvertised?: boolean | undefined;
}

const ID_TOKEN_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** openid-client's view of a server. The transport owns URL policy, deadline and client authentication, so the library's own are off. */
export function createConfiguration(
  server: AuthorizationServer,
  client: ClientCredentials,
  transport?: typeof fetch,
  now: () => number = Date.now,
): Configuration {
  const configuration = new Configuration(
    {
      // The library needs some issuer; without a known one `iss` never reaches it.
      issuer: server.issuer ?? "https://issuer.invalid",
      ...(server.authorizationUrl === undefined ? {} : { authorization_endpoint: server.authorizationUrl }),
      ...(server.tokenUrl === undefined ? {} : { token_endpoint: server.tokenUrl }),
      ...(server.deviceAuthorizationUrl === undefined ? {} : { device_authorization_endpoint: server.deviceAuthorizationUrl }),
      ...(server.revocationUrl === undefined ? {} : { revocation_endpoint: server.revocationUrl }),
      authorization_response_iss_parameter_supported: server.issuer !== undefined && server.issuerPromised === true,
      // A signature by any key pair will do; an HMAC of the client secret would be no better than the TLS connection.
      id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
    },
    client.clientId,
    // Rule 36; the library itself knows the system's clock only.
    { [clockTolerance]: EXPIRY_LEEWAY_SECONDS, [clockSkew]: Math.round((now() - Date.now()) / 1_000) },
    None(),
  );
  configuration.timeout = 0;
  // http only ever reaches loopback hosts: checkUrl refuses it elsewhere.
  allowInsecureRequests(configuration);
  if (transport !== undefined) configuration[customFetch] = (url, options) => transport(url, options as RequestInit);
  return configuration;
}
