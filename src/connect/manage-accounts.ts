import { listSecrets, type StoredAccount, summarizeAccount } from "../accounts/account.ts";
import { declaredHosts, hostsBeyond, requireKnownHosts } from "../accounts/account-hosts.ts";
import { openAccountSession } from "../accounts/account-session.ts";
import type { AccountSlot, AccountSummary } from "../accounts/account-summary.ts";
import type { KeyStore } from "../accounts/key-file.ts";
import { openAccount } from "../accounts/open-account.ts";
import {
  accountKey,
  accountNotFound,
  findSlotAuthentication,
  requireOAuth,
} from "../accounts/pack-account.ts";
import { openVault, type VaultOptions } from "../accounts/vault.ts";
import { isSecretAuthentication, listSecretFields } from "../define/authentication.ts";
import { isPackError, PackError } from "../errors.ts";
import { getConnectionName } from "../execute/metadata/execute-metadata.ts";
import { openValidPack } from "../execute/open-pack.ts";
import { discoverServer } from "../oauth/connect/discovery.ts";
import { revokeToken } from "../oauth/connect/revocation.ts";
import type { ExchangeRecord } from "../oauth/exchange-record.ts";
import { parseRoutes, type Routes } from "../oauth/routes.ts";
import type { Redactor } from "../shared/redact.ts";
import type { AccountCheck } from "./account-check.ts";

export interface AccountOptions {
  file: string;
  cwd: string;
  /** Folder of the vault. */
  home: string;
  /**
   * A `postgres://` URL, to keep the vault's records on a server. @default they are in the folder
   */
  databaseUrl?: string | undefined;
  /** Where a new vault keeps its key. @default a key file */
  keyStore?: KeyStore | undefined;
  /** @default "default" */
  account?: string | undefined;
  /** @default "user" */
  slot?: AccountSlot | undefined;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  /** Time limit of one request to the provider, in milliseconds. @default 30_000 */
  requestTimeoutMs?: number | undefined;
  redactor: Redactor;
  now?: (() => number) | undefined;
  /** Receives the requests to the authorization server, without secrets. @default none */
  onExchange?: ((record: ExchangeRecord) => void) | undefined;
}

function getVaultOptions({ home, databaseUrl, keyStore, now }: AccountOptions): VaultOptions {
  return { directory: home, databaseUrl, keyStore, now };
}

export interface ListAccountsOptions
  extends Pick<AccountOptions, "cwd" | "home" | "databaseUrl" | "keyStore"> {
  /** Only the accounts of this Pack. @default all Packs */
  file?: string | undefined;
  /** Only accounts of this name. @default all */
  account?: string | undefined;
  /** Only accounts of this slot. @default all */
  slot?: AccountSlot | undefined;
}

/** Lists accounts without their secrets. */
export async function listAccounts({
  file,
  cwd,
  home,
  databaseUrl,
  keyStore,
  account,
  slot,
}: ListAccountsOptions): Promise<AccountSummary[]> {
  await using vault = await openVault({ directory: home, databaseUrl, keyStore });
  const pack =
    file === undefined
      ? undefined
      : (await accountKey({ file, cwd, slot: "user", account: "default" })).pack;
  const isMeant = <Value>(wanted: Value | undefined, value: Value) =>
    wanted === undefined || wanted === value;
  return (await vault.list()).filter(
    (stored) =>
      isMeant(pack, stored.file) && isMeant(account, stored.name) && isMeant(slot, stored.slot),
  );
}

/**
 * Requests a new access token now, even if the old one has not expired.
 * @throws {PackError} ACCOUNT_MISSING, ACCOUNT_RECONNECT, ACCOUNT_HOSTS_CHANGED,
 *   OAUTH_TOKEN_UNAVAILABLE; the stored tokens then stay as they were
 */
