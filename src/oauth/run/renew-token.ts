import type { OAuth2Authentication, TokenRenewal } from "../../define/oauth.ts";
import { PackError } from "../../errors.ts";
import { authenticateInTurn, clientAuthenticationMethods } from "../client-authentication.ts";
import { resolveUrl } from "../endpoint.ts";
import { canRenew, mergeExchanged } from "../exchange-token.ts";
import { runStepForTokens, type StepRun } from "../run-step.ts";
import type { TransportOptions } from "../send.ts";
import { renewalStep } from "../step.ts";
import { toTokenSet } from "../token-response.ts";
import type { ClientCredentials, TokenSet } from "../token-set.ts";

export interface RenewTokenOptions extends TransportOptions {
  client: ClientCredentials;
  tokenSet: TokenSet;
  /** The account's endpoint, for a relative URL. */
  endpoint?: string | undefined;
}

/**
 * Renews an access token with itself, for a provider without refresh tokens (`tokenRenewal`). Such
 * a token must still be valid.
 * @throws {PackError} OAUTH_TOKEN_REJECTED with `invalid_grant` for a token that has expired; those
 *   of `runStep`
 */
export async function renewWithAccessToken(
  options: RenewTokenOptions,
  definition: OAuth2Authentication,
  renewal: TokenRenewal,
): Promise<TokenSet> {
  const { client, tokenSet, onPendingTokens, now = Date.now } = options;
  if (!canRenew(definition, tokenSet, now())) throw createExpiredError();
  const step = renewalStep(definition, renewal, resolveUrl(renewal.url, options.endpoint));
  const params = new URLSearchParams(
    renewal.grantType === undefined ? {} : { grant_type: renewal.grantType },
  );
  const run: StepRun = {
    ...options,
    definition,
    step,
    authentication: undefined,
    values: { token: tokenSet.accessToken },
    // Its response has the form of an exchange.
    onPendingTokens: (pending) =>
      onPendingTokens?.({ ...pending, granted: tokenSet }) ?? Promise.resolve(),
  };
  const headers = { accept: "application/json" };
  const methods =
    renewal.withClient === false
      ? [undefined]
      : clientAuthenticationMethods(definition, client, tokenSet.clientAuthentication);
  const [only] = methods;
  const ask = async (authentication: StepRun["authentication"]): Promise<TokenSet> => {
    const tokens = await runStepForTokens({ ...run, authentication }, { params, headers });
    return toTokenSet(tokens, step.response.scopeDelimiter, tokenSet.clientAuthentication);
  };
  const renewed =
    only === undefined
      ? await ask(undefined)
      : await authenticateInTurn(
          methods.flatMap((method) => method ?? []),
          (method) => ask({ client, method }),
        );
  return mergeExchanged(tokenSet, renewed);
}

function createExpiredError(): PackError<"OAUTH_TOKEN_REJECTED"> {
  return new PackError(
    "OAUTH_TOKEN_REJECTED",
    "The access token has expired, and the provider issued no refresh token.",
    {
      details: { status: 0, error: "invalid_grant", description: "the access token has expired" },
      hint: "Connect the account again. If the Pack runs often, packsmith exchanges a valid token for a new token after half of the token's lifetime.",
    },
  );
}
