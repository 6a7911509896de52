import { isPackError, PackError } from "../errors.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import { withCheckedEndpoint } from "../oauth/endpoint.ts";
import { canRenew, exchangeToken, isFinal, mergeExchanged } from "../oauth/exchange-token.ts";
import { fillDefinition, NO_ANSWERS } from "../oauth/fill-definition.ts";
import { requestClientCredentialsToken } from "../oauth/run/client-credentials.ts";
import { type RefreshTokenSetOptions, refreshTokenSet } from "../oauth/run/refresh.ts";
import { readingOfExchange, readingOfGrant } from "../oauth/step.ts";
import { type PendingTokens, readTokenResponse, toTokenSet } from "../oauth/token-response.ts";
import { isExpired, mergeTokenSets, type TokenSet } from "../oauth/token-set.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import {
  type AccountKey,
  accountLabel,
  type DiscoveredUrls,
  formatConnectCommand,
  LOCAL_ACCOUNT,
  listSecrets,
  type StoredAccount,
} from "./account.ts";
import { requireKnownEndpoint } from "./account-hosts.ts";
import { accountMissing } from "./account-writes.ts";
import { findMovedServer, type MovedServerOptions } from "./moved-server.ts";
import type { Vault } from "./vault.ts";

const debug = createDebugLog("oauth");

export interface AccountSessionOptions extends Omit<MovedServerOptions, "onPendingTokens"> {
  vault: Vault;
  /** Whether the access token is still usable, so that a refusal means nothing. @default false */
  isEarly?: boolean | undefined;
}

type RenewalRequest = Omit<RefreshTokenSetOptions, "tokenSet">;

/**
 * Renews the stored tokens and stores the result. Runs inside the refresh lock. Continues after the
 * last step that an earlier run has reached. If the server has moved its token endpoint, which its
 * metadata shows, the renewal is repeated there once.
 */
export async function renewAccount(options: AccountSessionOptions): Promise<TokenSet> {
  const { vault, key, definition, now = Date.now } = options;
  const account = await loadAccount(options);
  const pending = await readPending(options, account);
  if (pending === undefined && account.status === "reconnect")
    throw reconnect(key, account.reconnectReason ?? "invalid_grant");
  const reached = pending ?? account.tokenSet;
  const request: RenewalRequest = {
    ...options,
    definition: withServer(definition, account.server),
    answers: account.answers,
    client: account.client,
    endpoint: account.endpoint,
    issuer: account.server?.issuer,
    onPendingTokens: (received) => vault.savePendingTokens(key, received),
  };
  try {
    const renewed =
      (await finishSteps(request, reached, pending !== undefined, now())) ??
      (await requestTokens(request, key, reached).catch(async (error: unknown) => {
        const moved = await findMovedServer(options, account, error);
        if (moved === undefined) throw error;
        const { urls, clientAuthenticationMethods } = moved;
        await vault.saveServer(key, urls);
        debug(
          () => `refresh: ${accountLabel(key)} continues at ${urls.tokenUrl}`,
          options.redactor,
        );
        const again = {
          ...request,
          definition: withServer(definition, urls),
          supportedAuthenticationMethods: clientAuthenticationMethods,
        };
        return await requestTokens(again, key, reached);
      }));
    requireKnownEndpoint(account, renewed);
    await vault.saveTokens(key, renewed);
    debug(() => `refresh: ${accountLabel(key)} has new tokens, which are stored`, options.redactor);
    return renewed;
  } catch (error) {
    debug(
      () => `refresh: ${accountLabel(key)} failed${isPackError(error) ? ` (${error.code})` : ""}`,
      options.redactor,
    );
    throw await failRenewal(options, account, error);
  }
}

/**
 * The tokens of the last step, as far as no grant is needed for them. A token that can no longer be
 * exchanged is renewed.
 * @returns undefined when the tokens must be renewed
 */
async function finishSteps(
  request: RenewalRequest,
  reached: TokenSet | undefined,
  isPending: boolean,
  nowMs: number,
): Promise<TokenSet | undefined> {
  if (reached === undefined || isExpired(reached, nowMs)) return undefined;
  if (isFinal(request.definition, reached)) return isPending ? reached : undefined;
  const definition = fillDefinition(request.definition, request.answers ?? NO_ANSWERS);
  try {
    const exchanged = await exchangeToken({ ...request, definition }, reached);
    return withCheckedEndpoint(exchanged, definition, request.networkDomains ?? [], false);
  } catch (error) {
    if (canRenew(definition, reached, nowMs) && isPackError(error, "OAUTH_TOKEN_REJECTED"))
      return undefined;
    throw error;
  }
}

async function requestTokens(
  request: RenewalRequest,
  key: AccountKey,
  reached: TokenSet | undefined,
): Promise<TokenSet> {
  const { definition } = request;
  return definition.type === "OAuth2ClientCredentials" && reached === undefined
    ? await requestClientCredentialsToken({ ...request, definition })
    : await refreshTokenSet({ ...request, tokenSet: reached ?? neverConnected(key) });
}

