import type { Request, Response } from "express";
import { OAuthError, sendAnswer } from "../answer.ts";
import { GrantType } from "../options.ts";
import { userCodePage } from "../pages.ts";
import { Path } from "../paths.ts";
import { getBase, parseRequestUrl, sendPage } from "../request/guards.ts";
import { checkResources, checkScopes, readScopes } from "../request/parameters.ts";
import { DEVICE_LIFETIME_SECONDS } from "../state/device-authorizations.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { findSession, readForm, startSession } from "./browser-session.ts";
import { answerClient } from "./client-endpoint.ts";
import { mayUse } from "./token.ts";

/**
 * How many wrong codes a browser may send. With 20^8 possible codes, guessing is hopeless (RFC 8628
 * §5.1).
 */
const MAX_WRONG_CODES = 10;

/** RFC 8628 §3.1: the device requests a code, which the user enters elsewhere. */
export function deviceAuthorizationEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const answer = answerClient(state, request, response, (client, parameters) => {
      if (!mayUse(client, GrantType.DeviceCode))
        throw new OAuthError(
          "unauthorized_client",
          "The client is not registered for the device grant.",
        );
      checkResources(parameters.resources);
      const scopes = readScopes(parameters, state.policy.profile);
      checkScopes(scopes, client, state.policy.scopes);
      const device = state.devices.issue({
        clientId: client.clientId,
        scopes,
        resources: parameters.resources,
      });
      const verification = getBase(state, request) + Path.Device;
      return {
        device_code: device.deviceCode,
        user_code: device.userCode,
        verification_uri: verification,
        verification_uri_complete: `${verification}?user_code=${device.userCode}`,
        expires_in: DEVICE_LIFETIME_SECONDS,
        interval: device.intervalSeconds,
      };
    });
    sendAnswer(response, answer);
  };
}

/** RFC 8628 §3.3: the page on which the user enters the code. */
export function userCodeForm(state: ProviderState) {
  return (request: Request, response: Response) => {
    const session = findSession(state, request) ?? startSession(state, request, response);
    const typed = parseRequestUrl(request).searchParams.get("user_code") ?? "";
    sendPage(response, 200, (nonce) => userCodePage(session, typed, undefined, nonce));
  };
}

export function userCodeSubmission(state: ProviderState) {
  return (request: Request, response: Response) => {
    const submitted = readForm(state, request, response);
    if (submitted === undefined) return;
    const { session, form } = submitted;
    const typed = form.get("user_code") ?? "";
    const askAgain = (status: number, problem: string) =>
      sendPage(response, status, (nonce) => userCodePage(session, typed, problem, nonce));
    if (session.wrongCodes >= MAX_WRONG_CODES)
      return askAgain(429, "You entered too many wrong codes. Start again on the device.");
    const device = state.devices.findByUserCode(typed);
    const client = device === undefined ? undefined : state.clients.get(device.clientId);
    if (device === undefined || client === undefined) {
      session.wrongCodes += 1;
      return askAgain(
        400,
        "No device is waiting for this code. Compare your code with the code on the device. Codes expire after ten minutes.",
      );
    }
    const { scopes, resources } = device;
    // An attacker may have sent the code to the user (RFC 8628 §5.4), so the consent page is always
    // shown.
    const prompts = new Set(["consent"]);
    const asked = {
      kind: "device",
      device,
      client,
      scopes,
      resources,
      prompts,
      loginHint: undefined,
    } as const;
    const interaction = state.sessions.begin(session, asked, session.user !== undefined);
    response.redirect(
      303,
      `${request.baseUrl}${session.user === undefined ? Path.Login : Path.Consent}?request=${interaction.id}`,
    );
  };
}
