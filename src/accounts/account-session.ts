import type { SecureContext } from "node:tls";
import type { ConnectionAnswers } from "../define/connection-values.ts";
import { isPackError, PackError } from "../errors.ts";
import { clientContextOf } from "../oauth/client-certificate.ts";
import { isSecretVariable, variablesOf } from "../oauth/connection-answers.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import { createDpopProof } from "../oauth/dpop.ts";
import { withCheckedEndpoint } from "../oauth/endpoint.ts";
import { fillDefinition, NO_ANSWERS, visibleAnswers } from "../oauth/fill-definition.ts";
import { requestClientCredentialsToken } from "../oauth/run/client-credentials.ts";
import { refreshTokenSet } from "../oauth/run/refresh.ts";
import { createTokenLifecycle } from "../oauth/run/token-lifecycle.ts";
import { readTokenResponse, tokenSetFromBody } from "../oauth/token-response.ts";
import { isExpired, mergeTokenSets, type TokenSet } from "../oauth/token-set.ts";
import type { TransportOptions } from "../oauth/transport.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import {
  type AccountKey,
  accountId,
  accountLabel,
  type DiscoveredUrls,
  type StoredAccount,
  secretsOf,
} from "./account.ts";
import { requireKnownEndpoint } from "./account-hosts.ts";
import type { SecretSession } from "./entered-credentials.ts";
import type { Vault } from "./vault.ts";

const debug = createDebugLog("oauth");

export interface AccountSessionOptions extends Omit<TransportOptions, "onPendingTokens"> {
  vault: Vault;
  key: AccountKey;
  definition: OAuthDefinition;
  /** Domains that the Pack declares. A renewed endpoint must be in one of them. @default none */
  networkDomains?: readonly string[] | undefined;
}

/** An account in use. */
export type AccountSession = OAuthSession | SecretSession;

/**
 * An OAuth2 account in use. It hands out access tokens, never the refresh token or the client
 * secret.
 */
export interface OAuthSession {
  /**
   * Identifies the account in a cache that several runs share. @default each object is another
   * account
   */
  readonly id?: string | undefined;
  /** The account's endpoint: an https origin with an optional path. */
  readonly endpoint: string | undefined;
  readonly authentication: OAuthDefinition;
  /** The account's answers to the connection variables, without secret ones. */
  readonly connection?: ConnectionAnswers | undefined;
  /**
   * @throws {PackError} ACCOUNT_RECONNECT when the user must connect the account again
   * @throws {PackError} OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT, OAUTH_TOKEN_REJECTED,
   *   OAUTH_TOKEN_RESPONSE_INVALID: the stored tokens are kept
   */
  getAccessToken(): Promise<string>;
  /**
   * Signs the DPoP proof for one request with a token that is bound to the account's key (RFC 9449
   * §7). The key stays here.
   * @returns undefined for other tokens
   */
  proveRequest?(request: {
    method: string;
    url: string;
    accessToken: string;
    nonce?: string | undefined;
  }): Promise<string | undefined>;
  /**
   * Shows the certificate of a client with `tls_client_auth` in TLS handshakes, because tokens may
   * be bound to it (RFC 8705 §3). The
   * private key stays here.
   * @returns undefined for other clients; the same object until the certificate changes
   * @throws {PackError} OAUTH_CLIENT_MISSING, OAUTH_CERTIFICATE_INVALID
   */
  clientContext?(): Promise<SecureContext | undefined>;
  /**
   * After a 401, or a response that the definition treats as one: another token, or undefined if
   * the account cannot be renewed.
   */
  renewAfterUnauthorized(rejected: string): Promise<string | undefined>;
}

/**
 * Opens an OAuth2 account for use.
 * @throws {PackError} ACCOUNT_MISSING
 */
export async function openAccountSession(options: AccountSessionOptions): Promise<OAuthSession> {
  const { vault, key, definition, redactor } = options;
  const account = await load(options);
  for (const variable of variablesOf(definition).filter(isSecretVariable))
    redactor?.add(account.answers?.variables[variable.name]);
  let { endpoint, client } = account;
  let context: { clientSecret: string | undefined; made: Promise<SecureContext> } | undefined;
  const dpopKeys = new Map<string, string>();
  const remember = (current: StoredAccount) => {
    const { accessToken = "", dpopKey } = current.tokenSet ?? {};
    if (dpopKey !== undefined) dpopKeys.set(accessToken, dpopKey);
    client = current.client;
    for (const secret of secretsOf(current)) redactor?.add(secret);
  };
  remember(account);

  const lifecycle = createTokenLifecycle({
    now: options.now,
    canRenew: (tokenSet) =>
      definition.type === "OAuth2ClientCredentials" || tokenSet?.refreshToken !== undefined,
    exclusively: (work) => vault.withRefreshLock(key, work),
    async load() {
      const current = await load(options);
      remember(current);
      if (current.status === "reconnect") {
        // A stored response that could not be read may hold the tokens that replaced the refused
        // ones.
        if ((await vault.getPendingTokens(key)) !== undefined) return undefined;
        throw reconnect(key, current.reconnectReason ?? "invalid_grant");
      }
      return current.tokenSet;
    },
    async renew() {
      const tokenSet = await renewAccount(options);
      const renewed = await load(options);
      remember(renewed);
      endpoint = renewed.endpoint;
      return tokenSet;
    },
  });
  return {
    id: accountId(key),
    authentication: definition,
    connection: visibleAnswers(definition, account.answers ?? NO_ANSWERS),
    get endpoint() {
      return endpoint;
    },
    async proveRequest(request) {
      const dpopKey = dpopKeys.get(request.accessToken);
      return dpopKey === undefined
        ? undefined
        : await createDpopProof(dpopKey, { ...request, nowMs: (options.now ?? Date.now)() });
    },
    async clientContext() {
      if (definition.clientAuthentication !== "tls_client_auth") return undefined;
      const { clientSecret } = client;
      if (context === undefined || context.clientSecret !== clientSecret) {
        context = { clientSecret, made: clientContextOf(client, (options.now ?? Date.now)()) };
      }
      return await context.made;
    },
    getAccessToken: lifecycle.getAccessToken,
    renewAfterUnauthorized: lifecycle.renewAfterUnauthorized,
  };
}

