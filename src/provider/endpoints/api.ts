import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { ApiCaller, ApiRequest, LocalApi } from "../options.ts";
import { Path } from "../paths.ts";
import { parseRequestUrl } from "../request/guards.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { withFaults } from "./fault-answers.ts";
import { authorizeRequest, carriesAccessToken } from "./protected-resource.ts";

/**
 * Takes the requests that carry the credentials of an account: they are for the API, whatever their
 * path is. `/me` has no answer of its own next to an API.
 */
export function apiRequests(state: ProviderState): RequestHandler {
  const { api } = state.policy;
  if (api === undefined) return (_request, _response, next) => next();
  const endpoint = apiEndpoint(state, api);
  return (request: Request, response: Response, next: NextFunction) => {
    const isForApi =
      request.path === Path.Me ||
      (request.path !== Path.Mcp &&
        (api.accepts?.(readApiRequest(request)) ?? carriesAccessToken(state, request)));
    return isForApi ? endpoint(request, response, next) : next();
  };
}

/** Answers for the API, if the request is authorized. */
export function apiEndpoint(state: ProviderState, api: LocalApi): RequestHandler {
  return withFaults(state, "me", (request, response) => {
    const apiRequest = readApiRequest(request);
    const caller =
      api.accepts === undefined
        ? readCaller(state, request, response)
        : api.accepts(apiRequest)
          ? describeOwner(state)
          : refuse(response);
    if (caller === undefined) return;
    const { status, body } = api.answer(apiRequest, caller);
    response.status(status);
    if (body === undefined) response.end();
    else response.json(body);
  });
}

function readCaller(
  state: ProviderState,
  request: Request,
  response: Response,
): ApiCaller | undefined {
  const token = authorizeRequest(state, request, response, Path.Me, state.policy.meScope);
  if (token === undefined) return undefined;
  const { user, clientId } = token.grant;
  return {
    sub: user?.id ?? clientId,
    name: user?.name ?? state.clients.get(clientId)?.name ?? clientId,
    email: user?.email,
    scopes: token.scopes,
  };
}

/** The owner of an account without OAuth: the first user. */
function describeOwner({ users }: ProviderState): ApiCaller {
  const [user] = users;
  return {
    sub: user?.id ?? "user-1",
    name: user?.name ?? "Local user",
    email: user?.email,
    scopes: [],
  };
}

function refuse(response: Response): undefined {
  response.status(401).json({
    error: "unauthorized",
    error_description:
      "The request does not contain the account's credentials in the form that the Pack declares.",
  });
  return undefined;
}

function readApiRequest(request: Request): ApiRequest {
  const { pathname, searchParams } = parseRequestUrl(request);
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: typeof request.body === "string" ? request.body : "",
  };
}
