import type { OAuthSession } from "../../accounts/account-session.ts";
import type { SecretSession } from "../../accounts/entered-credentials.ts";
import {
  type Authentication,
  isSecretAuthentication,
  listSecretFields,
  listSecretPlaces,
} from "../../define/authentication.ts";
import { PackError } from "../../errors.ts";
import { fillTemplates } from "./credential-templates.ts";

/** The parts of a request that credentials can change. */
export interface CredentialedRequest {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/**
 * @returns a copy of the request with the access token; nothing else changes
 * @throws {PackError} FETCH_URL_INVALID when the Pack sets the header or parameter that carries the
 *   token
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
  const [tokenQueryParam] = listQueryParams(authentication);
  if (tokenQueryParam !== undefined) {
    return {
      url: withQueryParameters(request.url, [[tokenQueryParam, token]], "last"),
      headers: { ...request.headers },
    };
  }
  // A custom header holds only the token, unless the definition sets a prefix.
  const prefix =
    authentication.tokenPrefix ?? (authentication.tokenHeaderName === undefined ? "Bearer" : "");
  return { url: request.url, headers: { ...request.headers, [header]: addPrefix(prefix, token) } };
}

/**
 * @returns a copy of the request with the credentials that the user entered; requests to AWS are
 *   signed in `aws-signature.ts`
 * @throws {PackError} FETCH_URL_INVALID when the Pack sets the header or parameter that carries a
 *   credential
 */
export function addSecrets(
  request: Readonly<CredentialedRequest>,
  { authentication, secrets }: Pick<SecretSession, "authentication" | "secrets">,
  invocationToken: string,
): CredentialedRequest {
  const secret = (name: string): string =>
    Object.hasOwn(secrets, name) ? (secrets[name] ?? "") : "";
  const { headers = [], query = [], isBasic, templates } = listSecretPlaces(authentication);
  const { url, body } = request;
  const given = { url, body, headers: { ...request.headers } };
  const filled =
    templates === undefined
      ? given
      : fillTemplates(given, {
          invocationToken,
          values: new Map(templates.fields.map((name) => [name, secret(name)])),
          parts: templates.parts,
        });
  const added = headers.map(({ header, prefix = "", field }): [string, string] => [
    header,
    addPrefix(prefix, secret(field)),
  ]);
  // RFC 7617 §2.1: UTF-8 before base64.
  if (isBasic === true)
    added.push([
      "Authorization",
      `Basic ${Buffer.from(`${secret("username")}:${secret("password")}`, "utf8").toString("base64")}`,
    ]);
  refuseHeaders(
    request.headers,
    added.map(([name]) => name),
  );
  const parameters = query.map(({ parameter, field }): [string, string] => [
    parameter,
    secret(field),
  ]);
  return {
    ...filled,
    url:
      parameters.length === 0 ? filled.url : withQueryParameters(filled.url, parameters, "first"),
    headers: { ...filled.headers, ...Object.fromEntries(added) },
  };
}

/** @returns every text that would show one of the credentials if a server repeated it */
export function listSecretTexts({
  authentication,
  secrets,
}: Pick<SecretSession, "authentication" | "secrets">): string[] {
  const hidden = listSecretFields(authentication)
    .filter(({ name, isHidden }) => isHidden && Object.hasOwn(secrets, name))
    .map(({ name }) => secrets[name] ?? "");
  switch (authentication.type) {
    case "Custom":
      // A template in the host of a URL: hosts are in lower case, in messages and where a server
      // repeats them.
      return hidden.flatMap((secret) => [secret, secret.toLowerCase()]);
    case "WebBasic": {
      const pair = `${secrets["username"] ?? ""}:${secrets["password"] ?? ""}`;
      return [...hidden, Buffer.from(pair).toString("base64")];
    }
    default:
      return hidden;
  }
}

/** @returns the query parameters that carry credentials. */
export function listQueryParams(authentication: Authentication): string[] {
  if (authentication.type === "OAuth2" || authentication.type === "OAuth2ClientCredentials")
    return authentication.tokenQueryParam ? [authentication.tokenQueryParam] : [];
  const { query = [] } = isSecretAuthentication(authentication)
    ? listSecretPlaces(authentication)
    : {};
  return query.map(({ parameter }) => parameter);
}

/** Removes a parameter from the text of a URL; the others keep their exact bytes. */
export function withoutQueryParameter(url: string, name: string): string {
  return url.replace(/\?([^#]*)/, (_, query: string) => {
    const kept = query.split("&").filter((pair) => !new URLSearchParams(pair).has(name));
    return kept.length === 0 ? "" : `?${kept.join("&")}`;
  });
}

/** Adds parameters to the text of a URL; the others keep their exact bytes, repeated ones too. */
function withQueryParameters(
  url: string,
  added: readonly (readonly [string, string])[],
  place: "first" | "last",
): string {
  const [address = "", fragment] = url.split("#", 2);
  const { searchParams } = new URL(url);
  const taken = added.find(([name]) => searchParams.has(name));
  if (taken !== undefined) {
    throw clash(
      `The URL already has the parameter ${taken[0]}, but packsmith adds this parameter with the account's token.`,
      `Remove ${taken[0]} from the URL.`,
    );
  }
  const index = address.indexOf("?");
  const path = index < 0 ? address : address.slice(0, index);
  const query = index < 0 ? "" : address.slice(index + 1).replace(/&$/, "");
  const own = added
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  const pieces = (place === "first" ? [own, query] : [query, own]).filter((piece) => piece !== "");
  const filled = `${path}?${pieces.join("&")}`;
  return fragment === undefined ? filled : `${filled}#${fragment}`;
}

function addPrefix(prefix: string, token: string): string {
  return prefix === "" ? token : `${prefix} ${token}`;
}

function refuseHeaders(headers: Readonly<Record<string, string>>, names: readonly string[]): void {
  const lower = names.map((name) => name.toLowerCase());
  if (!Object.keys(headers).some((name) => lower.includes(name.toLowerCase()))) return;
  throw clash(
    `The request sets the header ${names.at(-1)}, but packsmith adds this header with the account's credentials.`,
    "Remove the header, or set disableAuthentication: true.",
  );
}

function clash(message: string, hint: string): PackError<"FETCH_URL_INVALID"> {
  return new PackError("FETCH_URL_INVALID", message, { details: { url: "" }, hint });
}

interface Answer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
}

interface BoundRequest {
  method: string;
  /** Without the token. */
  url: string;
  token: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Sends a request with the account's token. A token bound to a key is sent with a DPoP proof of
 * that key (RFC 9449 §7). When
 * the server asks for a nonce, the request is sent a second time with it (RFC 9449 §9).
 */
export async function sendWithDpop<Response extends Answer>(
  session: Pick<OAuthSession, "proveRequest">,
  request: BoundRequest,
  send: (headers: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const prove = (nonce: string | undefined) =>
    session.proveRequest?.({
      method: request.method,
      url: request.url,
      accessToken: request.token,
      nonce,
    }) ?? Promise.resolve(undefined);
  const proof = await prove(undefined);
  if (proof === undefined) return await send({ ...request.headers });
  const bound = (text: string) => ({
    ...request.headers,
    Authorization: `DPoP ${request.token}`,
    DPoP: text,
  });
  const answer = await send(bound(proof));
  const nonce = answer.headers["dpop-nonce"];
  const wantsNonce =
    answer.status === 401 &&
    nonce !== undefined &&
    /use_dpop_nonce/.test(answer.headers["www-authenticate"] ?? "");
  if (!wantsNonce) return answer;
  return await send(bound((await prove(nonce)) ?? proof));
}
