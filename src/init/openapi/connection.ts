import { isLoopbackHost } from "../../define/hosts.ts";
import { isRecord } from "../../shared/is-record.ts";
import { isPublicSuffix } from "../../validate/network-rules.ts";
import { listOf, type Members } from "../../validate/shape.ts";
import { entriesOf, follow, own, textOf } from "./description.ts";
import { sentence } from "./names.ts";

export interface Server {
  /** Without a slash at the end. */
  url: string;
  domain: string;
  /** False for a placeholder, if the description names no public server. */
  isNamed: boolean;
}

const PLACEHOLDER: Server = { url: "https://api.host.example", domain: "api.host.example", isNamed: false };

/** The first public server of a description. */
export function serverOf(description: Members): Server {
  for (const server of listOf(description["servers"])) {
    const url = filled(server);
    const found = url === undefined ? undefined : publicServer(url);
    if (found !== undefined) return found;
  }
  return PLACEHOLDER;
}

/** The URL of a server, with the default values of its variables. */
function filled(server: unknown): string | undefined {
  const defaults = new Map(entriesOf(own(server, "variables")).map(([name, variable]) => [name, own(variable, "default")]));
  return textOf(own(server, "url"))?.replace(/\{([^{}]*)\}/g, (found, name: string) => {
    const value = defaults.get(name);
    return typeof value === "string" || typeof value === "number" ? String(value) : found;
  });
}

function publicServer(text: string): Server | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  const isHost = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname) && !/^[\d.]+$/.test(hostname) && hostname.length <= 253;
  const isLegal = isHost && hostname.split(".").every((label) => /^(?!-).{1,63}(?<!-)$/.test(label));
  if (!isLegal || isLoopbackHost(hostname) || isPublicSuffix(hostname) || username !== "" || password !== "") return undefined;
  // A Pack uses https even if the description says http.
  const origin = `https://${hostname}${protocol === "https:" && port !== "" ? `:${port}` : ""}`;
  return { url: `${origin}${pathname.replace(/\/+$/, "")}`, domain: hostname, isNamed: true };
}

/** The authentication for a Pack's definition. */
export interface ScaffoldedAuthentication {
  definition: Readonly<Record<string, unknown>> | undefined;
  /** The schemes that a Pack does not support, and why. */
  left: string[];
}

/** Chooses the first authentication of a description that a Pack supports. */
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
      left.push(`the authentication ${wanted.map(({ name }) => sentence(name, 50)).join(" with ")}: a Pack does not support it`);
  }
  return { definition: undefined, left: [...new Set(left)] };
}

/** The requirements of the description, then of its operations, then all of its schemes. */
function requirementsOf(description: Members, names: readonly string[]): Members[] {
  const operations = entriesOf(description["paths"]).flatMap(([, item]) =>
    entriesOf(item).map(([, operation]) => own(operation, "security")),
  );
  const all = [description["security"], ...operations].flatMap((security) => listOf(security)).filter(isRecord);
  return [...all.filter((requirement) => Object.keys(requirement).length > 0), ...names.map((name) => ({ [name]: [] }))];
}

/** All scopes of a scheme that the description requires. */
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

/** Several API keys, all of them in headers or all of them in the query. */
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

/** The issuer is the part before the well-known path (OpenID Connect Discovery §4.1). */
function discoveredOf(url: unknown, asked: readonly string[]): Record<string, unknown> | undefined {
  const issuer = secureUrl(url)?.replace(/\/\.well-known\/openid-configuration$/, "");
  if (issuer === undefined || /[?#]/.test(issuer)) return undefined;
  return { type: "OAuth2", issuer, ...scopesMember(["openid", ...asked], undefined), useProofKeyForCodeExchange: true };
}

/** The required scopes, or all scopes if none are required. */
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
