import { type AccountKey, accountLabel, type StoredAccount } from "../accounts/account.ts";
import { hostsChanged } from "../accounts/account-hosts.ts";
import type { PackError } from "../errors.ts";
import { isSecretVariable, listVariables } from "../oauth/connection-answers.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import type { ClientCredentials } from "../oauth/token-set.ts";
import { canParseUrl } from "../shared/urls.ts";

/**
 * Decides where secrets of an account that existed before may be sent while it is connected again.
 */
export interface StoredSecrets {
  /**
   * To be called before a request with client credentials is sent.
   * @throws {PackError} ACCOUNT_HOSTS_CHANGED
   */
  check(url: string, client: ClientCredentials): Promise<void>;
  /** Adds URLs of a server that the account is known to belong to. */
  trust(urls: readonly (string | undefined)[]): void;
}

export interface StoredSecretsOptions {
  key: AccountKey;
  definition: OAuthDefinition;
  /** The account before the flow, if it existed. */
  before: StoredAccount | undefined;
  /** The client that the user entered for this flow. */
  given: ClientCredentials | undefined;
  /** The answers of this flow. */
  variables: Readonly<Record<string, string>>;
  /** Asks whether the stored secrets may be sent to a host. @default they may not */
  confirm?: ((host: string) => Promise<boolean>) | undefined;
}

/**
 * A changed definition must not carry a stored client secret to another server. The hosts that the
 * account was connected for are
 * allowed; others need the user's decision. What the user enters for this flow may go to any host.
 */
export function guardStoredSecrets({
  key,
  definition,
  before,
  given,
  variables,
  confirm,
}: StoredSecretsOptions): StoredSecrets {
  const stored = given === undefined ? before?.client.clientSecret : undefined;
  const previous = before?.answers?.variables ?? {};
  const repeatsSecret = listVariables(definition).some(
    (variable) =>
      isSecretVariable(variable) &&
      variables[variable.name] !== undefined &&
      variables[variable.name] === previous[variable.name],
  );
  const sealed = before === undefined || before.hosts === "any" ? [] : before.hosts.tokenOrigins;
  const allowed = new Set(listOrigins([...sealed, before?.endpoint, before?.tokenSet?.endpoint]));
  return {
    async check(url, { clientSecret }) {
      const isStored = stored !== undefined && clientSecret === stored;
      const [origin] = listOrigins([url]);
      if ((!isStored && !repeatsSecret) || origin === undefined || allowed.has(origin)) return;
      if ((await confirm?.(origin)) !== true) throw createRefusal(key, origin);
      allowed.add(origin);
    },
    trust(urls) {
      for (const origin of listOrigins(urls)) allowed.add(origin);
    },
  };
}

function listOrigins(urls: readonly (string | undefined)[]): string[] {
  return urls.flatMap((url) =>
    url !== undefined && canParseUrl(url) ? [new URL(url).origin] : [],
  );
}

function createRefusal(key: AccountKey, origin: string): PackError<"ACCOUNT_HOSTS_CHANGED"> {
  const message = `The Pack would now send the stored client secret of the account "${accountLabel(key)}" to ${origin}. You did not approve this host when you connected the account.`;
  return hostsChanged(key, [origin], message);
}
