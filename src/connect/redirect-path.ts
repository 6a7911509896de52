import { hash } from "node:crypto";
import type { StoredAccount } from "../accounts/account.ts";
import type { AccountSlot, RedirectChoice } from "../accounts/account-summary.ts";
import type { Vault } from "../accounts/vault.ts";
import { isLoopbackHost } from "../define/hosts.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import { usageError } from "../errors.ts";
import { canParseUrl, parseUrl } from "../shared/urls.ts";

/** The start of every redirect path. By itself it was the path of all servers with an issuer. */
export const REDIRECT_PATH = "/oauth/callback";

/** What a connection really uses: whoever else uses it gets the codes of this connection anyway. */
export interface ConnectionParties {
  packName: string;
  /** The real path of the Pack's entry file, so that another Pack of its name is another one. */
  packPath: string;
  slot: AccountSlot;
  /** As its metadata names it; undefined if no metadata is read. */
  issuer: string | undefined;
  /** With the account's answers. Its URLs count: its `issuer` may name an honest server. */
  definition: OAuth2Authentication;
  /** For URLs that are relative. */
  endpoint: string | undefined;
}

/** The redirect path of one connection, and what it is bound to. */
export interface OwnRedirect {
  path: string;
  binding: string;
}

/**
 * The redirect path that only this connection has, so that a response of one server is never taken
 * for that of another (RFC 9700 §4.4.2.2): its name is made from all that the connection uses.
 */
export function ownRedirect(parties: ConnectionParties): OwnRedirect {
  const { packName, packPath, slot, issuer, endpoint, definition } = parties;
  const { authorizationUrl, tokenUrl, clientMetadataUrl } = definition;
  const isRelative = [authorizationUrl, tokenUrl].some((url) => url?.startsWith("/") === true);
  const binding = hash(
    "sha256",
    JSON.stringify([
      slot,
      authorizationUrl ?? "",
      tokenUrl ?? "",
      isRelative ? (endpoint ?? "") : "",
      // The document about a client is published once, for all machines and before any connection.
      ...(clientMetadataUrl === undefined
        ? [issuer ?? "", packPath]
        : [definition.issuer ?? "", clientMetadataUrl]),
    ]),
    "base64url",
  );
  return { path: `${REDIRECT_PATH}/${toPathPart(packName)}-${binding.slice(0, 16)}`, binding };
}

/** Providers compare redirect URIs as text, so nothing in the path may need an escape. */
function toPathPart(packName: string): string {
  const ascii = packName
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[.-]+|-+$/g, "");
  return ascii === "" ? "pack" : ascii;
}

/**
 * The redirect path of a connection as far as the definition says it.
 * @returns undefined if answers of the user or metadata decide
 */
export function declaredRedirectPath(
  parties: Pick<ConnectionParties, "packName" | "packPath" | "slot" | "definition">,
): string | undefined {
  const { issuer, authorizationUrl, tokenUrl, clientMetadataUrl } = parties.definition;
  const urls = [authorizationUrl, tokenUrl];
  const isKnown =
    clientMetadataUrl !== undefined ||
    ((issuer !== undefined || !urls.includes(undefined)) &&
      urls.every((url) => url === undefined || !/^\/|\{/.test(url)));
  return isKnown ? ownRedirect({ ...parties, issuer, endpoint: undefined }).path : undefined;
}

export interface RedirectUse extends OwnRedirect {
  /** What to compare with the addresses of other connections. */
  address: string;
  /**
   * Whether other connections may use the path. Their servers can be told apart by an `iss`
   * (RFC 9207), unless one of them, `unnamed`, does not send it, or has not answered: `reserved`.
   */
  sharing: "none" | "named" | "unnamed" | "reserved";
}

export interface ChooseRedirectOptions {
  own: OwnRedirect;
  choice: Pick<RedirectChoice, "redirectPath" | "redirectUri">;
  /** The account before the flow. */
  before: StoredAccount | undefined;
  vault: Pick<Vault, "listRedirects">;
}

/**
 * The redirect path of a flow: the chosen one, the one that the account before has registered, or
 * the connection's own.
 * @throws {PackError} USAGE_INVALID when the chosen path or URI is not valid
 */
export async function chooseRedirect({
  own,
  choice,
  before,
  vault,
}: ChooseRedirectOptions): Promise<RedirectUse> {
  const { redirectUri } = choice;
  const path = choice.redirectPath ?? registeredPath(before) ?? own.path;
  if (choice.redirectPath !== undefined) checkPath(choice.redirectPath);
  if (redirectUri !== undefined) parseRedirectUri(redirectUri);
  // Its own path counts, too: another connection may have chosen the same one.
  const address = redirectUri === undefined ? path : redirectAddress(redirectUri);
  const sharing = await findSharing(address, own.binding, vault);
  return { path, binding: own.binding, address, sharing };
}

/**
 * What tells one redirect URI from another: its path, and its host if that is not this machine. A
 * server adds its parameters to a query, and cookies of one port reach all others.
 */
export function redirectAddress(redirectUri: string): string {
  if (!canParseUrl(redirectUri)) return redirectUri;
  const { host, hostname, pathname } = new URL(redirectUri);
  return isLoopbackHost(host) ? pathname : `https://${hostname.replace(/\.$/, "")}${pathname}`;
}

/** A client that registered itself is known with the path of its registration. */
function registeredPath(before: StoredAccount | undefined): string | undefined {
  const { registeredRedirect, client } = before ?? {};
  const address =
    registeredRedirect?.address ??
    (client?.registration === undefined
      ? undefined
      : redirectAddress(client.registration.redirectUri));
  return address?.startsWith("/") ? address : undefined;
}

/**
 * Looks for connections at this address that use another server, or are of another Pack. Those whose
 * account was removed count: the provider still has their registration. So do those that have not
 * ended.
 */
export async function findSharing(
  address: string,
  binding: string,
  vault: Pick<Vault, "listRedirects">,
): Promise<RedirectUse["sharing"]> {
  let sharing: RedirectUse["sharing"] = address === REDIRECT_PATH ? "named" : "none";
  for (const registered of await vault.listRedirects()) {
    if (registered.address !== address || registered.binding === binding) continue;
    if (registered.expiresAtMs !== undefined) sharing = "reserved";
    else if (!registered.namesIssuer) return "unnamed";
    else if (sharing === "none") sharing = "named";
  }
  return sharing;
}

/**
 * A redirect URI that the user has registered.
 * @throws {PackError} USAGE_INVALID unless the URI is https, or http on this machine, with its own
 * path
 */
export function parseRedirectUri(text: string): URL {
  const url = parseUrl(text);
  const isFine =
    url !== undefined &&
    (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.host)));
  if (
    isFine &&
    url.hash === "" &&
    url.username === "" &&
    !["/", "/start", "/done"].includes(url.pathname)
  )
    return url;
  throw usageError(
    "The redirect URI must be an https URL with its own path.",
    "Pass the URI that you registered, such as https://tunnel.host.example/oauth/callback.",
  );
}

function checkPath(path: string): void {
  const isPlain = /^\/[A-Za-z0-9._~/-]{1,200}$/.test(path) && !/\/\/|\/\.{1,2}(?:\/|$)/.test(path);
  if (isPlain && !["/start", "/done"].includes(path)) return;
  throw usageError(
    "The redirect path is not a valid URL path.",
    "Pass the path that you registered with the provider, such as /oauth/callback.",
  );
}
