import type { OAuth2Authentication } from "../../define/oauth.ts";
import type { CallbackParam, ConnectionVariable } from "../../define/oauth-parameters.ts";
import type { OAuthDefinition } from "../../oauth/definition.ts";
import { fillDefinition } from "../../oauth/fill-definition.ts";
import { issuerOf } from "../authorization-server.ts";

/** A definition whose URLs are all known, and what a simulated provider has to know of it. */
export interface SimulatedDefinition {
  definition: OAuthDefinition;
  /** The issuer that the definition names, or that its endpoints or its client are to be had from. */
  issuer: string | undefined;
  /** The definition before discovery, when it leaves out an endpoint. */
  undiscovered: OAuth2Authentication | undefined;
  /** What a user would enter, when each account has an endpoint of its own. */
  endpoint: string | undefined;
  /** Where the Pack's API is. */
  apiOrigin: string;
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl: string;
  /** Answers to the questions that an account is asked. */
  variables: Readonly<Record<string, string>>;
  /** Values of the callback parameters that the definition keeps. */
  callback: Readonly<Record<string, string>>;
}

/**
 * Fills in what only a real account would know: variables, callback parameters, the account's endpoint, discovered URLs.
 * @param answers variables that are known already
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
  // Where the requests of an account go, once the redirect has said what it says.
  const reached = { refreshUrl: undefined, ...fillDefinition(given, { variables, callbackParams: callback }) };
  const domain = definition.endpointDomain ?? [definition.networkDomain ?? networkDomains].flat()[0] ?? "api.example";
  const endpoint = definition.requiresEndpointUrl === true ? `https://${domain}${path}` : undefined;
  const issuer = definition.type === "OAuth2" && needsIssuer(definition) ? issuerOf(definition) : definition.issuer;
  const own = issuer === undefined ? `https://${domain}` : new URL(issuer).origin;
  const absolute = (url: string) => (url.startsWith("/") ? `${endpoint ?? own}${url}` : url);
  const tokenUrl = definition.tokenUrl ?? `${own}/token`;
  const authorizationUrl = definition.authorizationUrl ?? `${own}/authorize`;
  const reachedTokenUrl = absolute(reached.tokenUrl ?? tokenUrl);
  const known = definition.type === "OAuth2" ? { ...definition, authorizationUrl, tokenUrl } : definition;
  return {
    definition: known,
    issuer,
    undiscovered: definition.type === "OAuth2" && lacksEndpoint(definition) ? definition : undefined,
    endpoint,
    apiOrigin: `https://${domain}`,
    authorizationUrl: absolute(authorizationUrl),
    tokenUrl: reachedTokenUrl,
    refreshUrl: reached.refreshUrl === undefined ? reachedTokenUrl : absolute(reached.refreshUrl),
    variables,
    callback,
  };
}

function needsIssuer(definition: OAuth2Authentication): boolean {
  return lacksEndpoint(definition) || definition.useDynamicClientRegistration === true;
}

function lacksEndpoint({ authorizationUrl, tokenUrl }: OAuth2Authentication): boolean {
  return authorizationUrl === undefined || tokenUrl === undefined;
}

/** Answers to the questions that an account is asked: the default, the first option or a plain word. */
function sampleAnswers(definition: OAuthDefinition): Record<string, string> {
  return Object.fromEntries((definition.connectionVariables ?? []).map((variable) => [variable.name, sampleOf(variable)]));
}

function sampleOf(variable: ConnectionVariable): string {
  const initial = "default" in variable ? variable.default : undefined;
  if (variable.kind === "choice") return initial ?? variable.options[0]?.value ?? "";
  return initial ?? (variable.kind === "host" ? `account.${variable.domains?.[0] ?? "accounts.example"}` : "sample");
}

function sampleCallback(params: readonly (string | CallbackParam)[]): Record<string, string> {
  return Object.fromEntries(
    params.flatMap((param) => {
      if (typeof param === "string") return [[param, "sample"]];
      const host = param.domains?.[0] ?? "accounts.example";
      const value = param.default ?? (param.kind === "origin" ? `https://${host}` : param.kind === "host" ? host : "sample");
      return [param.name, param.as ?? param.name].map((name) => [name, value]);
    }),
  );
}
