import type { Request, Response } from "express";
import { OAuthError, sendAnswer } from "../answer.ts";
import { errorPage, fragmentPage } from "../pages.ts";
import { Path } from "../paths.ts";
import {
  type AuthorizationRequest,
  type ReplyAddress,
  readAuthorizationRequest,
  readReplyAddress,
} from "../request/authorization-request.ts";
import { learnClient } from "../request/client-document.ts";
import { parseRequestUrl, sendPage } from "../request/guards.ts";
import { withProtocolNames } from "../request/parameters.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { isSignedIn, type Session, type SignedInSession } from "../state/sessions.ts";
import { REQUEST_URI_PREFIX } from "../state/single-use.ts";
import { findSession, orErrorPage, startSession } from "./browser-session.ts";
import { answerClient } from "./client-endpoint.ts";
import { approve, isRemembered, reply } from "./interaction.ts";

/**
 * RFC 6749 §3.1: checks the request, then sends the user to the login or consent page, or the
 * response to the client.
 */
export function authorizationEndpoint(state: ProviderState) {
  return async (request: Request, response: Response) => {
    if (state.policy.profile.authorization?.fragment === true && !isForwarded(request))
      return sendFragmentPage(request, response);
    const asked = orErrorPage(response, () => {
      const search = parseRequestUrl(request).searchParams;
      search.delete(FORWARDED);
      return withProtocolNames(search, state.policy.profile);
    });
    if (asked === undefined) return;
    const unknown = await learnClient(state, asked.get("client_id") ?? "").catch(
      (error: unknown) => error,
    );
    const found = orErrorPage(response, () => {
      if (unknown !== undefined) throw unknown;
      const searchParams = takePushedRequest(state, asked);
      return {
        searchParams,
        address: readReplyAddress(searchParams, state.clients, state.policy.profile),
      };
    });
    if (found === undefined) return;
    try {
      const authorization = readAuthorizationRequest(
        found.searchParams,
        found.address,
        state.policy,
      );
      const session = findSession(state, request) ?? startSession(state, request, response);
      proceed(state, request, response, session, authorization);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      refuse(state, request, response, found.address, error);
    }
  };
}

/** Marks a request whose parameters were in the fragment. */
const FORWARDED = "from_fragment";

function isForwarded(request: Request): boolean {
  return parseRequestUrl(request).searchParams.has(FORWARDED);
}

/** A server never sees a fragment, so a script sends the parameters in the query. */
function sendFragmentPage(request: Request, response: Response): void {
  if (parseRequestUrl(request).search !== "") {
    const reason = "The parameters must be in the fragment of the URL.";
    sendPage(response, 400, (nonce) => errorPage("invalid_request", reason, nonce));
    return;
  }
  const target = `${request.baseUrl}${Path.Authorize}?${FORWARDED}=1&`;
  sendPage(response, 200, (nonce) => fragmentPage(target, nonce), undefined, true);
}

function refuse(
  state: ProviderState,
  request: Request,
  response: Response,
  address: ReplyAddress,
  { error, message }: OAuthError,
): void {
  reply(state, request, response, address, { error, error_description: message });
}

/** @throws {OAuthError} when a page is needed and `prompt=none` forbids it */
function proceed(
  state: ProviderState,
  request: Request,
  response: Response,
  session: Session,
  authorization: AuthorizationRequest,
) {
  const { prompts } = authorization;
  const needsLogin =
    !isSignedIn(session) ||
    prompts.has("login") ||
    prompts.has("select_account") ||
    !suits(state, session, authorization);
  const needsConsent =
    session.user === undefined ||
    prompts.has("consent") ||
    !isRemembered(state, session.user, authorization);
  if (prompts.has("none")) {
    if (needsLogin) throw new OAuthError("login_required", "No user is signed in.");
    if (needsConsent)
      throw new OAuthError("consent_required", "The user has not approved the request yet.");
  }
  if (isSignedIn(session) && !needsLogin && !needsConsent)
    return approve(state, request, response, authorization, session, authorization.scopes);
  const interaction = state.sessions.begin(session, authorization, !needsLogin);
  response.redirect(
    303,
    `${request.baseUrl}${needsLogin ? Path.Login : Path.Consent}?request=${interaction.id}`,
  );
}

/**
 * Whether the user has signed in recently enough, and in one of the ways that the request names.
 */
function suits(
  { policy, clock }: ProviderState,
  { login }: SignedInSession,
  { acrValues, maxAgeSeconds }: AuthorizationRequest,
): boolean {
  const isRecent = maxAgeSeconds === undefined || clock.now() - login.atMs <= maxAgeSeconds * 1_000;
  const possible = acrValues.filter((acr) => policy.acrValues.includes(acr));
  return (
    isRecent && (possible.length === 0 || (login.acr !== undefined && possible.includes(login.acr)))
  );
}

/** RFC 9126 §2: the client sends its authorization request directly and gets all errors at once. */
export function pushedRequestEndpoint(state: ProviderState) {
  return async (request: Request, response: Response) => {
    // A document that cannot be read leaves the client unknown, which is refused below.
    await learnClient(
      state,
      new URLSearchParams(String(request.body)).get("client_id") ?? "",
    ).catch(() => undefined);
    const answer = answerClient(state, request, response, (client) => {
      const search = new URLSearchParams(String(request.body));
      search.delete("client_secret");
      if (search.has("request_uri"))
        throw new OAuthError("invalid_request", "request_uri cannot be pushed.");
      search.set("client_id", client.clientId);
      readAuthorizationRequest(
        search,
        readReplyAddress(search, state.clients, state.policy.profile),
        state.policy,
      );
      const { requestUri, expiresInSeconds } = state.pushed.add(client.clientId, search);
      return { request_uri: requestUri, expires_in: expiresInSeconds };
    });
    sendAnswer(response, answer.status === 200 ? { ...answer, status: 201 } : answer);
  };
}

/**
 * The parameters of an authorization request: the pushed ones, or those of the URL. For a pushed
 * request, other parameters of the
 * URL are ignored (RFC 9126 §4).
 * @throws {OAuthError} to show on a page, because no redirect URI is known yet
 */
function takePushedRequest(
  { pushed, policy }: ProviderState,
  search: URLSearchParams,
): URLSearchParams {
  const requestUri = search.get("request_uri");
  if (requestUri?.startsWith(REQUEST_URI_PREFIX) !== true) {
    if (policy.pushedRequestsRequired)
      throw new OAuthError(
        "invalid_request",
        "The server requires pushed authorization requests (RFC 9126).",
      );
    return search;
  }
  const request = pushed.take(search.get("client_id") ?? "", requestUri);
  if (request === undefined)
    throw new OAuthError(
      "invalid_request_uri",
      "The pushed request is unknown, already used or expired.",
    );
  return request;
}
