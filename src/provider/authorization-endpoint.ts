import type { Request, Response } from "express";
import { type AuthorizationRequest, type ReplyAddress, readAuthorizationRequest, readReplyAddress } from "./authorization-request.ts";
import { formParameters } from "./form.ts";
import { formTargetOf, isCrossSite, originOf, sendPage, urlOf } from "./guards.ts";
import { OAuthError } from "./oauth-error.ts";
import type { ProviderUser } from "./options.ts";
import { consentPage, errorPage, loginPage, Path } from "./pages.ts";
import type { ProviderState } from "./provider-state.ts";
import { withParameters } from "./redirect-uri.ts";
import { sameSecret } from "./same-secret.ts";
import type { Interaction, Session } from "./sessions.ts";

/** RFC 6749 §3.1: checks the request, then sends the person to sign in or to decide, or the answer straight to the client. */
export function authorizationEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const { searchParams } = urlOf(request);
    const address = orErrorPage(response, () => readReplyAddress(searchParams, state.clients));
    if (address === undefined) return;
    try {
      const authorization = readAuthorizationRequest(searchParams, address, state.policy);
      const session = sessionOf(state, request) ?? startSession(state, request, response);
      proceed(state, request, response, session, authorization);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      reply(state, request, response, address, { error: error.error, error_description: error.message });
    }
  };
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
    return issueCode(state, request, response, authorization, session.user, authorization.scopes);
  const interaction = state.sessions.begin(session, authorization, !needsLogin);
  response.redirect(303, `${needsLogin ? Path.Login : Path.Consent}?request=${interaction.id}`);
}

/** RFC 8252 §8.6: a public client cannot prove who it is, so its consent is never taken for granted. */
function isRemembered(state: ProviderState, user: ProviderUser, { client, scopes }: AuthorizationRequest): boolean {
  const allowed = state.sessions.consentOf(user.id, client.clientId);
  return client.clientSecret !== undefined && allowed.size > 0 && scopes.every((scope) => allowed.has(scope));
}

export function loginForm(state: ProviderState) {
  return (request: Request, response: Response) => {
    const pending = pendingOf(state, request, response, urlOf(request).searchParams.get("request"));
    if (pending === undefined) return;
    const { session, interaction } = pending;
    sendPage(response, 200, (nonce) => loginPage(session, interaction, state.users, nonce), formTargetOf(interaction.request.redirectUri));
  };
}

export function loginSubmission(state: ProviderState) {
  return (request: Request, response: Response) => {
    const submitted = submissionOf(state, request, response);
    if (submitted === undefined) return;
    const { interaction, form } = submitted;
    if (form.get("decision") === "deny") return deny(state, request, response, interaction);
    const user = state.users.find(({ id }) => id === form.get("user"));
    if (user === undefined) return refusePage(response, new OAuthError("invalid_request", "Choose one of the accounts."));
    const { id } = state.sessions.signIn(interaction, user);
    setSessionCookie(request, response, id);
    if (!interaction.request.prompts.has("consent") && isRemembered(state, user, interaction.request)) {
      state.sessions.finish(interaction);
      return issueCode(state, request, response, interaction.request, user, interaction.request.scopes);
    }
    response.redirect(303, `${Path.Consent}?request=${interaction.id}`);
  };
}

export function consentForm(state: ProviderState) {
  return (request: Request, response: Response) => {
    const pending = pendingOf(state, request, response, urlOf(request).searchParams.get("request"));
    if (pending === undefined) return;
    const { session, interaction } = pending;
    const { user } = session;
    if (user === undefined || !interaction.ready) return response.redirect(303, `${Path.Login}?request=${interaction.id}`);
    sendPage(
      response,
      200,
      (nonce) => consentPage({ ...session, user }, interaction, nonce),
      formTargetOf(interaction.request.redirectUri),
    );
  };
}

