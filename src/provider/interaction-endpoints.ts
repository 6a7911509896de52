import type { Request, Response } from "express";
import { formOf, pendingOf, refusePage, setSessionCookie } from "./browser-session.ts";
import type { ConsentRequest } from "./consent-request.ts";
import { approve, deny } from "./decision.ts";
import { formTargetOf, sendPage } from "./guards.ts";
import { OAuthError } from "./oauth-error.ts";
import type { ProviderUser } from "./options.ts";
import { consentPage, loginPage } from "./pages.ts";
import { Path } from "./paths.ts";
import type { ProviderState } from "./provider-state.ts";
import { isPublic } from "./token-store.ts";

/** RFC 8252 §8.6: a public client cannot prove who it is, so its consent is never taken for granted. */
export function isRemembered(state: ProviderState, user: ProviderUser, { client, scopes }: ConsentRequest): boolean {
  const allowed = state.sessions.consentOf(user.id, client.clientId);
  return !isPublic(client) && allowed.size > 0 && scopes.every((scope) => allowed.has(scope));
}

export function loginForm(state: ProviderState) {
  return (request: Request, response: Response) => {
    const pending = pendingOf(state, request, response);
    if (pending === undefined) return;
    const { session, interaction } = pending;
    sendPage(response, 200, (nonce) => loginPage(session, interaction, state.users, nonce), targetOf(interaction.request));
  };
}

export function loginSubmission(state: ProviderState) {
  return (request: Request, response: Response) => {
    const submitted = submissionOf(state, request, response);
    if (submitted === undefined) return;
    const { interaction, form } = submitted;
    if (form.get("decision") === "deny") {
      state.sessions.finish(interaction);
      return deny(state, request, response, interaction.request);
    }
    const user = state.users.find(({ id }) => id === form.get("user"));
    if (user === undefined) return refusePage(response, new OAuthError("invalid_request", "Choose one of the accounts."));
    const { id } = state.sessions.signIn(interaction, user);
    setSessionCookie(request, response, id);
    if (!interaction.request.prompts.has("consent") && isRemembered(state, user, interaction.request)) {
      state.sessions.finish(interaction);
      return approve(state, request, response, interaction.request, user, interaction.request.scopes);
    }
    response.redirect(303, `${Path.Consent}?request=${interaction.id}`);
  };
}

export function consentForm(state: ProviderState) {
  return (request: Request, response: Response) => {
    const pending = pendingOf(state, request, response);
    if (pending === undefined) return;
    const { session, interaction } = pending;
    const { user } = session;
    if (user === undefined || !interaction.ready) return response.redirect(303, `${Path.Login}?request=${interaction.id}`);
    sendPage(response, 200, (nonce) => consentPage({ ...session, user }, interaction, nonce), targetOf(interaction.request));
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
    state.sessions.finish(interaction);
    if (form.get("decision") !== "approve" || nothingAllowed) return deny(state, request, response, interaction.request);
    state.sessions.remember(user.id, interaction.request.client.clientId, scopes);
    approve(state, request, response, interaction.request, user, scopes);
  };
}

function submissionOf(state: ProviderState, request: Request, response: Response) {
  const submitted = formOf(state, request, response);
  const pending = submitted === undefined ? undefined : pendingOf(state, request, response, submitted.form.get("request") ?? "");
  return submitted === undefined || pending === undefined ? undefined : { ...pending, form: submitted.form };
}

function targetOf(request: ConsentRequest): string | undefined {
  return request.kind === "device" ? undefined : formTargetOf(request.redirectUri);
}
