import { allowInsecureRequests, type Configuration, customFetch, discovery, None } from "openid-client";
import { isPackError, PackError } from "../../errors.ts";
import { PROOF_ALGORITHM } from "../proof-of-possession.ts";
import type { OAuthDefinition } from "../token-response.ts";
import { type TransportOptions, throughTransport } from "../transport.ts";
import { checkUrl } from "../url-policy.ts";
import type { AuthorizationServer } from "./server-configuration.ts";

export interface DiscoverServerOptions extends TransportOptions {
  definition: OAuthDefinition;
  /** The issuer identifier: an https URL. Its metadata must name the same issuer. */
  issuer: string;
}

/** A server as its metadata describes it. */
export interface DiscoveredServer extends AuthorizationServer {
  issuer: string;
  introspectionUrl: string | undefined;
  scopes: readonly string[] | undefined;
  codeChallengeMethods: readonly string[] | undefined;
}

/**
 * Reads a server's metadata: RFC 8414 first, then OpenID Connect Discovery.
 * @throws {PackError} OAUTH_DISCOVERY_FAILED when neither is there, or when they describe another issuer
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
    throw new PackError("OAUTH_DISCOVERY_FAILED", `There is no usable server metadata at ${issuer}.`, {
      details: { issuer },
      hint: "Check the issuer, or write authorizationUrl and tokenUrl into the definition.",
    });
  }
}

function describe(configuration: Configuration): DiscoveredServer {
  const metadata = configuration.serverMetadata();
  return {
    issuer: metadata.issuer,
    issuerPromised: metadata.authorization_response_iss_parameter_supported === true,
    authorizationUrl: metadata.authorization_endpoint,
    tokenUrl: metadata.token_endpoint,
    revocationUrl: metadata.revocation_endpoint,
    deviceAuthorizationUrl: metadata.device_authorization_endpoint,
    dpopAdvertised: metadata.dpop_signing_alg_values_supported?.includes(PROOF_ALGORITHM) === true,
    introspectionUrl: metadata.introspection_endpoint,
    scopes: metadata.scopes_supported,
    codeChallengeMethods: metadata.code_challenge_methods_supported,
  };
}
