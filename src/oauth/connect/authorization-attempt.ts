import type { OAuth2Authentication } from "../../define/oauth.ts";
import { findPlaceholders } from "../../define/template.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { LoginDemand } from "../challenge.ts";
import { clientAuthenticationMethods } from "../client-authentication.ts";
import { createClientContext } from "../client-certificate.ts";
import { readCallbackParams } from "../connection-answers.ts";
import { requestedScopes } from "../definition.ts";
import { computeThumbprint, requireBound } from "../dpop.ts";
import {
  checkEnteredEndpoint,
  requiredUrl,
  requireEndpoint,
  resolvePageUrl,
  resolveUrl,
  withCheckedEndpoint,
} from "../endpoint.ts";
import { exchangeToken } from "../exchange-token.ts";
import { fillDefinition } from "../fill-definition.ts";
import { applyRoutes, NO_ROUTES, type Routes } from "../routes.ts";
import type { TransportOptions } from "../send.ts";
import { cleanProviderText } from "../token-failure.ts";
import type { ClientCredentials, TokenSet } from "../token-set.ts";
import {
  createAuthorizationParams,
  issuerMismatch,
  validateCallback,
  withParams,
} from "./authorization-request.ts";
import { exchangeCode } from "./code-exchange.ts";
import { pushAuthorizationRequest } from "./pushed-request.ts";
import {
  createRequestValues,
  type RequestValueOptions,
  type RequestValues,
} from "./request-values.ts";
import type { AuthorizationServer } from "./server-configuration.ts";

export interface AuthorizationAttemptOptions extends TransportOptions, RequestValueOptions {
  definition: OAuth2Authentication;
  /** Sent byte for byte in both requests, as RFC 6749 §4.1.3 demands. */
  redirectUri: string;
  /** The endpoint that the user entered, if the definition has `requiresEndpointUrl`. */
  endpoint?: string | undefined;
  /**
   * Domains that the Pack declares. The endpoint of a token response must be in one of them.
   * @default none
   */
  networkDomains?: readonly string[] | undefined;
  /** Checked answers to the definition's connection variables. @default none */
  variables?: Readonly<Record<string, string>> | undefined;
  /** The login that an API demands of the user (RFC 9470 §4). @default the server decides */
  login?: LoginDemand | undefined;
  /**
   * The server's issuer, if it is known from discovery or from an earlier connection (RFC 9207).
   */
  issuer?: string | undefined;
  /** Whether that server promises an `iss` in every callback. @default false */
  issuerPromised?: boolean | undefined;
  /** As in `AuthorizationServer`. @default no other connection uses the redirect URI */
  sharedRedirectHint?: string | undefined;
  /**
   * Whether the server with this issuer has this token URL; undefined if that cannot be known.
   * @default it is never known
   */
  ownsTokenUrl?: ((issuer: string, tokenUrl: string) => Promise<boolean | undefined>) | undefined;
  /**
   * Sends the request there before the browser opens (RFC 9126). @default the definition's
   * `pushedAuthorizationUrl`
   */
  pushedRequestUrl?: string | undefined;
  /** `token_endpoint_auth_methods_supported` of the server's metadata. @default unknown */
  supportedAuthenticationMethods?: readonly string[] | undefined;
  /** Routes for the page that the browser opens, before `routes`. @default none */
  pageRoutes?: Routes | undefined;
}

/** One authorization request: a person goes to the provider's pages and comes back. */
export interface AuthorizationAttempt {
  /** Opens in the browser. Routes are applied. */
  readonly authorizationUrl: string;
  readonly redirectUri: string;
  readonly state: string;
  /** The scopes that the request asks for, each once. */
  readonly requestedScopes: readonly string[];
  /** The declared parameters of the redirect, by placeholder name. Empty before `complete`. */
  readonly callbackParams: Readonly<Record<string, string>>;
  /** Whether the redirect named its server (RFC 9207). False before `complete`. */
  readonly namedIssuer: boolean;
  /**
   * Checks the callback and exchanges the code (RFC 6749 §4.1.3). A callback with the right state
   * uses the attempt up,
   * whatever the outcome, so that it cannot be replayed (RFC 9700 §4.5). A callback with a wrong
   * state changes nothing.
   * @throws {PackError} OAUTH_STATE_MISMATCH, OAUTH_CALLBACK_INVALID, OAUTH_ISSUER_MISMATCH,
   *   OAUTH_DENIED
   * @throws {PackError} OAUTH_TOKEN_REJECTED, OAUTH_TOKEN_RESPONSE_INVALID,
   *   OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT
   * @throws {PackError} ENDPOINT_MISSING, ENDPOINT_INVALID, ENDPOINT_OUTSIDE_DOMAIN,
   *   URL_NOT_ALLOWED
   */
  complete(callbackQuery: URLSearchParams): Promise<TokenSet>;
}

