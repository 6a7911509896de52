import { randomBytes } from "node:crypto";
import type { OAuth2Authentication } from "../../define/oauth.ts";
import { placeholdersOf } from "../../define/template.ts";
import { PackError } from "../../errors.ts";
import type { LoginDemand } from "../challenge.ts";
import { clientAuthenticationMethods } from "../client-authentication.ts";
import { clientContextOf } from "../client-certificate.ts";
import { clientSecretsOf } from "../client-key.ts";
import { readCallbackParams } from "../connection-answers.ts";
import { requestedScopes } from "../definition.ts";
import { canBindTokens, createDpopKey, dpopSecretOf, requireBound, thumbprintOf } from "../dpop.ts";
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
import { createProofKey, usesProofKey } from "./proof-key.ts";
import { pushAuthorizationRequest } from "./pushed-request.ts";
import type { AuthorizationServer } from "./server-configuration.ts";

export interface AuthorizationAttemptOptions extends TransportOptions {
  definition: OAuth2Authentication;
  client: ClientCredentials;
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
  /** Requested in addition to the definition's scopes. */
  extraScopes?: readonly string[] | undefined;
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
  /** `code_challenge_methods_supported` of the server's metadata. @default unknown */
  codeChallengeMethods?: readonly string[] | undefined;
  /** `token_endpoint_auth_methods_supported` of the server's metadata. @default unknown */
  supportedAuthenticationMethods?: readonly string[] | undefined;
  /**
   * Binds the tokens to a new key (RFC 9449), if the definition sends tokens in a way that allows
   * it. @default the definition's `dpop`
   */
  dpop?: boolean | undefined;
  /** Routes for the page that the browser opens, before `routes`. @default none */
  pageRoutes?: Routes | undefined;
  /** Random bytes. @default node:crypto's randomBytes */
  random?: ((size: number) => Uint8Array) | undefined;
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
 * 256 bits: more than the 128 of RFC 6749 §10.10, and a code verifier of 43 characters (RFC 7636
 * §4.1).
 */
const RANDOM_BYTES = 32;

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
  const {
    client,
    redirectUri,
    networkDomains = [],
    routes = NO_ROUTES,
    random = randomBytes,
    redactor,
    variables = {},
  } = options;
  const definition = fillDefinition(options.definition, { variables, callbackParams: {} });
  requireClient(client);
  // Refuses a key that cannot sign and a certificate that cannot be used, before the browser opens.
  clientAuthenticationMethods(definition, client);
  if (definition.clientAuthentication === "tls_client_auth")
    await clientContextOf(client, (options.now ?? Date.now)());
  requireEndpoint(definition, options.endpoint);
  const endpoint =
    options.endpoint === undefined
      ? undefined
      : checkEnteredEndpoint(options.endpoint, definition, networkDomains);
  const server: AuthorizationServer = {
    issuer: options.issuer,
    issuerPromised: options.issuerPromised,
    sharedRedirectHint: options.sharedRedirectHint,
    authorizationUrl: resolvePageUrl(requiredUrl(definition, "authorizationUrl"), endpoint),
  };
  // A token URL that is not allowed is refused before the browser opens.
  const tokenUrl = requiredUrl(definition, "tokenUrl");
  if (placeholdersOf(tokenUrl).length === 0) resolveUrl(tokenUrl, endpoint);
  const state = randomText(random);
  const pkce = usesProofKey(definition, client, options.codeChallengeMethods)
    ? await createProofKey(definition, randomText(random))
    : undefined;
  for (const secret of clientSecretsOf(client.clientSecret)) redactor?.add(secret);
  redactor?.add(pkce?.verifier);
  // Some servers demand one from everyone who asks for an ID Token (OpenID Connect Core §3.1.2.1
  // leaves it to the client).
  const nonce = asksForIdToken(definition, options.extraScopes) ? randomText(random) : undefined;
  const dpopKey =
    (options.dpop ?? definition.dpop) === true && canBindTokens(definition)
      ? createDpopKey()
      : undefined;
  redactor?.add(dpopSecretOf(dpopKey));
  const params = createAuthorizationParams({
    definition,
    authorizationUrl: server.authorizationUrl ?? "",
    client,
    redirectUri,
    state,
    extraScopes: options.extraScopes,
    codeChallenge: pkce,
    nonce,
    login: options.login,
    dpopThumbprint: dpopKey === undefined ? undefined : thumbprintOf(dpopKey),
  });
  const pushedRequestUrl = options.pushedRequestUrl ?? definition.pushedAuthorizationUrl;
  const authorizationUrl = withParams(
    server.authorizationUrl ?? "",
    pushedRequestUrl === undefined
      ? params
      : await pushAuthorizationRequest({
          ...options,
          definition,
          params,
          pushedRequestUrl: resolveUrl(pushedRequestUrl, endpoint),
        }),
  );

