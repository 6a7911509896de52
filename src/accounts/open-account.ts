import { type Authentication, isSecretAuthentication } from "../define/authentication.ts";
import { PackError } from "../errors.ts";
import { accountId, listSecrets } from "./account.ts";
import { type HostCheck, requireKnownHosts } from "./account-hosts.ts";
import { type AccountSession, openAccountSession } from "./account-session.ts";
import { createSecretSession } from "./entered-credentials.ts";
import { accountMissing } from "./pack-account.ts";
import type { AccountSessionOptions } from "./renew-account.ts";

export interface OpenAccountOptions
  extends Omit<AccountSessionOptions, "definition" | "networkDomains">,
    Pick<HostCheck, "networkDomains"> {
  authentication: Authentication;
}

/**
 * Opens an account of any type for use.
 * @throws {PackError} ACCOUNT_MISSING, ACCOUNT_RECONNECT when it was connected as another type,
 *   ACCOUNT_HOSTS_CHANGED,
 * CREDENTIAL_MISSING, AUTHENTICATION_UNSUPPORTED
 */
export async function openAccount({
  authentication,
  ...options
}: OpenAccountOptions): Promise<AccountSession> {
  const { vault, key, redactor } = options;
  const isOAuth =
    authentication.type === "OAuth2" || authentication.type === "OAuth2ClientCredentials";
  if (!isOAuth && !isSecretAuthentication(authentication))
    throw createUnsupportedError(authentication.type);
  const account = await vault.get(key);
  if (account === undefined) throw accountMissing(key.pack, key.name, key.slot);
  requireKnownHosts(account, { ...options, authentication });
  if (isOAuth) return await openAccountSession({ ...options, definition: authentication });
  for (const secret of listSecrets(account)) redactor?.add(secret);
  if (account.type !== authentication.type)
    throw otherType(key.name, account.type, authentication.type);
  return createSecretSession({
    authentication,
    secrets: account.secrets ?? {},
    endpoint: account.endpoint,
    id: accountId(key),
  });
}

/** The error for an authentication that only the document service supports. */
export function createUnsupportedError(type: string): PackError<"AUTHENTICATION_UNSUPPORTED"> {
  return new PackError(
    "AUTHENTICATION_UNSUPPORTED",
    `Accounts of type ${type} cannot be used on this machine.`,
    {
      details: { type },
      hint: "Only the document service has the credentials for this type of authentication. Use another type of authentication, or test the Pack in the document service.",
    },
  );
}

function otherType(account: string, before: string, now: string): PackError<"ACCOUNT_RECONNECT"> {
  return new PackError(
    "ACCOUNT_RECONNECT",
    `The account "${account}" has the authentication type ${before}, but the Pack now declares ${now}.`,
    {
      details: { account, error: "type_changed" },
      hint: "Run packsmith auth connect to connect the account again.",
    },
  );
}
