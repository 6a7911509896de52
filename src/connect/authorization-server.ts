import type { DiscoveredUrls } from "../accounts/account.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import { PackError } from "../errors.ts";
import { discoverServer } from "../oauth/connect/discovery.ts";
import type { TransportOptions } from "../oauth/transport.ts";

/** What is known about a server before a flow begins. */
export interface KnownServer {
  /** URLs that the definition leaves out; undefined if it has all of them. */
  urls: DiscoveredUrls | undefined;
  /** Compared with `iss` of the redirect (RFC 9207). */
  issuer: string | undefined;
  issuerPromised: boolean;
  /** For connecting on another device (RFC 8628), if the server's metadata was read. */
  deviceAuthorizationUrl: string | undefined;
  /** Whether its metadata offers to bind tokens to a key (RFC 9449). */
  dpopAdvertised: boolean;
  /** How a client may authenticate at the token endpoint, if the server's metadata says it. */
  clientAuthenticationMethods?: readonly string[] | undefined;
}

/**
 * Discovers the URLs that a definition leaves out. If it has all of them, the server's metadata is not read.
 * @throws {PackError} OAUTH_DISCOVERY_FAILED, OAUTH_URL_MISSING, URL_NOT_ALLOWED
 */
export async function resolveServer(
  definition: OAuth2Authentication,
  transport: TransportOptions,
  { needsMetadata = false }: { needsMetadata?: boolean } = {},
): Promise<KnownServer> {
  const isComplete = definition.authorizationUrl !== undefined && definition.tokenUrl !== undefined;
  if (isComplete && !needsMetadata) {
    return { urls: undefined, issuer: definition.issuer, issuerPromised: false, deviceAuthorizationUrl: undefined, dpopAdvertised: false };
  }
  const issuer = issuerOf(definition);
  const server = await discoverServer({ ...transport, definition, issuer });
  const { authorizationUrl, tokenUrl, revocationUrl, deviceAuthorizationUrl } = server;
  return {
    urls: isComplete ? undefined : { issuer: server.issuer, authorizationUrl, tokenUrl, revocationUrl },
    issuer: server.issuer,
    issuerPromised: server.issuerPromised === true,
    deviceAuthorizationUrl,
    dpopAdvertised: server.dpopAdvertised === true,
    clientAuthenticationMethods: server.clientAuthenticationMethods,
  };
}

/**
 * The issuer of a definition: its `issuer`, otherwise the origin of one of its URLs.
 * @throws {PackError} OAUTH_URL_MISSING when the definition has no URL of a server
 */
export function issuerOf({ issuer, authorizationUrl, tokenUrl, resource }: OAuth2Authentication): string {
  if (issuer !== undefined) return issuer;
  const url = [authorizationUrl, tokenUrl, resource].find((text) => text !== undefined && URL.canParse(text));
  if (url !== undefined) return new URL(url).origin;
  throw new PackError("OAUTH_URL_MISSING", "The definition names no authorization server, so its metadata cannot be read.", {
    details: { member: "issuer" },
    hint: "Add issuer to the definition.",
  });
}
