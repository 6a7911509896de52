import type { TokenExchange } from "../define/oauth.ts";
import { fillTemplate } from "../define/template.ts";
import { authenticateInTurn, clientAuthenticationMethods } from "./client-authentication.ts";
import type { OAuthDefinition } from "./definition.ts";
import { resolveUrl } from "./endpoint.ts";
import { tokenSetFromBody } from "./token-response.ts";
import {
  type ClientCredentials,
  createTokenSet,
  mergeTokenSets,
  type TokenSet,
} from "./token-set.ts";
import { type TransportOptions, throughTransport } from "./transport.ts";

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
  if (exchange === undefined) return first;
  const client = clientOf(exchange, options.client);
  const params = Object.fromEntries(
    Object.entries(exchange.params).map(([name, value]) => [name, withToken(value, first)]),
  );
  const url = resolveUrl(exchange.url, options.endpoint);
  const isGet = exchange.method === "GET";
  const plain = definitionOfExchange(definition);
  const second = await authenticateInTurn(
    clientAuthenticationMethods(definition, client),
    (method) =>
      throughTransport(
        plain,
        {
          ...options,
          step: "token",
          authentication: { client, method },
          extraParams: params,
          onPendingTokens: (pending) =>
            onPendingTokens?.({ ...pending, granted: first }) ?? Promise.resolve(),
        },
        async (transport) => {
          const response = await transport(url, {
            method: isGet ? "GET" : "POST",
            headers: { accept: "application/json" },
            body: new URLSearchParams(
              exchange.grantType === undefined ? {} : { grant_type: exchange.grantType },
            ),
          });
          // The transport keeps the reason of a refusal.
          if (!response.ok) throw new TypeError("The exchange was refused.");
          return tokenSetFromBody(
            (await response.json()) as Record<string, unknown>,
            definition.scopeDelimiter ?? " ",
            method,
          );
        },
      ),
  );
  return mergeExchanged(first, second);
}

/** The definition to read the response of an exchange with. */
export function definitionOfExchange(definition: OAuthDefinition): OAuthDefinition {
  // Format and response members describe the first request.
  const { tokenRequestFormat: _, nestedResponseKey: __, ...rest } = definition;
  const isGet = definition.tokenExchange?.method === "GET";
  return { ...rest, ...(isGet ? { tokenRequestFormat: "query" } : {}) } as OAuthDefinition;
}

/** The tokens of an exchange, with what renews the token that was exchanged. */
export function mergeExchanged(granted: TokenSet, exchanged: TokenSet): TokenSet {
  const { clientAuthentication } = granted;
  return createTokenSet({
    ...mergeTokenSets(granted, exchanged),
    clientAuthentication,
    step: "exchange",
  });
}

/** Whether a token is the result of the last step, so that it may be sent to the API. */
export function isFinal({ tokenExchange }: OAuthDefinition, { step }: TokenSet): boolean {
  return tokenExchange === undefined || step === "exchange";
}

function clientOf(
  { clientId, clientSecret }: TokenExchange,
  client: ClientCredentials,
): ClientCredentials {
  return clientId === undefined ? client : { clientId, clientSecret };
}

function withToken(
  value: string | number | boolean,
  { accessToken }: TokenSet,
): string | number | boolean {
  return typeof value === "string"
    ? fillTemplate(value, ({ name, part }) =>
        name === "token" && part === undefined ? accessToken : undefined,
      )
    : value;
}
