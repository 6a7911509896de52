import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import type { ClientQuirks } from "../../src/provider/profile.ts";

/** Settings of one real provider, as a catalogue of providers writes them. */
export interface ProviderSettings {
  mode: "code" | "cc";
  authorization_url?: string;
  token_url?: string;
  refresh_url?: string;
  scope_separator: string;
  client_auth: string;
  body_format: "form" | "json" | "query";
  pkce?: boolean;
  default_scopes?: string[];
  authorization_params?: Record<string, unknown>;
  token_params?: Record<string, unknown>;
  refresh_params?: Record<string, unknown>;
  callback_extras?: string[];
  /**
   * Where calls go; `${…}` names an answer of the user, or a member of the callback or the token
   * response.
   */
  api_base_url?: string;
  /** Members of the token response that calls need. */
  token_response_extras?: string[];
  expires_in_unit?: string;
  token_header?: string;
  nested_token_path?: string;
  /** The name of the access token in the token response. */
  access_token_name?: string;
  /** A refresh is answered without an access token. */
  refresh_keeps_token?: boolean;
  /** Headers of token requests. */
  token_headers?: Record<string, string>;
  /** Name of the callback's code parameter. */
  code_param?: string;
  /**
   * Names of the provider, by those of RFC 6749, which may end in `=`. An empty one says that the
   * parameter is not sent.
   */
  param_renames?: Record<string, string>;
  /** Kinds of features that a definition has members for. */
  uses?: string[];
  /** Kinds of features that a definition has no place for in the other settings. */
  missing?: string[];
  /** Where a page reads the parameters: behind this path in the fragment of its URL. */
  authorization_url_fragment?: string;
}

/** The domain of APIs whose address only an account knows. */
export const ACCOUNT_DOMAIN = "api.example";
/** The domain of hosts that a user enters. */
const ENTERED_DOMAIN = "accounts.example";
/** With one scope, no delimiter would be tested. */
const SAMPLE_SCOPES = ["sample.read", "sample.write"];
/** Client authentications that a definition can say: its members, and what the server demands. */
export const METHODS: Readonly<
  Record<
    string,
    { members: object; client?: ClientQuirks; names?: Record<string, string> } | undefined
  >
> = {
  basic: {
    members: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic"] },
  },
  body: { members: { credentialsLocation: "Body" }, client: { methods: ["client_secret_post"] } },
  none: { members: {}, client: { methods: ["none"] } },
  basic_secret_as_user: {
    members: { clientAuthentication: "secret_as_user" },
    client: { secretAsUser: true },
  },
  tls: {
    members: { clientAuthentication: "tls_client_auth" },
    client: { methods: ["tls_client_auth"] },
  },
  custom_names: {
    members: { credentialsLocation: "Body" },
    client: { methods: ["client_secret_post"] },
    names: { client_id: "sample_user", client_secret: "sample_key" },
  },
};
const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** What an author writes for a provider. */
export interface DescribedProvider {
  definition: OAuthDefinition;
  networkDomains: string[];
  /** What the URLs of calls begin with. Undefined if the account has an endpoint. */
  apiUrl: string | undefined;
}

