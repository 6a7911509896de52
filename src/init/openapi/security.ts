import { isRecord } from "../../shared/is-record.ts";
import { listOf, type Members } from "../../validate/shape.ts";
import { entriesOf, own, textOf } from "./members.ts";
import { sentence } from "./names.ts";
import { follow } from "./references.ts";

/** The authentication of a Pack: a value that is written into its definition. */
export interface ScaffoldedAuthentication {
  definition: Readonly<Record<string, unknown>> | undefined;
  /** What could not be said, and why. */
  left: string[];
}

/** Chooses what the description wants first, among what a Pack can do. */
export function authenticationOf(description: Members): ScaffoldedAuthentication {
  const schemes = new Map(
    entriesOf(own(description["components"], "securitySchemes")).map(([name, scheme]) => [name, follow(description, scheme).value]),
  );
  const left: string[] = [];
  for (const requirement of requirementsOf(description, [...schemes.keys()])) {
    const wanted = Object.keys(requirement).flatMap((name) => {
      const scheme = schemes.get(name);
      return isRecord(scheme) ? [{ name, scheme, scopes: listOf(requirement[name]).filter((scope) => typeof scope === "string") }] : [];
    });
    const definition =
      wanted.length > 1
        ? severalKeys(wanted)
        : wanted[0] && definitionOf(wanted[0].scheme, wanted[0].scopes, scopesOf(description, wanted[0].name));
    if (definition !== undefined) return { definition, left };
    if (wanted.length > 0)
      left.push(`the authentication ${wanted.map(({ name }) => sentence(name, 50)).join(" with ")}: a Pack has none of its kind`);
  }
  return { definition: undefined, left: [...new Set(left)] };
}

/** The requirement of the whole description, then those of operations, then any scheme that it has. */
function requirementsOf(description: Members, names: readonly string[]): Members[] {
  const operations = entriesOf(description["paths"]).flatMap(([, item]) =>
    entriesOf(item).map(([, operation]) => own(operation, "security")),
  );
  const all = [description["security"], ...operations].flatMap((security) => listOf(security)).filter(isRecord);
  return [...all.filter((requirement) => Object.keys(requirement).length > 0), ...names.map((name) => ({ [name]: [] }))];
}

/** Every scope of a scheme that something in the description asks for. */
function scopesOf(description: Members, scheme: string): string[] {
  const asked = requirementsOf(description, []).flatMap((requirement) => listOf(own(requirement, scheme)));
  return asked.filter((scope): scope is string => typeof scope === "string");
}

function definitionOf(scheme: Members, scopes: readonly string[], asked: readonly string[]): Record<string, unknown> | undefined {
  const name = textOf(scheme["name"]);
  switch (scheme["type"]) {
    case "apiKey":
      if (scheme["in"] === "query" && name !== undefined) return { type: "QueryParamToken", paramName: name };
      return scheme["in"] === "header" && isHeader(name) ? headerToken(name) : undefined;
    case "http":
      if (String(scheme["scheme"]).toLowerCase() === "basic") return { type: "WebBasic" };
      return String(scheme["scheme"]).toLowerCase() === "bearer" ? { type: "HeaderBearerToken" } : undefined;
    case "oauth2":
      return oauthOf(scheme["flows"], [...scopes, ...asked]);
    case "openIdConnect":
      return discoveredOf(scheme["openIdConnectUrl"], [...scopes, ...asked]);
    default:
      return undefined;
  }
}

function headerToken(name: string): Record<string, unknown> {
  return { type: "CustomHeaderToken", headerName: name };
}

function isHeader(name: string | undefined): name is string {
  return (
    name !== undefined && /^[A-Za-z0-9-]+$/.test(name) && !/^(host|cookie|content-(length|type)|transfer-encoding|connection)$/i.test(name)
  );
}

/** Several keys at once, all of them in headers or all in the query. */
function severalKeys(wanted: readonly { name: string; scheme: Members }[]): Record<string, unknown> | undefined {
  const keys = wanted.map(({ scheme }) => ({ ...scheme, name: textOf(scheme["name"]) }));
  const names = new Set(keys.map(({ name }) => name?.toLowerCase()));
  if (keys.some((key) => own(key, "type") !== "apiKey") || names.size < keys.length) return undefined;
  const parts = keys.map((key) => ({
    name: key.name ?? "",
    description: sentence(textOf(own(key, "description")) ?? `The value of ${key.name}.`),
  }));
  if (keys.every((key) => own(key, "in") === "header" && isHeader(key.name))) return { type: "MultiHeaderToken", headers: parts };
  return keys.every((key) => own(key, "in") === "query" && key.name !== undefined)
    ? { type: "MultiQueryParamToken", params: parts }
    : undefined;
}

function oauthOf(flows: unknown, asked: readonly string[]): Record<string, unknown> | undefined {
  const [code, machine] = [own(flows, "authorizationCode"), own(flows, "clientCredentials")];
  const [authorizationUrl, tokenUrl] = [secureUrl(own(code, "authorizationUrl")), secureUrl(own(code, "tokenUrl"))];
  if (authorizationUrl !== undefined && tokenUrl !== undefined) {
    const refreshUrl = secureUrl(own(code, "refreshUrl"));
    return {
      type: "OAuth2",
      authorizationUrl,
      tokenUrl,
      ...(refreshUrl === undefined || refreshUrl === tokenUrl ? {} : { refreshUrl }),
      ...scopesMember(asked, own(code, "scopes")),
      useProofKeyForCodeExchange: true,
    };
  }
  const machineUrl = secureUrl(own(machine, "tokenUrl"));
  return machineUrl === undefined
    ? undefined
    : { type: "OAuth2ClientCredentials", tokenUrl: machineUrl, ...scopesMember(asked, own(machine, "scopes")) };
}

/** The issuer is what stands before the well-known path (OpenID Connect Discovery §4.1). */
function discoveredOf(url: unknown, asked: readonly string[]): Record<string, unknown> | undefined {
  const issuer = secureUrl(url)?.replace(/\/\.well-known\/openid-configuration$/, "");
  if (issuer === undefined || /[?#]/.test(issuer)) return undefined;
  return { type: "OAuth2", issuer, ...scopesMember(["openid", ...asked], undefined), useProofKeyForCodeExchange: true };
}

/** What is asked for; where nothing says that, all that there is. */
function scopesMember(asked: readonly string[], known: unknown): { scopes?: string[] } {
  const wanted = asked.length > 0 ? asked : Object.keys(isRecord(known) ? known : {});
  const scopes = [...new Set(wanted)].filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return scopes.length === 0 ? {} : { scopes };
}

function secureUrl(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined || !/^https:\/\/[^/]/i.test(text) || !URL.canParse(text) || /[\s{}#\\]/.test(text)) return undefined;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? text : undefined;
}
