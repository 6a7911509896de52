import type { DiscoveredUrls } from "../accounts/account.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import { isPackError, PackError } from "../errors.ts";
import { type DiscoveredServer, discoverServer } from "../oauth/connect/discovery.ts";
import { discoverResource } from "../oauth/connect/protected-resource.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import type { TransportOptions } from "../oauth/send.ts";
import { canParseUrl } from "../shared/urls.ts";
import { findChallenge, type ResourceTarget } from "./ask-resource.ts";

/** What is known about a server before a flow begins. */
export interface KnownServer {
  /** URLs that the definition leaves out; undefined if it has all of them. */
  urls: DiscoveredUrls | undefined;
  /** Compared with `iss` of the redirect (RFC 9207). */
  issuer: string | undefined;
  issuerPromised: boolean;
  /** The rest of the server's metadata; undefined if it was not read, or if the server has none. */
  metadata: DiscoveredServer | undefined;
  /** The scopes that the protected resource asks for, when the definition names none. */
  scopes: readonly string[] | undefined;
}

export interface ResolveOptions {
  /** Reads the metadata even if the definition has all URLs. @default false */
  needsMetadata?: boolean | undefined;
  /** The API or MCP server that the account is for. @default the definition's `resource` */
  resource?: ResourceTarget | undefined;
  /** The issuer of the account before, preferred among several. */
  previousIssuer?: string | undefined;
}

/**
 * Discovers the URLs that a definition leaves out: from its issuer, otherwise from the protected
 * resource that the account is for (RFC 9728). If the definition has all URLs, the metadata of its
 * issuer is read for the rest, as far as the server has any.
 * @throws {PackError} OAUTH_DISCOVERY_FAILED, OAUTH_RESOURCE_INVALID, OAUTH_URL_MISSING,
 *   URL_NOT_ALLOWED
 * @throws {PackError} OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT
 */
export async function resolveServer(
  definition: OAuth2Authentication,
  transport: TransportOptions,
  { needsMetadata = false, resource = findTarget(definition), previousIssuer }: ResolveOptions = {},
): Promise<KnownServer> {
  const { issuer, authorizationUrl, tokenUrl } = definition;
  const isComplete = authorizationUrl !== undefined && tokenUrl !== undefined;
  if (isComplete && !needsMetadata) return await withOwnUrls(definition, transport);
  const isFromResource =
    issuer === undefined &&
    authorizationUrl === undefined &&
    tokenUrl === undefined &&
    resource !== undefined;
  if (isFromResource) return await resolveResource(definition, transport, resource, previousIssuer);
  const metadata = await discoverServer({
    ...transport,
    definition,
    issuer: requireIssuer(definition),
  });
  return toKnownServer(metadata, isComplete ? undefined : listUrls(metadata), undefined);
}

/** The URLs of a definition win over the metadata, and work without it. */
async function withOwnUrls(
  definition: OAuth2Authentication,
  transport: TransportOptions,
): Promise<KnownServer> {
  const { issuer } = definition;
  const metadata = await readIssuerMetadata(definition, transport);
  return metadata === undefined
    ? { urls: undefined, issuer, issuerPromised: false, metadata, scopes: undefined }
    : toKnownServer(metadata, listUrls(metadata), undefined);
}

/**
 * The metadata of the issuer of a definition that works without it.
 * @returns undefined if there is no issuer, or the issuer has no metadata
 */
export async function readIssuerMetadata(
  definition: OAuthDefinition,
  transport: TransportOptions,
): Promise<DiscoveredServer | undefined> {
  const { issuer } = definition;
  if (issuer === undefined) return undefined;
  return await discoverServer({ ...transport, definition, issuer }).catch((error: unknown) => {
    if (isPackError(error)) return undefined;
    throw error;
  });
}

function findTarget({ resource }: OAuth2Authentication): ResourceTarget | undefined {
  return resource === undefined || !canParseUrl(resource) ? undefined : { url: resource };
}

async function resolveResource(
  definition: OAuth2Authentication,
  transport: TransportOptions,
  target: ResourceTarget,
  previousIssuer: string | undefined,
): Promise<KnownServer> {
  const found = await discoverFromResource(definition, transport, target, previousIssuer);
  if (found === undefined) return await withoutResourceMetadata(definition, transport, target);
  const { metadata, resource, scopes } = found;
  return toKnownServer(
    metadata,
    { ...listUrls(metadata), resource },
    definition.scopes === undefined ? scopes : undefined,
  );
}

/** The authorization server of a protected resource. */
export interface ResourceServer {
  metadata: DiscoveredServer;
  /** As the resource publishes it. */
  resource: string;
  /** The scopes to request; undefined when the resource names none. */
  scopes: readonly string[] | undefined;
}

