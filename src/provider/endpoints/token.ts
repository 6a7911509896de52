import type { Request, Response } from "express";
import { sameSecret } from "../../shared/crypto.ts";
import { OAuthError, sendAnswer, shapeAnswer } from "../answer.ts";
import {
  AdditionalGrantType,
  type GrantType,
  type ProviderClient,
  type ProviderUser,
} from "../options.ts";
import { Path } from "../paths.ts";
import type { DemandedParameters, ProviderProfile } from "../profile.ts";
import { accessTokenText } from "../request/access-token.ts";
import { verifyGrantAssertion } from "../request/client-authentication.ts";
import { findCertificate } from "../request/client-certificate.ts";
import { checkDpopKey } from "../request/dpop.ts";
import { getBase, getIssuer, getResourceBase } from "../request/guards.ts";
import {
  checkDemanded,
  checkNarrowed,
  checkResources,
  checkScopes,
  type Parameters,
  readScopes,
} from "../request/parameters.ts";
import { checkCodeVerifier } from "../request/pkce.ts";
import type { ProviderState } from "../state/provider-state.ts";
import {
  type AuthorizationCode,
  type Grant,
  type IssuedToken,
  isPublic,
  loginClaims,
} from "../state/token-store.ts";
import { answerClient } from "./client-endpoint.ts";

/** The token endpoint (RFC 6749 §3.2), or the refresh endpoint of providers with a separate one. */
export function tokenEndpoint(
  state: ProviderState,
  path: typeof Path.Token | typeof Path.Refresh = Path.Token,
) {
  const { profile } = state.policy;
  const reading = {
    format: profile.token?.format,
    client: profile.client,
    names: profile.token?.names ?? profile.authorization?.names,
  };
  return (request: Request, response: Response) => {
    const [issuer, base] = [getIssuer(state, request), getBase(state, request)];
    const issue = (client: ProviderClient, parameters: Parameters) => {
      checkHeaders(request, profile.token?.headers);
      return issueTokens(
        state,
        client,
        parameters,
        {
          issuer,
          base,
          boundTo: checkDpopKey(state, request),
          certificate: findCertificate(request)?.thumbprint,
        },
        path,
      );
    };
    const answer = answerClient(state, request, response, issue, reading);
    sendAnswer(
      response,
      shapeAnswer(answer, profile.answer, {
        nowMs: state.clock.now(),
        apiOrigin: getResourceBase(state, request),
      }),
    );
  };
}

/**
 * Checks the additional headers that this provider requires. @throws {OAuthError} invalid_request
 */
function checkHeaders(request: Request, demanded: DemandedParameters = {}): void {
  for (const [name, value] of Object.entries(demanded)) {
    const sent = request.headers[name.toLowerCase()];
    if (sent === undefined || (value !== "" && sent !== value))
      throw new OAuthError("invalid_request", `The header ${name} is missing or wrong.`);
  }
}

/** Facts about a token request that are not among its parameters. */
export interface GrantContext {
  issuer: string;
  /** What the URLs of the endpoints begin with. */
  base: string;
  /** The thumbprint of the key that the client has proved to hold (RFC 9449). */
  boundTo: string | undefined;
  /** The thumbprint of the TLS certificate that the client has shown. */
  certificate: string | undefined;
}

type GrantHandler = (
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
) => Record<string, unknown>;

const HANDLERS: { readonly [Type in GrantType | AdditionalGrantType]: GrantHandler } = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
  client_credentials: issueToClient,
  "urn:ietf:params:oauth:grant-type:device_code": issueToDevice,
  password: issueForPassword,
  "urn:ietf:params:oauth:grant-type:token-exchange": exchangeToken,
  "urn:ietf:params:oauth:grant-type:jwt-bearer": issueForAssertion,
};

const ADDITIONAL_GRANT_TYPES: readonly string[] = Object.values(AdditionalGrantType);

/** Grants of a client whose registration lists none (RFC 7591 §2, and refresh tokens). */
const DEFAULT_GRANT_TYPES: readonly GrantType[] = ["authorization_code", "refresh_token"];

/**
 * Handles a token request of an authenticated client.
 * @returns the token response (RFC 6749 §5.1)
 * @throws {OAuthError} per RFC 6749 §5.2
 */
