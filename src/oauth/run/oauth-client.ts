import { OAuth2Client, type OAuth2Token } from "@badgateway/oauth2-client";
import type { ParamValue } from "../../define/oauth-parameters.ts";
import { authenticateInTurn, clientAuthenticationMethods } from "../client-authentication.ts";
import type { OAuthDefinition } from "../definition.ts";
import type { ExchangeStep } from "../exchange-record.ts";
import { tokenSetFromBody } from "../token-response.ts";
import type { ClientAuthenticationMethod, ClientCredentials, TokenSet } from "../token-set.ts";
import { type TransportOptions, throughTransport } from "../transport.ts";

export interface GrantRequest extends TransportOptions {
  definition: OAuthDefinition;
  client: ClientCredentials;
  tokenUrl: string;
  step: ExchangeStep;
  /** The server's issuer, if it was discovered. */
  issuer?: string | undefined;
  /** The method that the token endpoint accepted before. */
  clientAuthentication?: ClientAuthenticationMethod | undefined;
  /** The key that the tokens are bound to. */
  dpopKey?: string | undefined;
  keptAccessToken?: string | undefined;
  replaceParams?: Readonly<Record<string, string | undefined>> | undefined;
  extraParams?: Readonly<Record<string, ParamValue>> | undefined;
}

/**
 * Makes a grant request with @badgateway/oauth2-client, through the transport, with each client
 * authentication in turn.
 */
export function requestGrant(
  request: GrantRequest,
  grant: (client: OAuth2Client) => Promise<OAuth2Token>,
): Promise<TokenSet> {
  const { definition, client, tokenUrl } = request;
  const methods = clientAuthenticationMethods(
    definition,
    client,
    request.clientAuthentication,
    undefined,
    request.issuer,
  );
  return authenticateInTurn(methods, (method) =>
    throughTransport(
      definition,
      { ...request, authentication: { client, method } },
      async (transport) => {
        const token = await grant(
          new OAuth2Client({
            clientId: client.clientId,
            // The library requires a secret for some grants. The transport writes the real
            // credentials, if there are any.
            clientSecret: "unused",
            tokenEndpoint: tokenUrl,
            authenticationMethod: "client_secret_post",
            fetch: transport,
          }),
        );
        return tokenSetFromBody(
          bodyOf(token),
          definition.scopeDelimiter ?? " ",
          method,
          request.dpopKey,
        );
      },
    ),
  );
}

/**
 * The library's token as members of a response. Its expiry is left out, because the library knows
 * only the system's clock.
 */
function bodyOf(token: OAuth2Token): Record<string, unknown> {
  return {
    ...token.extraParams,
    access_token: token.accessToken,
    refresh_token: token.refreshToken ?? undefined,
    scope: token.scope?.join(" "),
  };
}
