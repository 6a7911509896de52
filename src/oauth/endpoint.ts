import { hostMatchesDomain, joinEndpoint, parseEndpoint } from "../define/hosts.ts";
import type { BaseAuthentication, OAuth2Authentication } from "../define/oauth.ts";
import { PackError } from "../errors.ts";
import type { OAuthDefinition } from "./definition.ts";
import { createTokenSet, type TokenSet } from "./token-set.ts";
import { checkUrl } from "./url-policy.ts";

/**
 * A URL of the definition, ready for a request: an absolute URL byte for byte, a relative one
 * joined to the account's endpoint.
 * @throws {PackError} ENDPOINT_MISSING when a relative URL has no endpoint to join
 * @throws {PackError} ENDPOINT_INVALID, URL_NOT_ALLOWED
 */
export function resolveUrl(url: string, endpoint: string | undefined): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) {
    checkUrl(url);
    return url;
  }
  if (endpoint === undefined) {
    throw new PackError(
      "ENDPOINT_MISSING",
      "The authentication definition has relative URLs, but the account has no endpoint.",
      {
        details: { key: undefined },
        hint: "Set requiresEndpointUrl: true in the authentication definition, then connect again and enter the endpoint.",
      },
    );
  }
  checkUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint) ? endpoint : `https://${endpoint}`);
  const joined = joinEndpoint(endpoint, url);
  checkUrl(joined);
  return joined;
}

/**
 * The URL of a page that a browser opens: as `resolveUrl`, and it may have a fragment, which the
 * script of the page reads.
 * @throws {PackError} ENDPOINT_MISSING, ENDPOINT_INVALID, URL_NOT_ALLOWED
 */
export function resolvePageUrl(url: string, endpoint: string | undefined): string {
  const index = url.indexOf("#/");
  if (index < 0) return resolveUrl(url, endpoint);
  return resolveUrl(url.slice(0, index), endpoint) + url.slice(index);
}

/**
 * @returns a URL of the definition that a flow needs
 * @throws {PackError} OAUTH_URL_MISSING when the definition leaves it out and it was not discovered
 */
export function requiredUrl(
  definition: OAuth2Authentication,
  member: "authorizationUrl" | "tokenUrl",
): string {
  const url = definition[member];
  if (url !== undefined) return url;
  const { issuer, resource } = definition;
  const server = issuer ?? resource;
  throw new PackError(
    "OAUTH_URL_MISSING",
    server === undefined
      ? `The authentication has no ${member}.`
      : `The authentication has no ${member}, and the metadata for ${server} has no usable ${ENDPOINTS[member]}.`,
    {
      details: { member },
      hint:
        server === undefined
          ? `Add ${member} to the authentication definition.`
          : `Add ${member} to the authentication definition, with the address from the provider's documentation.`,
    },
  );
}

const ENDPOINTS = {
  authorizationUrl: "authorization_endpoint",
  tokenUrl: "token_endpoint",
} as const;

/**
 * @throws {PackError} ENDPOINT_MISSING when the definition requires an endpoint and the user
 *   entered none
 */
export function requireEndpoint(
  definition: Pick<BaseAuthentication, "requiresEndpointUrl">,
  endpoint: string | undefined,
): void {
  if (definition.requiresEndpointUrl !== true || endpoint !== undefined) return;
  throw new PackError(
    "ENDPOINT_MISSING",
    "Each account of this Pack needs its own endpoint, but the endpoint is missing.",
    {
      details: { key: undefined },
      hint: "Pass the endpoint of the account, such as --endpoint https://acme.example.",
    },
  );
}

/**
 * Checks the endpoint that a user entered. If the Pack declares no domain, any public https host is
 * accepted.
 * @throws {PackError} ENDPOINT_INVALID, ENDPOINT_OUTSIDE_DOMAIN, URL_NOT_ALLOWED
 */
export function checkEnteredEndpoint(
  value: string,
  definition: Pick<BaseAuthentication, "endpointDomain" | "networkDomain">,
  networkDomains: readonly string[],
): string {
  const allowed =
    definition.endpointDomain === undefined
      ? credentialDomains(definition, networkDomains)
      : [definition.endpointDomain];
  const endpoint = checkedEndpoint(value);
  if (allowed.length > 0) requireDomain(endpoint, allowed, definition.endpointDomain !== undefined);
  return endpoint;
}

/**
 * Checks the endpoint of a token response (`endpointKey`) and puts it into the token set; or puts
 * the definition's
 * `endpointUrl` there.
 * @param required whether a response without an endpoint is an error; after a refresh, the old
 *   endpoint stays
 * @throws {PackError} ENDPOINT_MISSING, ENDPOINT_INVALID, ENDPOINT_OUTSIDE_DOMAIN, URL_NOT_ALLOWED
 */
export function withCheckedEndpoint(
  tokenSet: TokenSet,
  definition: OAuthDefinition,
  networkDomains: readonly string[],
  required: boolean,
): TokenSet {
  const key = definition.type === "OAuth2" ? definition.endpointKey : undefined;
  if (key === undefined) {
    if (definition.endpointUrl === undefined) return tokenSet;
    return createTokenSet({ ...tokenSet, endpoint: checkedEndpoint(definition.endpointUrl) });
  }
  if (tokenSet.endpoint === undefined) {
    if (!required) return tokenSet;
    throw new PackError("ENDPOINT_MISSING", `The token response has no endpoint at "${key}".`, {
      details: { key },
      hint: "Set endpointKey to the path of the field that contains the endpoint in the token response, such as data.api_host.",
    });
  }
  const endpoint = checkedEndpoint(tokenSet.endpoint);
  requireDomain(endpoint, credentialDomains(definition, networkDomains), false);
  return createTokenSet({ ...tokenSet, endpoint });
}

function checkedEndpoint(value: string): string {
  const text = value.trim();
  checkUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  return parseEndpoint(text);
}

/** The domains that may receive this account's credentials. */
function credentialDomains(
  definition: Pick<BaseAuthentication, "networkDomain">,
  networkDomains: readonly string[],
): readonly string[] {
  return definition.networkDomain === undefined
    ? networkDomains
    : [definition.networkDomain].flat();
}

/** @param entered whether `allowed` is the definition's `endpointDomain` */
function requireDomain(endpoint: string, allowed: readonly string[], entered: boolean): void {
  const { host } = new URL(endpoint);
  if (allowed.some((domain) => hostMatchesDomain(host, domain))) return;
  throw new PackError(
    "ENDPOINT_OUTSIDE_DOMAIN",
    `The endpoint's host ${host} is outside ${allowed.join(", ") || "every declared domain"}.`,
    {
      details: { host, allowed },
      hint: `Enter an endpoint in an allowed domain, or declare its domain${entered ? " as endpointDomain" : " with addNetworkDomain"}.`,
    },
  );
}
