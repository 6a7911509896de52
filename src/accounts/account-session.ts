import type { SecureContext } from "node:tls";
import type { ConnectionAnswers } from "../define/connection-values.ts";
import { createClientContext } from "../oauth/client-certificate.ts";
import { isSecretVariable, listVariables } from "../oauth/connection-answers.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import { createDpopProof } from "../oauth/dpop.ts";
import { canRenew, isFinal } from "../oauth/exchange-token.ts";
import { NO_ANSWERS, visibleAnswers } from "../oauth/fill-definition.ts";
import { createTokenLifecycle } from "../oauth/run/token-lifecycle.ts";
import { accountId, listSecrets, type StoredAccount } from "./account.ts";
import type { SecretSession } from "./entered-credentials.ts";
import {
  type AccountSessionOptions,
  loadAccount,
  reconnect,
  renewAccount,
} from "./renew-account.ts";

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
  const account = await loadAccount(options);
  for (const variable of listVariables(definition).filter(isSecretVariable))
    redactor?.add(account.answers?.variables[variable.name]);
  let { endpoint, client } = account;
  let context: { clientSecret: string | undefined; made: Promise<SecureContext> } | undefined;
  const dpopKeys = new Map<string, string>();
  const remember = (current: StoredAccount) => {
    const { accessToken = "", dpopKey } = current.tokenSet ?? {};
    if (dpopKey !== undefined) dpopKeys.set(accessToken, dpopKey);
    client = current.client;
    for (const secret of listSecrets(current)) redactor?.add(secret);
  };
  remember(account);

  const lifecycle = createTokenLifecycle({
    clientId: client.clientId,
    now: options.now,
    canRenew: (tokenSet) => canRenew(definition, tokenSet, (options.now ?? Date.now)()),
    exclusively: (work) => vault.withRefreshLock(key, work),
    async load() {
      const current = await loadAccount(options);
      remember(current);
      if (current.status === "reconnect") {
        // A stored response that could not be read may hold the tokens that replaced the refused
        // ones.
        if ((await vault.getPendingTokens(key)) !== undefined) return undefined;
        throw reconnect(key, current.reconnectReason ?? "invalid_grant");
      }
      const { tokenSet } = current;
      return tokenSet === undefined || isFinal(definition, tokenSet) ? tokenSet : undefined;
    },
    async renew(_stored, isEarly) {
      const tokenSet = await renewAccount({ ...options, isEarly });
      const renewed = await loadAccount(options);
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
        context = { clientSecret, made: createClientContext(client, (options.now ?? Date.now)()) };
      }
      return await context.made;
    },
    getAccessToken: lifecycle.getAccessToken,
    renewAfterUnauthorized: lifecycle.renewAfterUnauthorized,
  };
}
