import type { Request, Response } from "express";
import { type AuthorizationRequest, type ReplyAddress, readAuthorizationRequest, readReplyAddress } from "./authorization-request.ts";
import { orErrorPage, sessionOf, startSession } from "./browser-session.ts";
import { approve, reply } from "./decision.ts";
import { urlOf } from "./guards.ts";
import { isRemembered } from "./interaction-endpoints.ts";
import { OAuthError } from "./oauth-error.ts";
import { Path } from "./paths.ts";
import type { ProviderState } from "./provider-state.ts";
import { takePushedRequest } from "./pushed-request-endpoint.ts";
import type { Session } from "./sessions.ts";

/** RFC 6749 §3.1: checks the request, then sends the person to sign in or to decide, or the answer straight to the client. */
export function authorizationEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const found = orErrorPage(response, () => {
      const searchParams = takePushedRequest(state, urlOf(request).searchParams);
      return { searchParams, address: readReplyAddress(searchParams, state.clients) };
    });
    if (found === undefined) return;
    try {
      const authorization = readAuthorizationRequest(found.searchParams, found.address, state.policy);
      const session = sessionOf(state, request) ?? startSession(state, request, response);
      proceed(state, request, response, session, authorization);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      refuse(state, request, response, found.address, error);
    }
  };
}

function refuse(state: ProviderState, request: Request, response: Response, address: ReplyAddress, { error, message }: OAuthError): void {
  reply(state, request, response, address, { error, error_description: message });
}

/** @throws {OAuthError} when `prompt=none` forbids what would be needed */
function proceed(state: ProviderState, request: Request, response: Response, session: Session, authorization: AuthorizationRequest) {
  const { prompts } = authorization;
  const needsLogin = session.user === undefined || prompts.has("login") || prompts.has("select_account");
  const needsConsent = session.user === undefined || prompts.has("consent") || !isRemembered(state, session.user, authorization);
  if (prompts.has("none")) {
    if (needsLogin) throw new OAuthError("login_required", "Nobody is signed in.");
    if (needsConsent) throw new OAuthError("consent_required", "The person has not allowed this yet.");
  }
  if (session.user !== undefined && !needsLogin && !needsConsent)
    return approve(state, request, response, authorization, session.user, authorization.scopes);
  const interaction = state.sessions.begin(session, authorization, !needsLogin);
  response.redirect(303, `${needsLogin ? Path.Login : Path.Consent}?request=${interaction.id}`);
}