/** The definition that an author writes for a provider, or why there is none. */
export function describeProvider(settings: ProviderSettings): DescribedProvider | string {
  const { mode, client_auth: method } = settings;
  const separator = findDelimiter(settings);
  const authentication = METHODS[method];
  if (authentication === undefined) return `client authentication ${method}`;
  if (mode === "code" && settings.authorization_url === undefined) return "no authorization URL";
  if (settings.token_url === undefined) return "no token URL";
  const api = createApi(settings);
  const variables = new Map<string, Record<string, unknown>>();
  const translate = createTranslation(variables, settings.callback_extras ?? []);
  const urls: Record<string, string> = { tokenUrl: translate.url(settings.token_url) };
  if (mode === "code" && settings.authorization_url !== undefined)
    urls["authorizationUrl"] = withFragment(translate.url(settings.authorization_url), settings);
  if (settings.refresh_url !== undefined) urls["refreshUrl"] = translate.url(settings.refresh_url);
  const ownHost = /^https:\/\/\{(\w+)\}(?=\/)/;
  const hosts = new Set(Object.values(urls).map((url) => ownHost.exec(url)?.[1]));
  const [host] = hosts;
  const hasEndpoint =
    hosts.size === 1 &&
    host !== undefined &&
    !usesElsewhere(settings, host) &&
    typeof api !== "object";
  if (api === "lost" && !hasEndpoint)
    return "calls need a member of the token response that no definition keeps";
  if (hasEndpoint) variables.delete(host);
  const isFixed = (api === "entered" || api === "known") && !hasEndpoint;
  const apiUrl = isFixed ? translate.url(settings.api_base_url || `https://${ACCOUNT_DOMAIN}`) : "";
  const networkDomains = isFixed ? listDomains(apiUrl, variables) : [ACCOUNT_DOMAIN];
  for (const [name, url] of Object.entries(urls))
    if (hasEndpoint) urls[name] = url.replace(ownHost, "");

  const tokenParams = Object.entries(settings.token_params ?? {}).filter(
    ([name]) => !["grant_type", "scope"].includes(name),
  );
  const hasOwnScopes = settings.authorization_params?.["scope"] !== undefined;
  const scopes = [
    ...(settings.default_scopes ?? []),
    ...(settings.token_params?.["scope"] === undefined ? [] : [settings.token_params["scope"]]),
  ];
  const { grant_type: grantType } = withoutUsualGrant(settings.token_params ?? {});
  const refreshParams = withoutUsualGrant(settings.refresh_params ?? {});
  const tokenHeaders = ownHeaders(settings);
  const params = (given: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, translate.text(value)]));
  const names = listNames(settings);
  const { accessToken, expiresInUnit, refreshKeepsToken } = {
    accessToken: settings.access_token_name,
    expiresInUnit: settings.expires_in_unit,
    refreshKeepsToken: settings.refresh_keeps_token,
  };
  const hasTokenResponse = (accessToken ?? expiresInUnit ?? refreshKeepsToken) !== undefined;
  const definition = {
    type: mode === "code" ? "OAuth2" : "OAuth2ClientCredentials",
    ...urls,
    ...(hasEndpoint ? { requiresEndpointUrl: true } : {}),
    ...(apiUrl.includes("{") ? { endpointUrl: apiUrl } : {}),
    ...(networkDomains.length > 1 ? { networkDomain: networkDomains } : {}),
    ...(typeof api === "object" ? { endpointKey: api.member } : {}),
    ...(separator === " " ? {} : { scopeDelimiter: separator }),
    ...authentication.members,
    ...(names === undefined ? {} : { parameterNames: names }),
    ...(settings.code_param === undefined ? {} : { codeParamName: settings.code_param }),
    ...(hasTokenResponse
      ? { tokenResponse: { accessToken, expiresInUnit, refreshKeepsToken } }
      : {}),
    ...(tokenHeaders === undefined ? {} : { tokenHeaders: params(tokenHeaders) }),
    ...(isExchanged(settings)
      ? {
          tokenExchange: {
            url: urls["tokenUrl"],
            grantType: TOKEN_EXCHANGE,
            params: {
              subject_token: "{token}",
              subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
            },
          },
        }
      : {}),
    ...(settings.body_format === "form" ? {} : { tokenRequestFormat: settings.body_format }),
    ...(mode === "code" ? { useProofKeyForCodeExchange: settings.pkce === true } : {}),
    scopes: [
      ...(scopes.length < 2 && !hasOwnScopes ? SAMPLE_SCOPES : []),
      ...scopes.flatMap((scope) => String(scope).split(/\s+/)),
    ].map((scope) => translate.text(scope)),
    ...(settings.authorization_params === undefined
      ? {}
      : { additionalParams: params(settings.authorization_params) }),
    ...(tokenParams.length === 0 ? {} : { tokenParams: params(Object.fromEntries(tokenParams)) }),
    ...(Object.keys(refreshParams).length === 0 ? {} : { refreshParams: params(refreshParams) }),
    ...(grantType === undefined ? {} : { grantType }),
    ...(settings.token_header === undefined ? {} : { tokenHeaderName: settings.token_header }),
    ...(settings.nested_token_path === undefined
      ? {}
      : { nestedResponseKey: settings.nested_token_path.replace(/\.?access_token$/, "") }),
    ...(translate.callbackParams.length === 0 ? {} : { callbackParams: translate.callbackParams }),
  };
  return {
    definition: {
      ...definition,
      ...(variables.size === 0 ? {} : { connectionVariables: [...variables.values()] }),
    } as unknown as OAuthDefinition,
    networkDomains,
    apiUrl: apiUrl === "" || apiUrl.includes("{") ? undefined : apiUrl,
  };
}

