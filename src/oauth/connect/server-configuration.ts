import {
  allowInsecureRequests,
  Configuration,
  clockSkew,
  clockTolerance,
  customFetch,
  None,
} from "openid-client";
import { type ClientCredentials, EXPIRY_LEEWAY_SECONDS } from "../token-set.ts";

/** What is known about an authorization server. */
export interface AuthorizationServer {
  /** If known, it is compared with `iss` of every callback (RFC 9207). */
  issuer?: string | undefined;
  /** Whether the server promises an `iss` in every callback. @default false */
  issuerPromised?: boolean | undefined;
  /**
   * Set if other connections use the same redirect URI: every callback must name the issuer, and
   * this hint says what to do about a server that names none.
   */
  sharedRedirectHint?: string | undefined;
  authorizationUrl?: string | undefined;
  tokenUrl?: string | undefined;
  revocationUrl?: string | undefined;
  deviceAuthorizationUrl?: string | undefined;
  /** Where authorization requests are sent first (RFC 9126). */
  pushedRequestUrl?: string | undefined;
  /**
   * Whether the server accepts DPoP proofs with the algorithm that packsmith uses (RFC 9449 §5.1).
   * @default false
   */
  dpopAdvertised?: boolean | undefined;
}

const ID_TOKEN_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];

/**
 * The server for openid-client. URL checks, deadline and client authentication are done by the
 * transport, so the library's are off.
 */
export function createConfiguration(
  server: AuthorizationServer,
  client: ClientCredentials,
  transport?: typeof fetch,
  now: () => number = Date.now,
): Configuration {
  const configuration = new Configuration(
    {
      // The library requires an issuer. If none is known, it never gets an `iss` to compare.
      issuer: server.issuer ?? "https://issuer.invalid",
      ...(server.authorizationUrl === undefined
        ? {}
        : { authorization_endpoint: server.authorizationUrl }),
      ...(server.tokenUrl === undefined ? {} : { token_endpoint: server.tokenUrl }),
      ...(server.deviceAuthorizationUrl === undefined
        ? {}
        : { device_authorization_endpoint: server.deviceAuthorizationUrl }),
      ...(server.revocationUrl === undefined ? {} : { revocation_endpoint: server.revocationUrl }),
      authorization_response_iss_parameter_supported:
        server.issuer !== undefined && server.issuerPromised === true,
      // Any public-key signature is accepted. An HMAC with the client secret would prove no more
      // than the TLS connection.
      id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
    },
    client.clientId,
    // The library knows only the system's clock, so it gets the difference to ours.
    {
      [clockTolerance]: EXPIRY_LEEWAY_SECONDS,
      [clockSkew]: Math.round((now() - Date.now()) / 1_000),
    },
    None(),
  );
  configuration.timeout = 0;
  // http can reach only loopback hosts: checkUrl refuses it for others.
  allowInsecureRequests(configuration);
  if (transport !== undefined)
    configuration[customFetch] = (url, options) => transport(url, options as RequestInit);
  return configuration;
}
