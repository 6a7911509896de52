import { authorizationCodeGrant } from "openid-client";
import type { OAuth2Authentication } from "../../define/oauth.ts";
import { callLibrary, readGrant, toLibraryResponse } from "../call-library.ts";
import type { LoginDemand } from "../challenge.ts";
import { authenticateInTurn, clientAuthenticationMethods } from "../client-authentication.ts";
import { runStepForTokens } from "../run-step.ts";
import type { TransportOptions } from "../send.ts";
import { obtainStep } from "../step.ts";
import { type IssuedTokens, toTokenSet } from "../token-response.ts";
import type { ClientAuthenticationMethod, ClientCredentials, TokenSet } from "../token-set.ts";
import { type AuthorizationServer, createConfiguration } from "./server-configuration.ts";

export interface CodeExchange extends TransportOptions {
  /** Filled for this account. */
  definition: OAuth2Authentication;
  client: ClientCredentials;
  server: AuthorizationServer;
  tokenUrl: string;
  /** As in the authorization request, byte for byte. */
  redirectUri: string;
  code: string;
  state: string;
  codeVerifier: string | undefined;
  /** If present, the response must have an ID Token that repeats it. */
  nonce: string | undefined;
  /** The key to bind the tokens to. */
  dpopKey: string | undefined;
  login?: LoginDemand | undefined;
  supportedAuthenticationMethods?: readonly string[] | undefined;
}

/**
 * Exchanges a code for tokens (RFC 6749 §4.1.3), with each client authentication in turn.
 * openid-client writes the request and validates the ID Token of the response.
 */
export function exchangeCode(exchange: CodeExchange): Promise<TokenSet> {
  const {
    definition,
    client,
    server,
    dpopKey,
    supportedAuthenticationMethods: supported,
  } = exchange;
  const delimiter = definition.scopeDelimiter ?? " ";
  const methods = clientAuthenticationMethods(
    definition,
    client,
    undefined,
    supported,
    server.issuer,
  );
  const ask = async (method: ClientAuthenticationMethod): Promise<TokenSet> =>
    toTokenSet(await askLibrary(exchange, method), delimiter, method, dpopKey);
  return authenticateInTurn(methods, ask, supported);
}

async function askLibrary(
  exchange: CodeExchange,
  method: ClientAuthenticationMethod,
): Promise<IssuedTokens> {
  const { definition, client, server, tokenUrl, nonce, state } = exchange;
  const keepIdToken = nonce !== undefined;
  const run = {
    ...exchange,
    step: obtainStep(definition, tokenUrl),
    authentication: { client, method },
    issuer: server.issuer,
    values: { state },
  };
  let tokens: IssuedTokens | undefined;
  const ask: typeof fetch = async (_, init) => {
    const { params, headers } = readGrant(init);
    // The library takes redirect_uri from a parsed URL, which may differ from the registered text.
    params.set("redirect_uri", exchange.redirectUri);
    tokens = await runStepForTokens(run, { params, headers });
    return toLibraryResponse(tokens, { keepIdToken });
  };
  await callLibrary(ask, (send) =>
    authorizationCodeGrant(
      createConfiguration({ ...server, tokenUrl }, client, send, exchange.now),
      callbackFor(exchange),
      checksFor(exchange),
      definition.resource === undefined ? {} : { resource: definition.resource },
    ),
  );
  if (tokens === undefined) throw new TypeError("The library made no request.");
  return keepIdToken ? withIdToken(tokens) : tokens;
}

/** The library checks the callback again. It gets only the parameters that were checked before. */
function callbackFor({ redirectUri, code, state, server }: CodeExchange): URL {
  const callback = new URL(redirectUri);
  callback.search = new URLSearchParams({
    code,
    state,
    ...(server.issuer === undefined ? {} : { iss: server.issuer }),
  }).toString();
  return callback;
}

function checksFor({ state, codeVerifier, nonce, login }: CodeExchange) {
  const maxAge = login?.maxAgeSeconds;
  return {
    expectedState: state,
    ...(codeVerifier === undefined ? {} : { pkceCodeVerifier: codeVerifier }),
    ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    // OpenID Connect Core §3.1.2.1: then an ID Token says when the user logged in, and the library
    // compares it.
    ...(nonce === undefined || maxAge === undefined ? {} : { maxAge }),
  };
}

/** An ID Token that the library has validated is kept with the other members. */
function withIdToken(tokens: IssuedTokens): IssuedTokens {
  return tokens.idToken === undefined
    ? tokens
    : { ...tokens, extra: { ...tokens.extra, id_token: tokens.idToken } };
}