function withFragment(
  url: string,
  { authorization_url_fragment: fragment }: ProviderSettings,
): string {
  return fragment === undefined ? url : `${url}#${fragment}`;
}

/** The domains of a URL whose host may have answers of the user. */
function listDomains(url: string, variables: Map<string, Record<string, unknown>>): string[] {
  const host = /^https:\/\/([^/?]*)/.exec(url)?.[1] ?? "";
  const name = /\{(\w+)\}$/.exec(host)?.[1];
  const { kind, options } = (name === undefined ? undefined : variables.get(name)) ?? {};
  if (kind === "host") return [ENTERED_DOMAIN];
  const values =
    kind === "choice" ? (options as { value: string }[]).map(({ value }) => value) : [""];
  return values.map((value) =>
    host.replace(`{${name}}`, value).replace(/^.*\{[\w.]+\}[^.]*\./, ""),
  );
}

/** A plus sign and %20 are how a space is written in a query. */
export function findDelimiter({ scope_separator: separator }: ProviderSettings): string {
  return separator === "+" || separator === "%20" ? " " : separator;
}

/** The grant types that a definition of the code flow does not name. */
const USUAL_GRANTS: readonly unknown[] = ["authorization_code", "refresh_token"];

/** What a request has without being told. */
export function withoutUsualGrant({
  grant_type: grantType,
  ...params
}: Record<string, unknown>): Record<string, unknown> {
  return grantType === undefined || USUAL_GRANTS.includes(grantType)
    ? params
    : { grant_type: grantType, ...params };
}

