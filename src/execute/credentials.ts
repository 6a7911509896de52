import type { SecretSession } from "../accounts/entered-credentials.ts";
import type { Authentication } from "../define/authentication.ts";
import { PackError } from "../errors.ts";
import { fillTemplates } from "./fetch-templates.ts";

/** What of a request credentials can change. */
export interface CredentialedRequest {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/**
 * @returns a copy of the request with the access token in it; nothing else of it changes.
 * @throws {PackError} FETCH_URL_INVALID when the Pack sets the header or parameter that carries the token
 */
export function addCredentials(
  request: { url: string; headers: Readonly<Record<string, string>> },
  authentication: Authentication,
  token: string,
): { url: string; headers: Record<string, string> } {
  if (authentication.type !== "OAuth2" && authentication.type !== "OAuth2ClientCredentials")
    return { url: request.url, headers: { ...request.headers } };
  const header = authentication.tokenHeaderName ?? "Authorization";
  refuseHeaders(request.headers, ["authorization", header]);
  const [tokenQueryParam] = queryParamsOf(authentication);
  if (tokenQueryParam !== undefined) {
    return { url: withQueryParameters(request.url, [[tokenQueryParam, token]], "last"), headers: { ...request.headers } };
  }
  // A header of the provider's own holds the token alone, unless the definition says otherwise.
  const prefix = authentication.tokenPrefix ?? (authentication.tokenHeaderName === undefined ? "Bearer" : "");
  return { url: request.url, headers: { ...request.headers, [header]: prefixed(prefix, token) } };
}

/**
 * @returns a copy of the request with an account's entered credentials in it. Signatures are made elsewhere.
 * @throws {PackError} FETCH_URL_INVALID when the Pack sets a header or parameter that carries a credential itself
 */
export function addSecrets(
  request: Readonly<CredentialedRequest>,
  { authentication, secrets }: Pick<SecretSession, "authentication" | "secrets">,
  invocationToken: string,
): CredentialedRequest {
  const { url, body } = request;
  const headers = { ...request.headers };
  const secret = (name: string): string => (Object.hasOwn(secrets, name) ? (secrets[name] ?? "") : "");
  const withHeaders = (added: Readonly<Record<string, string>>): CredentialedRequest => {
    refuseHeaders(headers, Object.keys(added));
    return { url, body, headers: { ...headers, ...added } };
  };
  switch (authentication.type) {
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
      return withHeaders({ Authorization: prefixed("Bearer", secret("token")) });
    case "CustomHeaderToken":
      return withHeaders({ [authentication.headerName]: prefixed(authentication.tokenPrefix ?? "", secret("token")) });
    case "MultiHeaderToken":
      return withHeaders(
        Object.fromEntries(authentication.headers.map(({ name, tokenPrefix }) => [name, prefixed(tokenPrefix ?? "", secret(name))])),
      );
    case "QueryParamToken":
      return { url: withQueryParameters(url, [[authentication.paramName, secret("token")]], "first"), headers, body };
    case "MultiQueryParamToken": {
      const added = authentication.params.map(({ name }): [string, string] => [name, secret(name)]);
      return { url: withQueryParameters(url, added, "first"), headers, body };
    }
    case "WebBasic": {
      const values = new Map(["username", "password"].map((name) => [name, secret(name)]));
      const filled = fillTemplates({ url, headers, body }, { invocationToken, values, parts: ["body"] });
      refuseHeaders(headers, ["Authorization"]);
      // RFC 7617 §2.1: UTF-8 before base64.
      const basic = Buffer.from(`${secret("username")}:${secret("password")}`, "utf8").toString("base64");
      return { ...filled, headers: { ...headers, Authorization: `Basic ${basic}` } };
    }
    case "Custom": {
      const values = new Map(authentication.params.map(({ name }) => [name, secret(name)]));
      return fillTemplates({ url, headers, body }, { invocationToken, values, parts: ["url", "headers", "body"] });
    }
    case "AWSAccessKey":
    case "AWSAssumeRole":
      return { url, headers, body };
  }
}

/** @returns the query parameters that carry credentials. */
export function queryParamsOf(authentication: Authentication): string[] {
  switch (authentication.type) {
    case "OAuth2":
    case "OAuth2ClientCredentials":
      return authentication.tokenQueryParam ? [authentication.tokenQueryParam] : [];
    case "QueryParamToken":
      return [authentication.paramName];
    case "MultiQueryParamToken":
      return authentication.params.map(({ name }) => name);
    default:
      return [];
  }
}

/** Takes a parameter out of the text of a URL; the others stay byte for byte. */
export function withoutQueryParameter(url: string, name: string): string {
  return url.replace(/\?([^#]*)/, (_, query: string) => {
    const kept = query.split("&").filter((pair) => !new URLSearchParams(pair).has(name));
    return kept.length === 0 ? "" : `?${kept.join("&")}`;
  });
}

/** Adds to the text: the other parameters stay byte for byte, repeated ones too. */
function withQueryParameters(url: string, added: readonly (readonly [string, string])[], place: "first" | "last"): string {
  const [address = "", fragment] = url.split("#", 2);
  const { searchParams } = new URL(url);
  const taken = added.find(([name]) => searchParams.has(name));
  if (taken !== undefined) {
    throw clash(`The URL already has the parameter ${taken[0]}, which carries the account's token.`, `Leave ${taken[0]} out of the URL.`);
  }
  const index = address.indexOf("?");
  const path = index < 0 ? address : address.slice(0, index);
  const query = index < 0 ? "" : address.slice(index + 1).replace(/&$/, "");
  const own = added.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  const pieces = (place === "first" ? [own, query] : [query, own]).filter((piece) => piece !== "");
  const filled = `${path}?${pieces.join("&")}`;
  return fragment === undefined ? filled : `${filled}#${fragment}`;
}

function prefixed(prefix: string, token: string): string {
  return prefix === "" ? token : `${prefix} ${token}`;
}

function refuseHeaders(headers: Readonly<Record<string, string>>, names: readonly string[]): void {
  const lower = names.map((name) => name.toLowerCase());
  if (!Object.keys(headers).some((name) => lower.includes(name.toLowerCase()))) return;
  throw clash(
    `The request sets the header that carries the account's credentials (${names.at(-1)}).`,
    "Leave the header out, or say disableAuthentication: true.",
  );
}

function clash(message: string, hint: string): PackError<"FETCH_URL_INVALID"> {
  return new PackError("FETCH_URL_INVALID", message, { details: { url: "" }, hint });
}
