import { OAuth2Client, type OAuth2Token } from "@badgateway/oauth2-client";
import { callLibrary, readGrant, toLibraryResponse } from "../call-library.ts";
import {
  authenticateInTurn,
  clientAuthenticationMethods,
  isListed,
} from "../client-authentication.ts";
import { type GrantParams, runStepForTokens, type StepRun } from "../run-step.ts";
import type { RequestAuthentication } from "../step.ts";
import { type IssuedTokens, toTokenSet } from "../token-response.ts";
import type { ClientAuthenticationMethod, ClientCredentials, TokenSet } from "../token-set.ts";

export interface GrantRequest extends Omit<StepRun, "authentication"> {
  client: ClientCredentials;
  /** The method that the token endpoint accepted before. */
  clientAuthentication?: ClientAuthenticationMethod | undefined;
  /** The methods that the server's metadata lists, if it was read. */
  supportedAuthenticationMethods?: readonly string[] | undefined;
}

/** How to write the grant: with the library, or as parameters. */
export interface Grant {
  /** Has the library make the request. */
  ask(library: OAuth2Client): Promise<OAuth2Token>;
  /** What the library gets wrong about this request, changed in place. @default nothing */
  correct?: ((params: URLSearchParams) => void) | undefined;
  /** The same parameters, for a client that the library does not know. */
  params: URLSearchParams;
}

/**
 * Makes a grant request with each client authentication in turn. @badgateway/oauth2-client writes
 * the request, unless the client has a key or a certificate in place of a secret, or neither: the
 * library would send the key as a secret.
 */
export function requestGrant(request: GrantRequest, grant: Grant): Promise<TokenSet> {
  const {
    definition,
    client,
    dpopKey,
    issuer,
    supportedAuthenticationMethods: supported,
  } = request;
  const { clientAuthentication: accepted } = request;
  // What was accepted before is refused, once metadata that was read again lists other methods.
  const isOutdated =
    accepted !== undefined && supported !== undefined && !isListed(accepted, supported);
  const methods = clientAuthenticationMethods(
    definition,
    client,
    isOutdated ? undefined : accepted,
    supported,
    issuer,
  );
  return authenticateInTurn(methods, async (method) => {
    const run = { ...request, authentication: { client, method } };
    const tokens = SECRET_METHODS.has(method)
      ? await askLibrary(run, grant)
      : await runStepForTokens(run, writeParams(grant.params, grant));
    return toTokenSet(tokens, request.step.response.scopeDelimiter, method, dpopKey);
  });
}

const SECRET_METHODS: ReadonlySet<ClientAuthenticationMethod> = new Set([
  "body",
  "basic",
  "basic-strict",
  "secret_as_user",
]);

/**
 * The library writes the grant and sees the tokens. The step writes the client authentication:
 * Basic of the library changes a colon in the secret and knows only Latin-1. The tokens are those
 * of the step: the library forgets token_type, and knows only the clock of the system.
 */
async function askLibrary(
  run: StepRun & { authentication: RequestAuthentication },
  grant: Grant,
): Promise<IssuedTokens> {
  const { clientId, clientSecret = "" } = run.authentication.client;
  let tokens: IssuedTokens | undefined;
  const send: typeof fetch = async (_, init) => {
    const { params, headers } = readGrant(init);
    tokens = await runStepForTokens(run, { ...writeParams(params, grant), headers });
    return toLibraryResponse(tokens);
  };
  await callLibrary(send, (observed) =>
    grant.ask(
      new OAuth2Client({
        clientId,
        clientSecret,
        tokenEndpoint: run.step.url,
        authenticationMethod: "client_secret_post",
        fetch: observed,
      }),
    ),
  );
  if (tokens === undefined) throw new TypeError("The library made no request.");
  return tokens;
}

function writeParams(params: URLSearchParams, { correct }: Grant): GrantParams {
  const own = new URLSearchParams(params);
  correct?.(own);
  return { params: own, headers: { accept: "application/json" } };
}
