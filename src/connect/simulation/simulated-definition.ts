import type { OAuth2Authentication } from "../../define/oauth.ts";
import type { CallbackParam, ConnectionVariable } from "../../define/oauth-parameters.ts";
import type { OAuthDefinition } from "../../oauth/definition.ts";
import { fillDefinition } from "../../oauth/fill-definition.ts";
import { requireIssuer } from "../authorization-server.ts";

/** A definition with all its URLs, and what a simulated provider needs to know about it. */
export interface SimulatedDefinition {
  definition: OAuthDefinition;
  /** The definition's issuer, or the one for discovery and registration. */
  issuer: string | undefined;
  /** The definition before discovery, if it leaves out an endpoint. */
  undiscovered: OAuth2Authentication | undefined;
  /** The endpoint that a user would enter, if each account has its own. */
  endpoint: string | undefined;
  /** Where the Pack's API is. */
  apiOrigin: string;
  /** What the member `endpointKey` of a token response says. */
  accountEndpoint: string;
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl: string;
  /** Where the access token is exchanged and renewed, if it is. */
  swapUrls: { exchange: string | undefined; renewal: string | undefined };
  /** Answers to the connection variables. */
  variables: Readonly<Record<string, string>>;
  /** Values of the declared callback parameters. */
  callback: Readonly<Record<string, string>>;
}

/**
 * Fills in what only a real account has: variables, callback parameters, the account's endpoint,
 * discovered URLs.
 * @param answers known answers to variables
 */
export function simulateDefinition(
  given: OAuthDefinition,
  networkDomains: readonly string[],
  path = "",
  answers: Readonly<Record<string, string>> = {},
): SimulatedDefinition {
  const variables = { ...sampleAnswers(given), ...answers };
  const callback = given.type === "OAuth2" ? sampleCallback(given.callbackParams ?? []) : {};
  const definition = fillDefinition(given, { variables, callbackParams: {} });
  // With the callback parameters filled in, as after the redirect.
  const reached = {
    refreshUrl: undefined,
    tokenRenewal: undefined,
    ...fillDefinition(given, { variables, callbackParams: callback }),
  };
  const domain =
    definition.endpointDomain ??
    [definition.networkDomain ?? networkDomains].flat()[0] ??
    "api.example";
  const endpoint = definition.requiresEndpointUrl === true ? `https://${domain}${path}` : undefined;
  const issuer =
    definition.type === "OAuth2" && needsIssuer(definition)
      ? simulatedIssuer(definition, domain)
      : definition.issuer;
  const own = issuer === undefined ? `https://${domain}` : new URL(issuer).origin;
  const absolute = (url: string) => (url.startsWith("/") ? `${endpoint ?? own}${url}` : url);
  const tokenUrl = definition.tokenUrl ?? `${own}/token`;
  const authorizationUrl = definition.authorizationUrl ?? `${own}/authorize`;
  const reachedTokenUrl = absolute(reached.tokenUrl ?? tokenUrl);
  const known =
    definition.type === "OAuth2" ? { ...definition, authorizationUrl, tokenUrl } : definition;
  return {
    definition: known,
    issuer,
    undiscovered:
      definition.type === "OAuth2" && lacksEndpoint(definition)
        ? { ...definition, issuer: issuer ?? own }
        : undefined,
    endpoint,
    apiOrigin: `https://${domain}`,
    accountEndpoint: `https://${domain}`,
    authorizationUrl: absolute(authorizationUrl),
    tokenUrl: reachedTokenUrl,
    refreshUrl: reached.refreshUrl === undefined ? reachedTokenUrl : absolute(reached.refreshUrl),
    swapUrls: {
      exchange: reached.tokenExchange && absolute(reached.tokenExchange.url),
      renewal: reached.tokenRenewal && absolute(reached.tokenRenewal.url),
    },
    variables,
    callback,
  };
}

/** A definition that leaves everything to its resource gets a server on the Pack's own domain. */
function simulatedIssuer(definition: OAuth2Authentication, domain: string): string {
  const { issuer, authorizationUrl, tokenUrl, resource } = definition;
  return (issuer ?? authorizationUrl ?? tokenUrl ?? resource) === undefined
    ? `https://${domain}`
    : requireIssuer(definition);
}

function needsIssuer(definition: OAuth2Authentication): boolean {
  return lacksEndpoint(definition) || definition.useDynamicClientRegistration === true;
}

function lacksEndpoint({ authorizationUrl, tokenUrl }: OAuth2Authentication): boolean {
  return authorizationUrl === undefined || tokenUrl === undefined;
}

/** Sample answers to the connection variables: the default, the first option or a word. */
function sampleAnswers(definition: OAuthDefinition): Record<string, string> {
  return Object.fromEntries(
    (definition.connectionVariables ?? []).map((variable) => [
      variable.name,
      createSample(variable),
    ]),
  );
}

function createSample(variable: ConnectionVariable): string {
  const initial = "default" in variable ? variable.default : undefined;
  if (variable.kind === "choice") return initial ?? variable.options[0]?.value ?? "";
  return (
    initial ??
    (variable.kind === "host" ? `account.${variable.domains?.[0] ?? "accounts.example"}` : "sample")
  );
}

function sampleCallback(params: readonly (string | CallbackParam)[]): Record<string, string> {
  return Object.fromEntries(
    params.flatMap((param) => {
      if (typeof param === "string") return [[param, "sample"]];
      const host = param.domains?.[0] ?? "accounts.example";
      const value =
        param.default ??
        (param.kind === "origin" ? `https://${host}` : param.kind === "host" ? host : "sample");
      return [param.name, param.as ?? param.name].map((name) => [name, value]);
    }),
  );
}