/**
 * Prepares an authorization code flow: URL, state and, unless the definition turns it off, PKCE
 * (RFC 7636).
 * @throws {PackError} OAUTH_CLIENT_MISSING without a client ID; OAUTH_KEY_INVALID,
 *   OAUTH_URL_MISSING
 * @throws {PackError} OAUTH_TOKEN_ codes when a server that gets the request first refuses it (RFC
 *   9126)
 * @throws {PackError} ENDPOINT_MISSING, ENDPOINT_INVALID, ENDPOINT_OUTSIDE_DOMAIN, URL_NOT_ALLOWED,
 *   OAUTH_PARAMETER_RESERVED
 */
export async function createAuthorizationAttempt(
  options: AuthorizationAttemptOptions,
): Promise<AuthorizationAttempt> {
  const { redirectUri, routes = NO_ROUTES, pageRoutes } = options;
  const flow = await checkFlow(options);
  const values = await createRequestValues(flow.definition, options);
  const url = await buildAuthorizationUrl(flow, values, options);
  let accepted: AcceptedRedirect | undefined;
  let hasEnded = false;

  /** A redirect with another state belongs to another attempt, and does not end this one. */
  function accept(query: URLSearchParams): AcceptedRedirect {
    if (hasEnded) throw createReplayError();
    try {
      accepted = acceptRedirect(query, values.state, flow, options);
      hasEnded = true;
      return accepted;
    } catch (error) {
      hasEnded = !isPackError(error, "OAUTH_STATE_MISMATCH");
      throw error;
    }
  }

  return {
    authorizationUrl: applyRoutes(url, { ...routes, ...pageRoutes }),
    redirectUri,
    state: values.state,
    requestedScopes: requestedScopes(flow.definition, options.extraScopes),
    get callbackParams() {
      return accepted?.callbackParams ?? {};
    },
    get namedIssuer() {
      return accepted?.issuer != null;
    },
    complete: async (query) => await obtainTokens(accept(query), flow, values, options),
  };
}

/** What is known and checked before the browser opens. */
interface CheckedFlow {
  /** Without the parameters of the redirect. */
  definition: OAuth2Authentication;
  /** The endpoint that the user entered. */
  endpoint: string | undefined;
  server: AuthorizationServer;
}

/** Refuses before the browser opens what would fail after the user has approved. */
async function checkFlow(options: AuthorizationAttemptOptions): Promise<CheckedFlow> {
  const { client, networkDomains = [], variables = {}, now = Date.now } = options;
  const definition = fillDefinition(options.definition, { variables, callbackParams: {} });
  requireClient(client);
  // A key that cannot sign, and a certificate that cannot be used.
  clientAuthenticationMethods(definition, client);
  if (definition.clientAuthentication === "tls_client_auth")
    await createClientContext(client, now());
  requireEndpoint(definition, options.endpoint);
  const endpoint =
    options.endpoint === undefined
      ? undefined
      : checkEnteredEndpoint(options.endpoint, definition, networkDomains);
  const { issuer, issuerPromised, sharedRedirectHint } = options;
  const authorizationUrl = resolvePageUrl(requiredUrl(definition, "authorizationUrl"), endpoint);
  const tokenUrl = requiredUrl(definition, "tokenUrl");
  if (findPlaceholders(tokenUrl).length === 0) resolveUrl(tokenUrl, endpoint);
  const server = { issuer, issuerPromised, sharedRedirectHint, authorizationUrl };
  return { definition, endpoint, server };
}

