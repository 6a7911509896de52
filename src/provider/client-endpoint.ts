import type { Request, Response } from "express";
import { authenticateClient } from "./client-authentication.ts";
import { formParameters, recordOf } from "./form.ts";
import { urlOf } from "./guards.ts";
import { OAuthError } from "./oauth-error.ts";
import type { ProviderClient } from "./options.ts";
import type { Parameters } from "./parameters.ts";
import type { TokenAnswer } from "./profile.ts";
import type { ProviderState } from "./provider-state.ts";

/** Runs what a client asked for at the token, introspection or revocation endpoint, and turns protocol errors into answers. */
export function answerClient(
  state: ProviderState,
  request: Request,
  response: Response,
  run: (client: ProviderClient, parameters: Parameters) => Record<string, unknown> | "",
): TokenAnswer {
  try {
    if (urlOf(request).search !== "") throw new OAuthError("invalid_request", "Parameters belong in the body, not in the URL.");
    const { parameters } = formParameters(request, response, state.recorder);
    const client = authenticateClient(state.clients, request.headers.authorization, parameters, (method) => {
      recordOf(response).clientAuthentication = method;
    });
    return { status: 200, headers: {}, body: run(client, parameters) };
  } catch (error) {
    if (error instanceof OAuthError) return errorAnswer(error);
    throw error;
  }
}

export function errorAnswer({ error, message, status }: OAuthError): TokenAnswer {
  // RFC 9110 §15.5.2: every 401 names a way to authenticate.
  const headers: Record<string, string> = status === 401 ? { "WWW-Authenticate": 'Basic realm="packsmith provider", charset="UTF-8"' } : {};
  return { status, headers, body: { error, error_description: message } };
}

export function sendAnswer(response: Response, { status, headers, body }: TokenAnswer): void {
  response.status(status).set(headers);
  if (typeof body !== "string") response.json(body);
  else if (body === "") response.end();
  else response.end(body);
}
