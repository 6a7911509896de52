import { isPackError } from "../errors.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import type { TransportOptions } from "../oauth/send.ts";
import { failedBeforeSending } from "../oauth/token-failure.ts";
import type { AccountKey, DiscoveredUrls, StoredAccount } from "./account.ts";
import { requireKnownHosts } from "./account-hosts.ts";

export interface MovedServerOptions extends TransportOptions {
  key: AccountKey;
  definition: OAuthDefinition;
  /** Domains that the Pack declares. A renewed endpoint must be in one of them. @default none */
  networkDomains?: readonly string[] | undefined;
}

/** Where a server is now. */
export interface MovedServer {
  urls: DiscoveredUrls;
  /** How a client may authenticate there; undefined if the metadata does not say it. */
  clientAuthenticationMethods: readonly string[] | undefined;
}

/**
 * Reads the metadata of an account's server again after a renewal has failed at the endpoint that
 * it named when the account was connected.
 * @returns the server if its token endpoint is at another address now; undefined if
 *   nothing was read or nothing has changed, so that the failure stays as it is
 * @throws {PackError} ACCOUNT_HOSTS_CHANGED if the endpoint is at a host that the account was not
 *   connected for
 */
export async function findMovedServer(
  options: MovedServerOptions,
  account: StoredAccount,
  error: unknown,
): Promise<MovedServer | undefined> {
  const { definition, key, networkDomains } = options;
  const { server } = account;
  // The URLs of a definition win over the metadata.
  if (definition.type !== "OAuth2" || server?.tokenUrl === undefined) return undefined;
  const { tokenUrl, refreshUrl, tokenRenewal, tokenExchange } = definition;
  // An exchange may have failed after the refresh token was used.
  const own = [tokenUrl, refreshUrl, tokenRenewal, tokenExchange];
  if (own.some((member) => member !== undefined) || !mayMeanMoved(error)) return undefined;
  const { discoverServer } = await import("../oauth/connect/discovery.ts");
  const metadata = await discoverServer({ ...options, issuer: server.issuer }).catch(
    (failure: unknown) => {
      if (isPackError(failure)) return undefined;
      throw failure;
    },
  );
  if (metadata?.tokenUrl === undefined || metadata.tokenUrl === server.tokenUrl) return undefined;
  const { authorizationUrl, revocationUrl, clientAuthenticationMethods } = metadata;
  const urls: DiscoveredUrls = {
    ...server,
    authorizationUrl,
    tokenUrl: metadata.tokenUrl,
    revocationUrl,
  };
  requireKnownHosts(
    { ...account, server: urls },
    { key, authentication: definition, networkDomains },
  );
  return { urls, clientAuthenticationMethods };
}

/** Whether a refusal is one that an abandoned endpoint gives. The refresh token was not used. */
function mayMeanMoved(error: unknown): boolean {
  if (isPackError(error, "OAUTH_TOKEN_REJECTED")) {
    const { status, error: code } = error.details;
    return (
      [404, 405, 410].includes(status) ||
      code === "invalid_client" ||
      code === "unsupported_grant_type"
    );
  }
  if (isPackError(error, "OAUTH_TOKEN_RESPONSE_INVALID"))
    return error.details.status >= 300 && error.details.status < 400;
  return failedBeforeSending(error);
}
