import type { TokenRenewal, TokenResponseMembers } from "../define/oauth.ts";
import type { ParamValue, TokenRequestFormat } from "../define/oauth-parameters.ts";
import { fillTemplate } from "../define/template.ts";
import { authenticateRequest } from "./client-authentication.ts";
import { type OAuthDefinition, renameParameters } from "./definition.ts";
import type { ClientAuthenticationMethod, ClientCredentials } from "./token-set.ts";

/** How to read a token response. */
export interface ResponseReading {
  /** Path of the object with the tokens. @default the body */
  nestedResponseKey?: string | undefined;
  /** Where the members are, if they are not those of RFC 6749 §5.1. */
  members: TokenResponseMembers;
  /** Path of the account's endpoint. @default there is none */
  endpointKey?: string | undefined;
  /** Separates scopes, in addition to white space. */
  scopeDelimiter: string;
}

/**
 * One token request of a connection, as the definition declares it: `obtain` gets the first token,
 * `exchange` gets another one for it, `renew` gets a new one for an account that exists.
 */
export interface Step {
  name: "obtain" | "exchange" | "renew";
  method: "POST" | "GET";
  /** Ready for a request. Its query stays byte for byte. */
  url: string;
  format: TokenRequestFormat;
  /** Added to the request. They replace those of a library, and never the client authentication. */
  headers: Readonly<Record<string, string>>;
  /**
   * Added to the parameters of the grant, which they do not replace. `{state}` and `{token}` are
   * filled in when the request is prepared.
   */
  params: Readonly<Record<string, ParamValue>>;
  /** Names of parameters, by their names in RFC 6749. One with an empty name is not sent. */
  names: Readonly<Record<string, string>>;
  response: ResponseReading;
}

/** The first token request: of a code, of a device, or of the client itself. */
export function obtainStep(definition: OAuthDefinition, url: string): Step {
  const own =
    definition.type === "OAuth2ClientCredentials" ? (definition.additionalParams ?? {}) : {};
  return {
    ...grantStep(definition, url),
    name: "obtain",
    params: { ...own, ...definition.tokenParams },
  };
}

/** The request that renews the tokens of an account (RFC 6749 §6). */
export function renewStep(definition: OAuthDefinition, url: string): Step {
  const params = definition.type === "OAuth2" ? definition.refreshParams : undefined;
  return { ...grantStep(definition, url), name: "renew", params: params ?? {} };
}

function grantStep(definition: OAuthDefinition, url: string): Omit<Step, "name" | "params"> {
  return {
    method: "POST",
    url,
    format: definition.tokenRequestFormat ?? "form",
    headers: definition.tokenHeaders ?? {},
    names: definition.tokenParameterNames ?? definition.parameterNames ?? {},
    response: readingOfGrant(definition),
  };
}

/** How to read the response of the first request and of a renewal. */
export function readingOfGrant(definition: OAuthDefinition): ResponseReading {
  return { ...readingOfExchange(definition), nestedResponseKey: definition.nestedResponseKey };
}

/** The second request, for the token that the API accepts (RFC 8693, RFC 7523). */
export function exchangeStep(definition: OAuthDefinition, url: string): Step {
  const isGet = definition.tokenExchange?.method === "GET";
  return {
    ...grantStep(definition, url),
    name: "exchange",
    method: isGet ? "GET" : "POST",
    // The definition's format and nested key describe the other requests.
    format: isGet ? "query" : "form",
    params: definition.tokenExchange?.params ?? {},
    response: readingOfExchange(definition),
  };
}

/** The request that renews an access token with itself. */
export function renewalStep(definition: OAuthDefinition, renewal: TokenRenewal, url: string): Step {
  const isGet = renewal.method === "GET";
  return {
    ...grantStep(definition, url),
    name: "renew",
    method: isGet ? "GET" : "POST",
    format: isGet ? "query" : "form",
    params: renewal.params,
    response: readingOfExchange(definition),
  };
}

/** How to read the response of an exchange: its tokens are not nested. */
export function readingOfExchange(definition: OAuthDefinition): ResponseReading {
  return {
    members: definition.tokenResponse ?? {},
    endpointKey: definition.type === "OAuth2" ? definition.endpointKey : undefined,
    scopeDelimiter: definition.scopeDelimiter ?? " ",
  };
}

