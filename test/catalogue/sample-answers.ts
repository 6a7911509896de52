import type { CallbackParam, ConnectionVariable } from "../../src/define/oauth-parameters.ts";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import { ACCOUNT_DOMAIN, identifier } from "./provider-settings.ts";

export interface SampleAnswers {
  /** Answers that are not secret, by name of the variable. */
  plain: Record<string, string>;
  /** Environment variables with the secret ones. */
  secrets: Record<string, string>;
  /** Fills `${…}` of settings. */
  fillSettings(text: string): string;
  /** The origins of all URLs of the definition, with the values of the callback. */
  listOrigins(callback: Readonly<Record<string, string>>): string[];
  /** Where the server revokes tokens. */
  revocationUrl: string;
}

/** What a user answers to the questions of a definition. */
export function sampleAnswers(definition: OAuthDefinition): SampleAnswers {
  const variables = definition.connectionVariables ?? [];
  const values = Object.fromEntries(variables.map((each) => [each.name, createSample(each)]));
  const secret = variables.filter((each) => each.kind === "text" && each.secret === true);
  const isSecret = new Set(secret.map(({ name }) => name));
  const fill = (text: string, callback: Readonly<Record<string, string>>) =>
    text
      .replace(/(?:https:\/\/)?\{callback\.(\w+)\}/g, (given, name: string) =>
        given.startsWith("https://")
          ? `https://${callback[name]?.replace("https://", "")}`
          : (callback[name] ?? ""),
      )
      .replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "sample");
  const { tokenUrl, endpointUrl } = definition;
  const { authorizationUrl, refreshUrl, tokenRenewal } =
    definition.type === "OAuth2"
      ? definition
      : { authorizationUrl: undefined, refreshUrl: undefined, tokenRenewal: undefined };
  const origin = (url: string, callback: Readonly<Record<string, string>>) =>
    url.startsWith("/") ? `https://tenant.${ACCOUNT_DOMAIN}` : new URL(fill(url, callback)).origin;
  const urls = [authorizationUrl, tokenUrl, refreshUrl, endpointUrl, tokenRenewal?.url];
  return {
    plain: Object.fromEntries(Object.entries(values).filter(([name]) => !isSecret.has(name))),
    secrets: Object.fromEntries(
      [...isSecret].map((name) => [`PACKSMITH_VAR_${name.toUpperCase()}`, values[name] ?? ""]),
    ),
    fillSettings: (text) =>
      text.replace(/\$\{(?:connectionConfig\.)?([^}]+)\}/g, (given, name: string) =>
        /^\$\{state\}$/.test(given) ? given : (values[identifier(name)] ?? "sample"),
      ),
    listOrigins: (callback) =>
      urls.filter((url) => url !== undefined).map((url) => origin(url, callback)),
    get revocationUrl() {
      const known = [authorizationUrl, tokenUrl].find(
        (url) => url !== undefined && !url.includes("{callback.") && !url.startsWith("/"),
      );
      return `${known === undefined ? `https://tenant.${ACCOUNT_DOMAIN}` : origin(known, {})}/catalogue-revoke`;
    },
  };
}

function createSample(variable: ConnectionVariable): string {
  const initial = "default" in variable ? variable.default : undefined;
  if (initial !== undefined) return initial;
  if (variable.kind === "choice") return variable.options[0]?.value ?? "";
  return variable.kind === "host" ? `account.${variable.domains?.[0]}` : "sample";
}

/** What a server adds to the callback: parameters, and what they mean in the definition. */
export function sampleCallback(definition: OAuthDefinition): {
  parameters: Record<string, string>;
  placeholders: Record<string, string>;
} {
  const given = definition.type === "OAuth2" ? (definition.callbackParams ?? []) : [];
  const params = given.filter((each): each is CallbackParam => typeof each !== "string");
  const callbackValue = ({ kind, domains = [] }: CallbackParam) =>
    kind === "origin"
      ? `https://eu.${domains[0]}`
      : kind === "host"
        ? `eu.${domains[0]}`
        : "sample";
  return {
    parameters: Object.fromEntries(params.map((each) => [each.name, callbackValue(each)])),
    placeholders: Object.fromEntries(
      params.map((each) => [each.as ?? each.name, callbackValue(each)]),
    ),
  };
}
