import { isLoopbackHost } from "../../define/hosts.ts";
import { PackError } from "../../errors.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { isRecord } from "../../shared/values.ts";
import type { TokenChallenge } from "../challenge.ts";
import type { OAuthDefinition } from "../definition.ts";
import { NO_ROUTES } from "../routes.ts";
import type { TransportOptions } from "../send.ts";
import { createServerFetch } from "../server-fetch.ts";
import { cleanProviderText } from "../token-failure.ts";
import { checkUrl, namedUrl } from "../url-policy.ts";

export interface DiscoverResourceOptions extends TransportOptions {
  definition: OAuthDefinition;
  /** The resource identifier: the URL of the API or of the MCP server. */
  resource: string;
  /** The challenge with which the resource refused a request without a token, if it is known. */
  challenge?: TokenChallenge | undefined;
}

/** What a protected resource publishes about itself (RFC 9728 §2). */
export interface ProtectedResource {
  /** As published. This text is the resource indicator of token requests (RFC 8707). */
  resource: string;
  /** Issuers, in the resource's order. At least one. */
  authorizationServers: readonly string[];
  scopes: readonly string[] | undefined;
}

/**
 * Reads the metadata of a protected resource (RFC 9728): from the URL in its challenge, otherwise
 * from the well-known URL with
 * the resource's path, then from the one without a path.
 * @returns undefined when the resource publishes none
 * @throws {PackError} OAUTH_RESOURCE_INVALID when the metadata is of another resource or cannot be
 *   used
 * @throws {PackError} OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT, URL_NOT_ALLOWED
 */
export async function discoverResource(
  options: DiscoverResourceOptions,
): Promise<ProtectedResource | undefined> {
  const { resource, challenge } = options;
  const asked = checkUrl(resource);
  const findUsable = (url: unknown) => namedUrl(url, resource, options.routes ?? NO_ROUTES);
  const named = challenge?.resourceMetadata;
  if (named !== undefined) {
    const metadata = findUsable(named) === undefined ? undefined : await read(options, named);
    if (metadata === undefined)
      throw createUnusableError(
        resource,
        `its challenge refers to ${formatText(named)}, which does not return JSON`,
      );
    return describe(metadata, {
      isFor: (text) => covers(text, asked),
      asked: resource,
      usable: findUsable,
    });
  }
  for (const path of asked.pathname === "/" ? [""] : [asked.pathname, ""]) {
    const metadata = await read(
      options,
      `${asked.origin}/.well-known/oauth-protected-resource${path}${path === "" ? "" : asked.search}`,
    );
    // RFC 9728 §3.3: the identifier from which the well-known URL was made.
    const identifier = path === "" ? new URL(asked.origin) : asked;
    if (metadata !== undefined)
      return describe(metadata, {
        isFor: (text) => covers(text, identifier),
        asked: resource,
        usable: findUsable,
      });
  }
  return undefined;
}

async function read(
  options: DiscoverResourceOptions,
  url: string,
): Promise<Record<string, unknown> | undefined> {
  const send = createServerFetch({ ...options, purpose: "resource" });
  const response = await send(url, { headers: { accept: "application/json" } });
  if (response.status !== 200) return undefined;
  const body: unknown = await response.json().catch(() => undefined);
  return isRecord(body) ? body : undefined;
}

interface ResourceReading {
  isFor(resource: string): boolean;
  asked: string;
  /** A URL of the metadata, if it may be used. */
  usable(value: unknown): string | undefined;
}

function describe(
  metadata: Record<string, unknown>,
  { isFor, asked, usable }: ResourceReading,
): ProtectedResource {
  const { resource, authorization_servers: servers, scopes_supported: scopes } = metadata;
  if (typeof resource !== "string" || !isFor(resource)) {
    throw createUnusableError(
      asked,
      `its metadata is for ${typeof resource === "string" ? formatText(resource) : "no resource"}`,
    );
  }
  const authorizationServers = readTexts(servers).filter((url) => usable(url) !== undefined);
  if (authorizationServers.length === 0)
    throw createUnusableError(asked, "its metadata contains no usable authorization server");
  return {
    resource,
    authorizationServers,
    scopes: Array.isArray(scopes) ? readTexts(scopes) : undefined,
  };
}

/**
 * Whether metadata of this identifier is valid for a URL: the same URL, or a parent of it at the
 * same origin, because one server
 * often publishes one document for all of its paths. Never another origin: its tokens would be sent
 * to this one.
 */
function covers(identifier: string, asked: URL): boolean {
  if (!canParseUrl(identifier)) return false;
  const { origin, pathname, search, protocol, host } = new URL(identifier);
  const isSecure = protocol === "https:" || (protocol === "http:" && isLoopbackHost(host));
  if (!isSecure || origin !== asked.origin) return false;
  if (pathname === asked.pathname) return search === asked.search || search === "";
  return (
    search === "" && asked.pathname.startsWith(pathname.endsWith("/") ? pathname : `${pathname}/`)
  );
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function formatText(text: string): string {
  return cleanProviderText(text) ?? "an empty text";
}

function createUnusableError(
  resource: string,
  reason: string,
): PackError<"OAUTH_RESOURCE_INVALID"> {
  return new PackError(
    "OAUTH_RESOURCE_INVALID",
    `The protected resource ${formatText(resource)} cannot be used: ${reason}.`,
    {
      details: { resource: formatText(resource), reason },
      hint: "Check the URL of the API or MCP server. If the URL is correct, add issuer to the authentication definition, and ask the operator to correct the metadata.",
      rule: "RFC 9728 §3.3",
    },
  );
}
