import type { Request, Response } from "express";
import { OAuthError, sendAnswer } from "../answer.ts";
import type { ResourceQuirks } from "../profile.ts";
import { dpopKeyOf } from "../request/dpop.ts";
import { urlOf } from "../request/guards.ts";
import type { Parameters } from "../request/parameters.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { type IssuedToken, isPublic } from "../state/token-store.ts";
import { answerClient } from "./client-endpoint.ts";

/** RFC 7662: token introspection. A client sees its own tokens, a resource server sees all. */
export function introspectionEndpoint(state: ProviderState, issuer: (request: Request) => string) {
  return (request: Request, response: Response) => {
    const answer = answerClient(state, request, response, (client, parameters) => {
      if (isPublic(client)) throw new OAuthError("invalid_client", "A public client cannot introspect tokens.");
      const token = state.tokens.findToken(needToken(parameters));
      const visible = token !== undefined && (client.introspectsAll === true || token.grant.clientId === client.clientId);
      if (!visible || !state.tokens.isAlive(token)) return { active: false };
      const { grant, scopes, resources } = token;
      return {
        active: true,
        scope: scopes.join(" "),
        client_id: grant.clientId,
        token_type: token.kind === "refresh_token" ? "refresh_token" : token.boundTo === undefined ? "Bearer" : "DPoP",
        ...(token.boundTo === undefined ? {} : { cnf: { jkt: token.boundTo } }),
        exp: Math.floor(token.expiresAtMs / 1_000),
        iat: Math.floor(token.issuedAtMs / 1_000),
        sub: grant.user?.id ?? grant.clientId,
        iss: issuer(request),
        ...(grant.user === undefined ? {} : { username: grant.user.id, name: grant.user.name, email: grant.user.email }),
        ...(resources.length === 0 ? {} : { aud: resources.length === 1 ? resources[0] : resources }),
      };
    });
    sendAnswer(response, answer);
  };
}

/** RFC 7009: revocation. Revoking a refresh token revokes all tokens of its grant; revoking an access token, only that one. */
export function revocationEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const answer = answerClient(state, request, response, (client, parameters) => {
      const token = state.tokens.findToken(needToken(parameters));
      // RFC 7009 §2.2: an unknown token is as good as revoked.
      if (token === undefined) return "";
      if (token.grant.clientId !== client.clientId) throw new OAuthError("unauthorized_client", "The token was issued to another client.");
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
    const challenge = (status: number, error?: string, description?: string, scope?: string) => {
      const parts = [
        'realm="packsmith provider"',
        error && `error="${error}"`,
        description && `error_description="${description}"`,
        scope && `scope="${scope}"`,
      ];
      response.status(status).set("WWW-Authenticate", `Bearer ${parts.filter(Boolean).join(", ")}`);
      response.json(error === undefined ? {} : { error, error_description: description });
    };
    const usesDpop = state.policy.dpop && /^dpop /i.test(request.headers.authorization ?? "");
    const presented = readAccessToken(request, usesDpop ? { scheme: "DPoP" } : state.policy.profile.resource);
    if (presented === "misplaced") return challenge(400, "invalid_request", "The token belongs in the Authorization header.");
    if (presented === "missing") return challenge(401);
    const token = state.tokens.findToken(presented.value ?? "");
    if (token?.kind !== "access_token" || !state.tokens.isAlive(token))
      return challenge(401, "invalid_token", "The access token is unknown, expired or revoked.");
    // RFC 9449 §7.2: a bound token without its proof may be stolen.
    if ((token.boundTo !== undefined || usesDpop) && !isHeldBySender(state, request, token, presented.value ?? ""))
      return challenge(
        401,
        "invalid_token",
        "The access token is bound to a key, and the request does not prove that the client holds it.",
      );
    const { meScope } = state.policy;
    if (meScope !== undefined && !token.scopes.includes(meScope))
      return challenge(403, "insufficient_scope", "The access token lacks a scope.", meScope);
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

function isHeldBySender(state: ProviderState, request: Request, { boundTo }: IssuedToken, accessToken: string): boolean {
  try {
    return (
      boundTo !== undefined && dpopKeyOf(state, request, accessToken) === boundTo && /^dpop /i.test(request.headers.authorization ?? "")
    );
  } catch (error) {
    if (error instanceof OAuthError) return false;
    throw error;
  }
}

/** Reads the token as in RFC 6750 §2.1, or as a profile expects it. The value is undefined for a malformed header. */
function readAccessToken(
  request: Request,
  { scheme = "Bearer", header = "authorization", query }: ResourceQuirks = {},
): "missing" | "misplaced" | { value: string | undefined } {
  if (query !== undefined) {
    const value = urlOf(request).searchParams.get(query);
    return value === null ? "missing" : { value };
  }
  if (/[?&]access_token=/.test(request.url)) return "misplaced";
  const text = request.headers[header];
  if (typeof text !== "string") return "missing";
  const [, word, value] = /^(?:([^ ]+) +)?([A-Za-z0-9\-._~+/]+=*)$/.exec(text) ?? [];
  return { value: (word ?? "").toLowerCase() === scheme.toLowerCase() ? value : undefined };
}

function needToken(parameters: Parameters): string {
  const token = parameters.get("token");
  if (token === undefined) throw new OAuthError("invalid_request", "The parameter token is missing.");
  return token;
}