/** The URL for the browser. With a pushed request (RFC 9126), the server has got it before. */
async function buildAuthorizationUrl(
  { definition, endpoint, server: { authorizationUrl = "" } }: CheckedFlow,
  { state, proofKey, nonce, dpopKey }: RequestValues,
  options: AuthorizationAttemptOptions,
): Promise<string> {
  const { client, redirectUri, extraScopes, login } = options;
  const params = createAuthorizationParams({
    definition,
    authorizationUrl,
    client,
    redirectUri,
    state,
    extraScopes,
    codeChallenge: proofKey,
    nonce,
    login,
    dpopThumbprint: dpopKey === undefined ? undefined : computeThumbprint(dpopKey),
  });
  const pushedUrl = options.pushedRequestUrl ?? definition.pushedAuthorizationUrl;
  if (pushedUrl === undefined) return withParams(authorizationUrl, params);
  const pushedRequestUrl = resolveUrl(pushedUrl, endpoint);
  return withParams(
    authorizationUrl,
    await pushAuthorizationRequest({ ...options, definition, params, pushedRequestUrl }),
  );
}

/** A redirect that answers this request. */
interface AcceptedRedirect {
  code: string;
  /** The server that it names (RFC 9207). */
  issuer: string | null;
  callbackParams: Readonly<Record<string, string>>;
}

function acceptRedirect(
  query: URLSearchParams,
  state: string,
  { definition, server }: CheckedFlow,
  { redactor }: AuthorizationAttemptOptions,
): AcceptedRedirect {
  const code = validateCallback(query, state, server, definition.codeParamName);
  redactor?.add(code);
  const callbackParams = readCallbackParams(definition, query);
  return { code, issuer: query.get("iss"), callbackParams };
}

/** Exchanges the code, at the server that the redirect may come from. */
async function obtainTokens(
  { code, issuer, callbackParams }: AcceptedRedirect,
  { endpoint, server }: CheckedFlow,
  { state, proofKey, nonce, dpopKey }: RequestValues,
  options: AuthorizationAttemptOptions,
): Promise<TokenSet> {
  const { networkDomains = [], variables = {} } = options;
  const definition = fillDefinition(options.definition, { variables, callbackParams });
  const tokenUrl = resolveUrl(requiredUrl(definition, "tokenUrl"), endpoint);
  await checkSender(issuer, tokenUrl, options);
  const exchange = {
    ...options,
    definition,
    server,
    tokenUrl,
    code,
    state,
    // Without an issuer to check it against, an ID Token of the response is ignored: an
    // unchecked one proves nothing.
    nonce: definition.issuer === undefined ? undefined : nonce,
    dpopKey,
    codeVerifier: proofKey?.verifier,
  };
  const tokenSet = await exchangeToken(
    { ...options, definition, endpoint },
    requireBound(definition, await exchangeCode(exchange)),
  );
  return withCheckedEndpoint(tokenSet, definition, networkDomains, true);
}

function requireClient(client: ClientCredentials): void {
  if (client.clientId !== "") return;
  throw new PackError("OAUTH_CLIENT_MISSING", "The client ID is missing.", {
    details: undefined,
    hint: "Register an application with the provider. Then enter the client ID and the client secret.",
  });
}

/** A code may go only to the server that issued it (RFC 9700 §4.4). */
async function checkSender(
  sender: string | null,
  tokenUrl: string,
  { ownsTokenUrl, sharedRedirectHint }: AuthorizationAttemptOptions,
): Promise<void> {
  if (sender === null) return;
  const owns = await ownsTokenUrl?.(sender, tokenUrl);
  if (owns === true || (owns === undefined && sharedRedirectHint === undefined)) return;
  const { host } = new URL(tokenUrl);
  throw issuerMismatch(
    `the issuer ${cleanProviderText(sender) ?? "none"}, ${owns === undefined ? "and it is unknown whether its" : "whose"} token endpoint is ${owns === undefined ? "" : "not "}at ${host}`,
    host,
    sender,
    sharedRedirectHint ??
      "Compare issuer, authorizationUrl and tokenUrl in the authentication definition. If the issuer and both URLs belong to one provider, remove the URLs.",
  );
}

function createReplayError(): PackError<"OAUTH_CALLBACK_INVALID"> {
  return new PackError("OAUTH_CALLBACK_INVALID", "This connection attempt has already ended.", {
    details: { reason: "the attempt is used up" },
    hint: "Connect again.",
  });
}
