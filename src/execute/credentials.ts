import type { Authentication } from "../define/authentication.ts";
import { PackError } from "../errors.ts";

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
  if (Object.keys(request.headers).some((name) => ["authorization", header.toLowerCase()].includes(name.toLowerCase()))) {
    throw clash(
      `The request sets the header that carries the account's credentials (${header}).`,
      "Leave the header out, or say disableAuthentication: true.",
    );
  }
  const tokenQueryParam = tokenQueryParamOf(authentication);
  if (tokenQueryParam !== undefined) {
    return { url: withQueryParameter(request.url, tokenQueryParam, token), headers: { ...request.headers } };
  }
  // A header of the provider's own holds the token alone, unless the definition says otherwise.
  const prefix = authentication.tokenPrefix ?? (authentication.tokenHeaderName === undefined ? "Bearer" : "");
  return { url: request.url, headers: { ...request.headers, [header]: prefix === "" ? token : `${prefix} ${token}` } };
}

/** @returns the query parameter that carries the access token, when one does. */
export function tokenQueryParamOf(authentication: Authentication): string | undefined {
  const isOAuth = authentication.type === "OAuth2" || authentication.type === "OAuth2ClientCredentials";
  return isOAuth ? authentication.tokenQueryParam || undefined : undefined;
}

/** Takes a parameter out of the text of a URL; the others stay byte for byte. */
export function withoutQueryParameter(url: string, name: string): string {
  return url.replace(/\?([^#]*)/, (_, query: string) => {
    const kept = query.split("&").filter((pair) => !new URLSearchParams(pair).has(name));
    return kept.length === 0 ? "" : `?${kept.join("&")}`;
  });
}

/** Appends to the text: the other parameters stay byte for byte, repeated ones too. */
function withQueryParameter(url: string, name: string, value: string): string {
  const [address = "", fragment] = url.split("#", 2);
  if (new URL(url).searchParams.has(name)) {
    throw clash(`The URL already has the parameter ${name}, which carries the account's token.`, `Leave ${name} out of the URL.`);
  }
  const separator = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  const added = `${address}${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return fragment === undefined ? added : `${added}#${fragment}`;
}

function clash(message: string, hint: string): PackError<"FETCH_URL_INVALID"> {
  return new PackError("FETCH_URL_INVALID", message, { details: { url: "" }, hint });
}
