import { allowInsecureRequests, type Configuration, customFetch, discovery, None } from "openid-client";
import { isPackError, PackError } from "../../errors.ts";
import type { OAuthDefinition } from "../definition.ts";
import { DPOP_ALGORITHM } from "../dpop.ts";
import { type TransportOptions, throughTransport } from "../transport.ts";
import { checkUrl } from "../url-policy.ts";
import type { AuthorizationServer } from "./server-configuration.ts";

export interface DiscoverServerOptions extends TransportOptions {
  definition: OAuthDefinition;
  /** The issuer identifier: an https URL. Its metadata must name the same issuer. */
  issuer: string;
}

/** What a server's metadata says about it. */
export interface DiscoveredServer extends AuthorizationServer {
  issuer: string;
  introspectionUrl: string | undefined;
  scopes: readonly string[] | undefined;
  codeChallengeMethods: readonly string[] | undefined;
  grantTypes: readonly string[] | undefined;
  /** How a client may authenticate at the token endpoint. */
  clientAuthenticationMethods: readonly string[] | undefined;
  registrationUrl: string | undefined;
}

/**
 * Reads a server's metadata: RFC 8414 first, then OpenID Connect Discovery.
 * @throws {PackError} OAUTH_DISCOVERY_FAILED when the server has neither, or when the metadata is of another issuer
 * @throws {PackError} URL_NOT_ALLOWED
 */
export async function discoverServer(options: DiscoverServerOptions): Promise<DiscoveredServer> {
  const { definition, issuer } = options;
  const url = checkUrl(issuer);
  const read = (algorithm: "oauth2" | "oidc"): Promise<Configuration> =>
    throughTransport(definition, { ...options, step: "discovery" }, (transport) =>
      discovery(url, "discovery", {}, None(), {
        algorithm,
        execute: [allowInsecureRequests],
        [customFetch]: (target, init) => transport(target, init as RequestInit),
      }),
    );
  try {
    const configuration = await read("oauth2").catch(() => read("oidc"));
    return describe(configuration);
  } catch (error) {
    if (isPackError(error, "URL_NOT_ALLOWED")) throw error;
    throw new PackError("OAUTH_DISCOVERY_FAILED", `No usable metadata was received from the server at ${issuer}.`, {
      details: { issuer },
      hint: "Check that the issuer is right and that the server can be reached. If it publishes no metadata, use the URLs from its documentation.",
    });
  }
}

function describe(configuration: Configuration): DiscoveredServer {
  // The library checks the issuer. The other members may have any type.
  const metadata = configuration.serverMetadata();
  return {
    issuer: metadata.issuer,
    issuerPromised: metadata.authorization_response_iss_parameter_supported === true,
    authorizationUrl: text(metadata.authorization_endpoint),
    tokenUrl: text(metadata.token_endpoint),
    revocationUrl: text(metadata.revocation_endpoint),
    deviceAuthorizationUrl: text(metadata.device_authorization_endpoint),
    dpopAdvertised: texts(metadata.dpop_signing_alg_values_supported)?.includes(DPOP_ALGORITHM) === true,
    introspectionUrl: text(metadata.introspection_endpoint),
    scopes: texts(metadata.scopes_supported),
    codeChallengeMethods: texts(metadata.code_challenge_methods_supported),
    grantTypes: texts(metadata.grant_types_supported),
    clientAuthenticationMethods: texts(metadata.token_endpoint_auth_methods_supported),
    registrationUrl: text(metadata.registration_endpoint),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}
