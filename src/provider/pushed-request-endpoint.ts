import type { Request, Response } from "express";
import { readAuthorizationRequest, readReplyAddress } from "./authorization-request.ts";
import { answerClient, sendAnswer } from "./client-endpoint.ts";
import { OAuthError } from "./oauth-error.ts";
import type { ProviderState } from "./provider-state.ts";
import { REQUEST_URI_PREFIX } from "./pushed-requests.ts";

/** RFC 9126 §2: the client sends its authorization request itself, and every error comes back at once. */
export function pushedRequestEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const answer = answerClient(state, request, response, (client) => {
      const search = new URLSearchParams(String(request.body));
      search.delete("client_secret");
      if (search.has("request_uri")) throw new OAuthError("invalid_request", "request_uri cannot be pushed.");
      search.set("client_id", client.clientId);
      readAuthorizationRequest(search, readReplyAddress(search, state.clients), state.policy);
      const { requestUri, expiresInSeconds } = state.pushed.add(client.clientId, search);
      return { request_uri: requestUri, expires_in: expiresInSeconds };
    });
    sendAnswer(response, answer.status === 200 ? { ...answer, status: 201 } : answer);
  };
}

/**
 * The request that a browser brings: what was pushed, or what the URL says. Of a pushed request nothing in the URL counts (RFC 9126 §4).
 * @throws {OAuthError} for the person to see, because no redirect URI is known
 */
export function takePushedRequest({ pushed, policy }: ProviderState, search: URLSearchParams): URLSearchParams {
  const requestUri = search.get("request_uri");
  if (requestUri?.startsWith(REQUEST_URI_PREFIX) !== true) {
    if (policy.pushedRequestsRequired) throw new OAuthError("invalid_request", "Requests must be pushed first (RFC 9126).");
    return search;
  }
  const request = pushed.take(search.get("client_id") ?? "", requestUri);
  if (request === undefined) throw new OAuthError("invalid_request_uri", "The pushed request is unknown, used up or expired.");
  return request;
}
