import type { Request, Response } from "express";
import { errorAnswer, OAuthError } from "../answer.ts";
import type { ProviderClient } from "../options.ts";
import { Path } from "../paths.ts";
import { type ClientQuirks, TOKEN_URL, type TokenAnswer, type TokenQuirks } from "../profile.ts";
import { type AssertionFacts, authenticateClient } from "../request/client-authentication.ts";
import { findCertificate } from "../request/client-certificate.ts";
import { getBase, getIssuer } from "../request/guards.ts";
import type { Parameters } from "../request/parameters.ts";
import { getRecord, readRequest } from "../request/request-body.ts";
import type { ProviderState } from "../state/provider-state.ts";

/** How an endpoint deviates from the request format and client authentication of RFC 6749. */
export interface ReadingQuirks {
  format?: TokenQuirks["format"];
  client?: ClientQuirks | undefined;
  /** Names of parameters, by their names in RFC 6749. */
  names?: Readonly<Record<string, string>> | undefined;
}

/**
 * Handles a request at an endpoint that authenticates clients, and turns protocol errors into
 * responses.
 */
export function answerClient(
  state: ProviderState,
  request: Request,
  response: Response,
  run: (client: ProviderClient, parameters: Parameters) => Record<string, unknown> | "",
  { format = "form", client: quirks = {}, names = {} }: ReadingQuirks = {},
): TokenAnswer {
  return orErrorAnswer(() => {
    const { get, resources } = readRequest(request, response, state.recorder, format);
    const parameters: Parameters = {
      get: (name) => get(Object.hasOwn(names, name) ? (names[name] ?? name) : name),
      resources,
    };
    const client = authenticate(state, request, response, parameters, quirks);
    return run(client, parameters);
  });
}

/** The response with these members, or the one to a protocol error. */
export function orErrorAnswer(run: () => Record<string, unknown> | ""): TokenAnswer {
  try {
    return { status: 200, headers: {}, body: run() };
  } catch (error) {
    if (error instanceof OAuthError) return errorAnswer(error);
    throw error;
  }
}

function authenticate(
  state: ProviderState,
  request: Request,
  response: Response,
  parameters: Parameters,
  quirks: ClientQuirks,
) {
  const onMethod = (method: ReturnType<typeof getRecord>["clientAuthentication"]) => {
    getRecord(response).clientAuthentication = method;
  };
  try {
    return authenticateClient(
      state.clients,
      request.headers.authorization,
      parameters,
      onMethod,
      assertionFacts(state, request),
      quirks,
    );
  } catch (error) {
    const code =
      quirks.burnsCode === true ? state.tokens.findCode(parameters.get("code") ?? "") : undefined;
    if (code !== undefined) code.used = true;
    throw error;
  }
}

/**
 * Accepted audiences of assertions: the issuer, the token endpoint, or the requested endpoint (RFC
 * 7523 §3, RFC 8414 §2).
 */
function assertionFacts(state: ProviderState, request: Request): AssertionFacts {
  const base = getBase(state, request);
  const { audience, issuer } = state.policy.profile.client?.assertion ?? {};
  const tokenUrls = [base + Path.Token, ...state.policy.audiences];
  const asked = request.originalUrl.split("?", 1)[0] ?? "";
  return {
    audiences:
      audience === undefined
        ? [getIssuer(state, request), new URL(base).origin + asked, ...tokenUrls]
        : audience === TOKEN_URL
          ? tokenUrls
          : [audience],
    issuer,
    nowMs: state.clock.now(),
    certificate: findCertificate(request),
    claimIdentifier: state.assertions.claim,
  };
}