/**
 * Reads a response that an earlier run received but could not store. One that still cannot be read
 * stays pending, because a corrected definition may read it later.
 */
async function readPending(
  { vault, key, definition, networkDomains = [] }: AccountSessionOptions,
  account: StoredAccount,
): Promise<TokenSet | undefined> {
  const pending = await vault.getPendingTokens(key);
  if (pending === undefined) return undefined;
  const received = readTokens(pending, definition, account);
  if (received === undefined) return undefined;
  const filled = fillDefinition(definition, account.answers ?? NO_ANSWERS);
  const checked = withCheckedEndpoint(received, filled, networkDomains, false);
  return account.tokenSet === undefined ? checked : mergeTokenSets(account.tokenSet, checked);
}

function readTokens(
  { granted, ...received }: PendingTokens,
  definition: OAuthDefinition,
  { tokenSet }: StoredAccount,
): TokenSet | undefined {
  const reading = (granted === undefined ? readingOfGrant : readingOfExchange)(definition);
  const response = readTokenResponse(received, reading);
  if (response.kind !== "tokens") return granted;
  const tokens = toTokenSet(
    response.tokens,
    reading.scopeDelimiter,
    tokenSet?.clientAuthentication ?? "body",
  );
  return granted === undefined ? tokens : mergeExchanged(granted, tokens);
}

/**
 * Only invalid_grant means that the user must connect again, and invalid_client for a client that
 * the server had registered and forgot. Other failures may pass, so the stored tokens stay.
 */
async function failRenewal(
  options: AccountSessionOptions,
  account: StoredAccount,
  error: unknown,
): Promise<unknown> {
  const { vault, key, definition } = options;
  if (!isPackError(error, "OAUTH_TOKEN_REJECTED")) return error;
  const code = error.details.error;
  const isRegistered = account.client.registration !== undefined;
  if (code === "invalid_client" && !isRegistered) return clientRefused(key, error);
  const needsUser = code === "invalid_grant" || (code === "invalid_client" && isRegistered);
  if (definition.type !== "OAuth2" || !needsUser || options.isEarly === true) return error;
  // The reason is shown without reading the account's secrets, so it must not contain one.
  const description = hideSecrets(options, account, error.details.description);
  const reason = description === undefined ? code : `${code}: ${description}`;
  await vault.markReconnect(key, reason);
  return reconnect(key, reason);
}

function clientRefused(
  key: AccountKey,
  error: PackError<"OAUTH_TOKEN_REJECTED">,
): PackError<"OAUTH_TOKEN_REJECTED"> {
  return new PackError("OAUTH_TOKEN_REJECTED", error.message, {
    details: error.details,
    hint:
      key.name === LOCAL_ACCOUNT
        ? `After a restart, packsmith provider --for uses a new client. Connect the account again: ${formatConnectCommand(key.pack, key)}.`
        : `If the provider issued a new client secret, run ${formatConnectCommand(key.pack, key)} and enter the secret. packsmith keeps the client ID, the redirect URI and your answers.`,
    cause: error.cause,
  });
}

function hideSecrets(
  { redactor }: AccountSessionOptions,
  account: StoredAccount,
  text: string | undefined,
): string | undefined {
  if (text === undefined || redactor === undefined) return text;
  for (const secret of listSecrets(account)) redactor.add(secret);
  return redactor.text(text);
}

/** A definition with the URLs that it leaves to discovery. */
export function withServer<Definition extends OAuthDefinition>(
  definition: Definition,
  server: DiscoveredUrls | undefined,
): Definition {
  if (server === undefined) return definition;
  const { authorizationUrl, tokenUrl, resource } = server;
  return {
    ...definition,
    authorizationUrl: definition.authorizationUrl ?? authorizationUrl,
    tokenUrl: definition.tokenUrl ?? tokenUrl,
    ...(resource === undefined ? {} : { resource }),
  };
}

/** @throws {PackError} ACCOUNT_MISSING */
export async function loadAccount({
  vault,
  key,
}: Pick<AccountSessionOptions, "vault" | "key">): Promise<StoredAccount> {
  const account = await vault.get(key);
  if (account !== undefined) return account;
  throw accountMissing(key);
}

function neverConnected(key: AccountKey): never {
  throw reconnect(key, "the account has no tokens");
}

export function reconnect(key: AccountKey, error: string): PackError<"ACCOUNT_RECONNECT"> {
  return new PackError(
    "ACCOUNT_RECONNECT",
    `The account "${accountLabel(key)}" must be connected again (${error}).`,
    {
      details: { account: accountLabel(key), error },
      hint: "Run packsmith auth connect to connect the account again.",
    },
  );
}
