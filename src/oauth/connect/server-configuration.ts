import { allowInsecureRequests, Configuration, customFetch, None } from "openid-client";
import type { ClientCredentials } from "../token-set.ts";

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
}

/** openid-client's view of a server. The transport owns URL policy, deadline and client authentication, so the library's own are off. */
export function createConfiguration(server: AuthorizationServer, client: ClientCredentials, transport?: typeof fetch): Configuration {
  const configuration = new Configuration(
    {
      // The library needs some issuer; without a known one `iss` never reaches it.
      issuer: server.issuer ?? "https://issuer.invalid",
      ...(server.authorizationUrl === undefined ? {} : { authorization_endpoint: server.authorizationUrl }),
      ...(server.tokenUrl === undefined ? {} : { token_endpoint: server.tokenUrl }),
      ...(server.deviceAuthorizationUrl === undefined ? {} : { device_authorization_endpoint: server.deviceAuthorizationUrl }),
      ...(server.revocationUrl === undefined ? {} : { revocation_endpoint: server.revocationUrl }),
      authorization_response_iss_parameter_supported: server.issuer !== undefined && server.issuerPromised === true,
    },
    client.clientId,
    {},
    None(),
  );
  configuration.timeout = 0;
  // http only ever reaches loopback hosts: checkUrl refuses it elsewhere.
  allowInsecureRequests(configuration);
  if (transport !== undefined) configuration[customFetch] = (url, options) => transport(url, options as RequestInit);
  return configuration;
}
