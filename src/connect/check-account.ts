import { openAccount } from "../accounts/open-account.ts";
import { accountKey, authenticationOf } from "../accounts/pack-account.ts";
import { isSecretAuthentication, secretFieldsOf } from "../accounts/secret-fields.ts";
import { openVault } from "../accounts/vault.ts";
import { PackError } from "../errors.ts";
import { getConnectionName } from "../execute/metadata/execute-metadata.ts";
import { loadValidPack } from "../load/load-pack.ts";
import { parseRoutes } from "../oauth/routes.ts";
import type { AccountOptions } from "./manage-accounts.ts";

export interface AccountCheck {
  /** Type of the authentication. */
  type: string;
  /** Names of the values that the account holds. */
  fields: string[];
  /** What the Pack calls the account now; absent when it has no `getConnectionName`, and nothing was sent. */
  connectionName: string | undefined;
}

/**
 * Tries an account whose credentials were entered: opens it and lets the Pack ask for its label.
 * @throws {PackError} OAUTH_NOT_CONFIGURED for another type, ACCOUNT_MISSING, ACCOUNT_RECONNECT, CREDENTIAL_MISSING, and what
 * `getConnectionName` of the Pack throws
 */
export async function checkAccount(options: AccountOptions): Promise<AccountCheck> {
  const { slot = "user", now, redactor } = options;
  await using pack = await loadValidPack(options.file, { cwd: options.cwd });
  const authentication = authenticationOf(pack.definition, slot);
  if (!isSecretAuthentication(authentication)) {
    throw new PackError("OAUTH_NOT_CONFIGURED", `The Pack has no ${slot} account whose credentials are entered.`, {
      details: undefined,
      hint: "Declare an authentication, or leave out --system.",
    });
  }
  await using vault = await openVault({ directory: options.home, databaseUrl: options.databaseUrl, keyStore: options.keyStore, now });
  const key = await accountKey({ ...options, slot, account: options.account ?? "default" });
  const routes = parseRoutes(options.routes ?? []);
  const account = await openAccount({ vault, key, authentication, routes, now, redactor });
  const connectionName = await getConnectionName({ isolate: pack.isolate, account, routes, now, redactor, slot });
  return { type: authentication.type, fields: secretFieldsOf(authentication).map(({ name }) => name), connectionName };
}
