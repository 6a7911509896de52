import { canParseUrl } from "../../shared/urls.ts";
import { OAuthError } from "../answer.ts";
import type { ProviderClient } from "../options.ts";
import type { DemandedParameters, ProviderProfile } from "../profile.ts";

/** Request parameters without repetition. Only `resource` may repeat (RFC 8707 §2). */
export interface Parameters {
  /** The value. An empty one counts as missing (RFC 6749 §3.1). */
  get(name: string): string | undefined;
  resources: readonly string[];
}

/** Names that occur more than once, which is not allowed (RFC 6749 §3.1, §3.2). */
export function repeatedNames(search: URLSearchParams): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of search.keys()) {
    if (seen.has(name) && name !== "resource") repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

export function readParameters(search: URLSearchParams): Parameters {
  return {
    get: (name) => search.get(name) || undefined,
    resources: search.getAll("resource").filter((value) => value !== ""),
  };
}

/** @throws {OAuthError} invalid_request when a parameter repeats */
export function readUniqueParameters(
  search: URLSearchParams,
  repeatable: readonly string[] = [],
): Parameters {
  const repeated = [...repeatedNames(search)].find((name) => !repeatable.includes(name));
  if (repeated !== undefined)
    throw new OAuthError("invalid_request", `The parameter ${printable(repeated)} is repeated.`);
  return readParameters(search);
}

/** RFC 8707 §2: an absolute URI without a fragment. @throws {OAuthError} invalid_target */
export function checkResources(resources: readonly string[]): void {
  for (const resource of resources) {
    if (!canParseUrl(resource) || resource.includes("#"))
      throw new OAuthError(
        "invalid_target",
        "resource must be an absolute URI without a fragment.",
      );
  }
}

/**
 * Splits a scope value and checks its characters (RFC 6749 §3.3). @throws {OAuthError}
 * invalid_scope
 */
export function parseScope(text: string | undefined): string[] {
  if (text === undefined) return [];
  const scopes = text.split(" ");
  if (!scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)))
    throw new OAuthError(
      "invalid_scope",
      "The scope is malformed: separate scopes with one space.",
    );
  return [...new Set(scopes)];
}

/**
 * The scopes of a request, with this provider's parameter name and delimiter. @throws {OAuthError}
 * invalid_scope
 */
export function readScopes(
  parameters: Parameters,
  { scope: { parameter = "scope", delimiter = " " } = {} }: ProviderProfile,
): string[] {
  const text = parameters.get(parameter);
  if (delimiter === " ") return parseScope(text);
  if (text?.includes(" "))
    throw new OAuthError(
      "invalid_scope",
      `The scope is malformed: separate scopes with ${printable(delimiter)}`,
    );
  return parseScope(text?.split(delimiter).join(" "));
}

/**
 * Checks the additional parameters that this provider requires. @throws {OAuthError}
 * invalid_request
 */
export function checkDemanded(
  parameters: Parameters,
  demanded: DemandedParameters = {},
  clientId: string,
): void {
  for (const [name, text] of Object.entries(demanded)) {
    const value = parameters.get(name);
    if (value === undefined)
      throw new OAuthError("invalid_request", `The parameter ${printable(name)} is missing.`);
    if (text !== "" && value !== text.replace("{client_id}", clientId))
      throw new OAuthError(
        "invalid_request",
        `The parameter ${printable(name)} has an invalid value.`,
      );
  }
}

/**
 * Error descriptions may only contain printable ASCII without quotes and backslashes (RFC 6749
 * §5.2).
 */
export function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}

/**
 * Checks that the provider has these scopes and the client may request them. @throws {OAuthError}
 * invalid_scope
 */
export function checkScopes(
  scopes: readonly string[],
  client: ProviderClient,
  known: readonly string[] | undefined,
): void {
  for (const scope of scopes) {
    if (known !== undefined && !known.includes(scope))
      throw new OAuthError("invalid_scope", `The scope ${printable(scope)} does not exist.`);
    if (client.scopes !== undefined && !client.scopes.includes(scope))
      throw new OAuthError(
        "invalid_scope",
        `The client is not allowed to request the scope ${printable(scope)}.`,
      );
  }
}

/** Checks that all scopes were granted before. @throws {OAuthError} invalid_scope */
export function checkNarrowed(scopes: readonly string[], granted: readonly string[]): void {
  const wider = scopes.find((scope) => !granted.includes(scope));
  if (wider !== undefined)
    throw new OAuthError("invalid_scope", `The scope ${printable(wider)} was not granted.`);
}

/**
 * The parameters of a request with the names of the protocol, if a profile has other names for
 * them. A parameter under its usual name
 * is lost. One with an empty name must not be sent.
 * @throws {OAuthError} invalid_request for such a parameter
 */
export function withProtocolNames(
  search: URLSearchParams,
  { authorization }: ProviderProfile,
): URLSearchParams {
  const names = authorization?.names;
  if (names === undefined) return search;
  const unwanted = Object.keys(names).find((name) => names[name] === "" && search.has(name));
  if (unwanted !== undefined)
    throw new OAuthError("invalid_request", `The parameter ${printable(unwanted)} is not allowed.`);
  const standard = new Map(Object.entries(names).map(([name, own]) => [own, name]));
  const kept = [...search].filter(([name]) => !Object.hasOwn(names, name));
  const read = new URLSearchParams(
    kept.map(([name, value]): [string, string] => [standard.get(name) ?? name, value]),
  );
  if (names["response_type"] === "") read.set("response_type", "code");
  return read;
}