function issueTokens(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
  path: string = Path.Token,
): Record<string, unknown> {
  const grantType = readGrantType(parameters, state.policy.profile, path);
  if (!Object.hasOwn(HANDLERS, grantType))
    throw new OAuthError("unsupported_grant_type", "This grant type is not supported.");
  const isAdditional = state.policy.grants.includes(grantType as AdditionalGrantType);
  if (!isAdditional && ADDITIONAL_GRANT_TYPES.includes(grantType))
    throw new OAuthError("unsupported_grant_type", "This grant type is not supported.");
  if (!isAdditional && !mayUse(client, grantType as GrantType))
    throw new OAuthError("unauthorized_client", `The client is not registered for ${grantType}.`);
  checkResources(parameters.resources);
  return HANDLERS[grantType as GrantType](state, client, parameters, context);
}

function exchangeCode(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
): Record<string, unknown> {
  checkDemanded(parameters, state.policy.profile.token?.parameters, client.clientId);
  const value = need(parameters, "code");
  const { token: quirks, authorization } = state.policy.profile;
  const isLeftOut = (quirks?.names ?? authorization?.names)?.["redirect_uri"] === "";
  const redirectUri = isLeftOut ? undefined : need(parameters, "redirect_uri");
  const code = state.tokens.findCode(value);
  if (code === undefined || code.grant.clientId !== client.clientId)
    throw new OAuthError("invalid_grant", "The authorization code is not valid.");
  if (code.used) {
    // RFC 6749 §4.1.2: a second use means that the code leaked, so the tokens of the first use are
    // revoked.
    code.grant.revoked = true;
    throw new OAuthError(
      "invalid_grant",
      "The authorization code was already used. All tokens for this code are revoked.",
    );
  }
  if (code.expiresAtMs <= state.clock.now())
    throw new OAuthError("invalid_grant", "The authorization code has expired.");
  if (redirectUri !== undefined && code.redirectUri !== redirectUri)
    throw new OAuthError(
      "invalid_grant",
      "redirect_uri is different from the redirect_uri of the authorization request.",
    );
  if (state.policy.pkce !== "ignored")
    checkCodeVerifier(code.challenge, parameters.get("code_verifier"));
  const resources = narrowResources(parameters.resources, code.grant.resources);
  code.used = true;
  if (state.policy.profile.token?.exchange === true) code.grant.forExchange = true;
  const mode = state.policy.profile.refresh?.token;
  const renewable = mode !== "none" && (mode !== "offline" || code.offline);
  const response = respond(
    state,
    client,
    code.grant,
    code.grant.scopes,
    resources,
    renewable,
    context,
  );
  // OpenID Connect Core §3.1.3.3
  return code.grant.scopes.includes("openid")
    ? { ...response, id_token: idTokenFor(state, client, code, context.issuer) }
    : response;
}

function idTokenFor(
  state: ProviderState,
  { clientId }: ProviderClient,
  { grant, nonce }: AuthorizationCode,
  issuer: string,
): string {
  const lifetimeSeconds = state.policy.accessTokenTtlSeconds;
  return state.idTokens.issue({
    issuer,
    clientId,
    subject: grant.user?.id ?? clientId,
    nonce,
    nowMs: state.clock.now(),
    lifetimeSeconds,
    more: loginClaims(grant),
  });
}

function refresh(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
): Record<string, unknown> {
  const { profile } = state.policy;
  checkDemanded(parameters, profile.refresh?.parameters, client.clientId);
  const token = state.tokens.findToken(need(parameters, "refresh_token"));
  if (token?.kind !== "refresh_token" || token.grant.clientId !== client.clientId)
    throw new OAuthError("invalid_grant", "The refresh token is not valid.");
  if (token.spent && !token.grant.revoked) {
    // RFC 9700 §4.14.2: one of two holders of a refresh token is an attacker, so all tokens are
    // revoked.
    token.grant.revoked = true;
    throw new OAuthError(
      "invalid_grant",
      "The refresh token was already used. All tokens of this grant are revoked.",
    );
  }
  if (!state.tokens.isAlive(token))
    throw new OAuthError("invalid_grant", "The refresh token has expired or was revoked.");
  if (token.boundTo !== undefined && token.boundTo !== context.boundTo)
    throw new OAuthError("invalid_dpop_proof", "The refresh token is bound to another key.");
  const asked = readScopes(parameters, profile);
  const scopes = asked.length === 0 ? token.scopes : asked;
  checkNarrowed(scopes, token.scopes);
  const resources = narrowResources(parameters.resources, token.grant.resources);
  if (profile.refresh?.prolongs === true) return prolong(state, token);
  const kept = profile.refresh?.token === "kept";
  if (!kept) token.spent = true;
  return respond(state, client, token.grant, scopes, resources, !kept, context);
}

