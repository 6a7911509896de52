import type { Authentication } from "../define/authentication.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import { isPackError, PackError } from "../errors.ts";
import {
  type DiscoveredServer,
  discoverServer,
  wantsOnlyCertificates,
} from "../oauth/connect/discovery.ts";
import { parseRoutes } from "../oauth/routes.ts";
import type { TransportOptions } from "../oauth/send.ts";
import type { Redactor } from "../shared/redact.ts";
import { discoverFromResource, type ResourceServer } from "./authorization-server.ts";

export interface DiscoverOptions {
  /**
   * The issuer identifier, or the URL of its metadata; or the URL of an API or MCP server that
   * names its issuer (RFC 9728).
   */
  issuer: string;
  /** The scopes that the Pack needs. @default the server's scopes, if it has only a few */
  scopes?: readonly string[] | undefined;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  /** Limit for each request, in milliseconds. @default 30_000 */
  requestTimeoutMs?: number | undefined;
  redactor: Redactor;
}

/** A server, and the authentication for a Pack whose users have accounts there. */
export interface DiscoveredAuthentication {
  server: DiscoveredServer;
  definition: Extract<Authentication, { type: "OAuth2" | "OAuth2ClientCredentials" }>;
  /** What the author has to decide or check. */
  notes: string[];
}

/** A server with more scopes than this lists all that exist, which a Pack does not need. */
const MAX_SCOPES = 12;

/**
 * Reads a server's metadata (RFC 8414, otherwise OpenID Connect Discovery) and writes the
 * authentication for it. For the URL of an
 * API or MCP server, it is the metadata of the server that this one names (RFC 9728).
 * @throws {PackError} OAUTH_DISCOVERY_FAILED, OAUTH_RESOURCE_INVALID, URL_NOT_ALLOWED,
 *   ROUTE_INVALID
 */
export async function discoverAuthentication(
  options: DiscoverOptions,
): Promise<DiscoveredAuthentication> {
  const issuer = options.issuer.replace(
    /\/\.well-known\/(openid-configuration|oauth-authorization-server)$/,
    "",
  );
  const asked = await discoverServer({
    definition: { type: "OAuth2", issuer },
    issuer,
    ...createTransportOptions(options),
  }).catch(async (error: unknown) => {
    if (!isPackError(error, "OAUTH_DISCOVERY_FAILED")) throw error;
    const definition = { type: "OAuth2", resource: issuer } as const;
    const found = await discoverFromResource(definition, createTransportOptions(options), {
      url: issuer,
    }).catch((other: unknown) => {
      // A server that cannot be reached is reported as one.
      throw isPackError(other, "OAUTH_TOKEN_UNAVAILABLE") ||
        isPackError(other, "OAUTH_TOKEN_TIMEOUT")
        ? error
        : other;
    });
    if (found === undefined) throw error;
    return found;
  });
  const found =
    "metadata" in asked ? asked : { metadata: asked, resource: undefined, scopes: undefined };
  const { metadata: server } = found;
  // RFC 8414 §3.3 compares character by character. The library accepts equivalent URLs, such as one
  // with a trailing slash.
  if (found.resource === undefined && server.issuer !== issuer)
    throw otherIssuer(issuer, server.issuer);
  const [unusable] = server.unusableEndpoints;
  if (unusable !== undefined) throw incomplete(issuer, unusable);
  return describe(found, options.scopes);
}

/** The options for requests. */
export function createTransportOptions({
  routes = [],
  requestTimeoutMs,
  redactor,
}: Omit<DiscoverOptions, "issuer">): TransportOptions {
  return { routes: parseRoutes(routes), timeoutMs: requestTimeoutMs, redactor };
}

type Found = Omit<ResourceServer, "resource"> & { resource: string | undefined };

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

