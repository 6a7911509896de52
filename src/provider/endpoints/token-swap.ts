import type { NextFunction, Request, Response } from "express";
import { OAuthError, sendAnswer, shapeAnswer } from "../answer.ts";
import type { ProviderClient } from "../options.ts";
import type { TokenAnswer, TokenSwap } from "../profile.ts";
import { getIssuer, getResourceBase, parseRequestUrl } from "../request/guards.ts";
import { checkDemanded, type Parameters } from "../request/parameters.ts";
import { readRequest } from "../request/request-body.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { answerClient, orErrorAnswer } from "./client-endpoint.ts";
import { need, respond } from "./token.ts";

/**
 * Requests of the provider's own for an access token in return for another one. Others go on: the
 * path may be that of the token endpoint.
 */
export function tokenSwaps(state: ProviderState) {
  const { profile } = state.policy;
  const swaps = profile.token?.swaps ?? [];
  return (request: Request, response: Response, next: NextFunction) => {
    const asked = swaps.filter((swap) => readToken(swap, request) !== undefined);
    // The same request may exchange a first token and renew a later one.
    const swap = asked.find((each) => fits(state, each, readToken(each, request))) ?? asked[0];
    if (swap === undefined) return next();
    const answer = shapeAnswer(
      answerSwap(state, request, response, swap),
      // Only the first token is nested.
      { ...profile.answer, container: undefined },
      { nowMs: state.clock.now(), apiOrigin: getResourceBase(state, request) },
    );
    sendAnswer(response, answer);
  };
}

/** @returns the token of such a request; undefined for another request */
function readToken({ path, method, parameter }: TokenSwap, request: Request): string | undefined {
  const [asked, query = ""] = request.originalUrl.split("?");
  if (request.method !== method || asked !== path) return undefined;
  const text = method === "GET" ? query : String(request.body ?? "");
  return new URLSearchParams(text).get(parameter) ?? undefined;
}

function fits({ tokens }: ProviderState, { kind }: TokenSwap, token = ""): boolean {
  const isFirst = tokens.findToken(token)?.grant.forExchange === true;
  return isFirst === (kind === "exchange");
}

function answerSwap(
  state: ProviderState,
  request: Request,
  response: Response,
  swap: TokenSwap,
): TokenAnswer {
  const format = swap.method === "GET" ? "query" : "form";
  const issue = (client: ProviderClient | undefined, parameters: Parameters) =>
    issueFor(state, request, swap, client, parameters);
  if (swap.withClient !== false)
    return answerClient(state, request, response, issue, {
      format,
      client: state.policy.profile.client,
    });
  return orErrorAnswer(() => {
    const parameters = readRequest(request, response, state.recorder, format);
    if (
      parameters.get("client_secret") !== undefined ||
      request.headers.authorization !== undefined
    )
      throw new OAuthError("invalid_request", "This request must not have client credentials.");
    return issue(undefined, parameters);
  });
}

function issueFor(
  state: ProviderState,
  request: Request,
  { kind, grantType, parameter, parameters: demanded }: TokenSwap,
  client: ProviderClient | undefined,
  parameters: Parameters,
): Record<string, unknown> {
  if (grantType !== undefined && need(parameters, "grant_type") !== grantType)
    throw new OAuthError("unsupported_grant_type", "This grant type is not supported.");
  const token = state.tokens.findToken(need(parameters, parameter));
  if (
    token?.kind !== "access_token" ||
    (token.grant.forExchange === true) !== (kind === "exchange")
  )
    throw new OAuthError("invalid_grant", "The access token is not valid.");
  if (!state.tokens.isAlive(token))
    throw new OAuthError("invalid_grant", "The access token has expired or was revoked.");
  const { clientId } = token.grant;
  if (client !== undefined && client.clientId !== clientId)
    throw new OAuthError("invalid_grant", "The access token belongs to another client.");
  checkDemanded(parameters, demanded, clientId);
  const owner = client ?? state.clients.get(clientId);
  if (owner === undefined) throw new OAuthError("invalid_client", "The client is unknown.");
  const grant = { ...token.grant, forExchange: undefined };
  return respond(state, owner, grant, token.scopes, token.resources, false, {
    issuer: getIssuer(state, request),
    base: parseRequestUrl(request).origin,
    boundTo: undefined,
    certificate: undefined,
  });
}
