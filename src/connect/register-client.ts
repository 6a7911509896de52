import { createStoredAccount, isoTime } from "../accounts/account.ts";
import { declaredHosts } from "../accounts/account-hosts.ts";
import { accountKey } from "../accounts/pack-account.ts";
import { openVault } from "../accounts/vault.ts";
import { PackError } from "../errors.ts";
import { openPack } from "../execute/open-pack.ts";
import { registerClient } from "../oauth/connect/registration.ts";
import {
  createTransportOptions,
  type DiscoveredAuthentication,
  type DiscoverOptions,
} from "./discover-authentication.ts";
import type { AccountOptions } from "./manage-accounts.ts";
import { ownRedirect, redirectAddress } from "./redirect-path.ts";
import type { RegisteredClient } from "./registered-client.ts";

export interface RegisterOptions
  extends DiscoverOptions,
    Pick<AccountOptions, "file" | "cwd" | "home" | "databaseUrl" | "keyStore" | "now"> {
  account: string;
  /** @default the path of the account on 127.0.0.1, where providers accept any port (RFC 8252 §7.3) */
  redirectUri?: string | undefined;
}

/**
 * Registers a client for a Pack (RFC 7591) and stores it, with its secret, in an account that is
 * not connected yet.
 * @throws {PackError} ACCOUNT_BUSY when an account of this name exists
 * @throws {PackError} OAUTH_REGISTRATION_FAILED, URL_NOT_ALLOWED, and errors of loading the Pack
 */
export async function registerForPack(
  options: RegisterOptions,
  { server, definition }: DiscoveredAuthentication,
): Promise<RegisteredClient> {
  const { file, cwd, account, now = Date.now, home, databaseUrl, keyStore } = options;
  await using pack = await openPack(file, { cwd });
  const key = await accountKey({ file, cwd, slot: "user", account });
  const { path, binding } = ownRedirect({
    packName: pack.bundle.name,
    packPath: key.pack,
    slot: "user",
    issuer: server.issuer,
    definition: { type: "OAuth2", issuer: server.issuer },
    endpoint: undefined,
  });
  const redirectUri = options.redirectUri ?? `http://127.0.0.1${path}`;
  await using vault = await openVault({ directory: home, databaseUrl, keyStore, now });
  if ((await vault.get(key)) !== undefined) throw createBusyError(account);
  const client = await registerClient({
    ...createTransportOptions(options),
    definition: { type: "OAuth2", issuer: server.issuer },
    issuer: server.issuer,
    registrationUrl: server.registrationUrl,
    methods: server.clientAuthenticationMethods,
    redirectUri,
    clientName: pack.bundle.name,
    scope: definition.scopes?.join(" "),
  });
  await vault.save(
    createStoredAccount({
      key,
      pack: pack.bundle.name,
      type: definition.type,
      client,
      registeredRedirect: {
        address: redirectAddress(redirectUri),
        binding,
        namesIssuer: server.issuerPromised === true,
      },
      hosts: declaredHosts(definition, undefined, { answers: undefined, server: undefined }),
      requestedScopes: [...(definition.scopes ?? [])],
      ...describeUnconnected(isoTime(now())),
    }),
  );
  return { clientId: client.clientId, redirectUri, account };
}

function createBusyError(account: string): PackError<"ACCOUNT_BUSY"> {
  return new PackError(
    "ACCOUNT_BUSY",
    `The Pack already has an account ${account}. A new client would replace this account.`,
    {
      details: { account },
      hint: "Choose another name with --account, or run packsmith auth revoke to delete the existing account.",
    },
  );
}

/** What an account has before its first connection. */
function describeUnconnected(now: string) {
  return {
    tokenSet: undefined,
    endpoint: undefined,
    connectionName: undefined,
    scopes: undefined,
    status: "reconnect",
    reconnectReason: "its client is registered, but the account is not connected yet",
    createdAt: now,
    updatedAt: now,
  } as const;
}