function prolong(state: ProviderState, { grant }: IssuedToken): Record<string, unknown> {
  state.tokens.prolong(grant);
  return { expires_in: state.policy.accessTokenTtlSeconds, token_type: "Bearer" };
}

function issueToClient(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
): Record<string, unknown> {
  if (isPublic(client))
    throw new OAuthError("unauthorized_client", "A public client cannot use client_credentials.");
  checkDemanded(parameters, state.policy.profile.token?.parameters, client.clientId);
  const scopes = readScopes(parameters, state.policy.profile);
  checkScopes(scopes, client, state.policy.scopes);
  const forExchange = state.policy.profile.token?.exchange === true ? true : undefined;
  const grant: Grant = {
    clientId: client.clientId,
    user: undefined,
    scopes,
    resources: parameters.resources,
    revoked: false,
    forExchange,
  };
  return respond(state, client, grant, scopes, parameters.resources, false, context);
}

/**
 * RFC 8628 §3.5: the device polls until the user has decided, not more often than the interval
 * allows.
 */
function issueToDevice(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
): Record<string, unknown> {
  const device = state.devices.findByDeviceCode(need(parameters, "device_code"));
  if (device === undefined || device.clientId !== client.clientId)
    throw new OAuthError("invalid_grant", "The device code is not valid.");
  const nowMs = state.clock.now();
  const { decision, polledAtMs } = device;
  if (decision === "used")
    throw new OAuthError("invalid_grant", "The device code was used before.");
  if (device.expiresAtMs <= nowMs)
    throw new OAuthError("expired_token", "The device code has expired.");
  if (decision === "denied") throw new OAuthError("access_denied", "The user denied the request.");
  device.polledAtMs = nowMs;
  if (decision === "pending") {
    if (polledAtMs !== undefined && nowMs - polledAtMs < device.intervalSeconds * 1_000) {
      device.intervalSeconds += 5;
      throw new OAuthError(
        "slow_down",
        `Wait ${device.intervalSeconds} seconds between two requests.`,
      );
    }
    throw new OAuthError(
      "authorization_pending",
      "The user has not approved or denied the request yet.",
    );
  }
  device.decision = "used";
  const { grant } = decision;
  return respond(
    state,
    client,
    grant,
    grant.scopes,
    narrowResources(parameters.resources, grant.resources),
    true,
    context,
  );
}

/** RFC 6749 §4.3, for clients that still have it: RFC 9700 §2.4 forbids it. */
function issueForPassword(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
): Record<string, unknown> {
  const [name, password] = [need(parameters, "username"), need(parameters, "password")];
  const user = state.users.find(({ id, email }) => id === name || email === name);
  if (user?.password === undefined || !sameSecret(password, user.password))
    throw new OAuthError("invalid_grant", "The user name or the password is wrong.");
  return issueToUser(state, client, parameters, context, user, true);
}

/** RFC 8693: another access token for the user of a token of this provider. */
function exchangeToken(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
): Record<string, unknown> {
  const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
  const token = state.tokens.findToken(need(parameters, "subject_token"));
  if (need(parameters, "subject_token_type") !== ACCESS_TOKEN)
    throw new OAuthError("invalid_request", "subject_token must be an access token.");
  if (token?.kind !== "access_token" || !state.tokens.isAlive(token))
    throw new OAuthError("invalid_request", "subject_token is not valid.");
  const asked = readScopes(parameters, state.policy.profile);
  const scopes = asked.length === 0 ? token.scopes : asked;
  checkNarrowed(scopes, token.scopes);
  const grant: Grant = {
    ...token.grant,
    clientId: client.clientId,
    scopes,
    forExchange: undefined,
  };
  return {
    ...respond(state, client, grant, scopes, parameters.resources, false, context),
    issued_token_type: ACCESS_TOKEN,
  };
}