/** Renews the stored tokens and stores the result. Runs inside the refresh lock. */
async function renewAccount(options: AccountSessionOptions): Promise<TokenSet> {
  const { vault, key, definition, now = Date.now } = options;
  const account = await load(options);
  const adopted = await adoptPending(options, account);
  if (adopted !== undefined && !isExpired(adopted, now())) return adopted;
  if (adopted === undefined && account.status === "reconnect")
    throw reconnect(key, account.reconnectReason ?? "invalid_grant");
  const tokenSet = adopted ?? account.tokenSet;
  const request = {
    ...options,
    definition: withServer(definition, account.server),
    answers: account.answers,
    client: account.client,
    endpoint: account.endpoint,
    onPendingTokens: (pending: Parameters<Vault["savePendingTokens"]>[1]) =>
      vault.savePendingTokens(key, pending),
  };
  try {
    const renewed =
      definition.type === "OAuth2ClientCredentials" && tokenSet === undefined
        ? await requestClientCredentialsToken({ ...request, definition })
        : await refreshTokenSet({ ...request, tokenSet: tokenSet ?? neverConnected(key) });
    requireKnownEndpoint(account, renewed);
    await vault.saveTokens(key, renewed);
    debug(() => `refresh: ${accountLabel(key)} has new tokens, which are stored`, options.redactor);
    return renewed;
  } catch (error) {
    // Only invalid_grant means that the user must connect again, and invalid_client for a client
    // that the server had registered and forgot. Other failures may pass, so the stored tokens
    // stay.
    debug(
      () => `refresh: ${accountLabel(key)} failed${isPackError(error) ? ` (${error.code})` : ""}`,
      options.redactor,
    );
    if (definition.type !== "OAuth2" || !isPackError(error, "OAUTH_TOKEN_REJECTED")) throw error;
    const code = error.details.error;
    if (
      code !== "invalid_grant" &&
      !(code === "invalid_client" && account.client.registration !== undefined)
    )
      throw error;
    // The reason is shown without reading the account's secrets, so it must not contain one.
    const description = hidden(options, account, error.details.description);
    const reason = description === undefined ? code : `${code}: ${description}`;
    await vault.markReconnect(key, reason);
    throw reconnect(key, reason);
  }
}

function hidden(
  { redactor }: AccountSessionOptions,
  account: StoredAccount,
  text: string | undefined,
): string | undefined {
  if (text === undefined || redactor === undefined) return text;
  for (const secret of secretsOf(account)) redactor.add(secret);
  return redactor.text(text);
}

/**
 * Stores the tokens of a response that an earlier run received but could not store. A response that
 * still cannot be read
 * stays pending, because a corrected definition may read it later.
 */
async function adoptPending(
  options: AccountSessionOptions,
  account: StoredAccount,
): Promise<TokenSet | undefined> {
  const { vault, key, definition, networkDomains = [] } = options;
  const pending = await vault.getPendingTokens(key);
  if (pending === undefined) return undefined;
  const response = readTokenResponse(pending, definition);
  if (response.kind !== "tokens") return undefined;
  const method = account.tokenSet?.clientAuthentication ?? "body";
  const received = tokenSetFromBody(response.body, definition.scopeDelimiter ?? " ", method);
  const filled = fillDefinition(definition, account.answers ?? NO_ANSWERS);
  const checked = withCheckedEndpoint(received, filled, networkDomains, false);
  requireKnownEndpoint(account, checked);
  const merged =
    account.tokenSet === undefined ? checked : mergeTokenSets(account.tokenSet, checked);
  await vault.saveTokens(key, merged);
  return merged;
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

async function load({
  vault,
  key,
}: Pick<AccountSessionOptions, "vault" | "key">): Promise<StoredAccount> {
  const account = await vault.get(key);
  if (account !== undefined) return account;
  throw new PackError(
    "ACCOUNT_MISSING",
    `There is no account "${accountLabel(key)}" for this Pack.`,
    {
      details: { account: accountLabel(key) },
      hint: "Connect one with auth connect.",
    },
  );
}

function neverConnected(key: AccountKey): never {
  throw reconnect(key, "the account has no tokens");
}

function reconnect(key: AccountKey, error: string): PackError<"ACCOUNT_RECONNECT"> {
  return new PackError(
    "ACCOUNT_RECONNECT",
    `The account "${accountLabel(key)}" must be connected again (${error}).`,
    {
      details: { account: accountLabel(key), error },
      hint: "Connect it again with auth connect.",
    },
  );
}