/** How the client of a request authenticates. */
export interface RequestAuthentication {
  client: ClientCredentials;
  method: ClientAuthenticationMethod;
  /** For a method that signs one: made for this request only. */
  assertion?: string | undefined;
}

/** What a request has in addition to what its step declares. */
export interface StepInputs {
  /** The parameters of the grant, as a library or this project wrote them. */
  params: URLSearchParams;
  /** Headers of a library. @default none */
  headers?: Headers | Readonly<Record<string, string>> | undefined;
  /** Undefined for a request without the client. */
  authentication: RequestAuthentication | undefined;
  /** What `{state}` and `{token}` in the parameters of the step mean. @default they stay */
  values?: Readonly<Record<string, string>> | undefined;
}

/** A request, ready to be sent. */
export interface PreparedRequest {
  method: string;
  url: string;
  headers: Headers;
  /** All parameters, by the names of the protocol, as records show them. */
  params: URLSearchParams;
  /** Undefined for a request whose parameters are in the URL. */
  body: string | undefined;
}

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** The content type of a form, as `fetch` writes it. */
export const FORM_TYPE = "application/x-www-form-urlencoded;charset=UTF-8";

/** Whether a request asks for the tokens that a user approves on another device. */
export function isDeviceGrant(params: URLSearchParams): boolean {
  return params.get("grant_type") === DEVICE_GRANT;
}

/**
 * Makes the request of a step. It has no effect and reads no clock: the same step and inputs give
 * the same request.
 */
export function prepare(step: Step, inputs: StepInputs): PreparedRequest {
  const { authentication, values = {} } = inputs;
  const params = new URLSearchParams(inputs.params);
  const headers = new Headers(inputs.headers as Record<string, string>);
  headers.delete("content-type");
  headers.delete("content-length");
  for (const [name, value] of Object.entries(step.headers))
    if (name.toLowerCase() !== "authorization") headers.set(name, value);
  headers.delete("authorization");
  if (authentication !== undefined) {
    const { client, method, assertion } = authentication;
    authenticateRequest(client, method, { params, headers }, assertion);
    // RFC 8628 §3.4: servers read the client ID of a device there, wherever the credentials are.
    if (isDeviceGrant(params)) params.set("client_id", client.clientId);
  }
  const own = new Set(params.keys());
  const added: Record<string, ParamValue> = {};
  for (const [name, template] of Object.entries(step.params)) {
    if (own.has(name)) continue;
    added[name] = fillValue(template, values);
    params.set(name, String(added[name]));
  }
  const { method, url, format, names } = step;
  return { method, params, headers, ...write(url, format, { headers, params, added, names }) };
}

interface Parts {
  headers: Headers;
  params: URLSearchParams;
  /** Numbers and booleans keep their type in a JSON request. */
  added: Readonly<Record<string, ParamValue>>;
  names: Step["names"];
}

function write(
  url: string,
  format: Step["format"],
  { headers, params, added, names }: Parts,
): Pick<PreparedRequest, "url" | "body"> {
  const sent = renameParameters(params, { parameterNames: names });
  switch (format) {
    case "query":
      // The URL's query stays byte for byte.
      return { url: `${url}${url.includes("?") ? "&" : "?"}${sent}`, body: undefined };
    case "json": {
      headers.set("content-type", "application/json");
      const typed = Object.entries(added)
        .map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value])
        .filter(([name]) => name !== "");
      return { url, body: JSON.stringify({ ...flatObject(sent), ...Object.fromEntries(typed) }) };
    }
    case "form":
      headers.set("content-type", FORM_TYPE);
      return { url, body: sent.toString() };
  }
}

function fillValue(value: ParamValue, values: Readonly<Record<string, string>>): ParamValue {
  return typeof value === "string"
    ? fillTemplate(value, ({ name, part }) =>
        part === undefined && Object.hasOwn(values, name) ? values[name] : undefined,
      )
    : value;
}

/** A repeated parameter, such as `resource`, becomes a list. */
function flatObject(params: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}
