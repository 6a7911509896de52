import type { CallbackParam, ConnectionVariable, ParamValue } from "../define/oauth-parameters.ts";
import { fillTemplate } from "../define/template.ts";
import type { OAuthDefinition } from "../oauth/token-response.ts";

/** A definition whose URLs are all known, and what a simulated provider has to know of it. */
export interface SimulatedDefinition {
  definition: OAuthDefinition;
  /** What a user would enter, when each account has an endpoint of its own. */
  endpoint: string | undefined;
  /** Where the Pack's API is. */
  apiOrigin: string;
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl: string;
  /** Values of the callback parameters that the definition keeps. */
  callback: Readonly<Record<string, string>>;
}

/** Fills in what only a real account would know: variables, callback parameters, the account's endpoint, discovered URLs. */
export function simulateDefinition(given: OAuthDefinition, networkDomains: readonly string[], path = ""): SimulatedDefinition {
  const definition = withSampleVariables(given);
  const domain = definition.endpointDomain ?? [definition.networkDomain ?? networkDomains].flat()[0] ?? "api.example";
  const endpoint = definition.requiresEndpointUrl === true ? `https://${domain}${path}` : undefined;
  const own = definition.issuer === undefined ? `https://${domain}` : new URL(definition.issuer).origin;
  const callback = definition.type === "OAuth2" ? sampleCallback(definition.callbackParams ?? []) : {};
  const absolute = (url: string) => fillTemplate(url.startsWith("/") ? `${endpoint ?? own}${url}` : url, sampleOf(callback));
  const tokenUrl = definition.tokenUrl ?? `${own}/token`;
  const refreshUrl = definition.type === "OAuth2" ? (definition.refreshUrl ?? tokenUrl) : tokenUrl;
  const authorizationUrl = definition.authorizationUrl ?? `${own}/authorize`;
  const known =
    definition.type === "OAuth2"
      ? ({ ...definition, authorizationUrl, tokenUrl, useDynamicClientRegistration: undefined } as OAuthDefinition)
      : definition;
  return {
    definition: known,
    endpoint,
    apiOrigin: `https://${domain}`,
    authorizationUrl: absolute(authorizationUrl),
    tokenUrl: absolute(tokenUrl),
    refreshUrl: absolute(refreshUrl),
    callback,
  };
}

/** Variables are answered with their default, their first option or a plain word; the rest of the test needs no answers. */
function withSampleVariables(definition: OAuthDefinition): OAuthDefinition {
  const variables = definition.connectionVariables ?? [];
  if (variables.length === 0) return definition;
  const values = new Map(variables.flatMap(samplesOf));
  const fill = (text: string) => fillTemplate(text, ({ name, part }) => values.get(part === undefined ? name : `${name}.${part}`));
  const filled: Record<string, unknown> = { ...definition, connectionVariables: undefined };
  for (const name of ["authorizationUrl", "tokenUrl", "refreshUrl", "endpointUrl"]) {
    if (typeof filled[name] === "string") filled[name] = fill(filled[name]);
  }
  for (const name of ["additionalParams", "tokenParams", "refreshParams"]) {
    const params = filled[name] as Record<string, ParamValue> | undefined;
    if (params !== undefined) {
      filled[name] = Object.fromEntries(
        Object.entries(params).map(([key, value]) => [key, typeof value === "string" ? fill(value) : value]),
      );
    }
  }
  if (definition.scopes !== undefined) filled["scopes"] = definition.scopes.map(fill);
  return filled as unknown as OAuthDefinition;
}

function samplesOf(variable: ConnectionVariable): [string, string][] {
  if (variable.kind === "choice") {
    const option = variable.options.find(({ value }) => value === variable.default) ?? variable.options[0];
    const parts = Object.entries(option?.parts ?? {}).map(([part, value]): [string, string] => [`${variable.name}.${part}`, value]);
    return [[variable.name, option?.value ?? ""], ...parts];
  }
  const initial = "default" in variable ? variable.default : undefined;
  const host = variable.kind === "host" ? `account.${variable.domains?.[0] ?? "accounts.example"}` : "sample";
  return [[variable.name, initial ?? host]];
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

function sampleOf(callback: Readonly<Record<string, string>>) {
  return ({ name, part }: { name: string; part: string | undefined }) =>
    name === "callback" && part !== undefined ? callback[part] : undefined;
}
