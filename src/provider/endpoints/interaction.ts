import type { Request, Response } from "express";
import { OAuthError } from "../answer.ts";
import type { ProviderUser } from "../options.ts";
import { consentPage, devicePage, loginPage } from "../pages.ts";
import { Path } from "../paths.ts";
import { OTHER_ISSUER } from "../profile.ts";
import { type ReplyAddress, withParameters } from "../request/authorization-request.ts";
import { getFormTarget, getIssuer, sendPage } from "../request/guards.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { type ConsentRequest, isSignedIn, type SignedInSession } from "../state/sessions.ts";
import { isPublic, type Login } from "../state/token-store.ts";
import { findPending, readForm, refusePage, setSessionCookie } from "./browser-session.ts";

/**
 * Whether the user has allowed all these scopes before. Never for a public client, which cannot
 * prove who it is (RFC 8252 §8.6).
 */
export function isRemembered(
  state: ProviderState,
  user: ProviderUser,
  { client, scopes }: ConsentRequest,
): boolean {
  const allowed = state.sessions.getConsent(user.id, client.clientId);
  return !isPublic(client) && allowed.size > 0 && scopes.every((scope) => allowed.has(scope));
}

export function loginForm(state: ProviderState) {
  return (request: Request, response: Response) => {
    const pending = findPending(state, request, response);
    if (pending === undefined) return;
    const { session, interaction } = pending;
    sendPage(
      response,
      200,
      (nonce) => loginPage(session, interaction, state.users, nonce),
      findFormTarget(interaction.request),
    );
  };
}

export function loginSubmission(state: ProviderState) {
  return (request: Request, response: Response) => {
    const submitted = readSubmission(state, request, response);
    if (submitted === undefined) return;
    const { interaction, form } = submitted;
    if (form.get("decision") === "deny") {
      state.sessions.finish(interaction);
      return deny(state, request, response, interaction.request);
    }
    const user = state.users.find(({ id }) => id === form.get("user"));
    if (user === undefined)
      return refusePage(response, new OAuthError("invalid_request", "Choose one of the accounts."));
    const session = state.sessions.signIn(interaction, user, loginFor(state, interaction.request));
    setSessionCookie(request, response, session.id);
    if (
      !interaction.request.prompts.has("consent") &&
      isRemembered(state, user, interaction.request)
    ) {
      state.sessions.finish(interaction);
      return approve(
        state,
        request,
        response,
        interaction.request,
        session,
        interaction.request.scopes,
      );
    }
    response.redirect(303, `${request.baseUrl}${Path.Consent}?request=${interaction.id}`);
  };
}

/**
 * The login has the authentication context that the request prefers, if this server has one of
 * those.
 */
function loginFor({ policy, clock }: ProviderState, request: ConsentRequest): Login {
  const wanted = request.kind === "device" ? [] : request.acrValues;
  return { atMs: clock.now(), acr: wanted.find((acr) => policy.acrValues.includes(acr)) };
}

export function consentForm(state: ProviderState) {
  return (request: Request, response: Response) => {
    const pending = findPending(state, request, response);
    if (pending === undefined) return;
    const { session, interaction } = pending;
    const { user } = session;
    if (user === undefined || !interaction.ready)
      return response.redirect(303, `${request.baseUrl}${Path.Login}?request=${interaction.id}`);
    sendPage(
      response,
      200,
      (nonce) => consentPage({ ...session, user }, interaction, nonce),
      findFormTarget(interaction.request),
    );
  };
}

export function consentSubmission(state: ProviderState) {
  return (request: Request, response: Response) => {
    const submitted = readSubmission(state, request, response);
    if (submitted === undefined) return;
    const { session, interaction, form } = submitted;
    if (!isSignedIn(session) || !interaction.ready)
      return refusePage(response, new OAuthError("login_required", "Sign in first."));
    const scopes = interaction.request.scopes.filter((scope) =>
      form.getAll("scope").includes(scope),
    );
    const nothingAllowed = interaction.request.scopes.length > 0 && scopes.length === 0;
    state.sessions.finish(interaction);
    if (form.get("decision") !== "approve" || nothingAllowed)
      return deny(state, request, response, interaction.request);
    state.sessions.remember(session.user.id, interaction.request.client.clientId, scopes);
    approve(state, request, response, interaction.request, session, scopes);
  };
}

function readSubmission(state: ProviderState, request: Request, response: Response) {
  const submitted = readForm(state, request, response);
  const pending =
    submitted === undefined
      ? undefined
      : findPending(state, request, response, submitted.form.get("request") ?? "");
  return submitted === undefined || pending === undefined
    ? undefined
    : { ...pending, form: submitted.form };
}

function findFormTarget(request: ConsentRequest): string | undefined {
  return request.kind === "device" ? undefined : getFormTarget(request.redirectUri);
}

/** Sends the user's consent: to the client's redirect URI, or to the waiting device. */
export function approve(
  state: ProviderState,
  request: Request,
  response: Response,
  asked: ConsentRequest,
  { user, login }: SignedInSession,
  scopes: readonly string[],
): void {
  const grant = {
    clientId: asked.client.clientId,
    user,
    login,
    scopes,
    resources: asked.resources,
    revoked: false,
  };
  if (asked.kind === "device") {
    asked.device.decision = { grant };
    sendPage(response, 200, (nonce) => devicePage("approved", nonce));
    return;
  }
  const { callback, codeParameter = "code" } = state.policy.profile.authorization ?? {};
  const { redirectUri, challenge, nonce, offline } = asked;
  const code = state.tokens.issueCode({ grant, redirectUri, challenge, nonce, offline });
  reply(state, request, response, asked, { [codeParameter]: code, ...callback });
}

export function deny(
  state: ProviderState,
  request: Request,
  response: Response,
  asked: ConsentRequest,
): void {
  if (asked.kind === "device") {
    asked.device.decision = "denied";
    sendPage(response, 200, (nonce) => devicePage("denied", nonce));
    return;
  }
  reply(state, request, response, asked, {
    error: "access_denied",
    error_description: "The user denied the request.",
  });
}

/**
 * Redirects with a response to the client. It has an `iss` (RFC 9207), unless a profile changes
 * that.
 */
export function reply(
  provider: ProviderState,
  request: Request,
  response: Response,
  { redirectUri, state }: ReplyAddress,
  parameters: Record<string, string>,
): void {
  const named = { none: undefined, other: OTHER_ISSUER };
  const mode = provider.policy.profile.authorization?.issuer;
  const iss = mode === undefined ? getIssuer(provider, request) : named[mode];
  // response.redirect would encode the registered URI again.
  response
    .status(303)
    .set("Location", withParameters(redirectUri, { ...parameters, state, iss }))
    .end();
}