function describe(
  { metadata: server, resource, scopes }: Found,
  wanted: readonly string[] | undefined,
): DiscoveredAuthentication {
  const { issuer, authorizationUrl, tokenUrl, grantTypes = ["authorization_code"] } = server;
  if (tokenUrl === undefined) throw incomplete(issuer);
  const notes: string[] = [];
  const authentication = chooseClientAuthentication(server, notes);
  const common = {
    ...(resource === undefined ? {} : { resource }),
    ...(scopes === undefined || wanted !== undefined
      ? readScopes(server, resource, wanted, notes)
      : { scopes: [...scopes] }),
    ...authentication,
  };
  // RFC 8414 §2: without grant_types_supported, the server has the code flow.
  if (authorizationUrl !== undefined && grantTypes.includes("authorization_code")) {
    // A client that registers itself has no key and no certificate.
    const canRegister =
      resource !== undefined &&
      server.registrationUrl !== undefined &&
      !("clientAuthentication" in authentication);
    const registers = canRegister ? { useDynamicClientRegistration: true } : {};
    // Connecting reads the rest: endpoints, pushed requests, DPoP, iss, where credentials go.
    const { credentialsLocation: _, ...written } = common;
    const definition = {
      type: "OAuth2",
      issuer,
      ...written,
      ...registers,
      ...readPkce(server, notes),
    };
    return { server, definition: definition as OAuth2Authentication, notes };
  }
  const clientCredentials = {
    type: "OAuth2ClientCredentials",
    issuer,
    tokenUrl,
    ...common,
  } as const;
  if (grantTypes.includes("client_credentials"))
    return { server, definition: clientCredentials, notes };
  if (!grantTypes.includes(JWT_BEARER)) throw incomplete(issuer);
  notes.push("the user enters the assertion, a JWT that the server trusts (RFC 7523)");
  const assertion = {
    name: "assertion",
    label: "Assertion (JWT)",
    kind: "text",
    secret: true,
  } as const;
  const grant = {
    grantType: JWT_BEARER,
    tokenParams: { assertion: "{assertion}" },
    connectionVariables: [assertion],
  };
  return { server, definition: { ...clientCredentials, ...grant }, notes };
}

function readScopes(
  server: DiscoveredServer,
  resource: string | undefined,
  wanted: readonly string[] | undefined,
  notes: string[],
): { scopes?: string[] } {
  // RFC 6749 §3.3.
  const scopes = (server.scopes ?? []).filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  if (wanted !== undefined) {
    const unknown = wanted.filter((scope) => scopes.length > 0 && !scopes.includes(scope));
    if (unknown.length > 0)
      notes.push(`the metadata does not list the scopes ${unknown.join(" ")}`);
    return wanted.length === 0 ? {} : { scopes: [...wanted] };
  }
  // The server's scopes may be for other resources.
  if (resource !== undefined) return {};
  if (scopes.length === 0) {
    notes.push("the metadata lists no scopes: add the scopes that the Pack needs");
    return {};
  }
  if (scopes.length > MAX_SCOPES) {
    notes.push(
      `the server has ${scopes.length} scopes: add the scopes that the Pack needs, or pass --scopes`,
    );
    return {};
  }
  notes.push("scopes lists all scopes of the server: keep the scopes that the Pack needs");
  return { scopes: [...scopes] };
}

/** RFC 8414 §2: without a list of methods, the server accepts the Authorization header. */
function chooseClientAuthentication(
  { clientAuthenticationMethods: methods = ["client_secret_basic"] }: DiscoveredServer,
  notes: string[],
) {
  if (wantsOnlyCertificates(methods)) {
    notes.push(
      "the client has a TLS certificate instead of a secret: pass the certificate with --certificate-file",
    );
    return { clientAuthentication: "tls_client_auth" } as const;
  }
  const [header, body] = [
    methods.includes("client_secret_basic"),
    methods.includes("client_secret_post"),
  ];
  if (header && body) return {};
  if (header) return { credentialsLocation: "AuthorizationHeader" } as const;
  if (body) return { credentialsLocation: "Body" } as const;
  return methods.includes("private_key_jwt") && !methods.includes("none")
    ? ({ clientAuthentication: "private_key_jwt" } as const)
    : {};
}

function readPkce({ codeChallengeMethods: methods }: DiscoveredServer, notes: string[]) {
  if (methods?.includes("plain") && !methods.includes("S256")) {
    return { useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" } as const;
  }
  // By RFC 8414 §2, a missing member means no support. But most such servers support PKCE, and
  // others ignore it.
  if (methods === undefined)
    notes.push(
      "the metadata does not mention PKCE: set useProofKeyForCodeExchange: false if the server rejects PKCE",
    );
  return methods?.includes("S256") ? {} : ({ useProofKeyForCodeExchange: true } as const);
}

function otherIssuer(asked: string, named: string): PackError<"OAUTH_DISCOVERY_FAILED"> {
  return new PackError(
    "OAUTH_DISCOVERY_FAILED",
    `The metadata at ${asked} is for another issuer: ${named}.`,
    {
      details: { issuer: asked },
      hint: `If you mean ${named}, run packsmith auth discover ${named}.`,
      rule: "RFC 8414 §3.3",
    },
  );
}

function incomplete(
  issuer: string,
  unusable?: string | undefined,
): PackError<"OAUTH_DISCOVERY_FAILED"> {
  return new PackError(
    "OAUTH_DISCOVERY_FAILED",
    unusable === undefined
      ? `The metadata of ${issuer} does not contain the endpoints that a Pack needs.`
      : `The ${unusable} in the metadata of ${issuer} is not an https URL on the public internet.`,
    {
      details: { issuer },
      hint: "A Pack needs an authorization endpoint and a token endpoint, or the client credentials grant.",
      rule: "RFC 8414 §2",
    },
  );
}