/** RFC 7523 §2.1: an assertion of a trusted issuer stands for a user. */
function issueForAssertion(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
): Record<string, unknown> {
  const subject = verifyGrantAssertion(need(parameters, "assertion"), {
    issuers: state.policy.assertionIssuers,
    audiences: [context.issuer, context.base + Path.Token, ...state.policy.audiences],
    nowMs: state.clock.now(),
  });
  const user = state.users.find(({ id }) => id === subject) ?? { id: subject, name: subject };
  return issueToUser(state, client, parameters, context, user, false);
}

function issueToUser(
  state: ProviderState,
  client: ProviderClient,
  parameters: Parameters,
  context: GrantContext,
  user: ProviderUser,
  renewable: boolean,
): Record<string, unknown> {
  checkDemanded(parameters, state.policy.profile.token?.parameters, client.clientId);
  const scopes = readScopes(parameters, state.policy.profile);
  checkScopes(scopes, client, state.policy.scopes);
  const grant: Grant = {
    clientId: client.clientId,
    user,
    scopes,
    resources: parameters.resources,
    revoked: false,
  };
  return respond(state, client, grant, scopes, parameters.resources, renewable, context);
}

export function respond(
  state: ProviderState,
  client: ProviderClient,
  grant: Grant,
  scopes: readonly string[],
  resources: readonly string[],
  renewable: boolean,
  { boundTo, certificate, issuer }: GrantContext,
): Record<string, unknown> {
  const boundToCertificate = client.certificateBoundTokens === true ? certificate : undefined;
  const refreshable = renewable && mayUse(client, "refresh_token");
  // RFC 9449 §5: the refresh token of a public client is protected only by the key.
  const refreshBoundTo = isPublic(client) ? boundTo : undefined;
  return {
    ...state.policy.tokenResponse,
    ...client.tokenResponse,
    access_token: state.tokens.issueToken(
      { kind: "access_token", grant, scopes, resources, boundTo, boundToCertificate },
      accessTokenText(state, { grant, scopes, resources, boundTo, boundToCertificate, issuer }),
    ),
    token_type: boundTo === undefined ? "Bearer" : "DPoP",
    expires_in: state.policy.accessTokenTtlSeconds,
    // RFC 6749 §6: a new refresh token keeps the scope of the old one, even if the access token has
    // less.
    ...(refreshable
      ? {
          refresh_token: state.tokens.issueToken({
            kind: "refresh_token",
            grant,
            scopes: grant.scopes,
            resources: grant.resources,
            boundTo: refreshBoundTo,
          }),
        }
      : {}),
    ...(scopes.length > 0
      ? { scope: scopes.join(state.policy.profile.scope?.delimiter ?? " ") }
      : {}),
  };
}

/** RFC 8707 §2.2: a token request may ask only for granted resources. */
function narrowResources(
  requested: readonly string[],
  granted: readonly string[],
): readonly string[] {
  if (requested.length === 0) return granted;
  if (!requested.every((resource) => granted.includes(resource)))
    throw new OAuthError(
      "invalid_target",
      "The token request names a resource that was not in the authorization request.",
    );
  return requested;
}

/** @throws {OAuthError} unsupported_grant_type for a grant that this endpoint does not support */
function readGrantType(
  parameters: Parameters,
  { token, refresh }: ProviderProfile,
  path: string,
): string {
  const grantType = need(parameters, "grant_type");
  const own = token?.clientCredentialsGrantType;
  const renamed = own !== undefined && (grantType === own || grantType === "client_credentials");
  const elsewhere =
    refresh?.ownEndpoint === true && (grantType === "refresh_token") !== (path === Path.Refresh);
  if (elsewhere || (renamed && grantType !== own))
    throw new OAuthError("unsupported_grant_type", "This grant type is not supported.");
  return renamed ? "client_credentials" : grantType;
}

export function need(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined)
    throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  return value;
}

/** Whether a client is registered for a grant. */
export function mayUse(client: ProviderClient, grantType: GrantType): boolean {
  return (client.grantTypes ?? DEFAULT_GRANT_TYPES).includes(grantType);
}
