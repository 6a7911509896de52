import type { ConnectionAnswers } from "../../define/connection-values.ts";
import type { OAuth2ClientCredentialsAuthentication as ClientDefinition } from "../../define/oauth.ts";
import { PackError } from "../../errors.ts";
import { requireClientKey } from "../client-authentication.ts";
import { requireClientCertificate } from "../client-certificate.ts";
import { joinScopes } from "../definition.ts";
import { canBindTokens, createDpopKey, requireBound } from "../dpop.ts";
import {
  checkEnteredEndpoint,
  requireEndpoint,
  resolveUrl,
  withCheckedEndpoint,
} from "../endpoint.ts";
import { exchangeToken } from "../exchange-token.ts";
import { fillDefinition, NO_ANSWERS } from "../fill-definition.ts";
import type { TransportOptions } from "../send.ts";
import { obtainStep } from "../step.ts";
import type { ClientAuthenticationMethod, ClientCredentials, TokenSet } from "../token-set.ts";
import { type Grant, requestGrant } from "./request-grant.ts";

export interface ClientCredentialsTokenOptions extends TransportOptions {
  definition: ClientDefinition;
  client: ClientCredentials;
  /** The account's endpoint, for a relative `tokenUrl`. */
  endpoint?: string | undefined;
  /** Domains that the Pack declares. The endpoint must be in one of them. @default none */
  networkDomains?: readonly string[] | undefined;
  extraScopes?: readonly string[] | undefined;
  /** The account's answers to the connection variables. @default none */
  answers?: ConnectionAnswers | undefined;
  /** The method that the token endpoint accepted before. */
  clientAuthentication?: ClientAuthenticationMethod | undefined;
  /** The methods that the server's metadata lists, if it was read. */
  supportedAuthenticationMethods?: readonly string[] | undefined;
  /** Binds the tokens to a new key (RFC 9449). @default the definition's `dpop` */
  dpop?: boolean | undefined;
  /** The key of earlier tokens. @default a new key, if `dpop` is true */
  dpopKey?: string | undefined;
}

/**
 * Requests an access token for the client itself (RFC 6749 §4.4).
 * @throws {PackError} OAUTH_CLIENT_MISSING without a client ID or a client secret;
 *   OAUTH_KEY_INVALID
 * @throws {PackError} OAUTH_TOKEN_REJECTED, OAUTH_TOKEN_RESPONSE_INVALID, OAUTH_TOKEN_UNAVAILABLE,
 *   OAUTH_TOKEN_TIMEOUT
 * @throws {PackError} ENDPOINT_MISSING, ENDPOINT_INVALID, ENDPOINT_OUTSIDE_DOMAIN, URL_NOT_ALLOWED
 */
export async function requestClientCredentialsToken(
  options: ClientCredentialsTokenOptions,
): Promise<TokenSet> {
  const { client } = options;
  const definition = fillDefinition(options.definition, options.answers ?? NO_ANSWERS);
  if (definition.clientAuthentication === "private_key_jwt") requireClientKey(client);
  if (definition.clientAuthentication === "tls_client_auth") requireClientCertificate(client);
  // Other grants have their own proof, such as an assertion, so the client may be a public one.
  const needsSecret = (definition.grantType ?? "client_credentials") === "client_credentials";
  if (
    client.clientId === "" ||
    (needsSecret && (client.clientSecret === undefined || client.clientSecret === ""))
  ) {
    throw new PackError(
      "OAUTH_CLIENT_MISSING",
      "The client credentials grant needs a client ID and a client secret.",
      {
        details: undefined,
        hint: "Register a client with the provider, then connect the account with its client ID and client secret.",
      },
    );
  }
  requireEndpoint(definition, options.endpoint);
  const endpoint =
    options.endpoint === undefined
      ? undefined
      : checkEnteredEndpoint(options.endpoint, definition, options.networkDomains ?? []);
  const isBound = (options.dpop ?? definition.dpop) === true && canBindTokens(definition);
  const tokenSet = await requestGrant(
    {
      ...options,
      dpopKey: options.dpopKey ?? (isBound ? createDpopKey() : undefined),
      step: obtainStep(definition, resolveUrl(definition.tokenUrl, endpoint)),
      definition,
    },
    clientGrant(definition, joinScopes(definition, options.extraScopes)),
  );
  const exchanged = await exchangeToken(
    { ...options, definition, endpoint },
    requireBound(definition, tokenSet),
  );
  return withCheckedEndpoint(exchanged, definition, options.networkDomains ?? [], true);
}

/** The grant, with what the library cannot write: another grant type, another name for the scopes. */
function clientGrant(
  { grantType = "client_credentials", scopeParamName, resource }: ClientDefinition,
  scope: string | undefined,
): Grant {
  const params = new URLSearchParams({ grant_type: grantType });
  if (scope !== undefined) params.set(scopeParamName ?? "scope", scope);
  if (resource !== undefined) params.set("resource", resource);
  return {
    params,
    correct(written) {
      written.set("grant_type", grantType);
      if (scopeParamName === undefined || scopeParamName === "scope") return;
      written.delete("scope");
      if (scope !== undefined) written.set(scopeParamName, scope);
    },
    ask: (library) =>
      library.clientCredentials({
        // The library joins scopes with a space, so it gets them as one element, already joined.
        ...(scope === undefined ? {} : { scope: [scope] }),
        ...(resource === undefined ? {} : { resource }),
      }),
  };
}