/** Headers that every token request has. */
export function ownHeaders({
  token_headers: given = {},
}: ProviderSettings): Record<string, string> | undefined {
  const own = Object.entries(given).filter(
    ([name, value]) => !(/^(?:accept|content-type)$/i.test(name) && !value.includes("$")),
  );
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/**
 * Writes `${connectionConfig.name}` as a placeholder, and finds out what kind of question asks for
 * it.
 */
function createTranslation(
  variables: Map<string, Record<string, unknown>>,
  extras: readonly string[],
) {
  const callbackParams = new Map<string, Record<string, unknown>>();
  for (const name of extras)
    callbackParams.set(name, { name, as: identifier(name), kind: "text", required: false });
  const ask = (name: string, kind: string, fallback?: string) => {
    // The stricter of two places decides: a host's label is a fine segment and a fine text.
    const order = ["text", "segment", "label", "host", "choice"];
    const known = variables.get(name);
    if (known !== undefined && order.indexOf(String(known["kind"])) >= order.indexOf(kind)) return;
    variables.set(name, {
      name,
      label: name,
      kind,
      ...(kind === "host" ? { domains: [ENTERED_DOMAIN] } : {}),
      ...(kind === "choice"
        ? { options: ["com", "eu"].map((value) => ({ value, label: value })) }
        : {}),
      ...(name === "password" ? { secret: true } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
    });
  };
  return {
    get callbackParams() {
      return [...callbackParams.values()];
    },
    url(text: string): string {
      const alternatives = text.split(" || ");
      const fromCallback = alternatives.find((alternative) =>
        extras.some((name) => alternative.includes(`{connectionConfig.${name}}`)),
      );
      const chosen = fromCallback ?? alternatives[0] ?? "";
      // Where a URL begins with an answer, the user enters a host, and its scheme is known.
      const isHostFirst = fromCallback === undefined && /^\$\{[^}]+\}(?:\/|$)/.test(chosen);
      const template = isHostFirst ? `https://${chosen}` : chosen;
      return template.replace(PLACEHOLDER, (_, given: string, offset: number) => {
        const [before, after] = [
          template.slice(0, offset),
          template.slice(offset).replace(/^\$\{[^}]*\}/, ""),
        ];
        if (extras.includes(given)) {
          const isWholeHost = before === "https://" && after.startsWith("/");
          const kind = before === "" ? "origin" : isWholeHost ? "host" : "label";
          callbackParams.set(given, {
            name: given,
            as: identifier(given),
            kind,
            ...(kind === "label" ? {} : { domains: [ENTERED_DOMAIN] }),
          });
          return `${kind === "origin" ? "https://" : ""}{callback.${identifier(given)}}`;
        }
        const name = identifier(given);
        const isHost = /^https:\/\/[^/]*$/.test(before);
        const ends = /^(?:\/|$)/.test(after);
        ask(
          name,
          !isHost
            ? before.includes("?")
              ? "text"
              : "segment"
            : !ends
              ? "label"
              : before === "https://"
                ? "host"
                : "choice",
        );
        return `{${name}}`;
      });
    },
    text(value: unknown): unknown {
      if (typeof value !== "string") return value;
      const [template = "", fallback] = value.split(" || ");
      return template.replace(PLACEHOLDER, (text, given: string) => {
        // The state of the login, which is not a question.
        if (/^\$\{state\}$/.test(text)) return "{state}";
        ask(identifier(given), "text", fallback);
        return `{${identifier(given)}}`;
      });
    },
  };
}

const PLACEHOLDER = /\$\{(?:connectionConfig\.)?([^}]+)\}/g;

export function identifier(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words
    .map(
      (word, index) =>
        (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
    )
    .join("");
}

/**
 * Where a Pack finds the address of its API: in what its author knows, in what the user enters, in
 * a member of the token response, or
 * nowhere.
 */
export function createApi({
  mode,
  api_base_url: address = "",
  token_response_extras: extras = [],
}: ProviderSettings): "known" | "entered" | "lost" | { member: string } {
  const alternatives = address.split(" || ").map((text) => {
    const name = /^(?:https:\/\/)?\$\{(?:connectionConfig\.)?([^}]+)\}/.exec(text)?.[1];
    if (name !== undefined)
      return extras.includes(name) ? (mode === "code" ? { member: name } : "lost") : "entered";
    return extras.some((extra) => text.includes(`.${extra}}`)) ? "lost" : "known";
  });
  const member = alternatives.find((alternative) => typeof alternative === "object");
  return (
    member ??
    (alternatives.every((alternative) => alternative === "lost")
      ? "lost"
      : (alternatives[0] ?? "known"))
  );
}

/** The provider's names of parameters, by those of RFC 6749. */
export function listNames({
  client_auth: method,
  param_renames: given = {},
}: ProviderSettings): Record<string, string> | undefined {
  const names = { ...METHODS[method]?.names, ...mapped(given, (name) => name.replace(/=$/, "")) };
  return Object.keys(names).length === 0 ? undefined : names;
}

function mapped(
  given: Record<string, string>,
  rename: (name: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [rename(name), rename(value)]),
  );
}

export function isExchanged({ missing = [] }: ProviderSettings): boolean {
  return missing.includes("LONG_LIVED_EXCHANGE");
}

function usesElsewhere(
  { authorization_params: params, token_params: tokenParams }: ProviderSettings,
  name: string,
): boolean {
  return JSON.stringify([params, tokenParams]).includes(`.${name}}`);
}