export async function refreshAccount(options: AccountOptions): Promise<AccountSummary> {
  const { slot = "user", account = "default" } = options;
  await using pack = await openValidPack(options.file, { cwd: options.cwd });
  const definition = requireOAuth(pack.definition, slot);
  await using vault = await openVault(getVaultOptions(options));
  const key = await accountKey({ ...options, slot, account });
  const stored = await vault.get(key);
  if (stored === undefined) throw await accountNotFound(vault, options.file, key);
  const { networkDomains } = pack.definition;
  requireKnownHosts(stored, {
    key,
    authentication: definition,
    networkDomains,
  });
  const session = await openAccountSession({
    vault,
    key,
    definition,
    networkDomains,
    routes: parseRoutes(options.routes ?? []),
    timeoutMs: options.requestTimeoutMs,
    now: options.now,
    redactor: options.redactor,
    onExchange: options.onExchange,
  });
  if ((await session.renewAfterUnauthorized(stored.tokenSet?.accessToken ?? "")) === undefined)
    throw notRenewable(account);
  return summarizeAccount((await vault.get(key)) ?? stored);
}

function notRenewable(account: string): PackError<"ACCOUNT_RECONNECT"> {
  return new PackError(
    "ACCOUNT_RECONNECT",
    `packsmith cannot refresh the account "${account}": the provider issued no refresh token.`,
    {
      details: { account, error: "no refresh token" },
      hint: "Run packsmith auth connect when the access token has expired.",
    },
  );
}

export interface AllowedHosts {
  /**
   * The hosts that the account's credentials may go to now: domains, and origins of token
   * endpoints.
   */
  hosts: string[];
  /** Those that it was not connected for. */
  added: string[];
}

/**
 * Allows the hosts that the definition declares now, and only these, for an account that was
 * connected for others.
 * @throws {PackError} ACCOUNT_MISSING, OAUTH_NOT_CONFIGURED when the Pack declares no such account
 */
export async function allowHosts(options: AccountOptions): Promise<AllowedHosts> {
  const { slot = "user", account = "default" } = options;
  await using pack = await openValidPack(options.file, { cwd: options.cwd });
  const authentication =
    findSlotAuthentication(pack.definition, slot) ?? requireOAuth(pack.definition, slot);
  await using vault = await openVault(getVaultOptions(options));
  const key = await accountKey({ ...options, slot, account });
  const stored = await vault.get(key);
  if (stored === undefined) throw await accountNotFound(vault, options.file, key);
  const wanted = declaredHosts(authentication, pack.definition.networkDomains, stored);
  const added = hostsBeyond(wanted, stored.hosts);
  await vault.saveHosts(key, wanted);
  return {
    hosts: [
      ...new Set([
        ...wanted.credentialDomains,
        ...(wanted.networkDomains ?? []),
        ...wanted.tokenOrigins,
      ]),
    ],
    added,
  };
}

export interface RevokeResult {
  /** The provider confirmed the revocation. */
  revoked: boolean;
  /** Why the tokens may still be valid at the provider. */
  warning: string | undefined;
}

/**
 * Revokes an account's tokens (RFC 7009) if the provider has an endpoint for it. Then deletes the
 * account, even if the
 * revocation failed.
 * @throws {PackError} ACCOUNT_MISSING
 * @throws {PackError} ROUTE_INVALID, URL_NOT_ALLOWED for an invalid option; the account is then
 *   kept
 */
export async function revokeAccount(
  options: AccountOptions & { revocationUrl?: string | undefined },
): Promise<RevokeResult> {
  const { slot = "user", account = "default" } = options;
  await using vault = await openVault(getVaultOptions(options));
  const key = await accountKey({ ...options, slot, account });
  const stored = await vault.get(key);
  if (stored === undefined) throw await accountNotFound(vault, options.file, key);
  const result = await revoke(options, stored);
  await vault.remove(key);
  return result;
}

