import type { TokenExchange } from "../define/oauth.ts";
import { authenticateInTurn, clientAuthenticationMethods } from "./client-authentication.ts";
import type { OAuthDefinition } from "./definition.ts";
import { resolveUrl } from "./endpoint.ts";
import { runStepForTokens } from "./run-step.ts";
import type { TransportOptions } from "./send.ts";
import { exchangeStep } from "./step.ts";
import { toTokenSet } from "./token-response.ts";
import {
  type ClientCredentials,
  createTokenSet,
  isExpired,
  mergeTokenSets,
  type TokenSet,
} from "./token-set.ts";

export interface ExchangeTokenOptions extends TransportOptions {
  /** Filled with the account's answers. */
  definition: OAuthDefinition;
  client: ClientCredentials;
  endpoint?: string | undefined;
}

/**
 * Exchanges the access token of the first token request for another one, if the definition has a
 * `tokenExchange`: a token that lives
 * longer, or one of another server (RFC 8693, RFC 7523).
 * @throws {PackError} OAUTH_TOKEN_ codes, URL_NOT_ALLOWED
 */
export async function exchangeToken(
  options: ExchangeTokenOptions,
  first: TokenSet,
): Promise<TokenSet> {
  const { definition, onPendingTokens } = options;
  const exchange = definition.tokenExchange;
  if (exchange === undefined) return withRenewal(definition, first);
  const client = chooseClient(exchange, options.client);
  const step = exchangeStep(definition, resolveUrl(exchange.url, options.endpoint));
  const params = new URLSearchParams(
    exchange.grantType === undefined ? {} : { grant_type: exchange.grantType },
  );
  const second = await authenticateInTurn(
    clientAuthenticationMethods(definition, client),
    async (method) => {
      const tokens = await runStepForTokens(
        {
          ...options,
          step,
          authentication: { client, method },
          values: { token: first.accessToken },
          onPendingTokens: (pending) =>
            onPendingTokens?.({ ...pending, granted: first }) ?? Promise.resolve(),
        },
        { params, headers: { accept: "application/json" } },
      );
      return toTokenSet(tokens, step.response.scopeDelimiter, method);
    },
  );
  return withRenewal(definition, mergeExchanged(first, second));
}

/** A token set that knows how it is renewed. */
function withRenewal(definition: OAuthDefinition, tokenSet: TokenSet): TokenSet {
  const renewsItself = definition.type === "OAuth2" && definition.tokenRenewal !== undefined;
  return renewsItself ? createTokenSet({ ...tokenSet, renewsItself }) : tokenSet;
}

/** Whether a token set can be renewed without its user. */
export function canRenew(
  definition: OAuthDefinition,
  tokenSet: TokenSet | undefined,
  nowMs: number,
): boolean {
  if (definition.type === "OAuth2ClientCredentials") return true;
  if (definition.tokenRenewal !== undefined)
    return (
      tokenSet !== undefined && isFinal(definition, tokenSet) && !isExpired(tokenSet, nowMs, 0)
    );
  return tokenSet?.refreshToken !== undefined;
}

/** The tokens of an exchange, with what renews the token that was exchanged. */
export function mergeExchanged(granted: TokenSet, exchanged: TokenSet): TokenSet {
  const { clientAuthentication } = granted;
  return createTokenSet({
    ...mergeTokenSets(granted, exchanged),
    renewsItself: granted.renewsItself,
    clientAuthentication,
    step: "exchange",
  });
}

/** Whether a token is the result of the last step, so that it may be sent to the API. */
export function isFinal({ tokenExchange }: OAuthDefinition, { step }: TokenSet): boolean {
  return tokenExchange === undefined || step === "exchange";
}

function chooseClient(
  { clientId, clientSecret }: TokenExchange,
  client: ClientCredentials,
): ClientCredentials {
  return clientId === undefined ? client : { clientId, clientSecret };
}
