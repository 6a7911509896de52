import type { Request, Response } from "express";
import type { ReplyAddress } from "./authorization-request.ts";
import type { ConsentRequest } from "./consent-request.ts";
import { devicePage } from "./device-pages.ts";
import { originOf, sendPage } from "./guards.ts";
import type { ProviderUser } from "./options.ts";
import { OTHER_ISSUER } from "./profile.ts";
import type { ProviderState } from "./provider-state.ts";
import { withParameters } from "./redirect-uri.ts";

/** Where a person's decision goes: back to the client's redirect URI, or to the device that waits for it. */
export function approve(
  state: ProviderState,
  request: Request,
  response: Response,
  asked: ConsentRequest,
  user: ProviderUser,
  scopes: readonly string[],
): void {
  const grant = { clientId: asked.client.clientId, user, scopes, resources: asked.resources, revoked: false };
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

export function deny(state: ProviderState, request: Request, response: Response, asked: ConsentRequest): void {
  if (asked.kind === "device") {
    asked.device.decision = "denied";
    sendPage(response, 200, (nonce) => devicePage("denied", nonce));
    return;
  }
  reply(state, request, response, asked, { error: "access_denied", error_description: "The person did not allow it." });
}

/** Every answer carries `iss` (RFC 9207), unless a profile says otherwise. */
export function reply(
  { policy }: ProviderState,
  request: Request,
  response: Response,
  { redirectUri, state }: ReplyAddress,
  parameters: Record<string, string>,
): void {
  const named = { none: undefined, other: OTHER_ISSUER };
  const mode = policy.profile.authorization?.issuer;
  const iss = mode === undefined ? (policy.issuer ?? originOf(request)) : named[mode];
  // Not response.redirect, which re-encodes what the client registered.
  response
    .status(303)
    .set("Location", withParameters(redirectUri, { ...parameters, state, iss }))
    .end();
}