/**
 * Asks a resource for its authorization server (RFC 9728 §5), and that server for its metadata.
 * @returns undefined when the resource publishes no metadata
 * @throws {PackError} OAUTH_DISCOVERY_FAILED, OAUTH_RESOURCE_INVALID, URL_NOT_ALLOWED,
 *   OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT
 */
export async function discoverFromResource(
  definition: OAuth2Authentication,
  transport: TransportOptions,
  target: ResourceTarget,
  previousIssuer?: string | undefined,
): Promise<ResourceServer | undefined> {
  const challenge = await findChallenge(target, definition, transport);
  const found = await discoverResource({
    ...transport,
    definition,
    resource: target.url,
    challenge,
  });
  if (found === undefined) return undefined;
  const metadata = await firstUsable(found.authorizationServers, previousIssuer, (issuer) =>
    discoverServer({ ...transport, definition, issuer }),
  );
  return {
    metadata,
    resource: found.resource,
    scopes: scopesToRequest(challenge?.scopes ?? found.scopes, metadata.scopes),
  };
}

/**
 * Servers of the first version of the MCP authorization specification (2025-03-26) are at the
 * origin of the resource.
 */
async function withoutResourceMetadata(
  definition: OAuth2Authentication,
  transport: TransportOptions,
  { url, isMcp }: ResourceTarget,
): Promise<KnownServer> {
  const issuer = new URL(url).origin;
  try {
    const metadata = await discoverServer({ ...transport, definition, issuer });
    return toKnownServer(metadata, listUrls(metadata), undefined);
  } catch (error) {
    if (isMcp !== true || !isPackError(error, "OAUTH_DISCOVERY_FAILED")) throw error;
    // That version names the paths to use without metadata.
    const metadata = defaultServer(issuer);
    return toKnownServer(metadata, listUrls(metadata), undefined);
  }
}

function defaultServer(issuer: string): DiscoveredServer {
  return {
    issuer,
    authorizationUrl: `${issuer}/authorize`,
    tokenUrl: `${issuer}/token`,
    registrationUrl: `${issuer}/register`,
    introspectionUrl: undefined,
    scopes: undefined,
    codeChallengeMethods: undefined,
    grantTypes: undefined,
    clientAuthenticationMethods: undefined,
    unusableEndpoints: [],
    readsClientMetadata: false,
  };
}

/**
 * The first server whose metadata can be used, beginning with the one of the account before.
 * @throws {PackError} the error of the first server
 */
async function firstUsable(
  issuers: readonly string[],
  previous: string | undefined,
  discover: (issuer: string) => Promise<DiscoveredServer>,
): Promise<DiscoveredServer> {
  const ordered = [...issuers]
    .sort((one, other) => Number(other === previous) - Number(one === previous))
    .slice(0, MAX_SERVERS);
  let failure: unknown;
  for (const issuer of ordered) {
    try {
      return await discover(issuer);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

const MAX_SERVERS = 5;

/**
 * The scopes of the resource, and the one for a refresh token if the server has it. Without a word
 * of the resource, none.
 */
function scopesToRequest(
  wanted: readonly string[] | undefined,
  supported: readonly string[] | undefined,
): readonly string[] | undefined {
  if (wanted === undefined || wanted.length === 0) return undefined;
  return [
    ...new Set([
      ...wanted,
      ...(supported?.includes("offline_access") === true ? ["offline_access"] : []),
    ]),
  ];
}

/** What is pinned in the account. */
export function listUrls({
  issuer,
  authorizationUrl,
  tokenUrl,
  revocationUrl,
}: DiscoveredServer): DiscoveredUrls {
  return { issuer, authorizationUrl, tokenUrl, revocationUrl };
}

function toKnownServer(
  metadata: DiscoveredServer,
  urls: DiscoveredUrls | undefined,
  scopes: readonly string[] | undefined,
): KnownServer {
  return {
    urls,
    issuer: metadata.issuer,
    issuerPromised: metadata.issuerPromised === true,
    metadata,
    scopes,
  };
}

/**
 * The issuer of a definition: its `issuer`, otherwise the origin of one of its URLs.
 * @throws {PackError} OAUTH_URL_MISSING when the definition has no URL of a server
 */
export function requireIssuer({
  issuer,
  authorizationUrl,
  tokenUrl,
  resource,
}: OAuth2Authentication): string {
  if (issuer !== undefined) return issuer;
  const url = [authorizationUrl, tokenUrl, resource].find(
    (text) => text !== undefined && canParseUrl(text),
  );
  if (url !== undefined) return new URL(url).origin;
  throw new PackError(
    "OAUTH_URL_MISSING",
    "The authentication definition does not specify an authorization server, so packsmith cannot read the server's metadata.",
    {
      details: { member: "issuer" },
      hint: "Add issuer or resource to the authentication definition, or add an MCP server to the Pack.",
    },
  );
}
