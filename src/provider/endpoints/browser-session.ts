import type { Request, Response } from "express";
import { sameSecret } from "../../shared/crypto.ts";
import { OAuthError } from "../answer.ts";
import { errorPage } from "../pages.ts";
import { isCrossSite, parseRequestUrl, sendPage } from "../request/guards.ts";
import { formParameters } from "../request/request-body.ts";
import type { ProviderState } from "../state/provider-state.ts";
import type { Interaction, Session } from "../state/sessions.ts";

/** The session of the browser that sent this request. */
export function findSession(state: ProviderState, request: Request): Session | undefined {
  const prefix = `${cookieName(request)}=`;
  const pair = (request.headers.cookie ?? "").split(/; */).find((text) => text.startsWith(prefix));
  return state.sessions.find(pair?.slice(prefix.length));
}

export function startSession(state: ProviderState, request: Request, response: Response): Session {
  const session = state.sessions.create();
  setSessionCookie(request, response, session.id);
  return session;
}

export function setSessionCookie(request: Request, response: Response, id: string): void {
  response.cookie(cookieName(request), id, {
    httpOnly: true,
    sameSite: "lax",
    path: request.baseUrl || "/",
  });
}

function cookieName(request: Request): string {
  // Cookies ignore ports, and those of a path are sent below it, too. So the name has both: two
  // issuers do not sign each other out.
  return `packsmith-provider-${request.socket.localPort}${request.baseUrl.replaceAll("/", "-")}`;
}

/** The pending request that a page belongs to. Sends an error page if there is none. */
export function findPending(
  state: ProviderState,
  request: Request,
  response: Response,
  id: string | null = parseRequestUrl(request).searchParams.get("request"),
): { session: Session; interaction: Interaction } | undefined {
  const session = findSession(state, request);
  const interaction =
    session === undefined ? undefined : state.sessions.pending(session, id ?? undefined);
  if (session !== undefined && interaction !== undefined) return { session, interaction };
  refusePage(response, foreignPage());
  return undefined;
}

/**
 * A submitted form of this server, from the browser that it was shown to. Otherwise sends an error
 * page.
 */
export function readForm(
  state: ProviderState,
  request: Request,
  response: Response,
): { session: Session; form: URLSearchParams } | undefined {
  const form = orErrorPage(response, () => {
    if (isCrossSite(request))
      throw new OAuthError("invalid_request", "This form was sent from another site.", 403);
    return formParameters(request, response, state.recorder, ["scope"]).search;
  });
  if (form === undefined) return undefined;
  const session = findSession(state, request);
  if (session !== undefined && sameSecret(form.get("csrf") ?? "", session.csrf))
    return { session, form };
  refusePage(
    response,
    session === undefined
      ? foreignPage()
      : new OAuthError("invalid_request", "This form is not from this server.", 403),
  );
  return undefined;
}

function foreignPage(): OAuthError {
  return new OAuthError(
    "invalid_request",
    "This page belongs to another browser, or the request has ended.",
  );
}

export function refusePage(response: Response, { error, message, status }: OAuthError): void {
  sendPage(response, status, (nonce) => errorPage(error, message, nonce));
}

export function orErrorPage<Value>(response: Response, run: () => Value): Value | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    refusePage(response, error);
    return undefined;
  }
}
