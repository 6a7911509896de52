import type { Request, Response } from "express";
import { shapeAnswer } from "./answer.ts";
import { answerClient, sendAnswer } from "./client-endpoint.ts";
import { issueTokens } from "./grants.ts";
import { originOf } from "./guards.ts";
import type { ProviderClient } from "./options.ts";
import type { Parameters } from "./parameters.ts";
import { Path } from "./paths.ts";
import { dpopKeyOf } from "./present-proof.ts";
import type { ProviderState } from "./provider-state.ts";

/** RFC 6749 §3.2; also the refresh address of providers that have one. */
export function tokenEndpoint(state: ProviderState, path: typeof Path.Token | typeof Path.Refresh = Path.Token) {
  const { profile, apiOrigin } = state.policy;
  const reading = { format: profile.token?.format, client: profile.client };
  return (request: Request, response: Response) => {
    const issuer = state.policy.issuer ?? originOf(request);
    const issue = (client: ProviderClient, parameters: Parameters) =>
      issueTokens(state, client, parameters, { issuer, boundTo: dpopKeyOf(state, request) }, path);
    const answer = answerClient(state, request, response, issue, reading);
    sendAnswer(response, shapeAnswer(answer, profile.answer, { nowMs: state.clock.now(), apiOrigin: apiOrigin ?? originOf(request) }));
  };
}