async function revoke(
  options: AccountOptions & { revocationUrl?: string | undefined },
  account: StoredAccount,
): Promise<RevokeResult> {
  const { client, tokenSet, endpoint } = account;
  for (const secret of listSecrets(account)) options.redactor.add(secret);
  if (tokenSet === undefined) return { revoked: false, warning: undefined };
  const routes = parseRoutes(options.routes ?? []);
  const revocationUrl =
    options.revocationUrl ??
    account.server?.revocationUrl ??
    (await findRevocationUrl(options, account, routes));
  if (revocationUrl === undefined) {
    return {
      revoked: false,
      warning:
        "The tokens were not revoked, because packsmith does not know a revocation endpoint. Remove the access in your account settings at the provider.",
    };
  }
  try {
    await using pack = await openValidPack(options.file, { cwd: options.cwd });
    const definition = requireOAuth(pack.definition, account.key.slot);
    await revokeToken({
      definition,
      revocationUrl,
      endpoint,
      client,
      tokenSet,
      issuer: account.server?.issuer,
      routes,
      timeoutMs: options.requestTimeoutMs,
      redactor: options.redactor,
      onExchange: options.onExchange,
    });
    return { revoked: true, warning: undefined };
  } catch (error) {
    // The provider was not asked, because an option is wrong. Deleting the tokens now would leave
    // nothing to revoke.
    if (isPackError(error, "ROUTE_INVALID") || isPackError(error, "URL_NOT_ALLOWED")) throw error;
    return {
      revoked: false,
      warning: isPackError(error, "OAUTH_REVOCATION_FAILED")
        ? error.message
        : `The provider did not revoke the tokens: ${error instanceof Error ? error.message : "unknown error"}`,
    };
  }
}

/**
 * The revocation endpoint of an account whose metadata is not pinned. Only an origin that the
 * account was connected for gets its secrets.
 */
async function findRevocationUrl(
  options: AccountOptions,
  { key, hosts }: StoredAccount,
  routes: Routes,
): Promise<string | undefined> {
  try {
    await using pack = await openValidPack(options.file, { cwd: options.cwd });
    const definition = requireOAuth(pack.definition, key.slot);
    if (definition.issuer === undefined) return undefined;
    const { redactor, onExchange, now, requestTimeoutMs: timeoutMs } = options;
    const { issuer } = definition;
    const request = { definition, issuer, routes, timeoutMs, redactor, onExchange, now };
    const { revocationUrl } = await discoverServer(request);
    if (revocationUrl === undefined) return undefined;
    const { origin } = new URL(revocationUrl);
    return hosts === "any" || hosts.tokenOrigins.includes(origin) ? revocationUrl : undefined;
  } catch (error) {
    // Without the Pack or the metadata, the account can still be forgotten.
    if (isPackError(error)) return undefined;
    throw error;
  }
}

/**
 * Tests an account whose credentials were entered: opens it and runs the Pack's
 * `getConnectionName`.
 * @throws {PackError} OAUTH_NOT_CONFIGURED for another type, ACCOUNT_MISSING, ACCOUNT_RECONNECT,
 *   CREDENTIAL_MISSING, and errors
 * of `getConnectionName`
 */
export async function checkAccount(options: AccountOptions): Promise<AccountCheck> {
  const { slot = "user", now, redactor } = options;
  await using pack = await openValidPack(options.file, { cwd: options.cwd });
  const authentication = findSlotAuthentication(pack.definition, slot);
  if (!isSecretAuthentication(authentication)) {
    throw new PackError(
      "OAUTH_NOT_CONFIGURED",
      `The Pack has no ${slot} account with entered credentials.`,
      {
        details: undefined,
        hint:
          slot === "user"
            ? "Call pack.setUserAuthentication in the Pack."
            : "Add this authentication to the Pack. To check the user's account, remove --system and --admin.",
      },
    );
  }
  await using vault = await openVault({
    directory: options.home,
    databaseUrl: options.databaseUrl,
    keyStore: options.keyStore,
    now,
  });
  const key = await accountKey({ ...options, slot, account: options.account ?? "default" });
  const routes = parseRoutes(options.routes ?? []);
  const { networkDomains } = pack.definition;
  const account = await openAccount({
    vault,
    key,
    authentication,
    networkDomains,
    routes,
    now,
    redactor,
  });
  const connectionName = await getConnectionName({
    isolate: pack.isolate,
    account,
    routes,
    now,
    redactor,
    slot,
  });
  return {
    type: authentication.type,
    fields: listSecretFields(authentication).map(({ name }) => name),
    connectionName,
  };
}