export function consentSubmission(state: ProviderState) {
  return (request: Request, response: Response) => {
    const submitted = submissionOf(state, request, response);
    if (submitted === undefined) return;
    const { session, interaction, form } = submitted;
    const { user } = session;
    if (user === undefined || !interaction.ready) return refusePage(response, new OAuthError("login_required", "Sign in first."));
    const scopes = interaction.request.scopes.filter((scope) => form.getAll("scope").includes(scope));
    const nothingAllowed = interaction.request.scopes.length > 0 && scopes.length === 0;
    if (form.get("decision") !== "approve" || nothingAllowed) return deny(state, request, response, interaction);
    state.sessions.finish(interaction);
    state.sessions.remember(user.id, interaction.request.client.clientId, scopes);
    issueCode(state, request, response, interaction.request, user, scopes);
  };
}

function issueCode(
  state: ProviderState,
  request: Request,
  response: Response,
  authorization: AuthorizationRequest,
  user: ProviderUser,
  scopes: readonly string[],
): void {
  const { client, redirectUri, challenge, resources, offline } = authorization;
  const { callback, codeParameter = "code" } = state.policy.profile.authorization ?? {};
  const grant = { clientId: client.clientId, user, scopes, resources, revoked: false };
  const code = state.tokens.issueCode({ grant, redirectUri, challenge, offline });
  reply(state, request, response, authorization, { [codeParameter]: code, ...callback });
}

function deny(state: ProviderState, request: Request, response: Response, interaction: Interaction): void {
  state.sessions.finish(interaction);
  reply(state, request, response, interaction.request, { error: "access_denied", error_description: "The person did not allow it." });
}

/** Every answer carries `iss` (RFC 9207), unless a profile says otherwise. */
function reply(
  { policy }: ProviderState,
  request: Request,
  response: Response,
  { redirectUri, state }: ReplyAddress,
  parameters: Record<string, string>,
): void {
  const named = { none: undefined, other: "https://other-issuer.example" };
  const mode = policy.profile.authorization?.issuer;
  const iss = mode === undefined ? (policy.issuer ?? originOf(request)) : named[mode];
  // Not response.redirect, which re-encodes what the client registered.
  response
    .status(303)
    .set("Location", withParameters(redirectUri, { ...parameters, state, iss }))
    .end();
}

function refusePage(response: Response, { error, message, status }: OAuthError): void {
  sendPage(response, status, (nonce) => errorPage(error, message, nonce));
}

function orErrorPage<Value>(response: Response, run: () => Value): Value | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    refusePage(response, error);
    return undefined;
  }
}

function pendingOf(state: ProviderState, request: Request, response: Response, id: string | null) {
  const session = sessionOf(state, request);
  const interaction = session === undefined ? undefined : state.sessions.pending(session, id ?? undefined);
  if (session !== undefined && interaction !== undefined) return { session, interaction };
  refusePage(response, new OAuthError("invalid_request", "This page belongs to another browser, or its request is over."));
  return undefined;
}

function submissionOf(state: ProviderState, request: Request, response: Response) {
  const form = orErrorPage(response, () => {
    if (isCrossSite(request)) throw new OAuthError("invalid_request", "This form was sent from another site.", 403);
    return formParameters(request, response, state.recorder, ["scope"]).search;
  });
  const pending = form === undefined ? undefined : pendingOf(state, request, response, form.get("request"));
  if (form === undefined || pending === undefined) return undefined;
  if (sameSecret(form.get("csrf") ?? "", pending.session.csrf)) return { ...pending, form };
  refusePage(response, new OAuthError("invalid_request", "This form is not from this server.", 403));
  return undefined;
}

function cookieName(request: Request): string {
  // Cookies ignore ports, so the name carries it: two providers on one machine do not sign each other out.
  return `packsmith-provider-${request.socket.localPort}`;
}

function sessionOf(state: ProviderState, request: Request): Session | undefined {
  const prefix = `${cookieName(request)}=`;
  const pair = (request.headers.cookie ?? "").split(/; */).find((text) => text.startsWith(prefix));
  return state.sessions.find(pair?.slice(prefix.length));
}

function startSession(state: ProviderState, request: Request, response: Response): Session {
  const session = state.sessions.create();
  setSessionCookie(request, response, session.id);
  return session;
}

function setSessionCookie(request: Request, response: Response, id: string): void {
  response.cookie(cookieName(request), id, { httpOnly: true, sameSite: "lax", path: "/" });
}