  let used = false;
  let callbackParams: Readonly<Record<string, string>> = {};
  let namedIssuer = false;
  return {
    authorizationUrl: applyRoutes(authorizationUrl, { ...routes, ...options.pageRoutes }),
    redirectUri,
    state,
    requestedScopes: requestedScopes(definition, options.extraScopes),
    get callbackParams() {
      return callbackParams;
    },
    get namedIssuer() {
      return namedIssuer;
    },
    async complete(callbackQuery) {
      if (used) throw replayed();
      const code = await claim(() =>
        validateCallback(callbackQuery, state, server, definition.codeParamName),
      );
      redactor?.add(code);
      callbackParams = readCallbackParams(definition, callbackQuery);
      const filled = fillDefinition(options.definition, { variables, callbackParams });
      const tokenUrl = resolveUrl(requiredUrl(filled, "tokenUrl"), endpoint);
      namedIssuer = callbackQuery.has("iss");
      await checkSender(callbackQuery.get("iss"), tokenUrl, options);
      const exchange = {
        ...options,
        definition: filled,
        server,
        tokenUrl,
        code,
        state,
        // Without an issuer to check it against, an ID Token of the response is ignored: an
        // unchecked one proves nothing.
        nonce: definition.issuer === undefined ? undefined : nonce,
        dpopKey,
        codeVerifier: pkce?.verifier,
      };
      const tokenSet = await exchangeToken(
        { ...options, definition: filled, endpoint },
        requireBound(filled, await exchangeCode(exchange)),
      );
      return withCheckedEndpoint(tokenSet, filled, networkDomains, true);
    },
  };

  async function claim<Result>(validate: () => Result): Promise<Result> {
    try {
      const result = validate();
      used = true;
      return result;
    } catch (error) {
      used = !(error instanceof PackError && error.code === "OAUTH_STATE_MISMATCH");
      throw error;
    }
  }
}

/** Whether the request has the scope `openid`, wherever the definition puts it. */
function asksForIdToken(
  definition: OAuth2Authentication,
  extraScopes: readonly string[] | undefined,
): boolean {
  const scopes = [
    ...requestedScopes(definition, extraScopes),
    String(definition.additionalParams?.["scope"] ?? ""),
  ];
  return scopes.some((scope) => scope.split(/\s+/).includes("openid"));
}

function randomText(random: (size: number) => Uint8Array): string {
  return Buffer.from(random(RANDOM_BYTES)).toString("base64url");
}

function requireClient(client: ClientCredentials): void {
  if (client.clientId !== "") return;
  throw new PackError("OAUTH_CLIENT_MISSING", "The client ID is missing.", {
    details: undefined,
    hint: "Register an application with the provider. Then enter its client ID and client secret.",
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
    `the issuer ${cleanProviderText(sender) ?? "none"}, ${owns === undefined ? "and it is not known whether its" : "whose"} token endpoint is ${owns === undefined ? "" : "not "}at ${host}`,
    host,
    sender,
    sharedRedirectHint ??
      "Compare issuer, authorizationUrl and tokenUrl in the definition. If all three belong to one provider, remove the URLs.",
  );
}

function replayed(): PackError<"OAUTH_CALLBACK_INVALID"> {
  return new PackError("OAUTH_CALLBACK_INVALID", "This connection attempt has already ended.", {
    details: { reason: "the attempt is used up" },
    hint: "Connect again.",
  });
}
