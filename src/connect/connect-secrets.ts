import {
  type AccountKey,
  createStoredAccount,
  isoTime,
  listSecrets,
  type StoredAccount,
  summarizeAccount,
} from "../accounts/account.ts";
import { declaredHosts } from "../accounts/account-hosts.ts";
import { checkSecrets } from "../accounts/entered-credentials.ts";
import { openAccount } from "../accounts/open-account.ts";
import { accountKey, accountMissing } from "../accounts/pack-account.ts";
import { openVault } from "../accounts/vault.ts";
import {
  listSecretFields,
  type SecretAuthentication,
  type SecretField,
} from "../define/authentication.ts";
import type { Pack } from "../execute/open-pack.ts";
import { checkEnteredEndpoint, requireEndpoint } from "../oauth/endpoint.ts";
import { parseRoutes } from "../oauth/routes.ts";
import { uptimeMs } from "../shared/time.ts";
import { setUpAccount } from "./account-setup.ts";
import type { ConnectAccountOptions, ConnectedAccount } from "./connect-options.ts";

/**
 * Stores an account whose credentials the user enters. If a value is missing, the endpoint is not
 * allowed or a step of the
 * setup fails, nothing is stored, and an account that existed before stays as it was.
 * @throws {PackError} CREDENTIAL_MISSING, CREDENTIAL_INVALID, ENDPOINT_MISSING, ENDPOINT_INVALID,
 *   ENDPOINT_OUTSIDE_DOMAIN,
 * POST_SETUP_CHOICE, VAULT_ codes
 */
export async function connectSecrets(
  options: ConnectAccountOptions,
  pack: Pack,
  authentication: SecretAuthentication,
): Promise<ConnectedAccount> {
  const started = uptimeMs();
  const { now = Date.now, redactor } = options;
  const { networkDomains } = pack.definition;
  const key = await accountKey({
    ...options,
    slot: options.slot ?? "user",
    account: options.account ?? "default",
  });
  const { home, databaseUrl, keyStore } = options;
  await using vault = await openVault({ directory: home, databaseUrl, keyStore, now: options.now });
  if (authentication.instructionsUrl !== undefined)
    options.onProgress?.(`how to set the account up: ${authentication.instructionsUrl}`);
  const before = await vault.get(key);
  const endpoint =
    options.endpoint === undefined
      ? before?.endpoint
      : checkEnteredEndpoint(options.endpoint, authentication, networkDomains);
  requireEndpoint(authentication, endpoint);
  const secrets = checkSecrets(authentication, await collectSecrets(options, authentication));
  const account = enteredAccount({
    key,
    pack,
    authentication,
    secrets,
    endpoint,
    options,
    nowMs: now(),
  });
  for (const secret of listSecrets(account)) redactor.add(secret);
  await vault.save(account);
  const routes = parseRoutes(options.routes ?? []);
  const open = () =>
    openAccount({ vault, key, authentication, networkDomains, routes, now: options.now, redactor });
  try {
    await setUpAccount({
      options,
      key,
      vault,
      networkDomains,
      definition: authentication,
      runOptions: async () => ({
        isolate: pack.isolate,
        account: await open(),
        routes,
        redactor,
        now: options.now,
        onExchange: options.observer?.onRequest,
      }),
    });
  } catch (error) {
    await (before === undefined ? vault.remove(key) : vault.save(before));
    throw error;
  }
  const stored = await vault.get(key);
  if (stored === undefined) throw accountMissing(options.file, key.name);
  return { ...summarizeAccount(stored), redirectUri: undefined, durationMs: uptimeMs() - started };
}

async function collectSecrets(
  { secrets = {}, askSecret }: ConnectAccountOptions,
  authentication: SecretAuthentication,
): Promise<Record<string, string>> {
  const fields: readonly SecretField[] = listSecretFields(authentication);
  const values = new Map(Object.entries(secrets));
  for (const field of fields) {
    if (values.has(field.name)) continue;
    const answer = await askSecret?.(field, fields.length === 1);
    if (answer !== undefined && answer !== "") values.set(field.name, answer);
  }
  return Object.fromEntries(values);
}

interface EnteredAccount {
  key: AccountKey;
  pack: Pack;
  authentication: SecretAuthentication;
  secrets: Record<string, string>;
  endpoint: string | undefined;
  options: ConnectAccountOptions;
  nowMs: number;
}

function enteredAccount({
  key,
  pack,
  authentication,
  secrets,
  endpoint,
  options,
  nowMs,
}: EnteredAccount): StoredAccount {
  return createStoredAccount({
    key,
    pack: pack.bundle.name,
    type: authentication.type,
    client: { clientId: "", clientSecret: undefined },
    tokenSet: undefined,
    secrets,
    hosts: declaredHosts(authentication, pack.definition.networkDomains, {
      answers: undefined,
      server: undefined,
    }),
    endpoint,
    connectionName: options.userName,
    requestedScopes: [],
    scopes: undefined,
    status: "connected",
    createdAt: isoTime(nowMs),
    updatedAt: isoTime(nowMs),
  });
}
