import type { Request, Response } from "express";
import { OAuthError, sendAnswer } from "../answer.ts";
import { Path } from "../paths.ts";
import { confirmation } from "../request/access-token.ts";
import { getIssuer } from "../request/guards.ts";
import type { Parameters } from "../request/parameters.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { isPublic, loginClaims } from "../state/token-store.ts";
import { answerClient } from "./client-endpoint.ts";
import { authorizeRequest } from "./protected-resource.ts";

/** RFC 7662: token introspection. A client sees its own tokens, a resource server sees all. */
export function introspectionEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const answer = answerClient(state, request, response, (client, parameters) => {
      if (isPublic(client))
        throw new OAuthError("invalid_client", "A public client cannot introspect tokens.");
      const token = state.tokens.findToken(needToken(parameters));
      const visible =
        token !== undefined &&
        (client.introspectsAll === true || token.grant.clientId === client.clientId);
      if (!visible || !state.tokens.isAlive(token)) return { active: false };
      const { grant, scopes, resources } = token;
      return {
        active: true,
        scope: scopes.join(" "),
        client_id: grant.clientId,
        token_type:
          token.kind === "refresh_token"
            ? "refresh_token"
            : token.boundTo === undefined
              ? "Bearer"
              : "DPoP",
        ...confirmation(token),
        ...loginClaims(grant),
        exp: Math.floor(token.expiresAtMs / 1_000),
        iat: Math.floor(token.issuedAtMs / 1_000),
        sub: grant.user?.id ?? grant.clientId,
        iss: getIssuer(state, request),
        ...(grant.user === undefined
          ? {}
          : { username: grant.user.id, name: grant.user.name, email: grant.user.email }),
        ...(resources.length === 0
          ? {}
          : { aud: resources.length === 1 ? resources[0] : resources }),
      };
    });
    sendAnswer(response, answer);
  };
}

/**
 * RFC 7009: revocation. Revoking a refresh token revokes all tokens of its grant; revoking an
 * access token, only that one.
 */
export function revocationEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const answer = answerClient(state, request, response, (client, parameters) => {
      const token = state.tokens.findToken(needToken(parameters));
      // RFC 7009 §2.2: an unknown token is as good as revoked.
      if (token === undefined) return "";
      if (token.grant.clientId !== client.clientId)
        throw new OAuthError("unauthorized_client", "The token was issued to another client.");
      if (token.kind === "refresh_token") token.grant.revoked = true;
      else token.spent = true;
      return "";
    });
    sendAnswer(response, answer);
  };
}

/** A protected resource (RFC 6750), which returns the user of the token. */
export function meEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const token = authorizeRequest(state, request, response, Path.Me, state.policy.meScope);
    if (token === undefined) return;
    const { user, clientId } = token.grant;
    response.json({
      sub: user?.id ?? clientId,
      name: user?.name ?? state.clients.get(clientId)?.name ?? clientId,
      email: user?.email,
      client_id: clientId,
      scopes: token.scopes,
    });
  };
}

function needToken(parameters: Parameters): string {
  const token = parameters.get("token");
  if (token === undefined)
    throw new OAuthError("invalid_request", "The parameter token is missing.");
  return token;
}
