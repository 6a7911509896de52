import type { Request, Response } from "express";
import { errorPage, signedOutPage } from "../pages.ts";
import { withParameters } from "../request/authorization-request.ts";
import { parseRequestUrl, sendPage } from "../request/guards.ts";
import { decodeJwt } from "../request/jwt.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { findSession } from "./browser-session.ts";

/**
 * Signs the user of this browser out (OpenID Connect RP-Initiated Logout). The browser returns only
 * to a registered address of the
 * client that the request or its ID Token names.
 */
export function endSession(state: ProviderState) {
  return (request: Request, response: Response) => {
    const search =
      request.method === "POST"
        ? new URLSearchParams(String(request.body))
        : parseRequestUrl(request).searchParams;
    const target = search.get("post_logout_redirect_uri");
    const audience = decodeJwt(search.get("id_token_hint") ?? "")?.claims["aud"];
    const clientId = search.get("client_id") ?? (typeof audience === "string" ? audience : "");
    const registered = state.clients.get(clientId)?.postLogoutRedirectUris ?? [];
    if (target !== null && !registered.includes(target)) {
      return sendPage(response, 400, (nonce) =>
        errorPage(
          "invalid_request",
          "This post_logout_redirect_uri is not registered for the client.",
          nonce,
        ),
      );
    }
    const session = findSession(state, request);
    if (session !== undefined) state.sessions.end(session);
    if (target === null) return sendPage(response, 200, signedOutPage);
    response.redirect(303, withParameters(target, { state: search.get("state") ?? undefined }));
  };
}
