import { isLoopbackHost } from "../../define/hosts.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { isRecord, type Members, toList } from "../../shared/values.ts";
import { isPublicSuffix } from "../../validate/network-rules.ts";
import { findText, follow, listEntries, listTexts, readOwn } from "./description.ts";
import { sentence } from "./names.ts";

export interface Server {
  /** Without a slash at the end. */
  url: string;
  domain: string;
  /** False for a placeholder, if the description names no public server. */
  isNamed: boolean;
}

const PLACEHOLDER: Server = {
  url: "https://api.host.example",
  domain: "api.host.example",
  isNamed: false,
};

/** The first public server of a description. */
export function chooseServer(description: Members): Server {
  return listServers(description)[0] ?? PLACEHOLDER;
}

/** The public servers that a Pack does not use, because it uses the first one. */
export function otherServers(description: Members): string[] {
  const [first, ...others] = listServers(description).map(({ url }) => url);
  return [...new Set(others)].filter((url) => url !== first);
}

function listServers(description: Members): Server[] {
  return toList(description["servers"]).flatMap(
    (server) => publicServer(fillServer(server) ?? "") ?? [],
  );
}

/** Whether a server of a single operation is the Pack's server. A relative URL is. */
export function isSameServer(server: unknown, { url }: Server): boolean {
  const text = fillServer(server);
  if (text === undefined || !/^[a-z][a-z\d+.-]*:|^\/\//i.test(text))
    return text === "/" || text === undefined;
  return publicServer(text)?.url === url;
}

/** The URL of a server, with the default values of its variables. */
function fillServer(server: unknown): string | undefined {
  const defaults = new Map(
    listEntries(readOwn(server, "variables")).map(([name, variable]) => [
      name,
      readOwn(variable, "default"),
    ]),
  );
  return findText(readOwn(server, "url"))?.replace(/\{([^{}]*)\}/g, (found, name: string) => {
    const value = defaults.get(name);
    return typeof value === "string" || typeof value === "number" ? String(value) : found;
  });
}

function publicServer(text: string): Server | undefined {
  if (!/^https?:\/\//i.test(text) || !canParseUrl(text)) return undefined;
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  const isHost =
    /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname) &&
    !/^[\d.]+$/.test(hostname) &&
    hostname.length <= 253;
  const isLegal =
    isHost && hostname.split(".").every((label) => /^(?!-).{1,63}(?<!-)$/.test(label));
  if (
    !isLegal ||
    isLoopbackHost(hostname) ||
    isPublicSuffix(hostname) ||
    username !== "" ||
    password !== ""
  )
    return undefined;
  // A Pack uses https even if the description says http.
  const origin = `https://${hostname}${protocol === "https:" && port !== "" ? `:${port}` : ""}`;
  return { url: `${origin}${pathname.replace(/\/+$/, "")}`, domain: hostname, isNamed: true };
}

/** The authentication for a Pack's definition. */
export interface ScaffoldedAuthentication {
  definition: Readonly<Record<string, unknown>> | undefined;
  /** The names of the schemes that it comes from. */
  names: readonly string[];
  /** The schemes and scopes that the Pack does not use, and why. */
  left: string[];
}

/** Chooses the first authentication of a description that a Pack supports. */
export function scaffoldAuthentication(description: Members): ScaffoldedAuthentication {
  const schemes = new Map(
    listEntries(readOwn(description["components"], "securitySchemes")).map(([name, scheme]) => [
      name,
      follow(description, scheme).value,
    ]),
  );
  const left = new Map<string, string>();
  let chosen: { definition: Record<string, unknown>; names: string[] } | undefined;
  for (const requirement of listRequirements(description, [...schemes.keys()])) {
    const wanted = Object.keys(requirement).flatMap((name) => {
      const scheme = schemes.get(name);
      return isRecord(scheme)
        ? [
            {
              name,
              scheme,
              scopes: listTexts(requirement[name]),
            },
          ]
        : [];
    });
    if (wanted.length === 0) continue;
    const shown = wanted.map(({ name }) => sentence(name, 50)).join(" with ");
    if (chosen !== undefined) {
      const { names } = chosen;
      if (!wanted.every(({ name }) => names.includes(name)))
        left.set(shown, left.get(shown) ?? "a Pack can have only one authentication");
      continue;
    }
    const definition =
      wanted.length > 1
        ? severalKeys(wanted)
        : wanted[0] &&
          createDefinition(
            wanted[0].scheme,
            wanted[0].scopes,
            listScopes(description, wanted[0].name),
          );
    if (definition === undefined) left.set(shown, "a Pack does not support it");
    else chosen = { definition, names: wanted.map(({ name }) => name) };
  }
  return {
    definition: chosen?.definition,
    names: chosen?.names ?? [],
    left: [...left].map(([shown, reason]) => `the authentication ${shown}: ${reason}`),
  };
}

/** The requirements of the description, then of its operations, then all of its schemes. */
function listRequirements(description: Members, names: readonly string[]): Members[] {
  const operations = listEntries(description["paths"]).flatMap(([, item]) =>
    listEntries(item).map(([, operation]) => readOwn(operation, "security")),
  );
  const all = [description["security"], ...operations]
    .flatMap((security) => toList(security))
    .filter(isRecord);
  return [
    ...all.filter((requirement) => Object.keys(requirement).length > 0),
    ...names.map((name) => ({ [name]: [] })),
  ];
}

/** All scopes of a scheme that the description requires. */
function listScopes(description: Members, scheme: string): string[] {
  return listRequirements(description, []).flatMap((requirement) =>
    listTexts(readOwn(requirement, scheme)),
  );
}

function createDefinition(
  scheme: Members,
  scopes: readonly string[],
  asked: readonly string[],
): Record<string, unknown> | undefined {
  const name = findText(scheme["name"]);
  switch (scheme["type"]) {
    case "apiKey":
      if (scheme["in"] === "query" && name !== undefined)
        return { type: "QueryParamToken", paramName: name };
      return scheme["in"] === "header" && isHeader(name) ? headerToken(name) : undefined;
    case "http":
      if (String(scheme["scheme"]).toLowerCase() === "basic") return { type: "WebBasic" };
      return String(scheme["scheme"]).toLowerCase() === "bearer"
        ? { type: "HeaderBearerToken" }
        : undefined;
    case "oauth2":
      return createOAuth(scheme["flows"], [...scopes, ...asked]);
    case "openIdConnect":
      return createDiscovered(scheme["openIdConnectUrl"], [...scopes, ...asked]);
    default:
      return undefined;
  }
}

function headerToken(name: string): Record<string, unknown> {
  return { type: "CustomHeaderToken", headerName: name };
}

function isHeader(name: string | undefined): name is string {
  return (
    name !== undefined &&
    /^[A-Za-z0-9-]+$/.test(name) &&
    !/^(host|cookie|content-(length|type)|transfer-encoding|connection)$/i.test(name)
  );
}

/** Several API keys, all of them in headers or all of them in the query. */
function severalKeys(
  wanted: readonly { name: string; scheme: Members }[],
): Record<string, unknown> | undefined {
  const keys = wanted.map(({ scheme }) => ({ ...scheme, name: findText(scheme["name"]) }));
  const names = new Set(keys.map(({ name }) => name?.toLowerCase()));
  if (keys.some((key) => readOwn(key, "type") !== "apiKey") || names.size < keys.length)
    return undefined;
  const parts = keys.map((key) => ({
    name: key.name ?? "",
    description: sentence(findText(readOwn(key, "description")) ?? `The value of ${key.name}.`),
  }));
  if (keys.every((key) => readOwn(key, "in") === "header" && isHeader(key.name)))
    return { type: "MultiHeaderToken", headers: parts };
  return keys.every((key) => readOwn(key, "in") === "query" && key.name !== undefined)
    ? { type: "MultiQueryParamToken", params: parts }
    : undefined;
}

function createOAuth(
  flows: unknown,
  asked: readonly string[],
): Record<string, unknown> | undefined {
  const [code, machine] = [
    readOwn(flows, "authorizationCode"),
    readOwn(flows, "clientCredentials"),
  ];
  const [authorizationUrl, tokenUrl] = [
    secureUrl(readOwn(code, "authorizationUrl")),
    secureUrl(readOwn(code, "tokenUrl")),
  ];
  if (authorizationUrl !== undefined && tokenUrl !== undefined) {
    const refreshUrl = secureUrl(readOwn(code, "refreshUrl"));
    return {
      type: "OAuth2",
      authorizationUrl,
      tokenUrl,
      ...(refreshUrl === undefined || refreshUrl === tokenUrl ? {} : { refreshUrl }),
      ...scopesMember(asked, readOwn(code, "scopes")),
      useProofKeyForCodeExchange: true,
    };
  }
  const machineUrl = secureUrl(readOwn(machine, "tokenUrl"));
  return machineUrl === undefined
    ? undefined
    : {
        type: "OAuth2ClientCredentials",
        tokenUrl: machineUrl,
        ...scopesMember(asked, readOwn(machine, "scopes")),
      };
}

/** The issuer is the part before the well-known path (OpenID Connect Discovery §4.1). */
function createDiscovered(
  url: unknown,
  asked: readonly string[],
): Record<string, unknown> | undefined {
  const issuer = secureUrl(url)?.replace(/\/\.well-known\/openid-configuration$/, "");
  if (issuer === undefined || /[?#]/.test(issuer)) return undefined;
  return {
    type: "OAuth2",
    issuer,
    ...scopesMember(["openid", ...asked], undefined),
    useProofKeyForCodeExchange: true,
  };
}

/** The required scopes, or all scopes if none are required. */
function scopesMember(asked: readonly string[], known: unknown): { scopes?: string[] } {
  const wanted = asked.length > 0 ? asked : listEntries(known).map(([scope]) => scope);
  const scopes = [...new Set(wanted)].filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return scopes.length === 0 ? {} : { scopes };
}

function secureUrl(value: unknown): string | undefined {
  const text = findText(value);
  if (
    text === undefined ||
    !/^https:\/\/[^/]/i.test(text) ||
    !canParseUrl(text) ||
    /[\s{}#\\]/.test(text)
  )
    return undefined;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? text : undefined;
}
