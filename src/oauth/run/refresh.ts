import type { ConnectionAnswers } from "../../define/connection-values.ts";
import { PackError } from "../../errors.ts";
import type { OAuthDefinition } from "../definition.ts";
import { requiredUrl, resolveUrl, withCheckedEndpoint } from "../endpoint.ts";
import { exchangeToken } from "../exchange-token.ts";
import { fillDefinition, NO_ANSWERS } from "../fill-definition.ts";
import type { TransportOptions } from "../send.ts";
import { renewStep } from "../step.ts";
import { type ClientCredentials, mergeTokenSets, type TokenSet } from "../token-set.ts";
import { requestClientCredentialsToken } from "./client-credentials.ts";
import { renewWithAccessToken } from "./renew-token.ts";
import { type Grant, requestGrant } from "./request-grant.ts";

export interface RefreshTokenSetOptions extends TransportOptions {
  definition: OAuthDefinition;
  client: ClientCredentials;
  tokenSet: TokenSet;
  /** The server's issuer, if it was discovered. */
  issuer?: string | undefined;
  /** The methods of client authentication that the server's metadata lists, if it was read. */
  supportedAuthenticationMethods?: readonly string[] | undefined;
  /** The account's endpoint, for a relative `tokenUrl`. */
  endpoint?: string | undefined;
  /** The account's answers to the connection variables. @default none */
  answers?: ConnectionAnswers | undefined;
  /** Domains that the Pack declares. A new endpoint must be in one of them. @default none */
  networkDomains?: readonly string[] | undefined;
}

/**
 * Renews a token set (RFC 6749 §6) and merges the result into the old one. A client credentials
 * account requests a new token.
 * @throws {PackError} OAUTH_TOKEN_REJECTED with `invalid_grant` when the account must be connected
 *   again
 * @throws {PackError} OAUTH_TOKEN_RESPONSE_INVALID, OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT:
 *   the old tokens stay valid
 * @throws {PackError} ENDPOINT_INVALID, ENDPOINT_OUTSIDE_DOMAIN, URL_NOT_ALLOWED
 */
export async function refreshTokenSet(options: RefreshTokenSetOptions): Promise<TokenSet> {
  const { tokenSet } = options;
  if (options.definition.type === "OAuth2ClientCredentials") {
    const { clientAuthentication, dpopKey } = tokenSet;
    const request = { ...options, definition: options.definition, clientAuthentication, dpopKey };
    return mergeTokenSets(tokenSet, await requestClientCredentialsToken(request));
  }
  const definition = fillDefinition(options.definition, options.answers ?? NO_ANSWERS);
  const { tokenRenewal } = definition;
  if (tokenRenewal !== undefined) {
    const renewed = await renewWithAccessToken(options, definition, tokenRenewal);
    return withCheckedEndpoint(renewed, definition, options.networkDomains ?? [], false);
  }
  const { refreshToken } = tokenSet;
  if (refreshToken === undefined) {
    throw new PackError(
      "OAUTH_TOKEN_REJECTED",
      "The provider issued no refresh token, so packsmith cannot refresh the access token.",
      {
        details: { status: 0, error: "invalid_grant", description: "no refresh token" },
        hint: "Connect the account again. Some providers issue a refresh token only for the scope offline_access or access_type=offline.",
      },
    );
  }
  options.redactor?.add(refreshToken);
  const url = definition.refreshUrl ?? requiredUrl(definition, "tokenUrl");
  const renewed = await requestGrant(
    {
      ...options,
      definition,
      step: renewStep(definition, resolveUrl(url, options.endpoint)),
      keptAccessToken: tokenSet.accessToken,
      clientAuthentication: tokenSet.clientAuthentication,
      dpopKey: tokenSet.dpopKey,
    },
    refreshGrant(tokenSet, refreshToken, definition.resource),
  );
  const exchanged = await exchangeToken({ ...options, definition }, renewed);
  return mergeTokenSets(
    tokenSet,
    withCheckedEndpoint(exchanged, definition, options.networkDomains ?? [], false),
  );
}

function refreshGrant(
  { accessToken, expiresAtMs }: TokenSet,
  refreshToken: string,
  resource: string | undefined,
): Grant {
  const params = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
  if (resource !== undefined) params.set("resource", resource);
  return {
    params,
    ask: (library) =>
      library.refreshToken(
        { accessToken, refreshToken, expiresAt: expiresAtMs ?? null },
        resource === undefined ? {} : { resource },
      ),
  };
}
